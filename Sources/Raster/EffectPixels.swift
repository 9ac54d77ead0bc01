import CCairo
import Core

extension Effect {
    /// Applies the effect to a pixmap with a part of a drawing. May overwrite its input.
    ///
    /// - Parameters:
    ///   - transform: the transform from points to pixels of the whole drawing.
    ///   - origin: the position of the pixmap's first pixel in the drawing.
    ///   - maxDeviation: the maximum standard deviation of a Gaussian in pixels.
    func apply(
        to pixmap: Pixmap, transform: AffineTransform, origin: Point, maxDeviation: Double
    ) throws(RasterError) -> Pixmap {
        let lengths = EffectLengths(transform: transform, maxDeviation: maxDeviation)
        switch self {
        case .blur(let deviation): pixmap.blur(lengths.deviations(deviation))
        case .boxBlur(let radius, let iterations):
            let kernels = lengths.boxes(radius, iterations)
            pixmap.blur(kernels[0], kernels[1])
        case .crossBlur(let radius):
            let other = try pixmap.copied()
            for (half, size) in [(pixmap, Size(radius.width, 0)), (other, Size(0, radius.height))] {
                let kernels = lengths.boxes(size)
                half.blur(kernels[0], kernels[1])
            }
            pixmap.average(with: other)
        case .grow(let radius):
            pixmap.grow(by: lengths.growth(radius))
        case .shadow(let color, let offset, let radius, let isShadowOnly):
            let shift = transform.apply(offset) - transform.apply(.zero)
            // Shifted first: the pixmap has room for the blur around the shifted pixels only.
            let shadow = try Pixmap.composite([(pixmap, shift)])
            shadow.mapPixels { Pixel(color.opacity(color.alpha * $0.alpha)) }
            shadow.blur(lengths.deviations(Size(radius, radius)))
            return isShadowOnly ? shadow : try Pixmap.composite([(shadow, .zero), (pixmap, .zero)])
        case .innerShadow(let color, let offset, let choke, let radius):
            let shift = transform.apply(offset) - transform.apply(.zero)
            return try pixmap.innerShadow(
                color, shift: shift, choke: lengths.growth(choke), deviation: lengths.deviations(Size(radius, radius)))
        case .bulge(let bulge):
            return try pixmap.bulged(bulge, transform.then(.translation(origin * -1)))
        // Drawn by `EffectLayer`, which renders the nodes again at the plane's own scale.
        case .perspective: break
        case .paint, .fourColors, .fill, .tint, .tritone, .curves, .hueSaturation, .luminanceToAlpha:
            try recolor(pixmap, transform: transform.then(.translation(origin * -1)))
        }
        return pixmap
    }

    /// Applies an effect that changes each pixel independently of the others.
    ///
    /// - Parameter transform: the transform from points to pixels of the pixmap.
    private func recolor(_ pixmap: Pixmap, transform: AffineTransform) throws(RasterError) {
        switch self {
        case .paint(let paint, let opacity, let mode):
            try pixmap.blend(paint, transform: transform, opacity: opacity, mode: mode)
        case .fourColors(let gradient, let opacity, let mode):
            try pixmap.blend(gradient, transform: transform, opacity: opacity, mode: mode)
        case .fill(let color, let amount):
            pixmap.mapPixels { $0.mixed(with: Pixel(color.opacity(color.alpha * $0.alpha)), amount) }
        case .tint(let black, let white, let amount):
            pixmap.mapPixels { pixel in
                guard pixel.alpha > 0 else { return pixel }
                let light = pixel.luma / pixel.alpha
                let color = Color(
                    red: black.red + (white.red - black.red) * light,
                    green: black.green + (white.green - black.green) * light,
                    blue: black.blue + (white.blue - black.blue) * light, alpha: pixel.alpha)
                return pixel.mixed(with: Pixel(color), amount)
            }
        case .tritone(let shadows, let midtones, let highlights, let amount):
            pixmap.mapPixels { $0.tritone(shadows, midtones, highlights, amount) }
        case .curves(let curves): pixmap.mapPixels { $0.mapped(by: curves) }
        case .hueSaturation(let change): pixmap.mapPixels { $0.changed(by: change) }
        case .luminanceToAlpha:
            pixmap.mapPixels { Pixel(Color.black.opacity($0.luma)) }
        case .blur, .boxBlur, .crossBlur, .grow, .shadow, .innerShadow, .bulge, .perspective: break
        }
    }
}

/// A converter of the lengths of effects to pixels.
private struct EffectLengths {
    /// The transform from points to pixels.
    let transform: AffineTransform
    /// The maximum standard deviation of a Gaussian in pixels.
    let maxDeviation: Double

    /// Returns the extents along the pixel axes of a transformed ellipse with these radii. The
    /// ellipse's slant is ignored.
    private func pixels(_ size: Size) -> Size {
        Size(
            hypot(size.width * transform.a, size.height * transform.c),
            hypot(size.width * transform.b, size.height * transform.d))
    }

    func deviations(_ deviation: Size) -> Size {
        let size = pixels(deviation)
        return Size(min(size.width, maxDeviation), min(size.height, maxDeviation))
    }

    /// Returns the kernels of a horizontal and a vertical box blur.
    func boxes(_ radius: Size, _ iterations: Int = 1) -> [(any BlurKernel)?] {
        let size = pixels(radius)
        return [size.width, size.height].map {
            Gaussian.box(radius: $0, iterations: iterations, maxDeviation: maxDeviation)
        }
    }

    func growth(_ radius: Double) -> Double {
        let scale = abs(transform.determinant).squareRoot()
        let limit = maxDeviation * Effect.cutoffInDeviations
        return min(max(radius * scale, -limit), limit)
    }
}

/// A premultiplied pixel with components in 0...1.
struct Pixel {
    var red: Double, green: Double, blue: Double, alpha: Double

    init(_ color: Color) {
        alpha = color.alpha
        red = color.red * alpha
        green = color.green * alpha
        blue = color.blue * alpha
    }

    /// The pixel in a word of a pixmap: alpha, red, green and blue, from the highest byte down.
    init(_ word: UInt32) {
        alpha = Double(word >> 24) / 255
        red = Double(word >> 16 & 255) / 255
        green = Double(word >> 8 & 255) / 255
        blue = Double(word & 255) / 255
    }

    /// The four bytes of the pixel in a pixmap.
    var word: UInt32 {
        Self.byte(alpha) << 24 | Self.byte(red) << 16 | Self.byte(green) << 8 | Self.byte(blue)
    }

    /// Returns a component as a byte. Adds and truncates, because `rounded` calls the C library
    /// unless the build targets processors with a rounding instruction. Adding 0.5 would round
    /// 0.49999999999999994 to 1.
    private static func byte(_ component: Double) -> UInt32 {
        UInt32(min(max(component, 0), 1) * 255 + 0.5.nextDown)
    }

    /// Rec. 709 luma, multiplied by alpha.
    var luma: Double { BT709.luma(red: red, green: green, blue: blue) }

    func mixed(with other: Pixel, _ amount: Double) -> Pixel {
        var result = self
        result.red += (other.red - red) * amount
        result.green += (other.green - green) * amount
        result.blue += (other.blue - blue) * amount
        result.alpha += (other.alpha - alpha) * amount
        return result
    }
}

extension Pixmap {
    /// Maps each pixel independently. Most drawings have few colours, so results are kept in a
    /// table.
    func mapPixels(_ change: (Pixel) -> Pixel) {
        cairo_surface_flush(surface)
        var colors = [UInt32](repeating: 0, count: Self.tableSize)
        var results = colors
        // Unused rows hold the colour 0, so the row of that colour needs its result from the start.
        results[Self.row(ofColor: 0)] = change(Pixel(0)).word
        colors.withUnsafeMutableBufferPointer { colors in
            results.withUnsafeMutableBufferPointer { results in
                for row in 0..<height {
                    let words = UnsafeMutableRawPointer(data + row * stride).assumingMemoryBound(to: UInt32.self)
                    for column in 0..<width {
                        let word = words[column]
                        let index = Self.row(ofColor: word)
                        if colors[index] != word {
                            colors[index] = word
                            results[index] = change(Pixel(word)).word
                        }
                        words[column] = results[index]
                    }
                }
            }
        }
        cairo_surface_mark_dirty(surface)
    }

    /// The number of rows of the table of mapped colours: 2 to the power of 12.
    private static let tableSize = 4096

    /// Returns the row for a colour in the table of mapped colours: the upper 12 bits of a
    /// multiplicative hash, whose factor is 2^32 divided by the golden ratio (Knuth, The Art of
    /// Computer Programming, volume 3, section 6.4).
    private static func row(ofColor word: UInt32) -> Int {
        Int((word &* 0x9E37_79B1) >> 20)
    }

    /// Replaces each pixel by the mean of itself and of a pixmap of the same size.
    fileprivate func average(with other: Pixmap) {
        cairo_surface_flush(surface)
        for row in 0..<height {
            let pixels = data + row * stride
            let others = other.data + row * other.stride
            for index in 0..<4 * width {
                pixels[index] = UInt8((Int(pixels[index]) + Int(others[index]) + 1) / 2)
            }
        }
        cairo_surface_mark_dirty(surface)
    }

    /// Draws on the pixmap with Cairo. Throws `RasterError` if Cairo fails.
    func draw(_ body: (OpaquePointer) -> Void) throws(RasterError) {
        guard let context = cairo_create(surface) else {
            throw RasterError(description: "drawing: out of memory", isOutOfMemory: true)
        }
        defer { cairo_destroy(context) }
        body(context)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("drawing", status) }
        cairo_surface_flush(surface)
    }

    /// Composites pixmaps of equal size, each shifted by a number of pixels.
    static func composite(_ layers: [(pixmap: Pixmap, shift: Point)]) throws(RasterError) -> Pixmap {
        let width = layers[0].pixmap.width
        let height = layers[0].pixmap.height
        let result = try Pixmap(width: width, height: height)
        // Cairo rounds the first shape on a surface that it knows to be empty differently.
        cairo_surface_mark_dirty(result.surface)
        try result.draw { context in
            for (pixmap, shift) in layers {
                cairo_set_source_surface(context, pixmap.surface, shift.x, shift.y)
                cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR)
                cairo_paint(context)
            }
        }
        return result
    }

    /// Blurs with the given standard deviations in pixels; pixels outside the pixmap are
    /// transparent.
    func blur(_ deviation: Size) {
        blur(Gaussian.kernel(deviation: deviation.width), Gaussian.kernel(deviation: deviation.height))
    }

    /// The number of columns that are blurred together: those of a cache line.
    private static let columnsPerLine = 16

    /// Blurs columns in groups. Each group is copied so that a column's pixels are adjacent, which
    /// is faster than reading pixels that are a row apart.
    private func blurColumns(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, pitch: Int, _ kernel: any BlurKernel) {
        let copy = UnsafeMutablePointer<SIMD4<UInt8>>.allocate(capacity: Self.columnsPerLine * height)
        defer { copy.deallocate() }
        for first in Swift.stride(from: 0, to: width, by: Self.columnsPerLine) {
            let columns = min(Self.columnsPerLine, width - first)
            for row in 0..<height {
                for column in 0..<columns { copy[column * height + row] = pixels[row * pitch + first + column] }
            }
            for column in 0..<columns { kernel.blur(copy + column * height, count: height) }
            for row in 0..<height {
                for column in 0..<columns { pixels[row * pitch + first + column] = copy[column * height + row] }
            }
        }
    }

    /// Blurs rows and columns; nil leaves them sharp.
    func blur(_ horizontal: (any BlurKernel)?, _ vertical: (any BlurKernel)?) {
        cairo_surface_flush(surface)
        let pixels = UnsafeMutableRawPointer(data).assumingMemoryBound(to: SIMD4<UInt8>.self)
        let pitch = stride / 4
        if let kernel = horizontal {
            for row in 0..<height { kernel.blur(pixels + row * pitch, count: width) }
        }
        if let kernel = vertical {
            blurColumns(pixels, pitch: pitch, kernel)
        }
        cairo_surface_mark_dirty(surface)
    }
}
