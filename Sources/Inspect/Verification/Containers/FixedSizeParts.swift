/// The structure of containers whose parts have one size, so that a shorter last part shows that
/// the file is truncated: packets of MPEG-TS (ISO/IEC 13818-1) and frames of YUV4MPEG2.
enum FixedSizeParts {
    /// The size of a packet of MPEG-TS in bytes, and its first byte.
    private static let packetSize = 188
    private static let packetStart: UInt8 = 0x47
    /// The size in bytes of the time before each packet in M2TS files (BDAV).
    private static let packetPrefix = 4
    /// The maximum size of a YUV4MPEG2 header in bytes.
    private static let maxHeader = 256
    /// The beginning of the header of each YUV4MPEG2 frame.
    private static let frameMarker = Array("FRAME".utf8)
    /// The number of chroma planes, and the pixel columns and rows per chroma sample, by the first
    /// characters of the chroma format.
    private static let chromaPlanes: [String: (count: Int, columns: Int, rows: Int)] = [
        "420": (2, 2, 2), "411": (2, 4, 1), "422": (2, 2, 1), "444": (2, 1, 1), "mono": (0, 1, 1),
    ]

    /// Returns a description of the missing end of a file; nil if the file is complete or of
    /// another format.
    static func truncation(_ reader: inout ByteReader) throws -> String? {
        let head = try reader.bytes(at: 0, min(maxHeader, reader.byteCount)) ?? []
        if head.starts(with: Array("YUV4MPEG2 ".utf8)) { return try frameTruncation(head, &reader) }
        for prefix in [0, packetPrefix] {
            let size = prefix + packetSize
            guard head.count > size + prefix, head[prefix] == packetStart, head[size + prefix] == packetStart else {
                continue
            }
            let rest = reader.byteCount % size
            return rest == 0 ? nil : "its last packet has \(rest) of \(size) bytes"
        }
        return nil
    }

    private static func frameTruncation(_ head: [UInt8], _ reader: inout ByteReader) throws -> String? {
        guard let end = head.firstIndex(of: UInt8(ascii: "\n")),
            let size = frameSize(String(decoding: head[..<end], as: UTF8.self))
        else { return nil }
        var offset = end + 1
        while offset < reader.byteCount {
            let line = try reader.bytes(at: offset, min(maxHeader, reader.byteCount - offset)) ?? []
            let header = line.prefix { $0 != UInt8(ascii: "\n") }
            // The header of the last frame may be cut.
            let isValid =
                header.count < line.count
                ? header.starts(with: frameMarker)
                : header.count < maxHeader && zip(header, frameMarker).allSatisfy(==)
            guard isValid else { return nil }
            offset += max(header.count, frameMarker.count) + 1 + size
        }
        guard offset > reader.byteCount else { return nil }
        return FileStructure.truncation("last frame", needs: offset, of: reader.byteCount)
    }

    /// Returns the bytes of a frame according to the header; nil for an unknown format.
    private static func frameSize(_ header: String) -> Int? {
        let fields = header.split(separator: " ").dropFirst()
        func value(_ key: Character) -> String? { fields.first { $0.first == key }.map { String($0.dropFirst()) } }
        let chroma = value("C") ?? "420"
        guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) }),
            (1...65_536).contains(width), (1...65_536).contains(height),
            let planes = chromaPlanes.first(where: { chroma.hasPrefix($0.key) })?.value, !chroma.hasSuffix("alpha")
        else { return nil }
        let chromaSamples =
            planes.count * ((width + planes.columns - 1) / planes.columns) * ((height + planes.rows - 1) / planes.rows)
        // Formats of more than 8 bits end with the depth, such as 420p10 and mono16.
        let isWide = [9, 10, 12, 14, 16].contains { chroma.hasSuffix("p\($0)") || chroma == "mono\($0)" }
        let sampleSize = isWide ? 2 : 1
        return sampleSize * (width * height + chromaSamples)
    }
}
