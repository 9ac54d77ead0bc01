import CLibZip

/// Files compressed by gzip, as Telegram's animated stickers (`.tgs`) are.
enum Gzip {
    /// Returns true if the bytes start with the signature of a gzip file.
    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The size of a piece of output in bytes.
    private static let chunkSize = 1 << 16
    /// zlib's code for a window of 32 KiB in the format of gzip.
    private static let windowBits: Int32 = 15 + 16

    /// Returns the decompressed contents. Throws `LottieError` if the file is damaged or its
    /// contents exceed `LottieLimits.maxFileBytes`.
    static func decompressed(_ bytes: [UInt8]) throws(LottieError) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw LottieError.outOfMemory
        }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        var input = bytes
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var code = Z_OK
            while code == Z_OK, result.count <= LottieLimits.maxFileBytes {
                let count = chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    code = inflate(&stream, Z_NO_FLUSH)
                    return chunk.count - Int(stream.avail_out)
                }
                result += chunk[..<count]
            }
            return code == Z_STREAM_END
        }
        guard result.count <= LottieLimits.maxFileBytes else {
            throw LottieError("the file decompresses to more than \(LottieLimits.maxFileBytes) bytes")
        }
        guard isWhole else { throw LottieError("the file is damaged: it cannot be decompressed by gzip") }
        return result
    }
}
