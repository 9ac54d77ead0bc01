/// The chunks of a PNG, and of what makes it an animation.
enum PNGChunks {
    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .apng)
        found.loopCount = 1
        var place = 8
        while place < reader.byteCount {
            guard let length = try reader.number(at: place, bytes: 4), let type = try reader.code(at: place + 4) else {
                found.cut = "it ends within a chunk's head, at byte \(reader.byteCount)"
                return found
            }
            let end = place + 12 + length
            guard end <= reader.byteCount else {
                found.cut = FileStructure.cut("chunk \(type.letters)", needs: end, of: reader.byteCount)
                return found
            }
            if found.damage == nil,
                try checksum(from: place + 4, to: end - 4, &reader)
                    != reader.number(at: end - 4, bytes: 4)
            {
                found.damage = "the checksum of its chunk \(type.letters) at byte \(place) is wrong"
            }
            switch type {
            case "acTL":
                found.saidFrames = try reader.number(at: place + 8, bytes: 4)
                found.loopCount = try reader.number(at: place + 12, bytes: 4)
            case "fcTL":
                // Browsers take 10 ms and less for 100 ms, as they do in GIF.
                let delay = try reader.number(at: place + 28, bytes: 2) ?? 0
                let unit = try reader.number(at: place + 30, bytes: 2) ?? 0
                let parts = unit == 0 ? 100 : unit
                found.delays.add(isTooShort: delay * 100 <= parts)
                found.delays.mostParts = max(found.delays.mostParts, parts)
            case "IEND":
                found.trailingBytes = reader.byteCount - end
                return found
            default: break
            }
            place = end
        }
        found.cut = "it ends without its last chunk IEND, at byte \(reader.byteCount)"
        return found
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }

    private static func checksum(from start: Int, to end: Int, _ reader: inout ByteReader) throws -> Int {
        var value = UInt32.max
        for place in start..<max(start, end) {
            value = table[Int((value ^ UInt32(try reader.byte(at: place) ?? 0)) & 0xFF)] ^ value >> 8
        }
        return Int(value ^ .max)
    }
}

extension String {
    /// Letters and digits as they are; a question mark for all that a file's code should not have.
    var letters: String { String(map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") ? $0 : "?" }) }
}
