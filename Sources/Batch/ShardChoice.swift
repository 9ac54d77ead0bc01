import Core
import Render

/// The value of `--shard`: `K/N`, or `auto` or `auto/N` for the environment's shard.
package enum ShardChoice: Sendable, Hashable {
    /// An explicit shard.
    case fixed(Shard)
    /// The shard in the variables of a CI system or cluster, with the number of shards if the user
    /// gives it.
    case auto(count: Int?)

    /// Parses `K/N`, `auto` or `auto/N`. Throws `LoadervidError` for anything else.
    package init(text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        if parts == ["auto"] {
            self = .auto(count: nil)
        } else if parts.count == 2, parts[0] == "auto", let count = Int(parts[1]) {
            self = .auto(count: try Shard(index: 0, count: count).count)
        } else if parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) {
            self = .fixed(try Shard(index: index, count: count))
        } else {
            throw LoadervidError(.usage, "shard \(quoted(text)) is invalid; use K/N such as 0/3, auto, or auto/N")
        }
    }

    /// Returns the shard, from `environment` for `auto`. Throws `LoadervidError` if the variables
    /// are missing, contradict each other, or are out of range.
    package func shard(environment: [String: String]) throws -> Shard {
        let count: Int?
        switch self {
        case .fixed(let shard): return shard
        case .auto(let given): count = given
        }
        let variables = ShardVariables(environment: environment, count: count)
        let found = try [
            variables.kubernetes(), variables.slurm(), variables.circle(), variables.gitlab(),
        ].compactMap { $0 }
        guard let first = found.first else {
            throw LoadervidError(
                .usage,
                "shard auto: none of JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID (Slurm), CIRCLE_NODE_INDEX "
                    + "(CircleCI) and CI_NODE_INDEX (GitLab) is set; use \(commandOption: "shard") K/N")
        }
        if let other = found.first(where: { $0.shard != first.shard }) {
            throw LoadervidError(
                .usage,
                "shard auto: \(first.variable) gives \(first.shard), but \(other.variable) gives \(other.shard); use "
                    + "\(commandOption: "shard") K/N")
        }
        return first.shard
    }
}

/// The environment variables in which CI systems and clusters give a job its index.
private struct ShardVariables {
    typealias Finding = (variable: String, shard: Shard)

    let environment: [String: String]
    /// The number of shards given by the user; nil for none.
    let count: Int?

    /// Returns the shard of a Kubernetes Indexed Job. Indices start at 0. The count is not in the
    /// environment unless the job's author sets `JOB_COMPLETIONS`.
    func kubernetes() throws -> Finding? {
        let name = "JOB_COMPLETION_INDEX"
        guard let index = try number(name) else { return nil }
        guard try count != nil || number("JOB_COMPLETIONS") != nil else {
            throw LoadervidError(
                .usage,
                "shard auto: \(name) is set, but the number of shards is unknown; use "
                    + "\(commandOption: "shard") auto/N, or set JOB_COMPLETIONS")
        }
        return try finding(name, index: index, of: total("JOB_COMPLETIONS", beside: name))
    }

    /// Returns the shard of a Slurm array task, whose IDs are arbitrary. With a count from the user
    /// they are shard indices, so that single shards can be run again.
    func slurm() throws -> Finding? {
        let name = "SLURM_ARRAY_TASK_ID"
        guard let id = try number(name) else { return nil }
        if let count { return try finding(name, index: id, of: count) }
        guard let total = try number("SLURM_ARRAY_TASK_COUNT") else {
            throw LoadervidError(
                .usage,
                "shard auto: \(name) is set, but SLURM_ARRAY_TASK_COUNT is not; use \(commandOption: "shard") auto/N")
        }
        let first = try number("SLURM_ARRAY_TASK_MIN") ?? 0
        let step = try number("SLURM_ARRAY_TASK_STEP") ?? 1
        guard step > 0, id >= first, (id - first) % step == 0 else {
            throw LoadervidError(
                .usage,
                "shard auto: \(name)=\(id) is not in the array from \(first) in steps of \(step); use "
                    + "\(commandOption: "shard") auto/N")
        }
        return try finding(name, index: (id - first) / step, of: total)
    }

    /// Returns the shard of a CircleCI job. Indices start at 0.
    func circle() throws -> Finding? {
        let name = "CIRCLE_NODE_INDEX"
        guard let index = try number(name) else { return nil }
        return try finding(name, index: index, of: total("CIRCLE_NODE_TOTAL", beside: name))
    }

    /// Returns the shard of a GitLab job. Indices start at 1. An index of 0 comes from another
    /// system with the same variable, whose other indices would mean other shards.
    func gitlab() throws -> Finding? {
        let name = "CI_NODE_INDEX"
        guard let index = try number(name) else { return nil }
        guard index > 0 else {
            throw LoadervidError(
                .usage,
                "shard auto: \(name) is 0, but GitLab counts from 1; use \(commandOption: "shard") K/N with K from 0")
        }
        return try finding(name, index: index - 1, of: total("CI_NODE_TOTAL", beside: name))
    }

    private func total(_ name: String, beside indexName: String) throws -> Int {
        guard let total = try number(name) else {
            if let count { return count }
            throw LoadervidError(
                .usage, "shard auto: \(indexName) is set, but \(name) is not; use \(commandOption: "shard") auto/N")
        }
        if let count, count != total {
            throw LoadervidError(
                .usage, "shard auto/\(count): \(name) is \(total); use \(commandOption: "shard") auto/\(total)")
        }
        return total
    }

    private func finding(_ variable: String, index: Int, of total: Int) throws -> Finding {
        guard (1...Shard.maxCount).contains(total), (0..<total).contains(index) else {
            let text = environment[variable] ?? ""
            throw LoadervidError(
                .usage,
                "shard auto: \(variable)=\(text) is not one of \(total) shards; use \(commandOption: "shard") K/N, or "
                    + "auto/N")
        }
        return (variable, try Shard(index: index, count: total))
    }

    /// Returns a variable's value; nil if it is unset or empty. Throws `LoadervidError` if it is
    /// not a number.
    private func number(_ name: String) throws -> Int? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        guard let number = Int(text), text.hasOnlyASCIIDigits else {
            throw LoadervidError(
                .usage, "shard auto: \(name)=\(quoted(text)) is not a number; use \(commandOption: "shard") K/N")
        }
        return number
    }
}
