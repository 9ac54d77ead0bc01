import Core
import Media

/// A file that appears complete or not at all: a temporary file is renamed when all its bytes are
/// on disk.
///
/// Sidecars, such as a clip's captions, get their names first, so they exist whenever the file
/// does.
///
/// The file never replaces an input or another output of the same work, whichever paths lead to
/// them (`FilesInUse`). Its directory is opened once, so that no other process can redirect the
/// output during the work.
///
/// Releasing the last reference removes the temporary, unless `commit` was called. Not thread-safe.
package final class OutputFile: ByteSink {
    /// The path after `commit`.
    package var path: String { location.path }
    /// The path until then.
    package var temporaryPath: String { temporary.path }
    private let location: OutputLocation
    private let replacement: Replacement
    private let temporaryDirectory: DirectoryHandle?
    private let isDurable: Bool
    private let filesInUse: FilesInUse?
    private let claim: FilesInUse.Claim?
    private let beforeCommit: ((_ file: OutputFile) throws -> Void)?
    /// The access settings taken over from the replaced file.
    private let access: FileAccess?
    private var temporary: TemporaryPath
    private var descriptor: Int32
    private var sidecars: [OutputFile] = []
    /// True if it has its final name.
    package private(set) var isCommitted = false
    /// The result of fitting the clip into its file size limit; nil without a limit. Set before
    /// `commit`, for `beforeCommit`.
    package internal(set) var fit: FitResult?

    package let isSeekable = true

    /// Creates the temporary. Throws `LoadervidError` if the path exists and must not be
    /// overwritten, is not a regular file, or cannot be written. The new file takes over the
    /// mode, and if permitted the owner and group, of the file it replaces. If the path is a link,
    /// the output is the link's target.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - overwrites: true to replace an existing regular file.
    ///   - isDurable: true to flush the bytes to disk before the file gets its name. False does not
    ///     wait for a busy disk, but a power cut may lose the file.
    package convenience init(path: String, overwrites: Bool, isDurable: Bool = true) throws {
        try self.init(path: path, replacing: overwrites ? .anything : .nothing, isDurable: isDurable)
    }

    /// Creates the temporary of an output that may replace only certain files.
    package convenience init(path: String, replacing replacement: Replacement, isDurable: Bool = true) throws {
        // Options that take standard output handle it earlier.
        guard path != "-" else {
            throw LoadervidError(.usage, "-: this output cannot be standard output; name a file")
        }
        try self.init(
            OutputLocation(path: path), replacement, temporaryDirectory: nil, isDurable: isDurable,
            filesInUse: FilesInUse.current, claims: true)
    }

    /// A file in an open directory. Refuses to replace a link.
    ///
    /// - Parameters:
    ///   - entry: the final name.
    ///   - replacement: the files that it may replace.
    ///   - temporaryDirectory: the directory for the temporary, on the same file system.
    ///   - filesInUse: files that it must not replace; nil for none.
    ///   - beforeCommit: called with the file, under its temporary name, when all bytes are on
    ///     disk. If it throws, the file does not get its name.
    package convenience init(
        _ entry: DirectoryEntry, replacing replacement: Replacement, temporaryDirectory: DirectoryHandle,
        filesInUse: FilesInUse? = nil, beforeCommit: ((_ file: OutputFile) throws -> Void)? = nil
    ) throws {
        try self.init(
            OutputLocation(entry), replacement, temporaryDirectory: temporaryDirectory, isDurable: true,
            filesInUse: filesInUse, claims: false, beforeCommit: beforeCommit)
    }

    private init(
        _ location: OutputLocation, _ replacement: Replacement, temporaryDirectory: DirectoryHandle?, isDurable: Bool,
        filesInUse: FilesInUse?, claims: Bool, beforeCommit: ((_ file: OutputFile) throws -> Void)? = nil
    ) throws {
        self.location = location
        self.replacement = replacement
        self.isDurable = isDurable
        self.temporaryDirectory = temporaryDirectory
        self.filesInUse = filesInUse
        self.beforeCommit = beforeCommit
        claim = try claims ? location.claim(filesInUse) : nil
        try location.checkReplacing(replacement, filesInUse)
        access = FileAccess(of: location.target)
        let directory = temporaryDirectory ?? location.target.directory
        // Other users may not read it before it has the settings of the replaced file.
        guard let opened = OutputFile.openTemporary(in: directory, for: location.target, isPrivate: access != nil)
        else { throw LoadervidError(errno: errno, .create, location.path) }
        (temporary, descriptor) = opened
    }

    /// Opens a file under a unique name, even if other processes write to the directory or were
    /// killed while writing.
    private static func openTemporary(
        in directory: DirectoryHandle, for target: DirectoryEntry, isPrivate: Bool
    ) -> (TemporaryPath, Int32)? {
        while true {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let entry = directory.entry(".\(target.temporaryStem).\(number).part")
            if let opened = TemporaryPath.file(entry, isPrivate: isPrivate) { return opened }
            if errno != EEXIST { return nil }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // MARK: Trials

    /// Creates a temporary for the same path that never gets the name, but whose contents may
    /// become this file's.
    func makeTrialFile() throws -> OutputFile {
        try OutputFile(
            location, .anything, temporaryDirectory: temporaryDirectory, isDurable: false, filesInUse: nil,
            claims: false)
    }

    /// Swaps the contents with those of a trial file.
    func swapContents(with other: OutputFile) {
        swap(&temporary, &other.temporary)
        swap(&descriptor, &other.descriptor)
    }

    /// The number of bytes written so far.
    var byteCount: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    // MARK: Writing

    /// Writes bytes at the current position.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        let code = FileSystem.writeAll(bytes, to: descriptor)
        guard code == 0 else { throw LoadervidError(errno: code, .write, path) }
    }

    /// Moves the position.
    package func seek(to offset: Int64) throws {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            throw LoadervidError(errno: errno, .write, path)
        }
    }

    /// Opens the bytes written so far for reading. Uses the open descriptor, because another
    /// process may have put a different file at the temporary's path.
    package func reader() throws -> InputFile? {
        do { return try InputFile(duplicating: descriptor, path: path) } catch { throw LoadervidError(error) }
    }

    /// Adds a sidecar: a file with the same name but another extension, which follows the same
    /// rules and appears together with this file or not at all. Refuses to replace a link.
    ///
    /// - Parameter overwrites: true to replace an existing regular file; nil uses this file's
    ///   setting.
    package func addSidecar(ending: String, _ bytes: [UInt8], overwrites: Bool? = nil) throws {
        let replacement = overwrites.map { $0 ? Replacement.anything : .nothing } ?? replacement
        let file = try OutputFile(
            location.beside(ending: ending), replacement, temporaryDirectory: temporaryDirectory,
            isDurable: isDurable, filesInUse: filesInUse, claims: claim != nil)
        try bytes.withUnsafeBytes { try file.write($0) }
        sidecars.append(file)
    }

    /// Returns the size and SHA-256 of the bytes written so far, before the file has its name.
    package func contentHash() throws -> (byteCount: Int, hash: String) {
        do { return try SHA256.file(InputFile(duplicating: descriptor, path: path)) } catch {
            throw LoadervidError(error)
        }
    }

    // MARK: Commit

    /// Writes the complete contents and gives the file its name. Returns its size in bytes.
    @discardableResult
    package func commit(_ bytes: [UInt8]) throws -> Int {
        try bytes.withUnsafeBytes { try write($0) }
        return try commit()
    }

    /// Flushes durable files to disk, then gives the sidecars and the file their names, the file's
    /// last. Returns the file's size in bytes. If it throws, all names refer to the same files as
    /// before, except that a replaced sidecar is lost on a file system without hard links.
    package func commit() throws -> Int {
        for sidecar in sidecars { _ = try sidecar.flushAndClose() }
        let size = try flushAndClose()
        var namings: [OutputNaming] = []
        do {
            for file in sidecars + [self] {
                try file.location.checkReplacing(file.replacement, file.filesInUse, isLate: true)
                let naming = OutputNaming(file.temporary.entry, file.location, keepsFormer: file !== self)
                try naming.giveName(replacing: file.replacement)
                namings.append(naming)
            }
        } catch {
            for naming in namings.reversed() { naming.undo() }
            throw error
        }
        for file in sidecars + [self] { file.markCommitted() }
        return size
    }

    /// Flushes and closes the temporary. Returns the size in bytes.
    private func flushAndClose() throws -> Int {
        let size = lseek(descriptor, 0, SEEK_END)
        guard !isDurable || flushToDisk(descriptor) else { throw LoadervidError(errno: errno, .write, path) }
        try beforeCommit?(self)
        // Last, because it may remove this process's own right to read the file.
        access?.apply(to: descriptor)
        let status = close(descriptor)
        let code = errno
        descriptor = -1
        guard status == 0 else { throw LoadervidError(errno: code, .write, path) }
        return Int(size)
    }

    /// Marks the file as committed once all names are final.
    private func markCommitted() {
        temporary.keep()
        isCommitted = true
        if isDurable { location.target.directory.flushNamesToDisk() }
    }
}
