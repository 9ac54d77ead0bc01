/// The parts of a GIF file but its pictures' codes: GIF89a with one table of colours, which says how often it is played.
public struct GIFFile: Sendable {
    private let width: Int
    private let height: Int
    private let table: [UInt8]
    private let plays: Int?
    private let mergesEqual: Bool
    /// The last picture, whose time may grow.
    private var waiting: (picture: [UInt8], delay: Int)?

    /// The longest time of a picture, in hundredths of a second.
    private static let longestDelay = 0xFFFF
    /// Where the time is in a picture's bytes.
    private static let delayOffset = 4

    /// A file of pictures with sides of 1...65535 pixels.
    ///
    /// - Parameters:
    ///   - table: the colours, as `Palette.table` has them.
    ///   - plays: how many times it is played, 1...65535; nil for without end.
    ///   - mergesEqual: whether what shows nothing new makes the picture before longer.
    public init(width: Int, height: Int, table: [UInt8], plays: Int? = nil, mergesEqual: Bool = false) {
        (self.width, self.height, self.table) = (width, height, table)
        (self.plays, self.mergesEqual) = (plays, mergesEqual)
    }

    /// What is before the first picture.
    public var beginning: [UInt8] {
        let bits = UInt8(max(0, (table.count / 3).trailingZeroBitCount - 1))
        let screen = GIFFile.word(width) + GIFFile.word(height) + [0x80 | bits << 4 | bits, 0, 0]
        return Array("GIF89a".utf8) + screen + table + repetition
    }

    /// Netscape's extension says how often it is played again, 0 for without end; without it a file is played once.
    private var repetition: [UInt8] {
        if plays == 1 { return [] }
        return [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + GIFFile.word(plays.map { $0 - 1 } ?? 0) + [0]
    }

    /// Adds a picture that is shown for so many hundredths of a second, 0...65535. Returns what comes next in the file.
    public mutating func add(_ picture: CodedPicture.Bytes, delay: Int) -> [UInt8] {
        if mergesEqual, picture.isEmpty, let before = waiting, CodedPicture.Bytes(before.picture).stays,
            before.delay + delay <= GIFFile.longestDelay
        {
            waiting?.delay += delay
            return []
        }
        defer { waiting = (picture.bytes, delay) }
        return finishedPicture
    }

    private var finishedPicture: [UInt8] {
        guard let (picture, delay) = waiting else { return [] }
        var bytes = picture
        bytes[GIFFile.delayOffset - 1] &= ~CodedPicture.Bytes.emptyMark
        bytes.replaceSubrange(GIFFile.delayOffset..<GIFFile.delayOffset + 2, with: GIFFile.word(delay))
        return bytes
    }

    /// What is left: the last picture, and what is after it.
    public var end: [UInt8] { finishedPicture + [0x3B] }

    static func word(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

extension CodedPicture {
    /// A picture as it stands in the file, but for its delay.
    public struct Bytes: Sendable {
        /// Its bytes.
        public let bytes: [UInt8]

        /// A bit that readers shall ignore, and that is taken away when it is written.
        fileprivate static let emptyMark: UInt8 = 0x80

        /// A picture that was one before.
        public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        fileprivate var isEmpty: Bool { bytes[3] & Bytes.emptyMark != 0 }
        fileprivate var stays: Bool { bytes[3] >> 2 & 7 == Disposal.keep.rawValue }
    }

    /// The picture as it stands in the file, but for its delay.
    public var bytes: Bytes {
        let flags = disposal.rawValue << 2 | (hasHoles ? 1 : 0) | (isEmpty ? Bytes.emptyMark : 0)
        let place = [box.x, box.y, box.width, box.height].flatMap(GIFFile.word)
        return Bytes([0x21, 0xF9, 4, flags, 0, 0, 0, 0, 0x2C] + place + [0] + data)
    }
}
