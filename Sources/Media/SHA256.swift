import CLibAV

/// An incremental SHA-256 hash. Not thread-safe.
package final class SHA256 {
    private let context: OpaquePointer

    /// A hash without input.
    package init() throws(FFmpegError) {
        context = try unwrap(av_sha_alloc(), "allocate a hash")
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Appends bytes to the input.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        av_sha_update(context, base.assumingMemoryBound(to: UInt8.self), numericCast(bytes.count))
    }

    /// Returns the hash as 64 lowercase hexadecimal digits. `update` must not be called afterwards.
    package func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the hash of an array of bytes.
    package static func hash(_ bytes: [UInt8]) throws(FFmpegError) -> String {
        let hash = try SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// Returns the size and hash of a regular file's contents. Throws the system's error if the
    /// file cannot be read, or an error if it exceeds `maxBytes`.
    package static func file(
        _ path: String, maxBytes: Int = .max
    ) throws(FFmpegError) -> (byteCount: Int, hash: String) {
        try file(InputFile(path: path, maxBytes: maxBytes), maxBytes: maxBytes)
    }

    /// Returns the size and hash of an open file's contents. Throws the system's error if the file
    /// cannot be read, or an error if it exceeds `maxBytes`.
    package static func file(
        _ file: InputFile, maxBytes: Int = .max
    ) throws(FFmpegError) -> (byteCount: Int, hash: String) {
        let hash = try SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var total = 0
        while true {
            let count = try file.read(into: buffer, at: total)
            guard count > 0 else { return (total, hash.finish()) }
            total += count
            // The file may grow during reading.
            guard total <= maxBytes else { throw InputFile.tooLarge(file.path, byteCount: total, maxBytes: maxBytes) }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
