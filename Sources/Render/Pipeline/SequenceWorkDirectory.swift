import Core
import Media

/// The temporary directory of a frame sequence. It is locked while its process writes to it, so the
/// next sequence of the same name can tell that the process of an unlocked one was killed.
///
/// Releasing the last reference removes it, unless `temporary` is kept. Not thread-safe.
final class SequenceWorkDirectory {
    /// The name. After an exchange of names, it refers to the replaced directory.
    let temporary: TemporaryPath
    /// The directory, also after it got its final name.
    let directory: DirectoryHandle
    /// The directory, open for reading and locked; negative if that failed.
    private let descriptor: Int32

    /// The path under the temporary name.
    var path: String { temporary.path }

    /// The number of digits of a random number in a name: 64 bits to the base of 36.
    private static let nameDigits = 13
    /// The maximum number of characters of the target's name in a temporary name. File systems take
    /// names of up to 255 bytes, and a character may have several.
    private static let maxStemLength = 50

    /// Creates the directory for a target. Throws `LoadervidError` if that fails.
    ///
    /// - Parameter isPrivate: true to let only the owner in, until the access settings are final.
    init(for target: DirectoryEntry, in parent: DirectoryHandle, isPrivate: Bool) throws {
        while true {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let digits = String(repeating: "0", count: Self.nameDigits - number.utf8.count) + number
            let entry = parent.entry(Self.stem(of: target) + digits + Self.ending)
            try entry.makeDirectory(isPrivate: isPrivate)
            let created = TemporaryPath(entry)
            // Another process may take the directory for that of a killed one until it is locked.
            guard let opened = try parent.subdirectory(entry.name, creates: false) else { continue }
            let reading = opened.openForReading()
            let isBusy = reading >= 0 && flock(reading, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            if !isBusy, entry.status.map({ FileID($0) }) == opened.id {
                (temporary, directory, descriptor) = (created, opened, reading)
                return
            }
            if reading >= 0 { close(reading) }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Gives the directory the access settings of another one.
    func apply(_ access: FileAccess) {
        if descriptor >= 0 { access.apply(to: descriptor) }
    }

    // MARK: Killed processes

    /// Removes the temporary directories that killed processes left for a target. Keeps those that
    /// are locked, that the file system cannot lock, and that contain anything but frames.
    static func removeLeftovers(of target: DirectoryEntry, _ pattern: FramePattern, in parent: DirectoryHandle) {
        for name in parent.names where isName(name, for: target) {
            guard let opened = try? parent.subdirectory(name, creates: false) else { continue }
            let reading = opened.openForReading()
            guard reading >= 0 else { continue }
            defer { close(reading) }
            guard flock(reading, LOCK_EX | LOCK_NB) == 0, SequenceFiles(in: opened, pattern).others.isEmpty
            else { continue }
            parent.entry(name).remove()
        }
    }

    private static func isName(_ name: String, for target: DirectoryEntry) -> Bool {
        let stem = stem(of: target)
        guard name.hasPrefix(stem), name.hasSuffix(ending) else { return false }
        let digits = name.utf8.dropFirst(stem.utf8.count).dropLast(ending.utf8.count)
        return digits.count == nameDigits && digits.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
    }

    private static func stem(of target: DirectoryEntry) -> String { ".\(target.name.prefix(maxStemLength))." }

    private static let ending = ".part"
}
