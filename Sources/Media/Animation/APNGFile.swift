import CLibAV
import Scene

/// Animated PNG: a PNG file whose first picture every reader shows, with a frame control chunk before each picture.
///
/// A packet is the body of a frame control chunk, with number and delay left 0, and the picture's compressed rows.
struct APNGFile: AnimationFile {
    private let head: AnimationHead
    private var sequenceNumber = 0
    private var pictureCount = 0

    /// Bytes of a frame control chunk's body, and where number and delay are in it.
    private static let controlSize = 26
    private static let delayOffset = 20

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Where the animation control chunk begins: behind the signature and the header.
    private static let animationControlOffset = 8 + 25

    init(_ head: AnimationHead) { self.head = head }

    mutating func beginning() -> [UInt8] {
        let header = BigEndian.bytes(head.width, 4) + BigEndian.bytes(head.height, 4)
        // 8 bits of red, green, blue and perhaps alpha; how rows are compressed and filtered, and in one pass.
        let format: [UInt8] = [8, head.pixelFormat.hasAlpha ? 6 : 2, 0, 0, 0]
        return APNGFile.signature + APNGFile.chunk("IHDR", header + format) + animationControl(head.pictureCount ?? 0)
            + colors
    }

    /// That colours are sRGB's, to be rendered as photographs are; or the numbers that video has for Display P3's primaries
    /// and transfer, without a matrix and in full range.
    private var colors: [UInt8] {
        head.gamut == .bt709 ? APNGFile.chunk("sRGB", [0]) : APNGFile.chunk("cICP", [12, 13, 0, 1])
    }

    private func animationControl(_ count: Int) -> [UInt8] {
        APNGFile.chunk("acTL", BigEndian.bytes(count, 4) + BigEndian.bytes(head.plays ?? 0, 4))
    }

    mutating func picture(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        var control = Array(packet.prefix(APNGFile.controlSize))
        let rows = packet.dropFirst(APNGFile.controlSize)
        control.replaceSubrange(0..<4, with: BigEndian.bytes(nextNumber(), 4))
        let fraction = BigEndian.bytes(delay, 2) + BigEndian.bytes(Container.apng.ticksPerSecond, 2)
        control.replaceSubrange(APNGFile.delayOffset..<APNGFile.delayOffset + 4, with: fraction)
        defer { pictureCount += 1 }
        let data =
            pictureCount == 0
            ? APNGFile.chunk("IDAT", rows) : APNGFile.chunk("fdAT", BigEndian.bytes(nextNumber(), 4) + rows)
        return APNGFile.chunk("fcTL", control) + data
    }

    private mutating func nextNumber() -> Int {
        defer { sequenceNumber += 1 }
        return sequenceNumber
    }

    mutating func end() -> [UInt8] { APNGFile.chunk("IEND", []) }

    func corrections(fileSize: Int) -> [(offset: Int, bytes: [UInt8])] {
        pictureCount == head.pictureCount ? [] : [(APNGFile.animationControlOffset, animationControl(pictureCount))]
    }

    // MARK: Chunks

    /// A chunk with its length and checksum.
    private static func chunk(_ type: String, _ body: some Sequence<UInt8>) -> [UInt8] {
        let checked = Array(type.utf8) + body
        let checksum = checked.withUnsafeBufferPointer { bytes in
            ~av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), .max, bytes.baseAddress, bytes.count)
        }
        return BigEndian.bytes(checked.count - 4, 4) + checked + BigEndian.bytes(Int(checksum), 4)
    }

    /// A PNG file as a picture at a place: it replaces what was there, and stays. Nil if it is none.
    static func part(ofPNG file: UnsafeBufferPointer<UInt8>, at box: PixelRect) -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 4)
        for side in [box.width, box.height, box.x, box.y] { part += BigEndian.bytes(side, 4) }
        part += [0, 0, 0, 0, 0, 0]
        var offset = signature.count
        while offset + 12 <= file.count {
            let length = BigEndian.number(file[offset..<offset + 4])
            let body = offset + 8..<offset + 8 + length
            guard body.upperBound + 4 <= file.count else { return nil }
            if file[offset + 4..<offset + 8].elementsEqual("IDAT".utf8) { part += file[body] }
            offset = body.upperBound + 4
        }
        return part.count > controlSize ? part : nil
    }
}

/// Whole numbers as PNG writes them, the highest byte first.
enum BigEndian {
    /// The lowest bytes of a number.
    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The number that bytes say.
    static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
