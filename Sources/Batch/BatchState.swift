import Core
import Render

/// A batch's own files in the output directory: locks, manifests and temporary files.
///
/// While an instance exists, no other batch writes the same outputs: a batch without shards has the
/// directory to itself, and each shard of the same division its part.
package final class BatchState: Sendable {
    /// The directory for outputs that do not have their final names yet.
    let temporaryDirectory: DirectoryHandle
    /// Removes the temporary directory when the batch ends.
    private let temporaryPath: TemporaryPath
    /// The records of all manifests at the start of the batch.
    let known: KnownOutputs
    private let folder: DirectoryHandle
    private let shard: Shard?
    private let manifest = Locked<(values: Manifest, text: ManifestText)?>(nil)
    private let locks: [FileLock]

    /// Locks the directory for a batch or one of its shards, and removes the temporary files of
    /// killed batches, except unfinished sequences, which may be continued. Throws `LoadervidError`
    /// if another batch has the lock and `policy` does not wait, or if a manifest cannot be read.
    package init(_ directory: OutputDirectory, shard: Shard?, _ policy: WaitPolicy) throws {
        let folder = try BatchState.folder(of: directory)
        self.folder = folder
        self.shard = shard
        var locks = [try FileLock(folder.entry("lock"), shared: shard != nil, policy)]
        if let shard {
            let name = "lock-\(shard.index)-of-\(shard.count)"
            locks.append(try FileLock(folder.entry(name), shared: false, policy))
        }
        self.locks = locks
        let temporaryName = shard.map { "tmp-\($0.index)-of-\($0.count)" } ?? "tmp"
        // A batch may replace its own manifest, so the manifest is not recorded as an input.
        known = try FilesInUse.$current.withValue(nil) { try KnownOutputs(directory, preferring: shard) }
        temporaryDirectory = try BatchState.emptied(folder.entry(temporaryName))
        temporaryPath = TemporaryPath(folder.entry(temporaryName))
    }

    /// Returns a directory in which there are at most unfinished sequences. Throws `LoadervidError`
    /// if it cannot be emptied otherwise or created.
    private static func emptied(_ temporary: DirectoryEntry) throws -> DirectoryHandle {
        if let left = try? temporary.directory.subdirectory(temporary.name, creates: false) {
            let others = left.names.filter { !OutputSequence.isUnfinished(left.entry($0)) }
            for name in others { left.entry(name).remove() }
            guard others.allSatisfy({ left.entry($0).status == nil }) else {
                throw LoadervidError(.cannotCreate, "\(temporary.path) cannot be emptied; remove it")
            }
            return left
        }
        temporary.remove()
        try temporary.makeDirectory()
        guard let directory = try temporary.directory.subdirectory(temporary.name, creates: false) else {
            throw LoadervidError(.cannotCreate, "\(temporary.path) was removed by another process; try again")
        }
        return directory
    }

    private static func folder(of directory: OutputDirectory) throws -> DirectoryHandle {
        guard let folder = try directory.stateDirectory(creates: true) else {
            throw LoadervidError(
                .cannotCreate,
                "\(directory.path(of: OutputDirectory.stateDirectoryName)) was removed by another process; try again")
        }
        return folder
    }

    // MARK: The manifest

    /// Writes the batch's manifest, which replaces that of an earlier run.
    func begin(_ values: Manifest) throws {
        let text = try ManifestText(values)
        try write(text)
        manifest.withLock { $0 = (values, text) }
    }

    /// Writes the record of an output to the manifest before the file gets its name; nil removes
    /// the record. Throws `LoadervidError` if the manifest cannot be written, which is then
    /// unchanged.
    func note(_ record: OutputRecord?, for path: String) throws {
        try manifest.withLock { manifest in
            guard var changed = manifest else { return }
            changed.values.outputs[path] = record
            try changed.text.set(record, for: path)
            try write(changed.text)
            manifest = changed
        }
    }

    /// Returns the record of an output in the batch's manifest; nil if there is none.
    func record(of path: String) -> OutputRecord? { manifest.withLock { $0?.values.outputs[path] } }

    /// Removes the files of shards, which have ended, since this batch has their lock: manifests,
    /// whose records are in the batch's own manifest, and the temporary files of killed shards.
    func removeShardFiles() {
        for name in folder.names where name.hasPrefix("manifest-") || name.hasPrefix("tmp-") {
            folder.entry(name).remove()
        }
    }

    private func write(_ text: ManifestText) throws {
        let entry = folder.entry(Manifest.fileName(of: shard))
        let file = try OutputFile(entry, replacing: .anything, temporaryDirectory: temporaryDirectory)
        try file.commit(Array(text.text.utf8))
    }
}

/// The records of all manifests in a directory.
struct KnownOutputs {
    /// The manifests by file name.
    let manifests: [String: Manifest]
    /// The file names of the manifests, the preferred one first.
    private let order: [String]
    /// The outputs by their paths without an extension. Outputs with equal ones share their
    /// sidecars.
    private let outputsByStem: [String: Set<String>]

    /// The maximum size of a manifest in bytes, 256 MiB: about 100,000 outputs with records of two
    /// kilobytes each.
    private static let maxManifestBytes = 256 << 20

    /// Reads all manifests of a directory. Throws `LoadervidError` if one cannot be read.
    ///
    /// - Parameter preferring: the shard whose records come first.
    init(_ directory: OutputDirectory, preferring shard: Shard? = nil) throws {
        let folder = try directory.stateDirectory(creates: false)
        let own = Manifest.fileName(of: shard)
        var manifests: [String: Manifest] = [:]
        for name in folder?.names ?? [] where name.hasPrefix("manifest") && name.hasSuffix(".json") {
            guard let file = folder?.entry(name),
                let bytes = try file.contents(maxBytes: KnownOutputs.maxManifestBytes)
            else { continue }
            manifests[name] = try Manifest(json: bytes, path: file.path)
        }
        self.manifests = manifests
        order = manifests.keys.sorted { ($0 == own ? "" : $0) < ($1 == own ? "" : $1) }
        let paths = Set(manifests.values.flatMap(\.outputs.keys))
        outputsByStem = Dictionary(grouping: paths) { PresetOutput.stem(of: $0) }.mapValues { Set($0) }
    }

    /// Returns all records of an output, that of the preferred manifest first.
    func records(of path: String) -> [OutputRecord] { order.compactMap { manifests[$0]?.outputs[path] } }

    /// Returns all records of an output and of the outputs that share its sidecars, the output's
    /// own first.
    func records(sharingSidecarsOf path: String) -> [OutputRecord] {
        let others = (outputsByStem[PresetOutput.stem(of: path)] ?? []).subtracting([path]).sorted()
        return records(of: path) + others.flatMap { records(of: $0) }
    }

    /// Returns true if a batch made the sidecar with this extension beside the output at a path,
    /// for that output or for another one that shares it.
    func hasMade(fileExtension: String, beside path: String) -> Bool {
        let name = PresetOutput.stem(of: path) + "." + fileExtension
        return !records(of: name).isEmpty
            || records(sharingSidecarsOf: path).contains { $0.hasMade(fileExtension: fileExtension) }
    }

    /// The paths of all outputs with records.
    var paths: Set<String> { manifests.values.reduce(into: []) { $0.formUnion($1.outputs.keys) } }
}

/// The settings that batches changed for file size limits. Reads the manifests of each directory
/// once. Not thread-safe.
package final class ReducedSettings {
    private var known: [String: KnownOutputs] = [:]

    package init() {}

    /// Returns the changed settings of an output as option values by their keys; empty for none and
    /// if there are no records. Throws `LoadervidError` if a manifest cannot be read.
    package func settings(of path: String, in directory: String) throws -> [String: String] {
        let outputs = try known[directory] ?? KnownOutputs(OutputDirectory(directory, creates: false))
        known[directory] = outputs
        return outputs.records(of: path).first?.reducedSettings ?? [:]
    }
}
