import CCairo
import Core

/// An error of drawing.
package struct RasterError: Error, CustomStringConvertible {
    /// A description in one line.
    package let description: String
    /// True if memory ran out.
    package let isOutOfMemory: Bool

    init(description: String, isOutOfMemory: Bool = false) {
        self.description = description
        self.isOutOfMemory = isOutOfMemory
    }

    /// An error status of a Cairo operation.
    init(_ operation: String, _ status: cairo_status_t) {
        let reason = String(cString: cairo_status_to_string(status))
        self.init(description: "\(operation): \(reason)", isOutOfMemory: status == CAIRO_STATUS_NO_MEMORY)
    }
}

/// A drawing surface in memory: premultiplied BGRA, 8 bits per channel, the layout of Cairo's
/// ARGB32 on little-endian machines.
///
/// It owns its Cairo surface. Not thread-safe.
package final class Pixmap {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The number of bytes from one row to the next.
    package let stride: Int
    /// The first pixel; valid for the lifetime of the pixmap.
    package let data: UnsafeMutablePointer<UInt8>

    let surface: OpaquePointer

    /// The maximum width and height in pixels.
    package static let maxSide = 8192

    /// True if all pixels have an alpha of 255.
    package var isOpaque: Bool {
        (0..<height).allSatisfy { y in
            let row = data + y * stride
            return (0..<width).allSatisfy { row[4 * $0 + 3] == 255 }
        }
    }

    /// A transparent surface. Throws `RasterError` if a side is outside 1...`maxSide` or memory
    /// runs out.
    package init(width: Int, height: Int) throws(RasterError) {
        let sides = 1...Pixmap.maxSide
        guard sides.contains(width), sides.contains(height) else {
            throw RasterError(
                description: "bitmap: \(width)x\(height) pixels are outside the range of 1x1 to "
                    + "\(Pixmap.maxSide)x\(Pixmap.maxSide)")
        }
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)) else {
            throw RasterError(
                description: "bitmap of \(width)x\(height) pixels: out of memory", isOutOfMemory: true)
        }
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface) else {
            cairo_surface_destroy(surface)
            throw RasterError("bitmap of \(width)x\(height) pixels", status)
        }
        self.surface = surface
        self.width = width
        self.height = height
        self.data = data
        stride = Int(cairo_image_surface_get_stride(surface))
    }

    deinit { cairo_surface_destroy(surface) }

    /// The rectangle of all pixels.
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Copies those cells of a box that differ from another pixmap of the same width. The other's
    /// first row corresponds to row `firstRow` of this one. Returns the copied cells, joined along
    /// rows. They can be a small part of the box, for example if a thin arc rotates.
    func copyChanges(in box: PixelRect, from other: Pixmap, firstRow: Int) -> [PixelRect] {
        // The other's pixels, shifted so that both pixmaps address a pixel by the same offset.
        let source = other.data - firstRow * stride
        let cell = PixelRect.cell
        var differences = [SIMD2<UInt64>](repeating: .zero, count: (box.width + cell - 1) / cell)
        var changes: [PixelRect] = []
        for y in Swift.stride(from: box.y, to: box.maxY, by: cell) {
            let row = PixelRect(x: box.x, y: y, width: box.width, height: min(cell, box.maxY - y))
            differences.withUnsafeMutableBufferPointer { compare(row, with: source, $0) }
            let first = changes.count
            for column in differences.indices where differences[column] != .zero {
                let x = box.x + column * cell
                let width = min(cell, box.maxX - x)
                if changes.count > first, changes[changes.count - 1].maxX == x {
                    changes[changes.count - 1].width += width
                } else {
                    changes.append(PixelRect(x: x, y: y, width: width, height: row.height))
                }
            }
            for change in changes[first...] { copy(change, from: source) }
        }
        if !changes.isEmpty { cairo_surface_mark_dirty(surface) }
        return changes
    }

    /// Sets the difference of each cell in a row of cells; zero for equal pixels. Reads all cells
    /// row by row, because processors fetch consecutive memory ahead.
    private func compare(
        _ box: PixelRect, with source: UnsafeMutablePointer<UInt8>,
        _ differences: UnsafeMutableBufferPointer<SIMD2<UInt64>>
    ) {
        differences.update(repeating: .zero)
        let whole = box.width / PixelRect.cell
        let rest = 4 * (box.width - whole * PixelRect.cell)
        for row in box.y..<box.maxY {
            var own = UnsafeRawPointer(data) + row * stride + 4 * box.x
            var other = UnsafeRawPointer(source) + row * stride + 4 * box.x
            if memcmp(own, other, 4 * box.width) == 0 { continue }
            for column in 0..<whole {
                let bits = own.loadUnaligned(as: SIMD8<UInt64>.self) ^ other.loadUnaligned(as: SIMD8<UInt64>.self)
                let half = bits.lowHalf | bits.highHalf
                differences[column] |= half.lowHalf | half.highHalf
                own += 4 * PixelRect.cell
                other += 4 * PixelRect.cell
            }
            if rest > 0, memcmp(own, other, rest) != 0 { differences[whole] = SIMD2(1, 1) }
        }
    }

    private func copy(_ box: PixelRect, from source: UnsafeMutablePointer<UInt8>) {
        for row in box.y..<box.maxY {
            let offset = row * stride + 4 * box.x
            (data + offset).update(from: source + offset, count: 4 * box.width)
        }
    }

    /// The pixels without the padding of rows.
    package var packedBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * width * height)
        for y in 0..<height { bytes += UnsafeBufferPointer(start: data + y * stride, count: 4 * width) }
        return bytes
    }

    /// Replaces all pixels with those of a bitmap of the same size and layout.
    package func copy(_ source: UnsafePointer<UInt8>, stride sourceStride: Int) {
        for y in 0..<height { (data + y * stride).update(from: source + y * sourceStride, count: 4 * width) }
        cairo_surface_mark_dirty(surface)
    }

    /// Returns a bitmap with the same pixels. Throws `RasterError` if memory is exhausted.
    func copied() throws(RasterError) -> Pixmap {
        let copy = try Pixmap(width: width, height: height)
        copy.copy(data, stride: stride)
        return copy
    }

    /// Returns the bitmap as a PNG file with straight alpha. The output is deterministic. Throws
    /// `RasterError` if Cairo fails.
    package func png() throws(RasterError) -> [UInt8] {
        let file = CairoOutput()
        let status = cairo_surface_write_to_png_stream(surface, CairoOutput.write, file.closure)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("PNG", status) }
        return file.bytes
    }
}
