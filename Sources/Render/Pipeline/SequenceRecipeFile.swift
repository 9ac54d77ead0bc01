import Core
import Media

/// The file in the temporary directory of a frame sequence that contains the hash of the recipe of
/// its frames. It has a name that no frame has, and is removed before the directory gets its name,
/// so an earlier sequence that was just replaced is never taken for an unfinished one.
struct SequenceRecipeFile {
    static let name = ".recipe"

    private let bytes: [UInt8]

    /// The file for the frames of one recipe and pattern.
    ///
    /// - Parameters:
    ///   - recipe: the hash of everything that decides the frames' bytes.
    ///   - pattern: the pattern of the files' names.
    ///   - isPrivate: true if only the owner may enter the directory until it is complete.
    init(recipe: String, _ pattern: FramePattern, isPrivate: Bool) {
        bytes = Array("\(recipe) \(pattern.text)\(isPrivate ? " private" : "")\n".utf8)
    }

    /// Writes the file into a new directory, and flushes it to disk.
    func write(in directory: DirectoryHandle) throws {
        let entry = directory.entry(Self.name)
        try bytes.withUnsafeBytes { try entry.create($0) }
        try entry.putOnDisk()
    }

    /// Returns true if a directory contains this file, written by this user.
    func isIn(_ directory: DirectoryHandle) -> Bool {
        // One byte more, to notice a longer file.
        directory.entry(Self.name).ownEnds(bytes.count + 1).map { $0.first == bytes } ?? false
    }
}

extension DirectoryEntry {
    /// The bytes at both ends of a file that a frame's encoder wrote.
    private static let checkedBytes = 16

    /// The size of a frame's file in bytes if the file is this user's own and has the beginning and
    /// the end of a complete PNG, TIFF, WebP or JPEG file; nil otherwise.
    ///
    /// Files get the names of frames when they are on disk, so this only finds files that were
    /// changed afterwards.
    var wholeFrameSize: Int? {
        guard let ends = ownEnds(Self.checkedBytes), ends.byteCount >= Self.checkedBytes else { return nil }
        let first = ends.first
        let last = ends.last
        let byteCount = ends.byteCount
        var number: Int { LittleEndian.number(first[4..<8]) }
        let isWhole =
            switch first.prefix(4) {
            case [0x89, 0x50, 0x4E, 0x47]: last.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
            case [0x49, 0x49, 0x2A, 0]: (8..<byteCount - 1).contains(number)
            case [0x52, 0x49, 0x46, 0x46]: number + 8 == byteCount
            default: first.prefix(2) == [0xFF, 0xD8] && last.suffix(2) == [0xFF, 0xD9]
            }
        return isWhole ? byteCount : nil
    }
}
