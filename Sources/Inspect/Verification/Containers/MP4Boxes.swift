/// A parser of the top-level boxes of MP4 and QuickTime files.
enum MP4Boxes {
    /// The boxes that were found.
    private struct Boxes {
        /// The offset of the first box `moov`.
        var moov: Int?
        /// The contents of the first complete box `moov`.
        var movie: Range<Int>?
        /// The offset of the first box `mdat`.
        var data: Int?
        var hasFragments = false
        var hasFragmentIndex = false
        /// True for image files (HEIF), which have a box `meta` instead of `moov`.
        var hasMeta = false

        /// True if nothing needs to follow. The number of fragments is not declared, so only the
        /// index after the last one marks a complete file.
        var isWhole: Bool { moov != nil && data != nil && (!hasFragments || hasFragmentIndex) }

        /// Adds a box, which may be incomplete.
        mutating func add(_ type: String, at offset: Int) {
            switch type {
            case "moov": moov = moov ?? offset
            case "mdat": data = data ?? offset
            case "moof": hasFragments = true
            case "mfra": hasFragmentIndex = true
            case "meta": hasMeta = true
            default: break
            }
        }
    }

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: try reader.code(at: 8) == "qt  " ? .mov : .mp4)
        let boxes = try boxes(&reader, &found)
        // Fragments may continue after the durations in `moov`.
        if let movie = boxes.movie, !boxes.hasFragments, !movie.isEmpty {
            try MP4Tracks.add(movie, to: &found, &reader)
        }
        if boxes.moov == nil, !boxes.hasMeta, found.truncation == nil, found.damage == nil {
            found.damage = "it has no box moov"
        }
        if let moov = boxes.moov { found.isFastStart = boxes.data.map { moov < $0 } ?? true }
        return found
    }

    /// Returns the top-level boxes up to the end of the file or the first fault, which is added to
    /// `found`.
    private static func boxes(_ reader: inout ByteReader, _ found: inout FileStructure) throws -> Boxes {
        var boxes = Boxes()
        var offset = 0
        while offset < reader.byteCount {
            if boxes.isWhole, try !beginsBox(at: offset, &reader) {
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
            boxes.add(type, at: offset)
            if type == "moof" { found.hasIndex = found.hasIndex ?? false }
            if type == "mfra" || type == "sidx" { found.hasIndex = true }
            if offset + size > reader.byteCount {
                found.truncation = FileStructure.truncation(
                    "box \(type.sanitizedCode)", needs: offset + size, of: reader.byteCount)
                break
            }
            if type == "moov", boxes.movie == nil { boxes.movie = offset + (shortSize == 1 ? 16 : 8)..<offset + size }
            offset += size
        }
        return boxes
    }

    /// The top-level box types of ISO/IEC 14496-12 and QuickTime.
    private static let topLevelTypes: Set = [
        "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "emsg", "meta", "meco", "free", "skip",
        "wide", "pdin", "pnot", "udta", "uuid", "imda",
    ]

    /// Returns true if a box begins at an offset: one of a known type, or a complete one of any
    /// type.
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
