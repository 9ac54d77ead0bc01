import CSystem

/// Where a path leads once links are followed, as bytes, since names need not be text; nil if nothing is there.
package func realPath(_ path: UnsafePointer<CChar>) -> [UInt8]? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
}

/// Puts on the disk what was written to a descriptor. Returns whether that went, and leaves `errno`.
package func putOnDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        // fsync leaves it in the drive's own memory there. Not every file system has the other.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
}

extension stat {
    /// When the contents changed last.
    package var modified: timespec {
        #if canImport(Darwin)
            return st_mtimespec
        #else
            return st_mtim
        #endif
    }
}

/// The columns of the terminal behind a descriptor; nil if there is none or it does not know.
package func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Starts a thread, which calls `body` with `argument`; nil if there may be no more.
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

/// A file of the system's own as text; empty if there is none that can be read.
func systemText(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 14))
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}
