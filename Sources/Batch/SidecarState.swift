import Core
import Media
import Render

// Sidecars, such as a lesson's captions, are checked, merged and pruned by the same rules as
// outputs.

extension Sidecar {
    /// Returns the path of this sidecar next to the output at `output`.
    func path(beside output: String) -> String { PresetOutput.stem(of: output) + "." + rawValue }
}

extension OutputRecord {
    /// Returns true if a batch made a file with this extension next to the output. Versions before
    /// 0.8 did not record sidecars, and only lessons had them.
    func hasMade(fileExtension: String) -> Bool {
        sidecars.map { $0[fileExtension] != nil } ?? (recipe.request["tutorial"] != nil)
    }

    /// Returns the record with only the sidecars that belong to its output. Outputs that differ
    /// only in their extension share their sidecars, so they may be in the record of another output
    /// with the same frames and captions.
    func withSidecars(_ kinds: [Sidecar], recordedIn records: [OutputRecord]) -> OutputRecord {
        let sources = [self] + records.filter { $0.recipe.hasSameContent(as: recipe) }
        let known = kinds.compactMap { kind in
            sources.compactMap { $0.sidecars?[kind.rawValue] }.first.map { (kind.rawValue, $0) }
        }
        // A record of an earlier version keeps its nil, which identifies it.
        guard sidecars != nil || !known.isEmpty else { return self }
        var record = self
        record.sidecars = Dictionary(uniqueKeysWithValues: known)
        return record
    }

    /// Returns the sidecars of the output at a path, by their paths.
    func sidecars(of output: String) -> [String: FileRecord] {
        let known = Sidecar.allCases.compactMap { kind in
            sidecars?[kind.rawValue].map { (kind.path(beside: output), $0) }
        }
        return Dictionary(uniqueKeysWithValues: known)
    }
}

extension Recipe {
    /// The fields of a request that change how a clip is stored, but not its captions or poster:
    /// the sound, the format, and the options in which outputs of a clip may differ, except the
    /// poster's format.
    private static let storageFields = Set(
        OptionRegistry.current.options.filter(\.outputsMayDiffer).map(\.key) + ["audio", "format", "gop"]
    ).subtracting(["poster-format"])

    /// Returns true if the sidecars of another recipe's clip are those of this one's.
    fileprivate func hasSameContent(as other: Recipe) -> Bool {
        func content(_ recipe: Recipe) -> [String: String] {
            recipe.request.filter { !Recipe.storageFields.contains($0.key) }
        }
        return toolchain == other.toolchain && content(self) == content(other)
    }
}

extension FileRecord {
    /// The maximum size of a poster in bytes: an uncompressed image of the largest clip.
    private static let maxPosterBytes = Bitmap.maxFileBytes(pixels: Bitmap.maxPixels)
    /// The maximum size of a caption file in bytes, 16 MiB: a lesson's script is far smaller.
    private static let maxCaptionBytes = 16 << 20

    /// Throws `LoadervidError` if the record's size is above the maximum for a sidecar. An
    /// untrusted manifest may record any size.
    private func checkSize(of name: String, in directory: OutputDirectory) throws {
        let ending = "." + Sidecar.captions.rawValue
        let isCaptions = name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        let maxBytes = isCaptions ? FileRecord.maxCaptionBytes : FileRecord.maxPosterBytes
        guard bytes > maxBytes else { return }
        throw LoadervidError(
            .badData,
            "\(directory.path(of: name)): its record says \(bytes) bytes, above the maximum of \(maxBytes) for a "
                + "sidecar; remove the manifest in \(OutputDirectory.stateDirectoryName)")
    }

    /// Returns the reason why the file at a path must be made again; nil if it matches the record.
    /// Never follows a link.
    func problem(of name: String, in directory: OutputDirectory) throws -> OutputState.Reason? {
        guard let (entry, size) = try directory.existingFile(name) else { return .changed("missing: \(name)") }
        guard size == bytes else { return .damaged("\(name) has \(size) bytes instead of \(bytes)") }
        try checkSize(of: name, in: directory)
        // All cores check sidecars at the same time, so no file is loaded whole.
        return try entry.sha256(maxBytes: bytes) == sha256 ? nil : .damaged("\(name) has other contents")
    }

    /// Returns the contents of the file at a path; nil if they do not match the record. Never
    /// follows a link.
    func contents(of name: String, in directory: OutputDirectory) throws -> [UInt8]? {
        try checkSize(of: name, in: directory)
        var contents: [UInt8] = []
        contents.reserveCapacity(bytes)
        var isLonger = false
        guard let entry = try directory.entry(name, creates: false) else { return nil }
        try entry.read { piece in
            isLonger = isLonger || contents.count + piece.count > bytes
            if !isLonger { contents += piece }
        }
        return try !isLonger && FileRecord(of: contents) == self ? contents : nil
    }
}

extension BatchPlan.Output {
    /// Returns the reason why the output's sidecars do not match its record; nil if they do.
    func sidecarProblem(_ record: OutputRecord, in directory: OutputDirectory) throws -> OutputState.Reason? {
        for kind in requested.sidecars {
            let name = requested.path(of: kind)
            // Earlier versions kept no records of sidecars, so they cannot be checked.
            guard let known = record.sidecars?[kind.rawValue] else { return .changed("not recorded: \(name)") }
            if let problem = try known.problem(of: name, in: directory) { return problem }
        }
        return nil
    }
}

extension KnownOutputs {
    /// Throws `LoadervidError` if a sidecar must not be written because an existing file is not a
    /// regular file, or was not made by a batch.
    ///
    /// - Parameter force: true to replace a file that no batch made.
    func checkSidecars(of output: BatchPlan.Output, in directory: OutputDirectory, force: Bool) throws {
        for sidecar in output.requested.sidecars {
            let path = output.requested.path(of: sidecar)
            guard try directory.existingFile(path) != nil, !force else { continue }
            guard hasMade(fileExtension: sidecar.rawValue, beside: output.requested.path) else {
                throw LoadervidError(
                    .cannotCreate,
                    "\(directory.path(of: path)) exists and was not made by a batch",
                    hint: .overwritingOrRemoval)
            }
        }
    }

    /// Returns records of the sidecars that outputs had, but that are not among the files of the
    /// plan. Like outputs that are no longer in any preset, they still count as files that a batch
    /// made.
    func formerSidecars(of outputs: some Sequence<String>, besides files: Set<String>) -> [String: OutputRecord] {
        var former: [String: OutputRecord] = [:]
        for output in outputs {
            for record in records(of: output) {
                for (path, file) in record.sidecars(of: output) where !files.contains(path) {
                    former[path] = OutputRecord(
                        fingerprint: record.fingerprint, bytes: file.bytes, sha256: file.sha256, recipe: record.recipe,
                        sidecars: [:])
                }
            }
        }
        return former
    }

    /// The paths of all recorded files: outputs and sidecars.
    var files: Set<String> {
        manifests.values.reduce(into: []) { files, manifest in
            for (path, record) in manifest.outputs {
                files.insert(path)
                files.formUnion(record.sidecars(of: path).keys)
            }
        }
    }
}
