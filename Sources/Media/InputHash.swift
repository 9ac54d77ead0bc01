import Core

/// SHA-256 hashes of files named in requests. A file is read again only if it changed.
package enum InputHash {
    private static let cache = Locked<[FileState: String]>([:])
    /// The maximum number of cached hashes. The largest batches name that many files.
    private static let maxCachedHashes = 10_000

    /// Returns the hash of a file's contents. Throws the system's error if the file cannot be read,
    /// or an error if it exceeds `maxBytes`, the limit that applies when it is read for its
    /// purpose.
    package static func file(_ path: String, maxBytes: Int) throws(FFmpegError) -> String {
        let identity = FileState(path)
        if let identity, let hash = cache.withLock({ $0[identity] }) {
            // A cached file is not opened again, but it is still an input.
            FilesInUse.noteInputs([path])
            return hash
        }
        let hash = try SHA256.file(path, maxBytes: maxBytes).hash
        // A file that changed during reading is read again the next time.
        guard let identity, identity == FileState(path) else { return hash }
        cache.withLock { cache in
            if cache.count >= maxCachedHashes { cache.removeAll() }
            cache[identity] = hash
        }
        return hash
    }
}
