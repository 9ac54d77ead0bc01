import Core

/// File system queries by path.
package enum FileSystem {
    /// Returns true if a path exists.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the type of the file at a path, following links; nil if it does not exist.
    package static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Returns true if a path is a link whose target does not exist.
    package static func isBrokenLink(_ path: String) -> Bool {
        var status = stat()
        return kind(path) == nil && lstat(path, &status) == 0
    }

    /// Splits a path into its directory and its last component, like `dirname` and `basename`.
    package static func split(_ path: String) -> (directory: String, name: String) {
        // The path is split in bytes, as the file system does: Swift treats a slash and a combining
        // mark after it as one different character.
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let directory = String(decoding: bytes[..<slash], as: UTF8.self)
        return (
            directory.isEmpty ? "/" : directory, String(decoding: bytes[bytes.index(after: slash)...], as: UTF8.self)
        )
    }

    /// Returns the path with all links resolved, or the path itself if it does not exist. The
    /// result is in bytes, because names need not be valid text. Use it for comparisons.
    package static func resolved(_ path: String) -> [UInt8] {
        realPath(path) ?? Array(path.utf8)
    }

    /// Returns the path of a link's target, or the path itself if it is not a link. Throws
    /// `LoadervidError` if the target's path is not valid UTF-8.
    package static func linkTarget(_ path: String) throws -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let target = String(validating: resolved(path), as: UTF8.self) else {
            throw LoadervidError(
                .cannotCreate, "\(path) is a link to a file whose path is not UTF-8; rename it or choose another name")
        }
        return target
    }

    /// Returns the names in a directory that are valid text, sorted; empty if it cannot be read.
    package static func names(in directory: String) -> [String] {
        sortedTexts(rawNames(in: directory))
    }

    /// Returns the names in a directory that are valid text, sorted. Throws `LoadervidError` if it
    /// cannot be read.
    package static func readableNames(in directory: String) throws -> [String] {
        guard let names = DirectoryHandle.names(in: directory) else {
            let code = errno
            guard [ENOENT, ENOTDIR, EACCES].contains(code) else {
                throw LoadervidError(errno: code, .read, directory)
            }
            guard code != ENOENT else { throw LoadervidError(missing: directory, role: "directory") }
            guard code != ENOTDIR else {
                throw LoadervidError(.missingInput, "\(directory) is not a directory; use another path")
            }
            throw LoadervidError(
                .missingInput, "\(directory) cannot be read: \(String(cString: strerror(code))); change its permissions"
            )
        }
        return sortedTexts(names)
    }

    static func sortedTexts(_ names: [[UInt8]]) -> [String] {
        names.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
    }

    /// Returns the names in a directory as bytes, without the terminating zero; empty if it cannot
    /// be read.
    package static func rawNames(in directory: String) -> [[UInt8]] { DirectoryHandle.names(in: directory) ?? [] }

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
