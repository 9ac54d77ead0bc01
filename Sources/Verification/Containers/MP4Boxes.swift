/// The outermost boxes of MP4 and QuickTime.
enum MP4Boxes {
    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: try reader.code(at: 8) == "qt  " ? .mov : .mp4)
        var (moov, data, place): (Int?, Int?, Int) = (nil, nil, 0)
        // Of fragments nobody knows how many there are, unless what comes behind the last of them is there.
        var (hasFragments, hasIndexOfThem) = (false, false)
        while place < reader.byteCount {
            let isWhole = moov != nil && data != nil && (!hasFragments || hasIndexOfThem)
            if isWhole, try !beginsBox(at: place, &reader) {
                found.trailingBytes = reader.byteCount - place
                break
            }
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
            if type == "moof" { (hasFragments, found.hasIndex) = (true, found.hasIndex ?? false) }
            if type == "mfra" { hasIndexOfThem = true }
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

    /// The outermost boxes that there are (ISO/IEC 14496-12, and QuickTime's).
    private static let known: Set = [
        "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "emsg", "meta", "meco", "free", "skip",
        "wide", "pdin", "pnot", "udta", "uuid", "imda",
    ]

    /// Whether a box begins at a place: one of a known type, or of another one that is whole.
    private static func beginsBox(at place: Int, _ reader: inout ByteReader) throws -> Bool {
        guard let short = try reader.number(at: place, bytes: 4), let type = try reader.code(at: place + 4) else {
            return false
        }
        guard let size = try size(of: short, at: place, &reader) else { return false }
        return known.contains(type) || type.letters == type && place + size <= reader.byteCount
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
