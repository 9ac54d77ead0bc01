import Core
import Media

/// The files of a frame sequence in an open directory.
package struct SequenceFiles {
    private let directory: DirectoryHandle
    private let pattern: FramePattern
    /// The numbers of the frames, in ascending order.
    package let numbers: [Int]
    /// The other names in the directory, sorted, with invalid text repaired. Without the files that
    /// file managers put into every directory they show.
    package let others: [String]

    /// The files of macOS's Finder and Windows' Explorer: a window's layout, and thumbnails.
    private static let fileManagerFiles: Set = [".DS_Store", "Thumbs.db", "desktop.ini"]

    /// Lists the directory. Throws `LoadervidError` if it cannot be read.
    package init(in directory: DirectoryHandle, _ pattern: FramePattern) throws {
        guard let names = DirectoryHandle.names(in: ".", below: directory.descriptor) else {
            throw LoadervidError(errno: errno, .open, directory.path)
        }
        self.directory = directory
        self.pattern = pattern
        var numbers: [Int] = []
        var others: [String] = []
        for bytes in names {
            let name = String(validating: bytes, as: UTF8.self)
            // A directory named like a frame is not a frame, so replacing the sequence cannot
            // remove it.
            if let number = name.flatMap(pattern.number), directory.entry(pattern.name(number)).isNoDirectory {
                numbers.append(number)
            } else if let name, Self.fileManagerFiles.contains(name), directory.entry(name).isNoDirectory {
                continue
            } else {
                others.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        self.numbers = numbers.sorted()
        self.others = others.sorted()
    }

    /// The entries of the files in the order of their numbers.
    package var entries: [DirectoryEntry] { numbers.map { directory.entry(pattern.name($0)) } }

    /// Returns the total size of the files in bytes. Throws `LoadervidError` if one is not a
    /// regular file.
    package func byteCount() throws -> Int {
        try entries.reduce(0) { total, entry in
            guard let status = entry.status, status.st_mode & S_IFMT == S_IFREG else {
                throw LoadervidError(.cannotCreate, "\(entry.path) is not a regular file; remove it")
            }
            let (sum, overflows) = total.addingReportingOverflow(Int(status.st_size))
            guard !overflows else {
                throw LoadervidError(.badData, "\(entry.path) is larger than any frame; remove it")
            }
            return sum
        }
    }

    /// Returns the SHA-256 of the lines that `sha256sum` prints for the files in the order of their
    /// numbers. Throws `LoadervidError` if a file cannot be read, or if they have more than
    /// `maxBytes` bytes together.
    package func sha256(maxBytes: Int) throws -> String {
        var lines = ""
        var rest = maxBytes
        for entry in entries {
            lines += "\(try entry.sha256(maxBytes: rest))  \(entry.name)\n"
            rest = max(0, rest - Int(entry.status?.st_size ?? 0))
        }
        do { return try SHA256.hash(Array(lines.utf8)) } catch { throw LoadervidError(error) }
    }
}

extension DirectoryEntry {
    /// True unless the name refers to a directory.
    fileprivate var isNoDirectory: Bool { (status?.st_mode ?? 0) & S_IFMT != S_IFDIR }

    /// Returns the SHA-256 of the file's contents. Throws `LoadervidError` if the file cannot be
    /// read, is a link, or has more than `maxBytes` bytes.
    package func sha256(maxBytes: Int) throws -> String {
        let hash: SHA256
        do { hash = try SHA256() } catch { throw LoadervidError(error) }
        try read(maxBytes: maxBytes) { hash.update($0) }
        return hash.finish()
    }
}
