/// How an Ogg file ends (RFC 3533): the last page says so, which libavformat does not tell.
struct OggEnd {
    /// Whether the last page is not whole, or is not the last one.
    let isCutOff: Bool

    private static let longestPage = 27 + 255 + 255 * 255
    private static let mark = Array("OggS".utf8)

    init(_ file: InputFile) throws(FFmpegError) {
        let start = max(0, file.byteCount - 2 * Self.longestPage)
        let bytes = try file.bytes(at: start, count: file.byteCount - start)
        let places = bytes.indices.reversed().lazy.filter { bytes[$0...].starts(with: Self.mark) }
        guard let page = places.first, page + 27 <= bytes.count, case let count = Int(bytes[page + 26]),
            page + 27 + count <= bytes.count
        else {
            isCutOff = true
            return
        }
        let length = bytes[(page + 27)..<(page + 27 + count)].reduce(0) { $0 + Int($1) }
        let isLast = bytes[page + 5] & 4 != 0
        isCutOff = !isLast || page + 27 + count + length > bytes.count
    }
}
