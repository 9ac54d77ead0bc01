/// The end of an Ogg file (RFC 3533). libavformat does not report if the last page is missing.
struct OggTrailer {
    /// True if the last page is incomplete or is not marked as the last one.
    let isTruncated: Bool

    /// The header, 255 segment lengths, and 255 segments of 255 bytes (RFC 3533, section 6).
    private static let maxPageBytes = 27 + 255 + 255 * 255
    private static let capturePattern = Array("OggS".utf8)

    init(_ file: InputFile) throws(FFmpegError) {
        let start = max(0, file.byteCount - 2 * Self.maxPageBytes)
        let bytes = try file.bytes(at: start, count: file.byteCount - start)
        let offsets = bytes.indices.reversed().lazy.filter { bytes[$0...].starts(with: Self.capturePattern) }
        guard let page = offsets.first, page + 27 <= bytes.count, case let count = Int(bytes[page + 26]),
            page + 27 + count <= bytes.count
        else {
            isTruncated = true
            return
        }
        let length = bytes[(page + 27)..<(page + 27 + count)].reduce(0) { $0 + Int($1) }
        let isLast = bytes[page + 5] & 4 != 0
        isTruncated = !isLast || page + 27 + count + length > bytes.count
    }
}
