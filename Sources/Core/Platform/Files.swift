import CSystem

/// Resolves the symbolic links in a path. The result is bytes, since file names need not be text;
/// nil if the file does not exist.
package func realPath(_ path: UnsafePointer<CChar>) -> [UInt8]? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
}

/// Flushes a file's data to the disk. Returns true on success; otherwise sets `errno`.
package func flushToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        // On macOS fsync leaves the data in the drive's cache. Not every file system supports
        // F_FULLFSYNC.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
}

extension String {
    /// The part of a path up to and including its last slash; empty if there is none. Works on
    /// bytes, as the file system does: Swift treats a slash and a combining mark after it as one
    /// different character.
    package var directoryPart: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(decoding: utf8[...slash], as: UTF8.self)
    }
}

extension stat {
    /// The time of the last modification.
    package var modified: timespec {
        #if canImport(Darwin)
            return st_mtimespec
        #else
            return st_mtim
        #endif
    }
}

/// Returns the width of the terminal at a descriptor, in columns; nil if it is not a terminal or
/// has no known width.
package func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Starts a thread that calls `body` with `argument`. Returns nil if the system allows no more
/// threads.
package func startThread(
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer
) -> pthread_t? {
    #if canImport(Darwin)
        var thread: pthread_t?
        return lv_thread_create(&thread, body, argument) == 0 ? thread : nil
    #else
        var thread = pthread_t()
        return lv_thread_create(&thread, body, argument) == 0 ? thread : nil
    #endif
}

/// Returns the contents of one of the kernel's text files; empty if it cannot be read.
func kernelFileText(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}
