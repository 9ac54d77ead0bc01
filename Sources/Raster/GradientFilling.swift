import CCairo
import Core

extension SceneDrawing {
    /// Fills the current path with the pixels of a gradient. Returns false without filling it if
    /// Cairo's own gradient takes less time.
    func fill(withPixelsOf gradient: GradientImage) -> Bool {
        let bounds = withUnitOfPixels { edges(cairo_path_extents) }
        guard gradient.isFaster(for: (bounds.z - bounds.x) * (bounds.w - bounds.y)) else { return false }
        guard let area = clippedPixels(within: bounds) else {
            cairo_new_path(context)
            return true
        }
        let count = area.area + GradientImage.slack
        let table = gradients.table(gradient.tableKey)
        if gradients.pixels.count < count { gradients.pixels = [UInt32](repeating: 0, count: count) }
        gradients.pixels.withUnsafeMutableBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            gradient.draw(area, with: table, to: base)
            let format = gradient.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
            let surface = cairo_image_surface_create_for_data(
                UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self), format, Int32(area.width),
                Int32(area.height), Int32(4 * area.width))
            defer { cairo_surface_destroy(surface) }
            withUnitOfPixels { cairo_set_source_surface(context, surface, Double(area.x), Double(area.y)) }
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
            cairo_fill(context)
            // The pixels are valid only until here.
            setSource(.black)
        }
        return true
    }

    /// Returns the pixels that bounds touch within the clip; nil if there are none.
    private func clippedPixels(within bounds: SIMD4<Double>) -> PixelRect? {
        let clip = withUnitOfPixels { edges(cairo_clip_extents) }
        let lower = pointwiseMax(bounds.lowHalf, clip.lowHalf).rounded(.down)
        let upper = pointwiseMin(bounds.highHalf, clip.highHalf).rounded(.up)
        let size = upper - lower
        guard size.min() > 0 else { return nil }
        return PixelRect(x: Int(lower.x), y: Int(lower.y), width: Int(size.x), height: Int(size.y))
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
