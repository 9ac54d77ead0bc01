import Platform

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

    /// Where a path leads once links are followed, or the path itself if nothing is there, as bytes: names need not be text.
    /// For comparisons.
    package static func resolved(_ path: String) -> [UInt8] {
        realPath(path) ?? Array(path.utf8)
    }

    /// The path of what a link leads to, or the path itself if it is no link. Throws `RenderError` if that is no text, which
    /// paths have to be here.
    package static func linkTarget(_ path: String) throws -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let target = String(validating: resolved(path), as: UTF8.self) else {
            throw RenderError(
                .cannotCreate, "\(path) is a link to a file whose path is not UTF-8: rename that, or use another name")
        }
        return target
    }

    /// The names of everything in a directory that are text, sorted; none if it cannot be read.
    package static func names(in directory: String) -> [String] {
        sortedTexts(rawNames(in: directory))
    }

    /// The names of everything in a directory that are text, sorted. Throws `RenderError` if it cannot be read.
    package static func readableNames(in directory: String) throws -> [String] {
        guard let names = entries(of: directory) else {
            let code = errno
            guard [ENOENT, ENOTDIR, EACCES].contains(code) else { throw RenderError(errno: code, "read \(directory)") }
            throw RenderError(.missingInput, "\(directory) cannot be read: \(String(cString: strerror(code)))")
        }
        return sortedTexts(names)
    }

    private static func sortedTexts(_ names: [[UInt8]]) -> [String] {
        names.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
    }

    /// The names of everything in a directory, as bytes without their end; none if it cannot be read.
    package static func rawNames(in directory: String) -> [[UInt8]] { entries(of: directory) ?? [] }

    /// The same; nil, and a reason in `errno`, if it cannot be read.
    private static func entries(of directory: String) -> [[UInt8]]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [46], name != [46, 46] { names.append(name) }
        }
        return names
    }

    /// Removes a folder with the files in it, or whatever else has its name, as far as that is possible: a link goes, what
    /// it leads to stays.
    package static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in rawNames(in: path) {
            // Their bytes are the name, whether they are text or not.
            (Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]).withUnsafeBufferPointer { bytes in
                _ = bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { unlink($0) } }
            }
        }
        rmdir(path)
    }

    /// A file's bytes; nil if there is no such file. Throws `RenderError` if it cannot be read, or is a link.
    package static func contents(of path: String) throws -> [UInt8]? {
        guard exists(path) || isBrokenLink(path) else { return nil }
        var bytes: [UInt8] = []
        try read(path) { bytes += $0 }
        return bytes
    }

    /// Calls `body` with a file's bytes, piece by piece. Throws `RenderError` if it cannot be read, or is a link.
    package static func read(_ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        // A pipe would wait for a writer, deaf to signals.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw RenderError(errno: errno, "read \(path)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw RenderError(.badData, "\(path) is not an ordinary file: remove it")
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Platform.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw RenderError(errno: errno, "read \(path)") }
            guard count > 0 else { return }
            try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
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
