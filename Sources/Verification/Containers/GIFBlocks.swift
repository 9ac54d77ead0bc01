/// The blocks of a GIF (GIF89a).
enum GIFBlocks {
    private static let (extensionMark, imageMark, trailer) = (UInt8(0x21), UInt8(0x2C), UInt8(0x3B))
    /// Browsers show pictures of less than two hundredths of a second for ten.
    private static let leastDelay = 2

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .gif)
        // Without a word on it a GIF is played once.
        found.loopCount = 1
        var delay: Int?
        var place = 13 + table(try reader.byte(at: 10) ?? 0)
        while let mark = try reader.byte(at: place) {
            switch mark {
            case trailer:
                try end(at: place, &found, &reader)
                return found
            case extensionMark:
                let label = try reader.byte(at: place + 1) ?? 0
                if label == 0xF9 { delay = try reader.number(at: place + 4, bytes: 2, isLittle: true) }
                if label == 0xFF, let count = try loopCount(at: place, &reader) { found.loopCount = count }
                place = try skipBlocks(at: place + 2, &reader)
            case imageMark:
                found.delays.add(isTooShort: (delay ?? 0) < leastDelay)
                delay = nil
                place = try skipBlocks(at: place + 11 + table(try reader.byte(at: place + 9) ?? 0), &reader)
            default:
                found.damage = "byte \(place) begins no block of a GIF"
                return found
            }
        }
        found.cut = "it ends without its trailer, at byte \(reader.byteCount)"
        return found
    }

    /// The bytes of a colour table by the flags that announce it.
    private static func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func loopCount(at place: Int, _ reader: inout ByteReader) throws -> Int? {
        guard let name = try reader.bytes(at: place + 3, 11),
            [Array("NETSCAPE2.0".utf8), Array("ANIMEXTS1.0".utf8)].contains(name),
            try reader.bytes(at: place + 14, 2) == [3, 1]
        else { return nil }
        let said = try reader.number(at: place + 16, bytes: 2, isLittle: true)
        // It counts what comes after the first time.
        return said.map { $0 == 0 ? 0 : $0 + 1 }
    }

    private static func skipBlocks(at start: Int, _ reader: inout ByteReader) throws -> Int {
        var place = start
        while let count = try reader.byte(at: place) {
            place += 1 + Int(count)
            if count == 0 { break }
        }
        return place
    }

    private static func end(at place: Int, _ found: inout FileStructure, _ reader: inout ByteReader) throws {
        found.trailingBytes = reader.byteCount - place - 1
    }
}
