import Core
import Media
import Render

/// The state of an output before rendering.
package enum OutputState: Sendable, Hashable {
    /// A file exists, is undamaged, and was made by the same recipe.
    case upToDate(OutputRecord)
    /// The output must be made, for a reason. `replaces` is true if an existing file may be
    /// replaced, and `record` is the one that matches that file; nil if none does.
    case stale(Reason, replaces: Bool, record: OutputRecord? = nil)
    /// The output must not be made.
    case refused(LoadervidError)

    /// The reason why an output must be made.
    package enum Reason: Sendable, Hashable, CustomStringConvertible {
        /// No batch has made it yet.
        case new
        /// Its file was removed.
        case missing
        /// The user wants to render everything again.
        case forced
        /// The bytes of its file differ from every record, in this respect.
        case damaged(String)
        /// The recipe, or a sidecar, differs from the record in this respect.
        case changed(String)

        package var description: String {
            switch self {
            case .new: "new"
            case .missing: "missing"
            case .forced: "\(commandOption: "force")"
            case .damaged(let difference): "damaged: " + difference
            case .changed(let difference): difference
            }
        }
    }
}

extension KnownOutputs {
    /// Returns the state of a planned output. Reads its file if a record has the file's size.
    ///
    /// - Parameter force: true to render everything again and replace any existing file.
    func state(of output: BatchPlan.Output, in directory: OutputDirectory, force: Bool) -> OutputState {
        do {
            let path = output.requested.path
            let existing = try directory.existingOutput(path)
            let records = self.records(of: path)
            try checkSidecars(of: output, in: directory, force: force)
            guard let existing else {
                return .stale(records.isEmpty ? .new : .missing, replaces: force)
            }
            guard force || !records.isEmpty else {
                throw LoadervidError(
                    .cannotCreate,
                    "\(directory.path(of: path)) exists and was not made by a batch",
                    hint: .overwritingOrRemoval)
            }
            if force { return .stale(.forced, replaces: true) }
            let size = existing.size
            let maxBytes = output.requested.plan.maxFileBytes
            // A sparse file needs no disk space at any size, but hashing it may take hours.
            guard size <= maxBytes else {
                return .stale(
                    .damaged("\(size) bytes, above the maximum of \(maxBytes) for this clip"), replaces: true)
            }
            let found = try self.records(of: path, matching: existing, maxBytes: maxBytes)
            guard let match = found.first(where: { $0.fingerprint == output.fingerprint }) ?? found.first else {
                let recorded = records[0].bytes
                let damage = recorded == size ? "other contents" : "\(size) bytes instead of \(recorded)"
                return .stale(.damaged(damage), replaces: true)
            }
            if let change = match.recipe.change(to: output.recipe) {
                return .stale(.changed(change), replaces: true, record: match)
            }
            let record = match.withSidecars(
                output.requested.sidecars, recordedIn: self.records(sharingSidecarsOf: path))
            if let problem = try output.sidecarProblem(record, in: directory) {
                return .stale(problem, replaces: true, record: match)
            }
            return .upToDate(record)
        } catch { return .refused(LoadervidError(error)) }
    }

    /// Returns the records that match the contents of an output; empty for none. Hashes it only if
    /// a record has its size. Throws `LoadervidError` if that is above `maxBytes` bytes.
    func records(
        of name: String, matching existing: ExistingOutput, maxBytes: Int
    ) throws -> [OutputRecord] {
        let candidates = records(of: name).filter { $0.bytes == existing.size }
        guard !candidates.isEmpty else { return [] }
        let hash = try existing.sha256(maxBytes: maxBytes)
        return candidates.filter { $0.sha256 == hash }
    }
}

extension OutputDirectory {
    /// Returns an existing regular file and its size in bytes; nil if it does not exist. Throws
    /// `LoadervidError` if it, or a parent directory, is a link or another kind of file.
    func existingFile(_ name: String) throws -> (entry: DirectoryEntry, size: Int)? {
        guard let entry = try entry(name, creates: false) else { return nil }
        try entry.refuseLink()
        guard let status = entry.status else {
            let code = errno
            if code == ENOENT { return nil }
            throw LoadervidError(errno: code, .examine, entry.path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LoadervidError(
                .cannotCreate, "\(entry.path) is not a regular file; remove it, or choose another output")
        }
        return (entry, Int(status.st_size))
    }
}

extension OutputState {
    /// True if a file exists whose bytes differ from every record.
    package var isDamaged: Bool {
        if case .stale(.damaged, _, _) = self { true } else { false }
    }

    /// The record that matches an existing file; nil if there is none.
    var matchingRecord: OutputRecord? {
        if case .stale(_, _, let record) = self { record } else { self.record }
    }

    /// The record of a file that is up to date; nil otherwise.
    package var record: OutputRecord? {
        if case .upToDate(let record) = self { record } else { nil }
    }

    /// Returns the states of all outputs of a plan in a directory, by path. The directory need not
    /// exist. Throws `LoadervidError` if a manifest cannot be read.
    package static func all(
        of plan: BatchPlan, in directory: String, _ options: BatchRun.Options
    ) throws -> [String: OutputState] {
        guard FileSystem.exists(directory) else {
            let paths = plan.clips.flatMap(\.outputs).map(\.requested.path)
            return Dictionary(uniqueKeysWithValues: paths.map { ($0, .stale(.new, replaces: false)) })
        }
        let outputs = try OutputDirectory(directory, creates: false)
        return all(of: plan, in: outputs, known: try KnownOutputs(outputs, preferring: plan.shard), options)
    }

    /// Returns the states of all outputs of a plan, by path.
    static func all(
        of plan: BatchPlan, in directory: OutputDirectory, known: KnownOutputs, _ options: BatchRun.Options
    ) -> [String: OutputState] {
        let states = Locked<[String: OutputState]>([:])
        distribute(plan.clips.flatMap(\.outputs), threads: options.cores) { output in
            let state = known.state(of: output, in: directory, force: options.force)
            states.withLock { $0[output.requested.path] = state }
        }
        return states.withLock { $0 }
    }
}
