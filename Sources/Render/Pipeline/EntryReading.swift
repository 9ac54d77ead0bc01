import Core
import Media

/// Reading of files by their entries. Never follows a link.
extension DirectoryEntry {
    /// Opens a regular file for reading. Throws `LoadervidError` for anything else, such as a
    /// link.
    private func open() throws -> Int32 {
        // Without O_NONBLOCK, opening a pipe would wait for a writer and ignore signals.
        let descriptor = openat(directory.descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            let code = errno
            try refuseLink()
            throw LoadervidError(errno: code, .read, path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw LoadervidError(.badData, "\(path) is not a regular file; remove it")
        }
        FilesInUse.current?.noteInput(status)
        return descriptor
    }

    /// Returns the regular file, open for reading. Throws `LoadervidError` for anything else.
    package func inputFile(path: String) throws -> InputFile {
        let descriptor = try open()
        defer { close(descriptor) }
        do { return try InputFile(duplicating: descriptor, path: path) } catch { throw LoadervidError(error) }
    }

    /// Calls `body` with each chunk of the file. Throws `LoadervidError` if the file cannot be
    /// read, is a link, or has more than `maxBytes` bytes.
    package func read(maxBytes: Int = .max, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = try open()
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) == 0 { try checkSize(Int(status.st_size), maxBytes: maxBytes) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var total = 0
        while true {
            let count = Core.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw LoadervidError(errno: errno, .read, path) }
            guard count > 0 else { return }
            total += count
            // The file may grow during reading.
            try checkSize(total, maxBytes: maxBytes)
            try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private func checkSize(_ byteCount: Int, maxBytes: Int) throws {
        guard byteCount > maxBytes else { return }
        throw LoadervidError(
            .badData,
            "\(path): it has \(byteCount) bytes, above the maximum of \(maxBytes) bytes; remove it, or use a smaller "
                + "file"
        )
    }

    /// Returns the contents of the file; nil if it does not exist. Throws `LoadervidError` if it
    /// cannot be read, is a link, or has more than `maxBytes` bytes.
    package func contents(maxBytes: Int) throws -> [UInt8]? {
        guard status != nil else { return nil }
        var bytes: [UInt8] = []
        try read(maxBytes: maxBytes) { bytes += $0 }
        return bytes
    }

    /// Returns the size and up to `count` bytes of both ends of a regular file; nil if the file
    /// belongs to another user, has other names, or cannot be read.
    func ownEnds(_ count: Int) -> (byteCount: Int, first: [UInt8], last: [UInt8])? {
        let descriptor = openat(directory.descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { return nil }
        func bytes(at offset: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let found = pread(descriptor, &bytes, count, off_t(offset))
            return Array(bytes.prefix(max(0, found)))
        }
        let byteCount = Int(status.st_size)
        return (byteCount, bytes(at: 0), bytes(at: max(0, byteCount - count)))
    }

    /// Returns the first bytes of a regular file; empty if it cannot be read.
    func firstBytes(_ count: Int) -> [UInt8] {
        let descriptor = openat(directory.descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = pread(descriptor, &bytes, count, 0)
        return Array(bytes.prefix(max(0, found)))
    }
}
