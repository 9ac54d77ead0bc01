import Glibc

/// The few questions this module asks of the file system.
package enum FileSystem {
    /// Whether there is anything at a path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// What kind of file is at a path, following links; nil if nothing is there.
    package static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Whether there is a link at a path that leads to nothing.
    package static func isBrokenLink(_ path: String) -> Bool {
        var status = stat()
        return kind(path) == nil && lstat(path, &status) == 0
    }

    /// A path's directory and last part, as `dirname` and `basename` have it.
    package static func split(_ path: String) -> (directory: String, name: String) {
        // By bytes, as the file system has it: to Swift a slash with a combining mark behind it is another character.
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let directory = String(decoding: bytes[..<slash], as: UTF8.self)
        return (
            directory.isEmpty ? "/" : directory, String(decoding: bytes[bytes.index(after: slash)...], as: UTF8.self)
        )
    }

    /// Where a path leads once links are followed; the path itself if nothing is there.
    package static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Writes all bytes to a descriptor. Returns the error number, or 0.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while rest.count > 0 {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return 0
    }
}
