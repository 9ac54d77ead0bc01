import CCairo
import Platform
import Scene

/// What went wrong while drawing.
public struct RasterError: Error, CustomStringConvertible {
    /// One line.
    public let description: String
    /// Whether memory was short.
    public let isMemoryShort: Bool

    init(description: String, isMemoryShort: Bool = false) {
        (self.description, self.isMemoryShort) = (description, isMemoryShort)
    }

    /// What Cairo says of an operation.
    init(_ operation: String, _ status: cairo_status_t) {
        let reason = String(cString: cairo_status_to_string(status))
        self.init(description: "\(operation): \(reason)", isMemoryShort: status == CAIRO_STATUS_NO_MEMORY)
    }
}

/// A drawing surface in memory: premultiplied BGRA, 8 bits a channel, as Cairo's ARGB32 lies on little-endian machines.
///
/// It owns its Cairo surface. Not for use from two threads at once.
public final class Pixmap {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
    /// The first pixel; valid as long as the pixmap lives.
    public let data: UnsafeMutablePointer<UInt8>

    let surface: OpaquePointer

    /// The largest side in pixels.
    public static let largestSide = 8192

    /// A transparent surface. Throws for a side outside 1...`largestSide` or if memory is short.
    public init(width: Int, height: Int) throws(RasterError) {
        let sides = 1...Pixmap.largestSide
        guard sides.contains(width), sides.contains(height) else {
            throw RasterError(
                description: "a picture of \(width)x\(height) pixels: sides must be 1...\(Pixmap.largestSide)")
        }
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)) else {
            throw RasterError(description: "no memory for a picture of \(width)x\(height) pixels", isMemoryShort: true)
        }
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface) else {
            cairo_surface_destroy(surface)
            throw RasterError("a picture of \(width)x\(height) pixels", status)
        }
        self.surface = surface
        (self.width, self.height, self.data) = (width, height, data)
        stride = Int(cairo_image_surface_get_stride(surface))
    }

    deinit { cairo_surface_destroy(surface) }

    /// All of its pixels.
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Copies those pixels of a box that another pixmap of the same width has otherwise, whose first row is this one's row
    /// `origin`. Returns rectangles of whole cells that hold them: an arc that turns changes little of the box around it.
    func copyChanges(in box: PixelRect, from other: Pixmap, whoseFirstRowIs origin: Int) -> [PixelRect] {
        // To where this pixmap's pixels would be in the other.
        let source = other.data - origin * stride
        var changes: [PixelRect] = []
        for y in Swift.stride(from: box.y, to: box.maxY, by: PixelRect.cell) {
            for x in Swift.stride(from: box.x, to: box.maxX, by: PixelRect.cell) {
                let (width, height) = (min(PixelRect.cell, box.maxX - x), min(PixelRect.cell, box.maxY - y))
                let cell = PixelRect(x: x, y: y, width: width, height: height)
                guard differs(from: source, in: cell) else { continue }
                if let last = changes.last, last.y == y, last.maxX == x {
                    changes[changes.count - 1].width += width
                } else {
                    changes.append(cell)
                }
            }
        }
        for change in changes { copy(change, from: source) }
        if !changes.isEmpty { cairo_surface_mark_dirty(surface) }
        return changes
    }

    private func differs(from source: UnsafeMutablePointer<UInt8>, in box: PixelRect) -> Bool {
        (box.y..<box.maxY).contains { row in
            let offset = row * stride + 4 * box.x
            return memcmp(data + offset, source + offset, 4 * box.width) != 0
        }
    }

    private func copy(_ box: PixelRect, from source: UnsafeMutablePointer<UInt8>) {
        for row in box.y..<box.maxY {
            let offset = row * stride + 4 * box.x
            (data + offset).update(from: source + offset, count: 4 * box.width)
        }
    }

    /// The picture as a PNG file, with straight alpha; the same pixels give the same bytes.
    public func png() throws(RasterError) -> [UInt8] {
        final class Bytes { var bytes: [UInt8] = [] }
        let collected = Bytes()
        let status = cairo_surface_write_to_png_stream(
            surface,
            { closure, data, length in
                guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                let collected = Unmanaged<Bytes>.fromOpaque(closure).takeUnretainedValue()
                collected.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(collected).toOpaque())
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("PNG", status) }
        return collected.bytes
    }
}
