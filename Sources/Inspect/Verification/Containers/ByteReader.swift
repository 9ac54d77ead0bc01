import Media

/// A reader of a file's bytes through a small window, so that parsing a file needs little memory.
struct ByteReader {
    let byteCount: Int
    private let file: InputFile
    private var window: [UInt8] = []
    private var start = 0

    /// The number of bytes that are read at once.
    private static let windowSize = 1 << 16

    init(_ file: InputFile) {
        self.file = file
        byteCount = file.byteCount
    }

    /// Returns the byte at an offset; nil past the end.
    mutating func byte(at offset: Int) throws -> UInt8? {
        if offset >= start, offset < start + window.count { return window[offset - start] }
        guard offset >= 0, offset < byteCount else { return nil }
        window = try file.bytes(at: offset, count: min(Self.windowSize, byteCount - offset))
        start = offset
        return window.first
    }

    /// Returns `count` bytes from an offset; nil if the file ends before.
    mutating func bytes(at offset: Int, _ count: Int) throws -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= byteCount - count else { return nil }
        if count > Self.windowSize / 2 { return try file.bytes(at: offset, count: count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for position in offset..<offset + count {
            guard let byte = try byte(at: position) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Returns an unsigned integer of up to seven bytes; nil if the file ends before.
    mutating func number(at offset: Int, bytes count: Int, isLittle: Bool = false) throws -> Int? {
        guard let bytes = try bytes(at: offset, count) else { return nil }
        return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns a code of four characters; nil if the file ends before.
    mutating func code(at offset: Int) throws -> String? {
        try bytes(at: offset, 4).map { String(decoding: $0, as: UTF8.self) }
    }
}
