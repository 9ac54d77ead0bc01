import Media

/// The frames of an animated WebP file, composed as its specification requires.
final class WebPStream: FrameStream {
    private(set) var description = StreamDescription()
    private var reader: ByteReader
    private let canvas: WebPChunks.Canvas
    private var budget: ClipBudget
    private var offset: Int
    private var time: Int64 = 0
    private var pixels: [UInt8] = []
    private var pendingClear: WebPChunks.Frame?

    /// The maximum size of a frame's data in bytes.
    private static let maxBytes = 1 << 28

    init(_ file: InputFile, _ limits: ClipLimits) throws {
        reader = ByteReader(file)
        guard let canvas = try WebPChunks.canvas(&reader) else { throw WebPChunks.damaged("it has no frames") }
        guard canvas.width * canvas.height <= limits.pixels else {
            throw FFmpegError(
                code: FFmpegError.tooManyPixels, operation: "read WebP",
                reason: "a frame of \(canvas.width)x\(canvas.height) has more than \(limits.pixels) pixels")
        }
        self.canvas = canvas
        budget = ClipBudget(limits, for: file)
        offset = canvas.start
        description.codec = "webp"
        description.width = canvas.width
        description.height = canvas.height
        description.clock = 0.001
        description.declaresAlpha = canvas.declaresAlpha
        description.isLossless = try allAreLossless()
    }

    /// WebP stores a duration per frame only.
    var declaredDuration: Double? { nil }

    func next() throws -> DecodedFrame? {
        guard let (part, next) = try WebPChunks.frame(from: offset, on: canvas, &reader) else {
            guard offset > canvas.start else { throw WebPChunks.damaged("it has no frames") }
            return nil
        }
        try budget.takePacket()
        try budget.takeFrame(width: canvas.width, height: canvas.height)
        guard part.byteCount <= Self.maxBytes, let bytes = try reader.bytes(at: part.offset, part.byteCount) else {
            throw WebPChunks.damaged("a frame is truncated")
        }
        let rgba = try bytes.withUnsafeBufferPointer {
            try WebPDecoder.rgba($0, width: part.width, height: part.height)
        }
        if pixels.isEmpty { pixels = [UInt8](repeating: 0, count: 4 * canvas.width * canvas.height) }
        if let pendingClear { clear(pendingClear) }
        paint(rgba, part)
        pendingClear = part.clears ? part : nil
        let isKey = time == 0
        defer {
            offset = next
            time += Int64(part.duration)
        }
        return DecodedFrame(
            frame: try frame(), alpha: nil, time: time, duration: Int64(part.duration), isKey: isKey)
    }

    /// Returns true if all frames are lossless. Animations may mix both.
    private func allAreLossless() throws -> Bool {
        var start = offset
        while let (part, next) = try? WebPChunks.frame(from: start, on: canvas, &reader) {
            let head = try reader.bytes(at: part.offset, min(part.byteCount, 64)) ?? []
            guard head.withUnsafeBufferPointer(WebPDecoder.features)?.isLossless == true else { return false }
            start = next
        }
        return start > offset
    }

    private func clear(_ part: WebPChunks.Frame) {
        for y in part.y..<part.y + part.height {
            let start = 4 * (y * canvas.width + part.x)
            pixels.withUnsafeMutableBufferPointer { $0[start..<start + 4 * part.width].update(repeating: 0) }
        }
    }

    private func paint(_ rgba: [UInt8], _ part: WebPChunks.Frame) {
        pixels.withUnsafeMutableBufferPointer { target in
            rgba.withUnsafeBufferPointer { source in
                for y in 0..<part.height {
                    let row = 4 * ((part.y + y) * canvas.width + part.x)
                    for x in 0..<part.width {
                        Self.paint(source, 4 * (y * part.width + x), on: target, row + 4 * x, part.replaces)
                    }
                }
            }
        }
    }

    /// Blends one pixel over another with libwebp's integer arithmetic.
    @inline(__always)
    private static func paint(
        _ source: UnsafeBufferPointer<UInt8>, _ from: Int, on target: UnsafeMutableBufferPointer<UInt8>, _ to: Int,
        _ replaces: Bool
    ) {
        let alpha = UInt32(source[from + 3])
        if replaces || alpha == 255 {
            for channel in 0..<4 { target[to + channel] = source[from + channel] }
        } else if alpha > 0 {
            // Swift's shift binds tighter than its multiplication, hence the parentheses.
            let below = (UInt32(target[to + 3]) * (256 - alpha)) >> 8
            let sum = alpha + below
            let scale = (1 << 24) / sum
            for channel in 0..<3 {
                let value = UInt32(source[from + channel]) * alpha + UInt32(target[to + channel]) * below
                target[to + channel] = UInt8(truncatingIfNeeded: (value * scale) >> 24)
            }
            target[to + 3] = UInt8(truncatingIfNeeded: sum)
        }
    }

    private func frame() throws -> VideoFrame {
        let frame = try VideoFrame(width: canvas.width, height: canvas.height, format: .rgba)
        guard let plane = frame.plane(0) else { throw WebPChunks.damaged("a frame cannot be allocated") }
        pixels.withUnsafeBufferPointer { source in
            for y in 0..<canvas.height {
                guard let row = source.baseAddress else { return }
                (plane.data + y * plane.stride).update(from: row + 4 * y * canvas.width, count: 4 * canvas.width)
            }
        }
        return frame
    }
}
