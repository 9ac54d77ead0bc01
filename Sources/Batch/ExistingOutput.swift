import Core
import Media
import Render

/// An existing output of a batch: a file, or a directory with the frames of a sequence.
struct ExistingOutput {
    fileprivate enum Contents {
        case file(DirectoryEntry)
        case sequence(SequenceFiles)
    }

    fileprivate let contents: Contents
    /// The size in bytes; of a sequence, the sum of its files.
    let size: Int

    /// Returns the SHA-256 of the file, or of the list of a sequence's files and their hashes.
    /// Throws `LoadervidError` if a file cannot be read, is a link, or has more than `maxBytes`
    /// bytes.
    func sha256(maxBytes: Int) throws -> String {
        switch contents {
        case .file(let entry): try entry.sha256(maxBytes: maxBytes)
        case .sequence(let files): try files.sha256(maxBytes: maxBytes)
        }
    }
}

extension OutputDirectory {
    /// Returns the pattern of a path that names a sequence; nil if it names a file.
    static func pattern(of path: String) -> FramePattern? {
        guard Container(ofFile: path)?.isFrameSequence == true, path.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return try? OutputSequence.pattern(of: path)
    }

    /// Returns the existing file or sequence at a path; nil if there is none. Throws
    /// `LoadervidError` if it, or a parent directory, is a link or another kind of file.
    func existingOutput(_ name: String) throws -> ExistingOutput? {
        guard let pattern = OutputDirectory.pattern(of: name) else {
            return try existingFile(name).map { ExistingOutput(contents: .file($0.entry), size: $0.size) }
        }
        guard let files = try sequence(name, pattern), !files.numbers.isEmpty else { return nil }
        return ExistingOutput(contents: .sequence(files), size: try files.byteCount())
    }

    /// Returns the file of an output, open for reading; nil for a sequence. Throws `LoadervidError`
    /// if it does not exist, or if it or a parent directory is a link or another kind of file.
    package func openedFile(_ name: String) throws -> InputFile? {
        guard OutputDirectory.pattern(of: name) == nil else { return nil }
        guard let entry = try entry(name, creates: false) else {
            throw LoadervidError(missing: path(of: name))
        }
        return try entry.inputFile(path: path(of: name))
    }

    /// Returns the files of an existing sequence; nil if its directory does not exist.
    func sequence(_ name: String, _ pattern: FramePattern) throws -> SequenceFiles? {
        guard let entry = try entry(FileSystem.split(name).directory, creates: false),
            let directory = try entry.directory.subdirectory(entry.name, creates: false)
        else { return nil }
        return try SequenceFiles(in: directory, pattern)
    }

    /// Begins a sequence, and creates missing parent directories.
    ///
    /// - Parameter recipe: the output's fingerprint, to keep frames of a killed batch. The other
    ///   parameters are those of `newFile`.
    func newSequence(
        _ name: String, _ pattern: FramePattern, replaces: Bool, recipe: String? = nil, state: BatchState,
        filesInUse: FilesInUse? = nil, beforeCommit: @escaping (_ sequence: OutputSequence) throws -> Void
    ) throws -> OutputSequence {
        guard let entry = try entry(FileSystem.split(name).directory, creates: true) else {
            throw LoadervidError(
                .cannotCreate, "\(self.path(of: name)): its directory was removed by another process; try again")
        }
        return try OutputSequence(
            entry, pattern, overwrites: replaces, temporaryDirectory: state.temporaryDirectory, recipe: recipe,
            filesInUse: filesInUse, beforeCommit: beforeCommit)
    }
}
