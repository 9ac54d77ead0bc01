import Core
import Media

/// The temporary directory of a frame sequence. It is locked while its process writes to it, so the
/// next sequence of the same name can tell that the process of an unlocked one was killed. If that
/// one was made from the same recipe, the next sequence takes it over with its frames.
///
/// Releasing the last reference removes it, unless `temporary` is kept. Not thread-safe.
final class SequenceWorkDirectory {
    /// The name. After an exchange of names, it refers to the replaced directory.
    let temporary: TemporaryPath
    /// The directory, also after it got its final name.
    let directory: DirectoryHandle
    /// The sizes in bytes of the frames that a killed process left, by their numbers.
    private(set) var survivingFrames: [Int: Int] = [:]
    /// The directory, open for reading and locked; negative if that failed.
    private let descriptor: Int32

    /// The path under the temporary name.
    var path: String { temporary.path }

    /// The number of digits of a random number in a name: 64 bits in base 36.
    private static let nameDigits = 13

    /// Removes the temporary directories that killed processes left for a target, but takes one
    /// over that has the same recipe, or else creates a new one. Throws `LoadervidError` if that
    /// fails.
    ///
    /// - Parameters:
    ///   - isPrivate: true to let only the owner in, until the access settings are final.
    ///   - recipe: the hash of everything that decides the frames' bytes; nil to start over.
    init(
        for target: DirectoryEntry, _ pattern: FramePattern, in parent: DirectoryHandle, isPrivate: Bool,
        recipe: String?
    ) throws {
        let recipeFile = recipe.map { SequenceRecipeFile(recipe: $0, pattern, isPrivate: isPrivate) }
        if let left = Self.takeOver(target, pattern, in: parent, recipeFile) {
            temporary = TemporaryPath(left.entry)
            directory = left.directory
            descriptor = left.descriptor
            survivingFrames = try Self.removeIncompleteFrames(directory, pattern)
            return
        }
        while true {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let digits = String(repeating: "0", count: Self.nameDigits - number.utf8.count) + number
            let entry = parent.entry(Self.stem(of: target) + digits + Self.ending)
            try entry.makeDirectory(isPrivate: isPrivate)
            let created = TemporaryPath(entry)
            // Another process may take the directory for that of a killed one until it is locked.
            guard let opened = try LockedDirectory(entry) else { continue }
            temporary = created
            directory = opened.directory
            descriptor = opened.descriptor
            break
        }
        try recipeFile?.write(in: directory)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Gives the directory the access settings of another one.
    func apply(_ access: FileAccess) {
        if descriptor >= 0 { access.apply(to: descriptor) }
    }

    /// Returns the file of a frame before it is complete.
    func unfinished(_ number: Int) -> DirectoryEntry { directory.entry(".\(number)\(Self.ending)") }

    /// Removes the recipe file. After that, the directory is not taken over.
    func removeRecipeFile() { directory.entry(SequenceRecipeFile.name).unlink() }

    // MARK: Killed processes

    /// An open directory, locked if the file system can do that.
    private struct LockedDirectory {
        let entry: DirectoryEntry
        let directory: DirectoryHandle
        /// The directory, open for reading; negative if that failed.
        let descriptor: Int32
        private(set) var isLocked = false

        /// Nil if another process has the lock, or if the name refers to another directory by now.
        init?(_ entry: DirectoryEntry) throws {
            guard let opened = try entry.directory.subdirectory(entry.name, creates: false) else { return nil }
            self.entry = entry
            directory = opened
            descriptor = opened.openForReading()
            isLocked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
            let isBusy = descriptor >= 0 && !isLocked && errno == EWOULDBLOCK
            if isBusy || entry.status.map({ FileID($0) }) != opened.id {
                end()
                return nil
            }
        }

        func end() { if descriptor >= 0 { close(descriptor) } }
    }

    /// Returns the first of this user's temporary directories that killed processes left for a
    /// target with the same recipe file, and removes the others. Keeps those that are locked, that
    /// the file system cannot lock, and that contain files of others. In the directory of a batch
    /// it removes none: they may belong to an output of the same name in another directory.
    private static func takeOver(
        _ target: DirectoryEntry, _ pattern: FramePattern, in parent: DirectoryHandle, _ recipeFile: SequenceRecipeFile?
    ) -> LockedDirectory? {
        var taken: LockedDirectory?
        for name in parent.names where isName(name, for: target) {
            guard let left = try? LockedDirectory(parent.entry(name)) else { continue }
            let others = try? SequenceFiles(in: left.directory, pattern).others
            guard left.isLocked, let others, others.allSatisfy({ isOwn($0, in: left.directory) }) else {
                left.end()
                continue
            }
            if taken == nil, left.entry.status?.st_uid == geteuid(), recipeFile?.isIn(left.directory) == true {
                taken = left
            } else {
                if parent === target.directory { left.entry.remove() }
                left.end()
            }
        }
        return taken
    }

    /// Returns the sizes of the frames in a directory that is taken over, and removes files that
    /// are not whole frames.
    private static func removeIncompleteFrames(
        _ directory: DirectoryHandle, _ pattern: FramePattern
    ) throws -> [Int: Int] {
        let files = try SequenceFiles(in: directory, pattern)
        for name in files.others where name != SequenceRecipeFile.name { directory.entry(name).unlink() }
        var sizes: [Int: Int] = [:]
        for (number, entry) in zip(files.numbers, files.entries) {
            if let size = entry.wholeFrameSize { sizes[number] = size } else { entry.unlink() }
        }
        return sizes
    }

    /// Returns true for the names of a recipe file and of unfinished frames, unless they belong to
    /// directories.
    private static func isOwn(_ name: String, in directory: DirectoryHandle) -> Bool {
        guard directory.entry(name).kind != S_IFDIR else { return false }
        guard name != SequenceRecipeFile.name else { return true }
        guard name.hasPrefix("."), name.hasSuffix(ending) else { return false }
        return Int(name.dropFirst().dropLast(ending.count)) != nil
    }

    /// Returns true for a directory with a recipe file, which the next sequence of its name may
    /// take over.
    static func isUnfinished(_ entry: DirectoryEntry) -> Bool {
        guard entry.name.hasPrefix("."), entry.name.hasSuffix(ending) else { return false }
        let directory = try? entry.directory.subdirectory(entry.name, creates: false)
        return directory?.entry(SequenceRecipeFile.name).kind == S_IFREG
    }

    private static func isName(_ name: String, for target: DirectoryEntry) -> Bool {
        let stem = stem(of: target)
        guard name.hasPrefix(stem), name.hasSuffix(ending) else { return false }
        let digits = name.utf8.dropFirst(stem.utf8.count).dropLast(ending.utf8.count)
        return digits.count == nameDigits && digits.allSatisfy { $0.isASCIIDigit || (97...122).contains($0) }
    }

    private static func stem(of target: DirectoryEntry) -> String { ".\(target.temporaryStem)." }

    private static let ending = ".part"
}
