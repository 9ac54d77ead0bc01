import Pipeline

/// What `--shard` says: `K/N`, or `auto` or `auto/N` to ask the environment.
public enum ShardChoice: Sendable, Hashable {
    /// This one.
    case fixed(Shard)
    /// The one that a CI system or cluster says, which may leave the count to the user.
    case auto(count: Int?)

    /// Reads `K/N`, `auto` or `auto/N`. Throws `RenderError` for anything else.
    public init(text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        if parts == ["auto"] {
            self = .auto(count: nil)
        } else if parts.count == 2, parts[0] == "auto", let count = Int(parts[1]) {
            self = .auto(count: try Shard(index: 0, count: count).count)
        } else if parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) {
            self = .fixed(try Shard(index: index, count: count))
        } else {
            throw RenderError(.usage, "shard '\(text)' is not possible: give K/N such as 0/3, auto, or auto/N")
        }
    }

    /// The shard, by an environment where that is asked for. Throws `RenderError` if the environment does not say it,
    /// contradicts itself, or names none that there is.
    public func shard(environment: [String: String]) throws -> Shard {
        guard case .auto(let count) = self else {
            guard case .fixed(let shard) = self else { preconditionFailure("all cases are there") }
            return shard
        }
        let variables = ShardVariables(environment: environment, count: count)
        let found = try [
            variables.kubernetes(), variables.slurm(), variables.circle(), variables.gitlab(),
        ].compactMap { $0 }
        guard let first = found.first else {
            throw RenderError(
                .usage,
                "shard auto: none of JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID (Slurm), CIRCLE_NODE_INDEX "
                    + "(CircleCI) and CI_NODE_INDEX (GitLab) is set: give --shard K/N")
        }
        if let other = found.first(where: { $0.shard != first.shard }) {
            throw RenderError(
                .usage,
                "shard auto: \(first.variable) says \(first.shard), but \(other.variable) says \(other.shard): give "
                    + "--shard K/N")
        }
        return first.shard
    }
}

/// The environment variables by which systems tell a job which of its copies it is.
private struct ShardVariables {
    typealias Finding = (variable: String, shard: Shard)

    let environment: [String: String]
    /// How many shards the user says there are.
    let count: Int?

    /// Indexed Jobs count from 0, and say nothing of how many there are unless the job's author passes it on.
    func kubernetes() throws -> Finding? {
        let name = "JOB_COMPLETION_INDEX"
        guard let index = try number(name) else { return nil }
        guard try count != nil || number("JOB_COMPLETIONS") != nil else {
            throw RenderError(
                .usage, "shard auto: \(name) is set, but not of how many: give --shard auto/N, or set JOB_COMPLETIONS")
        }
        return try finding(name, index: index, of: total("JOB_COMPLETIONS", beside: name))
    }

    /// Array tasks have any ids. With a count from the user they are shard numbers, so that a few can be run again.
    func slurm() throws -> Finding? {
        let name = "SLURM_ARRAY_TASK_ID"
        guard let id = try number(name) else { return nil }
        if let count { return try finding(name, index: id, of: count) }
        guard let total = try number("SLURM_ARRAY_TASK_COUNT") else {
            throw RenderError(
                .usage, "shard auto: \(name) is set, but SLURM_ARRAY_TASK_COUNT is not: give --shard auto/N")
        }
        let (first, step) = (try number("SLURM_ARRAY_TASK_MIN") ?? 0, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
        guard step > 0, id >= first, (id - first) % step == 0 else {
            throw RenderError(
                .usage,
                "shard auto: \(name)=\(id) is none of an array from \(first) in steps of \(step): give --shard auto/N")
        }
        return try finding(name, index: (id - first) / step, of: total)
    }

    /// CircleCI counts from 0.
    func circle() throws -> Finding? {
        let name = "CIRCLE_NODE_INDEX"
        guard let index = try number(name) else { return nil }
        return try finding(name, index: index, of: total("CIRCLE_NODE_TOTAL", beside: name))
    }

    /// GitLab counts from 1. An index of 0 comes from another system, whose other numbers mean other shards.
    func gitlab() throws -> Finding? {
        let name = "CI_NODE_INDEX"
        guard let index = try number(name) else { return nil }
        guard index > 0 else {
            throw RenderError(
                .usage, "shard auto: \(name)=0, but GitLab counts from 1: give --shard K/N with K from 0")
        }
        return try finding(name, index: index - 1, of: total("CI_NODE_TOTAL", beside: name))
    }

    private func total(_ name: String, beside indexName: String) throws -> Int {
        guard let total = try number(name) else {
            if let count, name == "JOB_COMPLETIONS" { return count }
            throw RenderError(.usage, "shard auto: \(indexName) is set, but \(name) is not: give --shard K/N")
        }
        if let count, count != total {
            throw RenderError(.usage, "shard auto/\(count): \(name) says \(total): give one count")
        }
        return total
    }

    private func finding(_ variable: String, index: Int, of total: Int) throws -> Finding {
        guard (1...Shard.most).contains(total), (0..<total).contains(index) else {
            let text = environment[variable] ?? ""
            throw RenderError(
                .usage, "shard auto: \(variable)=\(text) is none of \(total) shards: give --shard K/N, or auto/N")
        }
        return (variable, try Shard(index: index, count: total))
    }

    /// A variable's value; nil if it is not set or empty.
    private func number(_ name: String) throws -> Int? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        guard let number = Int(text), number >= 0, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw RenderError(.usage, "shard auto: \(name)='\(text)' is no number: give --shard K/N")
        }
        return number
    }
}
