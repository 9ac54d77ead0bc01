import CCairo
import Core

/// The images of a drawing and of the drawings of its effects.
final class ImageSources {
    /// The number of pixels in all bitmaps above which bitmaps are released that neither this frame
    /// nor the previous one has drawn. Files that show a rendered sequence have many bitmaps, of
    /// which a frame draws one.
    private static let maxPixels = 8_000_000

    /// The sources and the frames that last drew them, the most recent last.
    private var known: [(source: ImageSource, frame: Int)] = []
    private var pixelCount = 0
    private var frame = 0

    /// Begins a frame.
    func beginFrame() { frame += 1 }

    /// Returns the Cairo surfaces of a bitmap, which are kept while they are used.
    func source(of bitmap: Bitmap) -> ImageSource {
        if let index = known.lastIndex(where: { $0.source.bitmap === bitmap }) {
            let source = known.remove(at: index).source
            known.append((source, frame))
            return source
        }
        let source = ImageSource(bitmap)
        known.append((source, frame))
        pixelCount += bitmap.width * bitmap.height
        while pixelCount > Self.maxPixels, known[0].frame < frame - 1 {
            let oldest = known.removeFirst().source.bitmap
            pixelCount -= oldest.width * oldest.height
        }
        return source
    }
}

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
    /// The maximum number of copies, of which the most recently used ones are kept: enough for an
    /// image whose scale changes by a factor of 16. All copies together have less than 3.5 times
    /// the pixels of the bitmap.
    private static let maxLevels = 16

    /// Kept alive because its identity is the key in caches.
    let bitmap: Bitmap
    /// The most recently used levels, the most recent last. `steps` is the number of steps below
    /// full size.
    private var levels: [(steps: Int, level: Level)] = []
    /// The bitmap halved once, twice and so on, as often as the levels so far have needed.
    private var halves: [Bitmap] = []

    init(_ bitmap: Bitmap) { self.bitmap = bitmap }

    /// Returns the bitmap, reduced if it is drawn smaller.
    ///
    /// - Parameter scale: drawn pixels per pixel of the bitmap, at least 0.
    func level(for scale: Double) throws(RasterError) -> Level {
        let smallest = 1 / Double(max(bitmap.width, bitmap.height))
        let target = min(1, max(smallest, scale * Self.minOversampling))
        let steps = Int((-log2(target) * Self.stepsPerOctave).rounded(.down))
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
        // Halved as long as at most half of the pixels along each axis are needed.
        let halvings = Int((Double(steps) / Self.stepsPerOctave).rounded(.down))
        while halves.count < halvings { halves.append((halves.last ?? bitmap).halved()) }
        let pixelSize = exp2(Double(halvings))
        let full = try Pixmap(halvings > 0 ? halves[halvings - 1] : bitmap)
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
        let halfWidth = (width + 1) / 2
        let halfHeight = (height + 1) / 2
        let halves = [UInt8](unsafeUninitializedCapacity: 4 * halfWidth * halfHeight) { buffer, count in
            let result = UnsafeMutableRawBufferPointer(buffer)
            pixels.withUnsafeBytes { pixels in
                for y in 0..<halfHeight {
                    let upper = 4 * width * (2 * y)
                    let lower = 4 * width * min(2 * y + 1, height - 1)
                    for x in 0..<halfWidth {
                        let left = 8 * x
                        let right = 4 * min(2 * x + 1, width - 1)
                        func pixel(_ offset: Int) -> UInt32 {
                            pixels.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                        }
                        let mean = UInt32.mean(
                            pixel(upper + left), pixel(upper + right), pixel(lower + left), pixel(lower + right))
                        result.storeBytes(of: mean, toByteOffset: 4 * (y * halfWidth + x), as: UInt32.self)
                    }
                }
            }
            count = 4 * halfWidth * halfHeight
        }
        return Bitmap(width: halfWidth, height: halfHeight, pixels: halves) ?? self
    }
}

extension UInt32 {
    /// Returns the rounded means of the four bytes of four numbers, two bytes at a time: their sums
    /// fit into 16 bits.
    fileprivate static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        func sum(_ shift: UInt32) -> UInt32 {
            let sum = (a >> shift & mask) &+ (b >> shift & mask) &+ (c >> shift & mask) &+ (d >> shift & mask)
            return (sum &+ 0x0002_0002) >> 2 & mask
        }
        return sum(0) | sum(8) << 8
    }
}
