import CLibAV
import Core

/// Animated PNG: a PNG file whose default image is the first frame, with a frame control chunk
/// before each frame (PNG specification, third edition).
///
/// A packet consists of the body of a frame control chunk, with sequence number and delay 0, and
/// the frame's compressed rows.
struct APNGFile: AnimationFile {
    private let fileHeader: AnimationHeader
    private var sequenceNumber = 0
    private var frameCount = 0

    /// The bytes of a frame control chunk's body.
    private static let controlSize = 26
    /// The offset of the delay in a frame control chunk's body.
    private static let delayOffset = 20

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The offset of the animation control chunk, which follows the signature and the header chunk.
    private static let animationControlOffset = 8 + 25

    init(_ header: AnimationHeader) { fileHeader = header }

    mutating func header() -> [UInt8] {
        let size = BigEndian.bytes(fileHeader.width, 4) + BigEndian.bytes(fileHeader.height, 4)
        // 8 bits per channel, RGBA or RGB, the only methods of compression and filtering, not
        // interlaced.
        let format: [UInt8] = [8, fileHeader.pixelFormat.hasAlpha ? 6 : 2, 0, 0, 0]
        return APNGFile.signature + APNGFile.chunk("IHDR", size + format)
            + animationControl(fileHeader.frameCount ?? 0) + colorChunk
    }

    /// sRGB with perceptual rendering intent; or for Display P3 the code points of ITU-T H.273 for
    /// primaries (12) and transfer (13), with the identity matrix and full range.
    private var colorChunk: [UInt8] {
        fileHeader.gamut == .bt709 ? APNGFile.chunk("sRGB", [0]) : APNGFile.chunk("cICP", [12, 13, 0, 1])
    }

    private func animationControl(_ count: Int) -> [UInt8] {
        APNGFile.chunk("acTL", BigEndian.bytes(count, 4) + BigEndian.bytes(fileHeader.plays ?? 0, 4))
    }

    mutating func frame(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        var control = Array(packet.prefix(APNGFile.controlSize))
        let rows = packet.dropFirst(APNGFile.controlSize)
        control.replaceSubrange(0..<4, with: BigEndian.bytes(nextSequenceNumber(), 4))
        let fraction = BigEndian.bytes(delay, 2) + BigEndian.bytes(Container.apng.ticksPerSecond, 2)
        control.replaceSubrange(APNGFile.delayOffset..<APNGFile.delayOffset + 4, with: fraction)
        defer { frameCount += 1 }
        let data =
            frameCount == 0
            ? APNGFile.chunk("IDAT", rows)
            : APNGFile.chunk("fdAT", BigEndian.bytes(nextSequenceNumber(), 4) + rows)
        return APNGFile.chunk("fcTL", control) + data
    }

    private mutating func nextSequenceNumber() -> Int {
        defer { sequenceNumber += 1 }
        return sequenceNumber
    }

    mutating func trailer() -> [UInt8] { APNGFile.chunk("IEND", []) }

    func patches(fileSize: Int) -> [(offset: Int, bytes: [UInt8])] {
        frameCount == fileHeader.frameCount
            ? [] : [(APNGFile.animationControlOffset, animationControl(frameCount))]
    }

    // MARK: Chunks

    /// Returns a chunk with its length and checksum.
    private static func chunk(_ type: String, _ body: some Sequence<UInt8>) -> [UInt8] {
        let checked = Array(type.utf8) + body
        let checksum = checked.withUnsafeBufferPointer { bytes in
            ~av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), .max, bytes.baseAddress, bytes.count)
        }
        return BigEndian.bytes(checked.count - 4, 4) + checked + BigEndian.bytes(Int(checksum), 4)
    }

    /// Returns the packet of a frame that replaces the pixels in a box and is not disposed of, from
    /// a PNG file; nil if the file is invalid.
    static func packet(fromPNG file: UnsafeBufferPointer<UInt8>, at box: PixelRect) -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: 4)
        for side in [box.width, box.height, box.x, box.y] { packet += BigEndian.bytes(side, 4) }
        packet += [0, 0, 0, 0, 0, 0]
        guard let chunks = PNGFile.chunks(of: file) else { return nil }
        for chunk in chunks where file[chunk].dropFirst(4).prefix(4).elementsEqual("IDAT".utf8) {
            packet += file[chunk].dropFirst(8).dropLast(4)
        }
        return packet.count > controlSize ? packet : nil
    }
}

/// Big-endian integers, as in PNG.
enum BigEndian {
    /// Returns the lowest `count` bytes of a number.
    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns the value of a sequence of bytes.
    static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
