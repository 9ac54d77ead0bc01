import CCairo
import Core

extension SceneDrawing {
    /// Fills the current path with the pixels of a gradient. Returns false without filling it if
    /// Cairo's own gradient takes less time.
    ///
    /// - Parameter isOutline: true for the outline of a stroke.
    func fill(withPixelsOf gradient: GradientImage, isOutline: Bool) -> Bool {
        let bounds = withUnitOfPixels { edges(cairo_path_extents) }
        let area = (bounds.z - bounds.x) * (bounds.w - bounds.y)
        guard gradient.isFaster(for: area, isOutline: isOutline) else { return false }
        guard let area = clippedPixels(within: bounds) else {
            cairo_new_path(context)
            return true
        }
        let count = area.area + GradientImage.slack
        if gradients.pixels.count < count { gradients.pixels = [UInt32](repeating: 0, count: count) }
        let table = gradients.table(gradient.tableKey)
        gradients.pixels.withUnsafeMutableBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            gradient.draw(area, with: table, to: base)
            let surface = cairo_image_surface_create_for_data(
                UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self), gradient.format, Int32(area.width),
                Int32(area.height), Int32(4 * area.width))
            defer { cairo_surface_destroy(surface) }
            setSource(surface, at: area)
            cairo_fill(context)
            // The pixels are valid only until here.
            setSource(.black)
        }
        return true
    }

    /// Makes the pixels of a gradient within the clip the source. In vector graphics, they are an
    /// image with a pixel for each unit.
    func setSource(pixelsOf paint: Paint) {
        let clip = withUnitOfPixels { edges(cairo_clip_extents) }
        guard let gradient = GradientImage(paint, transform: deviceTransform), let area = PixelRect(around: clip)
        else { return setSource(Color.black.opacity(0)) }
        // Rows of at least one pixel have room for `slack`.
        let surface = cairo_image_surface_create(
            gradient.format, Int32(area.width), Int32(area.height + GradientImage.slack))
        defer { cairo_surface_destroy(surface) }
        if let data = cairo_image_surface_get_data(surface) {
            let table = gradients.table(gradient.tableKey)
            gradient.draw(area, with: table, to: UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt32.self))
            cairo_surface_mark_dirty(surface)
        }
        setSource(surface, at: area)
    }

    /// Makes a surface the source.
    ///
    /// - Parameter area: the pixels of the surface, relative to the origin of the drawing.
    private func setSource(_ surface: OpaquePointer?, at area: PixelRect) {
        withUnitOfPixels { cairo_set_source_surface(context, surface, Double(area.x), Double(area.y)) }
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
    }

    /// Returns the pixels that bounds touch within the clip; nil if there are none.
    private func clippedPixels(within bounds: SIMD4<Double>) -> PixelRect? {
        let clip = withUnitOfPixels { edges(cairo_clip_extents) }
        return PixelRect(
            around: SIMD4(
                lowHalf: pointwiseMax(bounds.lowHalf, clip.lowHalf),
                highHalf: pointwiseMin(bounds.highHalf, clip.highHalf)))
    }

    /// Returns the left, top, right and bottom edges that a function of Cairo finds.
    private func edges(
        _ extents: (
            OpaquePointer?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
            UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
        ) -> Void
    ) -> SIMD4<Double> {
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        extents(context, &left, &top, &right, &bottom)
        return SIMD4(left, top, right, bottom)
    }
}

extension GradientImage {
    /// The format of the surface for the pixels.
    fileprivate var format: cairo_format_t { isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32 }
}

extension PixelRect {
    /// The pixels that a rectangle touches; nil if there are none.
    ///
    /// - Parameter edges: the left, top, right and bottom edge.
    fileprivate init?(around edges: SIMD4<Double>) {
        let lower = edges.lowHalf.rounded(.down)
        let size = edges.highHalf.rounded(.up) - lower
        guard size.min() > 0 else { return nil }
        self.init(x: Int(lower.x), y: Int(lower.y), width: Int(size.x), height: Int(size.y))
    }
}
