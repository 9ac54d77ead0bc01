import CCairo
import Core

/// A bitmap as Cairo surfaces: at full size, and reduced to the scales at which it is drawn.
///
/// Cairo's filter for a reduced bitmap reads all of its pixels in every frame. A copy whose scale
/// is slightly above the drawn one costs that once, and is then drawn with the bilinear filter. The
/// copy depends on the scale alone, so that frames do not depend on those drawn before them.
final class ImageSource {
    /// A surface, and the width of its pixels in pixels of the bitmap.
    struct Level {
        let pixmap: Pixmap
        let pixelSize: Double
    }

    /// Copies per doubling of the scale.
    private static let stepsPerOctave = 4.0
    /// The minimum ratio of a copy's scale to the drawn scale. Copies with as many pixels as are
    /// drawn would be blurred between pixels.
    private static let minOversampling = 1.19
    /// The number of copies that are kept, the last used ones: enough for one image at several
    /// scales at a time.
    private static let maxLevels = 4

    /// Kept alive because its identity is the key in caches.
    let bitmap: Bitmap
    /// The last used levels, the latest last; the number of steps below full size is the key.
    private var levels: [(steps: Int, level: Level)] = []

    init(_ bitmap: Bitmap) { self.bitmap = bitmap }

    /// Returns the bitmap, reduced if it is drawn smaller.
    ///
    /// - Parameter scale: drawn pixels per pixel of the bitmap, at least 0.
    func level(for scale: Double) throws(RasterError) -> Level {
        let smallest = 1 / Double(max(bitmap.width, bitmap.height))
        let wanted = min(1, max(smallest, scale * Self.minOversampling))
        let steps = Int((-log2(wanted) * Self.stepsPerOctave).rounded(.down))
        if let index = levels.firstIndex(where: { $0.steps == steps }) {
            levels.append(levels.remove(at: index))
        } else {
            if levels.count == Self.maxLevels { levels.removeFirst() }
            levels.append((steps, try reduced(by: steps)))
        }
        return levels[levels.count - 1].level
    }

    private func reduced(by steps: Int) throws(RasterError) -> Level {
        let scale = exp2(-Double(steps) / Self.stepsPerOctave)
        var halved = bitmap
        var pixelSize = 1.0
        while scale * pixelSize <= 0.5 {
            halved = halved.halved()
            pixelSize *= 2
        }
        let full = try Pixmap(halved)
        guard scale * pixelSize < 1 else { return Level(pixmap: full, pixelSize: pixelSize) }
        let level = Level(
            pixmap: try Pixmap(
                width: Int((Double(bitmap.width) * scale).rounded(.up)),
                height: Int((Double(bitmap.height) * scale).rounded(.up))),
            pixelSize: 1 / scale)
        try level.draw(full, pixelSize: pixelSize)
        return level
    }
}

extension ImageSource.Level {
    /// Draws a larger level over this one with Cairo's best filter.
    fileprivate func draw(_ larger: Pixmap, pixelSize largerSize: Double) throws(RasterError) {
        try pixmap.draw { context in
            cairo_scale(context, largerSize / pixelSize, largerSize / pixelSize)
            cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
            cairo_set_source_surface(context, larger.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BEST)
            cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
            cairo_paint(context)
        }
    }
}

extension Pixmap {
    /// A copy of a bitmap.
    fileprivate convenience init(_ bitmap: Bitmap) throws(RasterError) {
        try self.init(width: bitmap.width, height: bitmap.height)
        bitmap.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            copy(base, stride: 4 * bitmap.width)
        }
    }
}

extension Bitmap {
    /// Returns the bitmap at half its size, rounded up. Each pixel is the mean of four; the last
    /// column and row of odd sizes are counted twice.
    fileprivate func halved() -> Bitmap {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let halves = [UInt8](unsafeUninitializedCapacity: 4 * halfWidth * halfHeight) { result, count in
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<halfHeight {
                    let upper = 4 * width * (2 * y)
                    let lower = 4 * width * min(2 * y + 1, height - 1)
                    for x in 0..<halfWidth {
                        let left = 4 * (2 * x)
                        let right = 4 * min(2 * x + 1, width - 1)
                        for channel in 0..<4 {
                            let sum =
                                UInt16(pixels[upper + left + channel]) + UInt16(pixels[upper + right + channel])
                                + UInt16(pixels[lower + left + channel]) + UInt16(pixels[lower + right + channel])
                            result[4 * (y * halfWidth + x) + channel] = UInt8((sum + 2) / 4)
                        }
                    }
                }
            }
            count = 4 * halfWidth * halfHeight
        }
        return Bitmap(width: halfWidth, height: halfHeight, pixels: halves) ?? self
    }
}
