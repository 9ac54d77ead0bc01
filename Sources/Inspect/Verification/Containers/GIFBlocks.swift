/// A parser of GIF blocks (GIF89a).
enum GIFBlocks {
    /// The first bytes of blocks in GIF89a.
    private static let extensionMarker = UInt8(0x21)
    private static let imageMarker = UInt8(0x2C)
    private static let trailer = UInt8(0x3B)
    /// The minimum delay in hundredths of a second. Browsers replace shorter ones with ten.
    private static let minDelay = 2

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .gif)
        // A GIF without a loop count plays once.
        found.loopCount = 1
        var delay: Int?
        var data = GIFData()
        let screen = try Screen(&reader)
        var offset = 13 + colorTableSize(screen.flags)
        while let marker = try reader.byte(at: offset) {
            switch marker {
            case trailer:
                found.trailingBytes = reader.byteCount - offset - 1
                return found
            case extensionMarker:
                let label = try reader.byte(at: offset + 1) ?? 0
                if label == 0xF9 { delay = try reader.number(at: offset + 4, bytes: 2, isLittle: true) }
                if label == 0xFF, let count = try loopCount(at: offset, &reader) { found.loopCount = count }
                offset = try skipBlocks(at: offset + 2, &reader)
            case imageMarker:
                found.delays.add(isTooShort: (delay ?? 0) < minDelay)
                delay = nil
                if found.invalidData == nil {
                    found.invalidData = try problem(at: offset, found.delays.count - 1, screen, &data, &reader)
                }
                offset = try skipBlocks(at: offset + 11 + colorTableSize(try reader.byte(at: offset + 9) ?? 0), &reader)
            default:
                found.damage = "no GIF block begins at byte \(offset)"
                return found
            }
        }
        found.truncation = "it ends at byte \(reader.byteCount) without a trailer"
        return found
    }

    /// The logical screen: its size in pixels and the flags of the global colour table.
    private struct Screen {
        let width, height: Int
        let flags: UInt8

        init(_ reader: inout ByteReader) throws {
            width = try reader.number(at: 6, bytes: 2, isLittle: true) ?? 0
            height = try reader.number(at: 8, bytes: 2, isLittle: true) ?? 0
            flags = try reader.byte(at: 10) ?? 0
        }
    }

    /// Returns what a strict decoder would refuse in the image at an offset; nil if there is
    /// nothing.
    private static func problem(
        at offset: Int, _ frame: Int, _ screen: Screen, _ data: inout GIFData, _ reader: inout ByteReader
    ) throws -> String? {
        func number(_ index: Int) throws -> Int {
            try reader.number(at: offset + index, bytes: 2, isLittle: true) ?? 0
        }
        let x = try number(1)
        let y = try number(3)
        let width = try number(5)
        let height = try number(7)
        let flags = try reader.byte(at: offset + 9) ?? 0
        guard x + width <= screen.width, y + height <= screen.height else {
            return "frame \(frame) ends at \(x + width),\(y + height), outside the screen of "
                + "\(screen.width)x\(screen.height)"
        }
        let table = flags & 0x80 == 0 ? screen.flags : flags
        let size = colorTableSize(flags)
        let reason = try data.problem(
            at: offset + 10 + size, pixels: width * height, colors: colorTableSize(table) / 3, &reader)
        return reason.map { "frame \(frame) is invalid: \($0)" }
    }

    /// Returns the size in bytes of a colour table from the flags that announce it.
    private static func colorTableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func loopCount(at offset: Int, _ reader: inout ByteReader) throws -> Int? {
        guard let name = try reader.bytes(at: offset + 3, 11),
            [Array("NETSCAPE2.0".utf8), Array("ANIMEXTS1.0".utf8)].contains(name),
            try reader.bytes(at: offset + 14, 2) == [3, 1]
        else { return nil }
        let repetitions = try reader.number(at: offset + 16, bytes: 2, isLittle: true)
        // The stored number counts the repetitions after the first playback.
        return repetitions.map { $0 == 0 ? 0 : $0 + 1 }
    }

    private static func skipBlocks(at start: Int, _ reader: inout ByteReader) throws -> Int {
        var offset = start
        while let count = try reader.byte(at: offset) {
            offset += 1 + Int(count)
            if count == 0 { break }
        }
        return offset
    }
}
