import Media

/// A parser of the chunks of WebP files and of their animation frames.
enum WebPChunks {
    /// A frame of an animation: its position in the file and on the canvas.
    struct Frame {
        /// The offset and size of its bitstream in bytes.
        var (offset, byteCount): (Int, Int)
        var (x, y, width, height): (Int, Int, Int, Int)
        /// The duration in milliseconds.
        var duration: Int
        /// True if it overwrites the canvas instead of blending with it.
        var replaces: Bool
        /// True if its rectangle becomes transparent before the next frame.
        var clears: Bool
    }

    /// The properties of the canvas.
    struct Canvas {
        var (width, height): (Int, Int)
        var declaresAlpha: Bool
        /// True if the header declares an animation.
        var isAnimated: Bool
        var loopCount: Int?
        /// The offset of the first chunk, and the declared end of the file.
        var (start, end): (Int, Int)
    }

    /// The bits of the header's flags that declare transparency and an animation.
    private static let alphaFlag: UInt8 = 0x10
    private static let animationFlag: UInt8 = 0x02

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .webp)
        if let end = try end(&reader), end > reader.byteCount {
            found.truncation = "its declared end is byte \(end), but it ends at byte \(reader.byteCount)"
        }
        guard let canvas = try canvas(&reader) else {
            if found.truncation == nil { found.damage = "it has no valid WebP header" }
            return found
        }
        found.isStill = !canvas.isAnimated
        found.loopCount = canvas.loopCount ?? 1
        found.trailingBytes = max(0, reader.byteCount - canvas.end)
        var offset = canvas.start
        while offset < min(canvas.end, reader.byteCount) {
            guard let (code, size) = try chunk(at: offset, &reader) else {
                found.truncation = found.truncation ?? "it ends within a chunk header at byte \(reader.byteCount)"
                break
            }
            if code == "ANMF" {
                // Browsers replace 10 ms and less with 100 ms, as in GIF.
                let duration = try reader.number(at: offset + 20, bytes: 3, isLittle: true) ?? 0
                found.delays.add(isTooShort: duration <= 10)
                if !canvas.isAnimated {
                    found.invalidData = "its header does not declare the animation"
                } else if canvas.loopCount == nil {
                    found.invalidData = "it has no animation parameters (chunk ANIM)"
                }
            }
            offset += 8 + size + size % 2
        }
        return found
    }

    /// Returns the code of a chunk and the size of its contents.
    static func chunk(at offset: Int, _ reader: inout ByteReader) throws -> (code: String, size: Int)? {
        guard let code = try reader.code(at: offset),
            let size = try reader.number(at: offset + 4, bytes: 4, isLittle: true)
        else { return nil }
        return (code, size)
    }

    /// Returns the declared end of the file in bytes; nil if the header is incomplete.
    private static func end(_ reader: inout ByteReader) throws -> Int? {
        try reader.number(at: 4, bytes: 4, isLittle: true).map { 8 + $0 }
    }

    /// Returns the canvas of an animation or a still image; nil if the header is missing or
    /// incomplete.
    static func canvas(_ reader: inout ByteReader) throws -> Canvas? {
        guard let end = try end(&reader) else { return nil }
        guard let (code, length) = try chunk(at: 12, &reader) else { return nil }
        guard code == "VP8X" else {
            let head = try reader.bytes(at: 0, min(64, reader.byteCount)) ?? []
            guard let features = head.withUnsafeBufferPointer(WebPDecoder.features) else { return nil }
            return Canvas(
                width: features.width, height: features.height, declaresAlpha: features.hasAlpha,
                isAnimated: false, loopCount: nil, start: 12, end: end)
        }
        guard let flags = try reader.byte(at: 20),
            let width = try reader.number(at: 24, bytes: 3, isLittle: true),
            let height = try reader.number(at: 27, bytes: 3, isLittle: true)
        else { return nil }
        var canvas = Canvas(
            width: width + 1, height: height + 1, declaresAlpha: flags & alphaFlag != 0,
            isAnimated: flags & animationFlag != 0, loopCount: nil, start: 20 + length + length % 2, end: end)
        var offset = canvas.start
        while canvas.isAnimated, canvas.loopCount == nil, let (code, size) = try chunk(at: offset, &reader) {
            if code == "ANIM" { canvas.loopCount = try reader.number(at: offset + 12, bytes: 2, isLittle: true) }
            offset += 8 + size + size % 2
        }
        return canvas
    }

    /// Returns the next frame at or after an offset, and the offset at which to look for the one
    /// after it; nil past the last. Throws `FFmpegError` if the frame is incomplete.
    static func frame(
        from start: Int, on canvas: Canvas, _ reader: inout ByteReader
    ) throws -> (frame: Frame, next: Int)? {
        var offset = start
        while offset < min(canvas.end, reader.byteCount), let (code, size) = try chunk(at: offset, &reader) {
            let next = offset + 8 + size + size % 2
            if ["VP8 ", "VP8L", "ALPH"].contains(code) {
                // A still image consists of all chunks from here on.
                let rest = min(canvas.end, reader.byteCount) - offset
                return (
                    Frame(
                        offset: offset, byteCount: rest, x: 0, y: 0, width: canvas.width, height: canvas.height,
                        duration: 0, replaces: true, clears: false), canvas.end
                )
            }
            guard code == "ANMF" else {
                offset = next
                continue
            }
            guard size >= 16, offset + 8 + size <= reader.byteCount, let bytes = try reader.bytes(at: offset + 8, 16)
            else { throw damaged("a frame is truncated") }
            func number(_ index: Int) -> Int { LittleEndian.number(bytes[index..<index + 3]) }
            let frame = Frame(
                offset: offset + 24, byteCount: size - 16, x: 2 * number(0), y: 2 * number(3), width: number(6) + 1,
                height: number(9) + 1, duration: number(12), replaces: bytes[15] & 2 != 0, clears: bytes[15] & 1 != 0)
            guard frame.x + frame.width <= canvas.width, frame.y + frame.height <= canvas.height else {
                throw damaged("a frame extends beyond the canvas")
            }
            return (frame, next)
        }
        return nil
    }

    static func damaged(_ reason: String) -> FFmpegError {
        FFmpegError(code: FFmpegError.invalidData, operation: "read WebP", reason: reason)
    }
}
