/// A parser of PNG chunks, including those of APNG.
enum PNGChunks {
    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .apng)
        found.loopCount = 1
        var offset = 8
        var sequence = 0
        while offset < reader.byteCount {
            guard let length = try reader.number(at: offset, bytes: 4), let type = try reader.code(at: offset + 4)
            else {
                found.truncation = "it ends within a chunk header at byte \(reader.byteCount)"
                return found
            }
            let end = offset + 12 + length
            guard end <= reader.byteCount else {
                found.truncation = FileStructure.truncation(
                    "chunk \(type.sanitizedCode)", needs: end, of: reader.byteCount)
                return found
            }
            if found.damage == nil,
                try checksum(from: offset + 4, to: end - 4, &reader)
                    != reader.number(at: end - 4, bytes: 4)
            {
                found.damage = "the checksum of its chunk \(type.sanitizedCode) at byte \(offset) is wrong"
            }
            if type == "IEND" {
                if let declared = found.declaredFrameCount, declared < found.delays.count {
                    addInvalid("it declares \(declared) frames, but has \(found.delays.count)", to: &found)
                }
                found.trailingBytes = reader.byteCount - end
                return found
            }
            try read(type, at: offset, &sequence, &found, &reader)
            offset = end
        }
        found.truncation = "it ends at byte \(reader.byteCount) without an IEND chunk"
        return found
    }

    /// Reads a chunk of an animation at an offset.
    ///
    /// - Parameter sequence: the next sequence number of the chunks that have one.
    private static func read(
        _ type: String, at offset: Int, _ sequence: inout Int, _ found: inout FileStructure, _ reader: inout ByteReader
    ) throws {
        switch type {
        case "acTL":
            found.declaredFrameCount = try reader.number(at: offset + 8, bytes: 4)
            found.loopCount = try reader.number(at: offset + 12, bytes: 4)
        case "fdAT":
            try check(sequence: &sequence, "fdAT", at: offset, &found, &reader)
        case "fcTL":
            try check(sequence: &sequence, "fcTL", at: offset, &found, &reader)
            let disposal = try reader.byte(at: offset + 32) ?? 0
            let blend = try reader.byte(at: offset + 33) ?? 0
            if disposal > 2 || blend > 1 {
                addInvalid("frame \(found.delays.count) has an unknown disposal or blend operation", to: &found)
            }
            // Browsers replace 10 ms and less with 100 ms, as in GIF.
            let delay = try reader.number(at: offset + 28, bytes: 2) ?? 0
            let unit = try reader.number(at: offset + 30, bytes: 2) ?? 0
            let denominator = unit == 0 ? 100 : unit
            found.delays.add(isTooShort: delay * 100 <= denominator)
            found.delays.maxDenominator = max(found.delays.maxDenominator, denominator)
        default: break
        }
    }

    /// Checks the sequence number of a chunk: they count from 0 without a gap.
    private static func check(
        sequence: inout Int, _ type: String, at offset: Int, _ found: inout FileStructure, _ reader: inout ByteReader
    ) throws {
        let number = try reader.number(at: offset + 8, bytes: 4) ?? 0
        if number != sequence {
            addInvalid("a chunk \(type) has the sequence number \(number) instead of \(sequence)", to: &found)
        }
        sequence += 1
    }

    private static func addInvalid(_ problem: String, to found: inout FileStructure) {
        found.invalidData = found.invalidData ?? problem
    }

    /// The table of the CRC-32 that the PNG specification defines.
    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }

    private static func checksum(from start: Int, to end: Int, _ reader: inout ByteReader) throws -> Int {
        var value = UInt32.max
        for offset in start..<max(start, end) {
            value = crcTable[Int((value ^ UInt32(try reader.byte(at: offset) ?? 0)) & 0xFF)] ^ value >> 8
        }
        return Int(value ^ .max)
    }
}

extension String {
    /// Returns ASCII letters, digits and spaces, with all other characters of a code replaced by a
    /// question mark.
    var sanitizedCode: String { String(map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") ? $0 : "?" }) }
}
