import Media

/// The chunks of a WebP file, and of the pictures of an animation.
enum WebPChunks {
    /// Where a picture of an animation lies in the file and on the canvas.
    struct Frame {
        /// Where its bits begin, and how many bytes they are.
        var (offset, byteCount): (Int, Int)
        var (x, y, width, height): (Int, Int, Int, Int)
        /// How long it is shown, in milliseconds.
        var duration: Int
        /// Whether it covers what is below, whether it is transparent or not.
        var replaces: Bool
        /// Whether its place is transparent before the next one.
        var clears: Bool
    }

    /// What stands before the pictures.
    struct Canvas {
        var (width, height): (Int, Int)
        var saysAlpha: Bool
        var loopCount: Int?
        /// Where the first chunk begins, and the file's end by its own words.
        var (start, end): (Int, Int)
    }

    static func structure(_ reader: inout ByteReader) throws -> FileStructure {
        var found = FileStructure(kind: .webp)
        guard let canvas = try canvas(&reader) else {
            found.damage = "its first chunk is none of WebP's"
            return found
        }
        found.loopCount = canvas.loopCount ?? 1
        if canvas.end > reader.byteCount {
            found.cut = "it says that it ends at byte \(canvas.end), and does at byte \(reader.byteCount)"
        }
        found.trailingBytes = max(0, reader.byteCount - canvas.end)
        var place = canvas.start
        while place < min(canvas.end, reader.byteCount) {
            guard let (code, size) = try chunk(at: place, &reader) else {
                found.cut = found.cut ?? "it ends within a chunk's head, at byte \(reader.byteCount)"
                break
            }
            if code == "ANMF" {
                // Browsers take 10 ms and less for 100 ms, as they do in GIF.
                let duration = try reader.number(at: place + 20, bytes: 3, isLittle: true) ?? 0
                found.delays.add(isTooShort: duration <= 10)
            }
            place += 8 + size + size % 2
        }
        return found
    }

    /// A chunk's four letters and the length of its contents.
    static func chunk(at place: Int, _ reader: inout ByteReader) throws -> (code: String, size: Int)? {
        guard let code = try reader.code(at: place),
            let size = try reader.number(at: place + 4, bytes: 4, isLittle: true)
        else { return nil }
        return (code, size)
    }

    /// The canvas; of a file with a single picture that picture's. Nil if there is none.
    static func canvas(_ reader: inout ByteReader) throws -> Canvas? {
        guard let size = try reader.number(at: 4, bytes: 4, isLittle: true) else { return nil }
        let end = 8 + size
        guard let (code, length) = try chunk(at: 12, &reader) else { return nil }
        guard code == "VP8X" else {
            let head = try reader.bytes(at: 0, min(64, reader.byteCount)) ?? []
            guard let features = head.withUnsafeBufferPointer(WebPDecoder.features) else { return nil }
            return Canvas(
                width: features.width, height: features.height, saysAlpha: features.hasAlpha, loopCount: nil,
                start: 12, end: end)
        }
        guard let flags = try reader.byte(at: 20),
            let width = try reader.number(at: 24, bytes: 3, isLittle: true),
            let height = try reader.number(at: 27, bytes: 3, isLittle: true)
        else { return nil }
        var canvas = Canvas(
            width: width + 1, height: height + 1, saysAlpha: flags & 0x10 != 0, loopCount: nil,
            start: 20 + length + length % 2, end: end)
        var place = canvas.start
        while flags & 2 != 0, canvas.loopCount == nil, let (code, size) = try chunk(at: place, &reader) {
            if code == "ANIM" { canvas.loopCount = try reader.number(at: place + 12, bytes: 2, isLittle: true) }
            place += 8 + size + size % 2
        }
        return canvas
    }

    /// The next picture at or behind a place, and where to look for the one after it; nil behind the last. Throws
    /// `FFmpegError` if it is not whole.
    static func frame(
        from start: Int, on canvas: Canvas, _ reader: inout ByteReader
    ) throws -> (frame: Frame, next: Int)? {
        var place = start
        while place < min(canvas.end, reader.byteCount), let (code, size) = try chunk(at: place, &reader) {
            let next = place + 8 + size + size % 2
            if ["VP8 ", "VP8L", "ALPH"].contains(code) {
                // A single picture, whatever chunks it is made of: all from here on.
                let rest = min(canvas.end, reader.byteCount) - place
                return (
                    Frame(
                        offset: place, byteCount: rest, x: 0, y: 0, width: canvas.width, height: canvas.height,
                        duration: 0, replaces: true, clears: false), canvas.end
                )
            }
            guard code == "ANMF" else {
                place = next
                continue
            }
            guard size >= 16, place + 8 + size <= reader.byteCount, let bytes = try reader.bytes(at: place + 8, 16)
            else { throw damaged("a picture is cut off") }
            func number(_ index: Int) -> Int { (0..<3).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) } }
            let frame = Frame(
                offset: place + 24, byteCount: size - 16, x: 2 * number(0), y: 2 * number(3), width: number(6) + 1,
                height: number(9) + 1, duration: number(12), replaces: bytes[15] & 2 != 0, clears: bytes[15] & 1 != 0)
            guard frame.x + frame.width <= canvas.width, frame.y + frame.height <= canvas.height else {
                throw damaged("a picture lies outside of the canvas")
            }
            return (frame, next)
        }
        return nil
    }

    static func damaged(_ reason: String) -> FFmpegError {
        FFmpegError(code: FFmpegError.invalidData, operation: "read WebP", reason: reason)
    }
}
