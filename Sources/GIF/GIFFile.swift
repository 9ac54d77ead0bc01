/// The parts of a GIF file but its pictures' codes: GIF89a with one table of colours, which says that it is played again.
public struct GIFFile: Sendable {
    private let width: Int
    private let height: Int
    private let palette: Palette
    private let plays: Int?

    /// A file of pictures with sides of 1...65535 pixels.
    ///
    /// - Parameter plays: how many times it is played, 1...65535; nil for without end.
    public init(width: Int, height: Int, palette: Palette, plays: Int? = nil) {
        (self.width, self.height, self.palette, self.plays) = (width, height, palette, plays)
    }

    /// What is before the first picture.
    public var beginning: [UInt8] {
        let flags = 0x80 | UInt8(palette.tableBits - 1) << 4 | UInt8(palette.tableBits - 1)
        let screen = GIFFile.word(width) + GIFFile.word(height) + [flags, 0, 0]
        return Array("GIF89a".utf8) + screen + palette.table + repetition
    }

    /// Netscape's extension says how often it is played again, 0 for without end; without it a file is played once.
    private var repetition: [UInt8] {
        if plays == 1 { return [] }
        return [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + GIFFile.word(plays.map { $0 - 1 } ?? 0) + [0]
    }

    /// What is after the last picture.
    public static let end: [UInt8] = [0x3B]

    /// A picture that is shown for so many hundredths of a second, 0...65535.
    public static func picture(_ picture: CodedPicture, delay: Int) -> [UInt8] {
        let flags = picture.disposal.rawValue << 2 | (picture.hasHoles ? 1 : 0)
        let box = picture.box
        return [0x21, 0xF9, 4, flags] + word(delay) + [0, 0, 0x2C] + word(box.x) + word(box.y) + word(box.width)
            + word(box.height) + [0] + picture.data
    }

    private static func word(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
