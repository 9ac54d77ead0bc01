/// The outermost boxes of MP4 and QuickTime.
enum MP4Boxes {
    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: try reader.code(at: 8) == "qt  " ? .mov : .mp4)
        var (moov, data, place): (Int?, Int?, Int) = (nil, nil, 0)
        while place < reader.byteCount {
            guard let short = try reader.number(at: place, bytes: 4), let type = try reader.code(at: place + 4) else {
                found.cut = "it ends within a box's head, at byte \(reader.byteCount)"
                break
            }
            let isKnown = type.letters == type || type.hasPrefix("\u{A9}")
            guard isKnown, let size = try size(of: short, at: place, &reader) else {
                found.damage = "byte \(place) begins no box"
                break
            }
            if type == "moov", moov == nil { moov = place }
            if type == "mdat", data == nil { data = place }
            if type == "moof" { found.hasIndex = found.hasIndex ?? false }
            if type == "mfra" || type == "sidx" { found.hasIndex = true }
            if place + size > reader.byteCount {
                found.cut = FileStructure.cut("box \(type.letters)", needs: place + size, of: reader.byteCount)
                break
            }
            place += size
        }
        if let moov { found.isFastStart = data.map { moov < $0 } ?? true }
        return found
    }

    private static func size(of short: Int, at place: Int, _ reader: inout ByteReader) throws -> Int? {
        switch short {
        // To the end of the file.
        case 0: return reader.byteCount - place
        case 1:
            guard let high = try reader.number(at: place + 8, bytes: 1), high == 0,
                let size = try reader.number(at: place + 9, bytes: 7), size >= 16, size < 1 << 55
            else { return nil }
            return size
        case 2..<8: return nil
        default: return short
        }
    }
}
