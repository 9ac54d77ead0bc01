import Platform
import Media
import Pipeline

/// How what is there compares with what is wanted.
public enum OutputState: Sendable, Hashable {
    /// The file is there, whole, and of this recipe.
    case upToDate(OutputRecord)
    /// It is to be made, and why; whether a file that is there may be replaced.
    case stale(reason: String, replaces: Bool)
    /// It must not be made.
    case refused(RenderError)
}

extension KnownOutputs {
    /// How a planned output's file compares with what is wanted. Reads the file if its size is one that is known.
    ///
    /// - Parameter force: whether everything is made again, over whatever is there.
    func state(of output: BatchPlan.Output, in tree: OutputTree, force: Bool) -> OutputState {
        do {
            let path = output.wish.path
            try tree.prepare(path, creates: false)
            let records = self.records(of: path)
            guard let size = try KnownOutputs.size(of: tree.file(path)) else {
                return .stale(reason: records.isEmpty ? "new" : "missing", replaces: force)
            }
            guard force || !records.isEmpty else {
                throw RenderError(
                    .cannotCreate,
                    "\(tree.file(path)) exists and was not made by a batch: use --force to overwrite it, or remove it")
            }
            if force { return .stale(reason: "--force", replaces: true) }
            let found = try record(of: path, at: tree.file(path), size: size)
            guard let record = found.first(where: { $0.fingerprint == output.fingerprint }) ?? found.first else {
                let known = records[0].bytes
                let how = known == size ? "other contents" : "\(size) bytes instead of \(known)"
                return .stale(reason: "damaged: \(how)", replaces: true)
            }
            if let change = record.recipe.change(to: output.recipe) { return .stale(reason: change, replaces: true) }
            for path in output.wish.companions.map({ output.wish.path(of: $0) }) {
                guard try KnownOutputs.size(of: tree.file(path)) != nil else {
                    return .stale(reason: "missing: \(path)", replaces: true)
                }
            }
            return .upToDate(record)
        } catch { return .refused(RenderError(error)) }
    }

    /// What is known of the contents that a file has.
    func record(of name: String, at path: String, size: Int) throws -> [OutputRecord] {
        let candidates = records(of: name).filter { $0.bytes == size }
        guard !candidates.isEmpty else { return [] }
        let hash = try SHA256.file(path).hash
        return candidates.filter { $0.sha256 == hash }
    }

    /// The size of an ordinary file in bytes; nil if nothing is there. Throws `RenderError` for anything else.
    static func size(of path: String) throws -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw RenderError(errno: errno, "look at \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RenderError(.cannotCreate, "\(path) is not an ordinary file: remove it, or choose another output")
        }
        return Int(status.st_size)
    }
}

extension OutputState {
    /// What is known of a file that is up to date.
    public var record: OutputRecord? {
        if case .upToDate(let record) = self { record } else { nil }
    }

    /// The states of all outputs of a plan in a directory, which need not be there. Throws `RenderError` if a manifest
    /// cannot be read.
    public static func all(
        of plan: BatchPlan, in directory: String, _ options: BatchRun.Options
    ) throws -> [String: OutputState] {
        guard FileSystem.exists(directory) else {
            let paths = plan.clips.flatMap(\.outputs).map(\.wish.path)
            return Dictionary(uniqueKeysWithValues: paths.map { ($0, .stale(reason: "new", replaces: false)) })
        }
        let tree = try OutputTree(directory, creates: false)
        return all(of: plan, in: tree, known: try KnownOutputs(tree, preferring: plan.shard), options)
    }

    /// The states of all outputs of a plan, by their paths.
    static func all(
        of plan: BatchPlan, in tree: OutputTree, known: KnownOutputs, _ options: BatchRun.Options
    ) -> [String: OutputState] {
        let states = Locked<[String: OutputState]>([:])
        distribute(plan.clips.flatMap(\.outputs), threads: options.cores) { output in
            let state = known.state(of: output, in: tree, force: options.force)
            states.withLock { $0[output.wish.path] = state }
        }
        return states.withLock { $0 }
    }
}
