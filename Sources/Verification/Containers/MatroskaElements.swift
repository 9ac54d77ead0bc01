/// The outermost elements of Matroska and WebM.
enum MatroskaElements {
    private static let (segment, cues, cluster) = (0x1853_8067, 0x1C53_BB6B, 0x1F43_B675)

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .matroska)
        guard let head = try element(at: 0, &reader), let size = head.size else {
            found.damage = "its first element is not whole"
            return found
        }
        let words = try reader.bytes(at: head.body, min(size, 256)) ?? []
        if String(decoding: words, as: UTF8.self).contains("webm") { found.kind = .webm }
        var place = head.body + size
        // Void elements may lie between.
        while let next = try element(at: place, &reader), next.id != segment, let size = next.size {
            place = next.body + size
        }
        guard let whole = try element(at: place, &reader), whole.id == segment else {
            found.cut = "it ends before its segment begins, at byte \(reader.byteCount)"
            return found
        }
        found.hasIndex = false
        if let size = whole.size, whole.body + size > reader.byteCount {
            found.cut = FileStructure.cut("segment", needs: whole.body + size, of: reader.byteCount)
            return found
        }
        if let size = whole.size { found.trailingBytes = reader.byteCount - whole.body - size }
        place = whole.body
        let end = whole.size.map { whole.body + $0 } ?? reader.byteCount
        while place < end, let next = try element(at: place, &reader) {
            if next.id == cues { found.hasIndex = true }
            // Streams leave open where they end; what is inside follows.
            guard let size = next.size else {
                place = next.body
                continue
            }
            guard next.body + size <= end else {
                found.cut = FileStructure.cut(
                    next.id == cluster ? "cluster" : "element", needs: next.body + size, of: reader.byteCount)
                return found
            }
            place = next.body + size
        }
        return found
    }

    /// An element's number, where its contents begin and how long they are; nil if its length is left open.
    private static func element(at place: Int, _ reader: inout ByteReader) throws -> (id: Int, body: Int, size: Int?)? {
        guard let first = try reader.byte(at: place), first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let id = try reader.number(at: place, bytes: idLength),
            let second = try reader.byte(at: place + idLength), second != 0
        else { return nil }
        let length = second.leadingZeroBitCount + 1
        guard let rest = try reader.bytes(at: place + idLength, length) else { return nil }
        let mask = (1 << (8 - length)) - 1
        let size = rest.dropFirst().reduce(Int(second) & mask) { $0 << 8 | Int($1) }
        let isOpen = Int(second) & mask == mask && rest.dropFirst().allSatisfy { $0 == 0xFF }
        return (id, place + idLength + length, isOpen ? nil : size)
    }
}
