/// A parser of the top-level boxes of MP4 and QuickTime files.
enum MP4Boxes {
    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: try reader.code(at: 8) == "qt  " ? .mov : .mp4)
        var moov: Int?
        var movie: Range<Int>?
        var data: Int?
        var offset = 0
        // The number of fragments is not declared, so only the index after the last one marks a
        // complete file.
        var hasFragments = false
        var hasFragmentIndex = false
        // Image files (HEIF) have a box `meta` instead.
        var hasMeta = false
        while offset < reader.byteCount {
            let isWhole = moov != nil && data != nil && (!hasFragments || hasFragmentIndex)
            if isWhole, try !beginsBox(at: offset, &reader) {
                found.trailingBytes = reader.byteCount - offset
                break
            }
            guard let shortSize = try reader.number(at: offset, bytes: 4), let type = try reader.code(at: offset + 4)
            else {
                found.truncation = "it ends within a box header at byte \(reader.byteCount)"
                break
            }
            let isKnown = type.sanitizedCode == type || type.hasPrefix("\u{A9}")
            guard isKnown, let size = try size(of: shortSize, at: offset, &reader) else {
                found.damage = "no box begins at byte \(offset)"
                break
            }
            if type == "moov", moov == nil { moov = offset }
            if type == "mdat", data == nil { data = offset }
            if type == "moof" {
                hasFragments = true
                found.hasIndex = found.hasIndex ?? false
            }
            if type == "mfra" { hasFragmentIndex = true }
            if type == "meta" { hasMeta = true }
            if type == "mfra" || type == "sidx" { found.hasIndex = true }
            if offset + size > reader.byteCount {
                found.truncation = FileStructure.truncation(
                    "box \(type.sanitizedCode)", needs: offset + size, of: reader.byteCount)
                break
            }
            if type == "moov", movie == nil { movie = offset + (shortSize == 1 ? 16 : 8)..<offset + size }
            offset += size
        }
        // Fragments may continue after the durations in `moov`.
        if let movie, !hasFragments, !movie.isEmpty { try MP4Tracks.add(movie, to: &found, &reader) }
        if moov == nil, !hasMeta, found.truncation == nil, found.damage == nil { found.damage = "it has no box moov" }
        if let moov { found.isFastStart = data.map { moov < $0 } ?? true }
        return found
    }

    /// The top-level box types of ISO/IEC 14496-12 and QuickTime.
    private static let topLevelTypes: Set = [
        "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "emsg", "meta", "meco", "free", "skip",
        "wide", "pdin", "pnot", "udta", "uuid", "imda",
    ]

    /// True if a box begins at an offset: one of a known type, or a complete one of any type.
    private static func beginsBox(at offset: Int, _ reader: inout ByteReader) throws -> Bool {
        guard let shortSize = try reader.number(at: offset, bytes: 4), let type = try reader.code(at: offset + 4) else {
            return false
        }
        guard let size = try size(of: shortSize, at: offset, &reader) else { return false }
        return topLevelTypes.contains(type) || type.sanitizedCode == type && offset + size <= reader.byteCount
    }

    private static func size(of shortSize: Int, at offset: Int, _ reader: inout ByteReader) throws -> Int? {
        switch shortSize {
        // The box extends to the end of the file.
        case 0: return reader.byteCount - offset
        case 1:
            guard let high = try reader.number(at: offset + 8, bytes: 1), high == 0,
                let size = try reader.number(at: offset + 9, bytes: 7), size >= 16, size < 1 << 55
            else { return nil }
            return size
        case 2..<8: return nil
        default: return shortSize
        }
    }
}
