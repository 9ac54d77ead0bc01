/// A parser of the top-level elements of Matroska and WebM files.
enum MatroskaElements {
    // Element IDs of the Matroska specification (RFC 9559).
    private static let segment = 0x1853_8067
    private static let info = 0x1549_A966
    private static let timestampScale = 0x2A_D7B1
    private static let segmentDuration = 0x4489
    private static let tracks = 0x1654_AE6B
    private static let trackEntry = 0xAE
    private static let trackType = 0x83
    private static let cues = 0x1C53_BB6B
    private static let cluster = 0x1F43_B675

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .matroska)
        guard let head = try element(at: 0, &reader), let size = head.size else {
            found.damage = "its first element is incomplete"
            return found
        }
        let header = try reader.bytes(at: head.body, min(size, 256)) ?? []
        if String(decoding: header, as: UTF8.self).contains("webm") { found.kind = .webm }
        var offset = head.body + size
        // Void elements may precede the segment.
        while let next = try element(at: offset, &reader), next.id != segment, let size = next.size {
            offset = next.body + size
        }
        guard let segmentElement = try element(at: offset, &reader), segmentElement.id == segment else {
            found.truncation = "it ends at byte \(reader.byteCount) before its segment begins"
            return found
        }
        found.hasIndex = false
        if let size = segmentElement.size, segmentElement.body + size > reader.byteCount {
            found.truncation = FileStructure.truncation(
                "segment", needs: segmentElement.body + size, of: reader.byteCount)
            return found
        }
        if let size = segmentElement.size { found.trailingBytes = reader.byteCount - segmentElement.body - size }
        let end = segmentElement.size.map { segmentElement.body + $0 } ?? reader.byteCount
        try addElements(in: segmentElement.body..<end, to: &found, &reader)
        return found
    }

    /// Adds what the elements of a segment say. `body` is the range of its contents.
    private static func addElements(
        in body: Range<Int>, to found: inout FileStructure, _ reader: inout ByteReader
    ) throws {
        var offset = body.lowerBound
        let end = body.upperBound
        while offset < end, let next = try element(at: offset, &reader) {
            if next.id == cues { found.hasIndex = true }
            if let size = next.size, next.body + size <= end {
                let body = next.body..<next.body + size
                if next.id == info { found.segmentSeconds = try seconds(in: body, &reader) }
                if next.id == tracks { found.soundTracks = try soundTracks(in: body, &reader) }
            }
            // Live streams omit sizes. The contents follow directly.
            guard let size = next.size else {
                offset = next.body
                continue
            }
            guard next.body + size <= end else {
                found.truncation = FileStructure.truncation(
                    next.id == cluster ? "cluster" : "element", needs: next.body + size, of: reader.byteCount)
                return
            }
            offset = next.body + size
        }
    }

    /// Returns the duration that the segment's information declares in seconds; nil if there is
    /// none.
    private static func seconds(in body: Range<Int>, _ reader: inout ByteReader) throws -> Double? {
        var (scale, duration): (Int, Double?) = (1_000_000, nil)
        var offset = body.lowerBound
        while offset < body.upperBound, let next = try element(at: offset, &reader), let size = next.size,
            next.body + size <= body.upperBound
        {
            if next.id == timestampScale, size <= 7 { scale = try reader.number(at: next.body, bytes: size) ?? scale }
            if next.id == segmentDuration { duration = try float(at: next.body, size, &reader) }
            offset = next.body + size
        }
        return duration.flatMap { $0.isFinite ? $0 * Double(scale) / 1e9 : nil }
    }

    private static func float(at offset: Int, _ size: Int, _ reader: inout ByteReader) throws -> Double? {
        guard size == 4 || size == 8, let bytes = try reader.bytes(at: offset, size) else { return nil }
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }

    /// Returns the indices of the tracks whose type is sound.
    private static func soundTracks(in body: Range<Int>, _ reader: inout ByteReader) throws -> Set<Int> {
        var found: Set<Int> = []
        var index = 0
        var offset = body.lowerBound
        while offset < body.upperBound, let entry = try element(at: offset, &reader), let size = entry.size,
            entry.body + size <= body.upperBound
        {
            if entry.id == trackEntry {
                if try isSound(entry.body..<entry.body + size, &reader) { found.insert(index) }
                index += 1
            }
            offset = entry.body + size
        }
        return found
    }

    private static func isSound(_ body: Range<Int>, _ reader: inout ByteReader) throws -> Bool {
        var offset = body.lowerBound
        while offset < body.upperBound, let next = try element(at: offset, &reader), let size = next.size {
            // The type 2 is audio.
            if next.id == trackType { return try reader.byte(at: next.body) == 2 }
            offset = next.body + size
        }
        return false
    }

    /// Returns the id of an element, the offset of its contents and their size, which is nil if
    /// unknown. Returns nil if no complete element header is at the offset.
    private static func element(at offset: Int, _ reader: inout ByteReader) throws -> (id: Int, body: Int, size: Int?)?
    {
        guard let first = try reader.byte(at: offset), first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let id = try reader.number(at: offset, bytes: idLength),
            let second = try reader.byte(at: offset + idLength), second != 0
        else { return nil }
        let length = second.leadingZeroBitCount + 1
        guard let sizeBytes = try reader.bytes(at: offset + idLength, length) else { return nil }
        let mask = (1 << (8 - length)) - 1
        let size = sizeBytes.dropFirst().reduce(Int(second) & mask) { $0 << 8 | Int($1) }
        let isUnknown = Int(second) & mask == mask && sizeBytes.dropFirst().allSatisfy { $0 == 0xFF }
        return (id, offset + idLength + length, isUnknown ? nil : size)
    }
}
