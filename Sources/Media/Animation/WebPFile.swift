import Core

/// Animated WebP: a RIFF file with an ANMF chunk for each frame, which contains the chunks of an
/// image.
///
/// A packet is the body of an ANMF chunk with the duration 0.
struct WebPFile: AnimationFile {
    private let fileHeader: AnimationHeader
    private var hasAlpha = false

    /// The bytes before the image chunks in the body of an ANMF chunk.
    private static let controlSize = 16
    /// The offset of the duration in the body of an ANMF chunk.
    private static let durationOffset = 12
    /// The offset of the VP8X chunk's flags: after the RIFF header and the chunk's header.
    private static let flagsOffset = 12 + 8
    /// The maximum file size. The WebP specification sets this limit for the RIFF size field.
    private static let maxBytes = 1 << 32 - 10

    init(_ header: AnimationHeader) { fileHeader = header }

    func header() -> [UInt8] {
        let size = LittleEndian.bytes(fileHeader.width - 1, 3) + LittleEndian.bytes(fileHeader.height - 1, 3)
        // A transparent background, and the loop count.
        let animation = [0, 0, 0, 0] + LittleEndian.bytes(fileHeader.plays ?? 0, 2)
        return Array("RIFF".utf8) + LittleEndian.bytes(0, 4) + Array("WEBP".utf8)
            + WebPFile.chunk("VP8X", [flags, 0, 0, 0] + size) + WebPFile.chunk("ANIM", animation)
    }

    /// The flags for animation, and for alpha if any frame has it.
    private var flags: UInt8 { hasAlpha ? 0x12 : 0x02 }

    mutating func frame(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        var body = Array(packet)
        let duration = LittleEndian.bytes(delay, 3)
        body.replaceSubrange(WebPFile.durationOffset..<WebPFile.durationOffset + 3, with: duration)
        hasAlpha = hasAlpha || WebPFile.isTranslucent(body[WebPFile.controlSize...])
        return WebPFile.chunk("ANMF", body)
    }

    func trailer() -> [UInt8] { [] }

    func patches(fileSize: Int) throws(FFmpegError) -> [(offset: Int, bytes: [UInt8])] {
        guard fileSize <= WebPFile.maxBytes else {
            throw FFmpegError(
                code: FFmpegError.tooManyPixels, operation: "write a WebP file",
                reason: "its size of \(fileSize) bytes is above the maximum of \(WebPFile.maxBytes)",
                remedy: "shorten the clip or reduce its dimensions")
        }
        return [(4, LittleEndian.bytes(fileSize - 8, 4)), (WebPFile.flagsOffset, [flags])]
    }

    // MARK: Chunks

    /// Returns a chunk with its length, padded to an even number of bytes.
    private static func chunk(_ name: String, _ body: some Collection<UInt8>) -> [UInt8] {
        Array(name.utf8) + LittleEndian.bytes(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// Returns true if the chunks of an image declare alpha: by an ALPH chunk, or by a bit after
    /// the width and height of lossless data.
    private static func isTranslucent(_ image: ArraySlice<UInt8>) -> Bool {
        if image.starts(with: "ALPH".utf8) { return true }
        return image.starts(with: "VP8L".utf8) && image[image.startIndex + 12] & 0x10 != 0
    }

    /// Returns the packet of a frame that is not disposed of, from a WebP file; nil if the file is
    /// invalid. The box must have an even position.
    ///
    /// - Parameter blends: true to draw the frame over the previous one; false to replace the
    ///   pixels in the box.
    static func packet(fromWebP file: UnsafeBufferPointer<UInt8>, at box: PixelRect, blends: Bool) -> [UInt8]? {
        var packet = [box.x / 2, box.y / 2, box.width - 1, box.height - 1].flatMap { LittleEndian.bytes($0, 3) }
        // A duration of 0, and the flags: bit 1 is set if the frame is not blended, and bit 0 would
        // dispose of it.
        packet += [0, 0, 0, blends ? 0 : 0b10]
        var offset = 12
        while offset + 8 <= file.count {
            let length = LittleEndian.number(file[offset + 4..<offset + 8])
            let end = offset + 8 + length + length % 2
            guard end <= file.count else { return nil }
            if ["ALPH", "VP8 ", "VP8L"].contains(where: { file[offset...].starts(with: $0.utf8) }) {
                packet += file[offset..<end]
            }
            offset = end
        }
        return packet.count > controlSize ? packet : nil
    }
}

/// Little-endian integers, as in RIFF and TIFF.
package enum LittleEndian {
    /// Returns the lowest bytes of a number.
    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns the value of a sequence of bytes.
    package static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
