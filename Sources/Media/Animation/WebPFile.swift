import Scene

/// Animated WebP: a RIFF file with a chunk for each picture, around the chunks of a still.
///
/// A packet is the body of such a chunk, with its duration left 0.
struct WebPFile: AnimationFile {
    private let head: AnimationHead
    private var hasAlpha = false

    /// Bytes before the stills' chunks in the body of a picture's chunk, and where the duration is in them.
    private static let controlSize = 16
    private static let durationOffset = 12
    /// Where the features stand: behind the names of RIFF and WebP and a chunk's name and length.
    private static let featuresOffset = 12 + 8
    /// Files have at most so many bytes.
    private static let mostBytes = 1 << 32 - 10

    init(_ head: AnimationHead) { self.head = head }

    func beginning() -> [UInt8] {
        let sides = LittleEndian.bytes(head.width - 1, 3) + LittleEndian.bytes(head.height - 1, 3)
        // Clear behind the pictures.
        let loop = [0, 0, 0, 0] + LittleEndian.bytes(head.plays ?? 0, 2)
        return Array("RIFF".utf8) + LittleEndian.bytes(0, 4) + Array("WEBP".utf8)
            + WebPFile.chunk("VP8X", [features, 0, 0, 0] + sides) + WebPFile.chunk("ANIM", loop)
    }

    /// That it is animated, and whether any of its pictures is translucent.
    private var features: UInt8 { hasAlpha ? 0x12 : 0x02 }

    mutating func picture(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        var body = Array(packet)
        let duration = LittleEndian.bytes(delay, 3)
        body.replaceSubrange(WebPFile.durationOffset..<WebPFile.durationOffset + 3, with: duration)
        hasAlpha = hasAlpha || WebPFile.isTranslucent(body[WebPFile.controlSize...])
        return WebPFile.chunk("ANMF", body)
    }

    func end() -> [UInt8] { [] }

    func corrections(fileSize: Int) throws(FFmpegError) -> [(offset: Int, bytes: [UInt8])] {
        guard fileSize <= WebPFile.mostBytes else {
            throw FFmpegError(
                code: FFmpegError.tooManyPixels, operation: "write a WebP file of \(fileSize) bytes",
                reason: "at most \(WebPFile.mostBytes) are possible: make it shorter or smaller")
        }
        return [(4, LittleEndian.bytes(fileSize - 8, 4)), (WebPFile.featuresOffset, [features])]
    }

    // MARK: Chunks

    /// A chunk with its length, and a byte behind it if that is odd.
    private static func chunk(_ name: String, _ body: some Collection<UInt8>) -> [UInt8] {
        Array(name.utf8) + LittleEndian.bytes(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// Whether the chunks of a still say that it has alpha: in a chunk of its own, or in a bit behind both sides.
    private static func isTranslucent(_ still: ArraySlice<UInt8>) -> Bool {
        if still.starts(with: "ALPH".utf8) { return true }
        return still.starts(with: "VP8L".utf8) && still[still.startIndex + 12] & 0x10 != 0
    }

    /// A WebP file as a picture at a place, both sides of which are even: it replaces what was there, and stays. Nil if it
    /// is none.
    static func part(ofWebP file: UnsafeBufferPointer<UInt8>, at box: PixelRect) -> [UInt8]? {
        var part = [box.x / 2, box.y / 2, box.width - 1, box.height - 1].flatMap { LittleEndian.bytes($0, 3) }
        // No duration yet; not blended with what is beneath, and not taken away afterwards.
        part += [0, 0, 0, 0b10]
        var offset = 12
        while offset + 8 <= file.count {
            let length = LittleEndian.number(file[offset + 4..<offset + 8])
            let end = offset + 8 + length + length % 2
            guard end <= file.count else { return nil }
            if ["ALPH", "VP8 ", "VP8L"].contains(where: { file[offset...].starts(with: $0.utf8) }) {
                part += file[offset..<end]
            }
            offset = end
        }
        return part.count > controlSize ? part : nil
    }
}

/// Whole numbers as RIFF has them, the lowest byte first.
private enum LittleEndian {
    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
