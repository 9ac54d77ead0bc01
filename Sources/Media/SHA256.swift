import CLibAV

/// SHA-256 of bytes that come in pieces. Not for use from two threads at once.
public final class SHA256 {
    private let context: OpaquePointer

    /// The hash of no bytes so far.
    public init() throws(FFmpegError) {
        context = try unwrap(av_sha_alloc(), "allocate a hash")
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Adds bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        av_sha_update(context, base.assumingMemoryBound(to: UInt8.self), numericCast(bytes.count))
    }

    /// The hash of all bytes so far, as 64 small hexadecimal digits. Nothing may be added afterwards.
    public func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The hash of some bytes.
    public static func hash(_ bytes: [UInt8]) throws(FFmpegError) -> String {
        let hash = try SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// Size and hash of an ordinary file's contents. Throws what the system says if it cannot be read.
    public static func file(_ path: String) throws(FFmpegError) -> (byteCount: Int, hash: String) {
        let file = try InputFile(path: path)
        let hash = try SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var total = 0
        while true {
            let count = try file.read(into: buffer, at: total)
            guard count > 0 else { return (total, hash.finish()) }
            total += count
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
