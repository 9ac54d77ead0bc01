import Platform
import Pipeline

/// A batch's own folder in the output directory: its locks, its manifests, and the files it is just writing.
///
/// While this lives, no other batch writes the same outputs: a batch without shards is alone in the directory, and each
/// shard is alone with its part.
public final class BatchState: Sendable {
    /// How a batch meets another one that is at work.
    public struct Patience {
        let patience: FileLock.Patience

        /// - Parameters:
        ///   - waits: whether to wait for the other's end, or to give up at once.
        ///   - cancellation: ends the waiting.
        ///   - onWait: is told what is waited for.
        public init(waits: Bool, cancellation: CancellationToken, onWait: @escaping (String) -> Void) {
            patience = FileLock.Patience(waits: waits, onWait: onWait, cancellation: cancellation)
        }
    }

    /// Where new files are until they get their names.
    public var temporaryDirectory: String { temporaries.path }
    private let temporaries: TemporaryPath
    /// What manifests knew when the batch began.
    let known: KnownOutputs
    private let folder: String
    private let shard: Shard?
    private let manifest = Locked<(values: Manifest, text: ManifestText)?>(nil)
    private let locks: [FileLock]

    /// Takes the directory for a batch or one of its shards, and tidies up after batches that were killed. Throws
    /// `RenderError` if another has it and is not waited for, or a manifest cannot be read.
    public init(_ tree: OutputTree, shard: Shard?, _ patience: Patience) throws {
        folder = try BatchState.makeFolder(in: tree)
        self.shard = shard
        var locks = [try FileLock("\(folder)/lock", shared: shard != nil, patience.patience)]
        if let shard {
            let path = "\(folder)/lock-\(shard.index)-of-\(shard.count)"
            locks.append(try FileLock(path, shared: false, patience.patience))
        }
        self.locks = locks
        let own = shard.map { "tmp-\($0.index)-of-\($0.count)" } ?? "tmp"
        let temporaryDirectory = "\(folder)/\(own)"
        // Alone in the directory: whoever wrote any of these is gone.
        let names = FileSystem.names(in: folder).filter { $0 == own || shard == nil && $0.hasPrefix("tmp") }
        for name in names { FileSystem.remove("\(folder)/\(name)") }
        known = try KnownOutputs(tree, preferring: shard)
        guard mkdir(temporaryDirectory, 0o777) == 0 else {
            throw RenderError(errno: errno, "create \(temporaryDirectory)")
        }
        temporaries = TemporaryPath(temporaryDirectory)
    }

    private static func makeFolder(in tree: OutputTree) throws -> String {
        let folder = tree.file(OutputTree.stateName)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw RenderError(errno: errno, "create \(folder)") }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw RenderError(.cannotCreate, "\(folder) is no directory: remove it")
        }
        return folder
    }

    // MARK: The manifest

    /// Puts a batch's manifest in the place of the one before.
    func begin(_ values: Manifest) throws {
        let text = try ManifestText(values)
        try write(text)
        manifest.withLock { $0 = (values, text) }
    }

    /// Notes how an output was made, or with nil that it was not, before its file gets its name. If that cannot be
    /// written, nothing has changed.
    func note(_ record: OutputRecord?, for path: String) throws {
        try manifest.withLock { manifest in
            guard var changed = manifest else { return }
            changed.values.outputs[path] = record
            try changed.text.set(record, for: path)
            try write(changed.text)
            manifest = changed
        }
    }

    /// How an output was made, as the batch's manifest has it.
    func record(of path: String) -> OutputRecord? { manifest.withLock { $0?.values.outputs[path] } }

    /// Removes the manifests of shards, whose contents are in the batch's own by now.
    func removeShardManifests() {
        for name in FileSystem.names(in: folder) where name.hasPrefix("manifest-") { unlink("\(folder)/\(name)") }
    }

    private func write(_ text: ManifestText) throws {
        let path = "\(folder)/\(Manifest.fileName(of: shard))"
        let file = try OutputFile(path: path, overwrites: true, temporaryDirectory: temporaryDirectory)
        try file.commit(Array(text.text.utf8))
    }
}

/// What the manifests in a directory tell of its files.
struct KnownOutputs {
    /// The manifests by their files' names.
    let manifests: [String: Manifest]
    private let order: [String]

    /// Reads all manifests of a directory. Throws `RenderError` if one cannot be read.
    ///
    /// - Parameter preferring: the shard whose manifest is looked at first.
    init(_ tree: OutputTree, preferring shard: Shard? = nil) throws {
        let folder = tree.file(OutputTree.stateName)
        let own = Manifest.fileName(of: shard)
        var manifests: [String: Manifest] = [:]
        for name in FileSystem.names(in: folder) where name.hasPrefix("manifest") && name.hasSuffix(".json") {
            let path = "\(folder)/\(name)"
            guard let bytes = try FileSystem.contents(of: path) else { continue }
            manifests[name] = try Manifest(json: bytes, path: path)
        }
        self.manifests = manifests
        order = manifests.keys.sorted { ($0 == own ? "" : $0) < ($1 == own ? "" : $1) }
    }

    /// All records of an output, the manifest's own first.
    func records(of path: String) -> [OutputRecord] { order.compactMap { manifests[$0]?.outputs[path] } }

    /// All outputs that there are records of.
    var paths: Set<String> { manifests.values.reduce(into: []) { $0.formUnion($1.outputs.keys) } }
}

extension OutputTree {
    /// What a batch gave up for an output's limit of bytes, as its records say: as options are written and by their keys; empty
    /// for nothing, and where there are no records. Throws `RenderError` if there are some that cannot be read.
    public func concessions(of path: String) throws -> [String: String] {
        try KnownOutputs(self).records(of: path).first?.concessions ?? [:]
    }
}
