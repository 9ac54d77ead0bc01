import Core
import Media

/// A directory of numbered image files that appears complete or not at all: the files are written
/// into a temporary directory, which takes the name when all of them are on disk.
///
/// The directory belongs to the sequence alone. Replacing an earlier sequence exchanges the two
/// directories and then removes the earlier one, so a directory that contains anything else is
/// never replaced.
///
/// Releasing the last reference removes the temporary directory. Not thread-safe.
public final class OutputSequence {
    /// The directory and the pattern as the caller named them.
    public let path: String
    /// The pattern of the files' names.
    public let pattern: FramePattern
    /// The total size of the files written so far, in bytes.
    public private(set) var byteCount = 0
    /// True if the directory has its final name.
    public private(set) var isCommitted = false
    private let target: DirectoryEntry
    private let temporary: TemporaryPath
    private let directory: DirectoryHandle
    private let overwrites: Bool
    private let claim: FilesInUse.Claim?
    private let beforeNaming: ((_ sequence: OutputSequence) throws -> Void)?

    /// Creates the temporary directory. Throws `LoadervidError` if the path has no valid pattern or
    /// no directory of its own, or if the directory has files and must not be replaced.
    ///
    /// - Parameters:
    ///   - path: a directory and a pattern, such as `frames/%04d.png`.
    ///   - overwrites: true to replace an earlier sequence of the same pattern.
    public convenience init(path: String, overwrites: Bool) throws {
        let (folder, name) = FileSystem.split(path)
        let (parent, directory) = FileSystem.split(folder)
        guard !["", ".", ".."].contains(directory) else {
            throw LoadervidError(
                .usage, "\(path): a sequence needs a directory of its own; use a path such as frames/%04d.png")
        }
        guard FileSystem.kind(parent) == S_IFDIR else {
            throw LoadervidError(.cannotCreate, "\(path): directory \(parent) does not exist; create it first")
        }
        let entry = try DirectoryHandle(path: parent).entry(directory)
        try self.init(
            entry, try OutputSequence.pattern(of: path), overwrites: overwrites, temporaryDirectory: entry.directory,
            filesInUse: FilesInUse.current)
    }

    /// Creates the temporary directory of a sequence below an open directory.
    ///
    /// - Parameters:
    ///   - target: the final name of the sequence's directory.
    ///   - temporaryDirectory: the directory for the temporary one, on the same file system.
    ///   - filesInUse: the outputs whose names it must not take; nil for none.
    ///   - beforeNaming: called with the sequence when all its files are on disk. If it throws, the
    ///     directory does not get its name.
    package init(
        _ target: DirectoryEntry, _ pattern: FramePattern, overwrites: Bool, temporaryDirectory: DirectoryHandle,
        filesInUse: FilesInUse? = nil, beforeNaming: ((_ sequence: OutputSequence) throws -> Void)? = nil
    ) throws {
        self.target = target
        self.pattern = pattern
        self.overwrites = overwrites
        self.beforeNaming = beforeNaming
        path = "\(target.path)/\(pattern.text)"
        claim = try OutputLocation(target).claim(filesInUse)
        try OutputSequence.checkReplacing(target, pattern, overwrites: overwrites)
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let entry = temporaryDirectory.entry(".\(target.name.prefix(100)).\(number).part")
        try entry.makeDirectory()
        temporary = TemporaryPath(entry)
        guard let opened = try temporaryDirectory.subdirectory(entry.name, creates: false) else {
            throw LoadervidError(.cannotCreate, "\(entry.path) was removed by another process; try again")
        }
        directory = opened
    }

    /// The pattern in the last component of a path. Throws `LoadervidError` if there is none.
    package static func pattern(of path: String) throws -> FramePattern {
        do throws(FramePattern.Problem) { return try FramePattern(FileSystem.split(path).name) } catch {
            throw LoadervidError(.usage, "\(path): the file name \(error.reason)")
        }
    }

    /// Throws `LoadervidError` if the target exists and is not a directory that may be replaced.
    private static func checkReplacing(
        _ target: DirectoryEntry, _ pattern: FramePattern, overwrites: Bool
    ) throws {
        guard let existing = try target.directory.subdirectory(target.name, creates: false) else { return }
        let files = SequenceFiles(in: existing, pattern)
        if let other = files.others.first {
            throw LoadervidError(
                .cannotCreate,
                "\(target.path) contains \(other.visible), which is not a frame of \(pattern.text); use another directory"
            )
        }
        guard overwrites || files.numbers.isEmpty else {
            throw LoadervidError(.cannotCreate, "\(target.path) already contains frames", hint: .overwriting)
        }
    }

    /// The path of the temporary directory with the pattern.
    package var temporaryPath: String { "\(temporary.path)/\(pattern.text)" }

    /// Writes the file of a frame.
    package func write(_ bytes: UnsafeBufferPointer<UInt8>, number: Int) throws {
        try directory.entry(pattern.name(number)).create(UnsafeRawBufferPointer(bytes))
        byteCount += bytes.count
    }

    /// The total size and the hash of the files written so far.
    package func contentHash() throws -> (byteCount: Int, hash: String) {
        (byteCount, try SequenceFiles(in: directory, pattern).sha256(maxBytes: .max))
    }

    /// Flushes the files to disk and gives the directory its name. Returns the total size in bytes.
    /// If it throws, the name refers to the same directory as before.
    public func commit() throws -> Int {
        for number in SequenceFiles(in: directory, pattern).numbers {
            try directory.entry(pattern.name(number)).putOnDisk()
        }
        directory.putNamesOnDisk()
        try beforeNaming?(self)
        try giveName()
        target.directory.putNamesOnDisk()
        isCommitted = true
        return byteCount
    }

    private func giveName() throws {
        try OutputSequence.checkReplacing(target, pattern, overwrites: overwrites)
        guard target.status != nil else {
            if temporary.entry.renameUnlessTaken(to: target) { return temporary.keep() }
            guard errno == EEXIST else { throw LoadervidError(errno: errno, "create \(target.path)") }
            throw LoadervidError(.cannotCreate, "\(target.path) was created by another process", hint: .overwriting)
        }
        // The temporary name now refers to the earlier directory, which is removed with it.
        guard temporary.entry.exchange(with: target) else {
            throw LoadervidError(errno: errno, "replace \(target.path)")
        }
    }
}

/// The files of a frame sequence in an open directory.
package struct SequenceFiles {
    private let directory: DirectoryHandle
    private let pattern: FramePattern
    /// The numbers of the frames, in ascending order.
    package let numbers: [Int]
    /// The other names in the directory, sorted, with invalid text repaired.
    package let others: [String]

    package init(in directory: DirectoryHandle, _ pattern: FramePattern) {
        self.directory = directory
        self.pattern = pattern
        var numbers: [Int] = []
        var others: [String] = []
        for bytes in directory.rawNames {
            let name = String(validating: bytes, as: UTF8.self)
            // A directory named like a frame is none, so replacing the sequence cannot remove it.
            if let number = name.flatMap(pattern.number), directory.entry(pattern.name(number)).isNoDirectory {
                numbers.append(number)
            } else {
                others.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        self.numbers = numbers.sorted()
        self.others = others.sorted()
    }

    /// The entries of the files in the order of their numbers.
    package var entries: [DirectoryEntry] { numbers.map { directory.entry(pattern.name($0)) } }

    /// The total size of the files in bytes. Throws `LoadervidError` if one is not a regular file.
    package func byteCount() throws -> Int {
        try entries.reduce(0) { total, entry in
            guard let status = entry.status, status.st_mode & S_IFMT == S_IFREG else {
                throw LoadervidError(.cannotCreate, "\(entry.path) is not a regular file; remove it")
            }
            return total + Int(status.st_size)
        }
    }

    /// The SHA-256 of the lines that `sha256sum` prints for the files in the order of their
    /// numbers. Throws `LoadervidError` if a file cannot be read or is larger than `maxBytes`.
    package func sha256(maxBytes: Int) throws -> String {
        var lines = ""
        for entry in entries { lines += "\(try entry.sha256(maxBytes: maxBytes))  \(entry.name)\n" }
        do { return try SHA256.hash(Array(lines.utf8)) } catch { throw LoadervidError(error) }
    }
}

extension DirectoryEntry {
    /// True unless the name refers to a directory.
    fileprivate var isNoDirectory: Bool { (status?.st_mode ?? 0) & S_IFMT != S_IFDIR }

    /// The SHA-256 of the file's contents. Throws `LoadervidError` if the file cannot be read, is a
    /// link, or has more than `maxBytes` bytes.
    package func sha256(maxBytes: Int) throws -> String {
        let hash: SHA256
        do { hash = try SHA256() } catch { throw LoadervidError(error) }
        try read(maxBytes: maxBytes) { hash.update($0) }
        return hash.finish()
    }
}

/// A writer of each packet, which is an image file, to a numbered file. Not thread-safe.
final class SequenceMuxer: PacketMuxer {
    private let output: OutputSequence
    private let startNumber: Int

    init(_ output: OutputSequence, startNumber: Int) {
        self.output = output
        self.startNumber = startNumber
    }

    func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try output.write(packet.bytes, number: startNumber + pts)
    }

    func finish() {}
}
