import Core
import Media

/// A directory of numbered image files that appears complete or not at all: the files are written
/// into a temporary directory, which takes the name when all of them are on disk.
///
/// The directory belongs to the sequence alone. Replacing an earlier sequence exchanges the two
/// directories and then removes the earlier one, so a directory that contains anything else, except
/// the files of file managers, is never replaced. The new directory takes over the access settings
/// of the earlier one, and the new files those of its first frame.
///
/// A process that is killed leaves the earlier directory or the new one under the name, and the
/// other one, complete or not, under its temporary name. The next sequence of that name removes it,
/// or takes it over if it was made from the same recipe. A frame has its name only when it is on
/// disk, so a frame that a killed process left is whole, even after a power cut.
///
/// Releasing the last reference removes the temporary directory. Not thread-safe.
package final class OutputSequence {
    /// The directory and the pattern as the caller named them.
    package let path: String
    /// The pattern of the files' names.
    package let pattern: FramePattern
    /// The total size of the files written so far, in bytes.
    package private(set) var byteCount = 0
    /// True if the directory has its final name.
    package private(set) var isCommitted = false
    private let target: DirectoryEntry
    private let work: SequenceWorkDirectory
    /// The access settings taken over from the replaced directory and from its first frame.
    private let access: (directory: FileAccess?, file: FileAccess?)
    private let overwrites: Bool
    private let filesInUse: FilesInUse?
    private let claim: FilesInUse.Claim?
    private let beforeCommit: ((_ sequence: OutputSequence) throws -> Void)?
    /// The frames that were taken over from a killed process.
    private var keptNumbers: Set<Int> = []
    /// The frames that are written but do not have their names yet.
    private var unfinished: [Int] = []

    /// Creates the temporary directory. Throws `LoadervidError` if the path has no valid pattern or
    /// no directory of its own, or if the directory has files and must not be replaced.
    ///
    /// - Parameters:
    ///   - path: a directory and a pattern, such as `frames/%04d.png`.
    ///   - overwrites: true to replace an earlier sequence of the same pattern.
    ///   - recipe: the hash of everything that decides the frames' bytes. Frames that a killed
    ///     process made from the same recipe are kept. Nil to keep none.
    package convenience init(path: String, overwrites: Bool, recipe: String? = nil) throws {
        let folder = FileSystem.split(path).directory
        let (parent, directory) = FileSystem.split(folder)
        guard !["", ".", ".."].contains(directory) else {
            throw LoadervidError(
                .usage, "\(path): a sequence needs a directory of its own; use a path such as frames/%04d.png")
        }
        guard FileSystem.kind(parent) == S_IFDIR else {
            throw OutputLocation.noDirectory(parent, for: path)
        }
        let entry = try DirectoryHandle(path: parent).entry(directory)
        try self.init(
            entry, try OutputSequence.pattern(of: path), overwrites: overwrites,
            temporaryDirectory: entry.directory, recipe: recipe, filesInUse: FilesInUse.current)
    }

    /// Creates the temporary directory of a sequence below an open directory.
    ///
    /// - Parameters:
    ///   - target: the final name of the sequence's directory.
    ///   - temporaryDirectory: the directory for the temporary one, on the same file system.
    ///   - recipe: as above.
    ///   - filesInUse: the inputs that it must not replace and the outputs whose names it must not
    ///     take; nil for none.
    ///   - beforeCommit: called with the sequence when all its files are on disk. If it throws, the
    ///     directory does not get its name.
    package init(
        _ target: DirectoryEntry, _ pattern: FramePattern, overwrites: Bool, temporaryDirectory: DirectoryHandle,
        recipe: String? = nil, filesInUse: FilesInUse? = nil,
        beforeCommit: ((_ sequence: OutputSequence) throws -> Void)? = nil
    ) throws {
        self.target = target
        self.pattern = pattern
        self.overwrites = overwrites
        self.filesInUse = filesInUse
        self.beforeCommit = beforeCommit
        path = "\(target.path)/\(pattern.text)"
        claim = try OutputLocation(target).claim(filesInUse)
        let replaced = try OutputSequence.checkReplacing(target, pattern, overwrites: overwrites, filesInUse)
        access = (FileAccess(of: target), replaced.flatMap { FileAccess(of: $0) })
        work = try SequenceWorkDirectory(
            for: target, pattern, in: temporaryDirectory, isPrivate: access.directory != nil, recipe: recipe)
        keptNumbers = Set(work.survivingFrames.keys)
        byteCount = work.survivingFrames.values.reduce(0, +)
    }

    /// Returns the pattern in the last component of a path. Throws `LoadervidError` if there is
    /// none.
    package static func pattern(of path: String) throws -> FramePattern {
        do throws(FramePattern.Problem) { return try FramePattern(FileSystem.split(path).name) } catch {
            throw LoadervidError(.usage, "\(path): the file name \(error.reason)")
        }
    }

    /// Returns the first frame in the target; nil if there is none. Throws `LoadervidError` if the
    /// target exists and is not a directory that may be replaced, such as one that contains an
    /// input.
    @discardableResult
    private static func checkReplacing(
        _ target: DirectoryEntry, _ pattern: FramePattern, overwrites: Bool, _ filesInUse: FilesInUse?
    ) throws -> DirectoryEntry? {
        guard let existing = try target.directory.subdirectory(target.name, creates: false) else { return nil }
        if let filesInUse, let input = existing.firstEntry(where: filesInUse.isInput) {
            throw LoadervidError(
                .usage, "\(input.path): the file is also read as input; use another directory for the output")
        }
        let files = try SequenceFiles(in: existing, pattern)
        if let other = files.others.first {
            throw LoadervidError(
                .cannotCreate,
                "\(target.path) contains \(other.visible), which is not a frame of \(pattern.text); use another "
                    + "directory"
            )
        }
        guard overwrites || files.numbers.isEmpty else {
            throw LoadervidError(.cannotCreate, "\(target.path) already contains frames", hint: .overwriting)
        }
        return files.entries.first
    }

    /// Returns true for a temporary directory that a killed process left and the next sequence of
    /// its name may take over.
    package static func isUnfinished(_ entry: DirectoryEntry) -> Bool { SequenceWorkDirectory.isUnfinished(entry) }

    /// The path of the temporary directory with the pattern.
    package var temporaryPath: String { "\(work.path)/\(pattern.text)" }

    // MARK: Frames of a killed process

    /// The number of frames that were taken over from a killed process.
    package var keptCount: Int { keptNumbers.count }

    /// Returns true if all frames with these numbers were taken over from a killed process.
    func keeps(_ numbers: Range<Int>) -> Bool { numbers.allSatisfy(keptNumbers.contains) }

    /// Removes frames that were taken over, except those with these numbers.
    func keepOnly(_ numbers: Range<Int>) {
        for number in keptNumbers.filter({ !numbers.contains($0) }) {
            work.directory.entry(pattern.name(number)).unlink()
            keptNumbers.remove(number)
            byteCount -= work.survivingFrames[number] ?? 0
        }
    }

    // MARK: Writing

    /// Writes the file of a frame, unless the frame was taken over.
    package func write(_ bytes: UnsafeBufferPointer<UInt8>, number: Int) throws {
        guard !keptNumbers.contains(number) else { return }
        try work.unfinished(number).create(UnsafeRawBufferPointer(bytes))
        unfinished.append(number)
        byteCount += bytes.count
    }

    /// Flushes the frames written so far to disk, and then gives them their names.
    func finishFrames() throws {
        for number in unfinished { try work.unfinished(number).putOnDisk() }
        for number in unfinished {
            let entry = work.directory.entry(pattern.name(number))
            guard work.unfinished(number).rename(to: entry) else {
                throw LoadervidError(errno: errno, .create, entry.path)
            }
        }
        unfinished = []
    }

    /// Returns the total size and the hash of the files written so far.
    package func contentHash() throws -> (byteCount: Int, hash: String) {
        (byteCount, try SequenceFiles(in: work.directory, pattern).sha256(maxBytes: .max))
    }

    /// Flushes the files to disk and gives the directory its name. Returns the total size in bytes.
    /// If it throws, the name refers to the same directory as before.
    package func commit() throws -> Int {
        try finishFrames()
        let files = try SequenceFiles(in: work.directory, pattern).entries
        try beforeCommit?(self)
        // Last, because it may remove this process's own right to read the files.
        if let access = access.file { files.forEach(access.apply) }
        work.removeRecipeFile()
        work.directory.flushNamesToDisk()
        if let access = access.directory { work.apply(access) }
        try giveName()
        target.directory.flushNamesToDisk()
        isCommitted = true
        return byteCount
    }

    private func giveName() throws {
        try OutputSequence.checkReplacing(target, pattern, overwrites: overwrites, filesInUse)
        guard target.status != nil else {
            if work.temporary.entry.renameUnlessTaken(to: target) { return work.temporary.keep() }
            guard errno == EEXIST else { throw LoadervidError(errno: errno, .create, target.path) }
            throw LoadervidError(.cannotCreate, "\(target.path) was created by another process", hint: .overwriting)
        }
        // The temporary name now refers to the earlier directory, which is removed with it.
        guard work.temporary.entry.exchange(with: target) else {
            throw LoadervidError(errno: errno, .replace, target.path)
        }
    }
}
