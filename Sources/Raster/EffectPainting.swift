import CCairo
import Core

// Effects that paint over a pixmap within its alpha channel.
extension Pixmap {
    /// Blends a paint with the colours and keeps the alpha channel.
    func blend(
        _ paint: Paint, transform: AffineTransform, opacity: Double, mode: BlendMode
    ) throws(RasterError) {
        let layer = try Pixmap(width: width, height: height)
        let drawing = try SceneDrawing(on: layer.surface, hasPixels: true)
        drawing.apply(transform)
        drawing.setSource(paint)
        cairo_paint(drawing.context)
        try drawing.checkStatus()
        try blend(layer, opacity: opacity, mode: mode)
    }

    /// Blends a gradient with the colours and keeps the alpha channel.
    func blend(
        _ gradient: FourColorGradient, transform: AffineTransform, opacity: Double, mode: BlendMode
    ) throws(RasterError) {
        guard let inverse = transform.inverse else { return }
        let layer = try Pixmap(width: width, height: height)
        cairo_surface_flush(layer.surface)
        for row in 0..<height {
            let words = UnsafeMutableRawPointer(layer.data + row * layer.stride).assumingMemoryBound(to: UInt32.self)
            for column in 0..<width where data[row * stride + 4 * column + 3] > 0 {
                let point = inverse.apply(Point(Double(column) + 0.5, Double(row) + 0.5))
                words[column] = Pixel(gradient.color(at: point)).word
            }
        }
        cairo_surface_mark_dirty(layer.surface)
        try blend(layer, opacity: opacity, mode: mode)
    }

    /// Blends another pixmap of the same size with the colours and keeps the alpha channel.
    private func blend(_ layer: Pixmap, opacity: Double, mode: BlendMode) throws(RasterError) {
        guard mode != .normal else {
            return try draw { context in
                cairo_set_operator(context, CAIRO_OPERATOR_ATOP)
                cairo_set_source_surface(context, layer.surface, 0, 0)
                cairo_paint_with_alpha(context, opacity)
            }
        }
        // On a translucent backdrop, the formula for blending mixes in the unblended source
        // (ISO 32000-1, 11.3.6). So colours are blended as if opaque, and alpha is restored.
        let original = try Pixmap(width: width, height: height)
        original.copy(data, stride: stride)
        mapPixels(\.opaque)
        if mode.mustFadeFirst, opacity < 1 { try layer.fade(opacity) }
        try draw { context in
            cairo_set_operator(context, mode.cairo)
            cairo_set_source_surface(context, layer.surface, 0, 0)
            cairo_paint_with_alpha(context, mode.mustFadeFirst ? 1 : opacity)
            cairo_set_operator(context, CAIRO_OPERATOR_DEST_IN)
            cairo_set_source_surface(context, original.surface, 0, 0)
            cairo_paint(context)
        }
    }

    /// Multiplies all channels by an opacity.
    private func fade(_ opacity: Double) throws(RasterError) {
        try draw { context in
            cairo_set_operator(context, CAIRO_OPERATOR_DEST_IN)
            cairo_set_source_rgba(context, 0, 0, 0, opacity)
            cairo_paint(context)
        }
    }

    /// Returns the inner shadow: the blurred inverse of the alpha channel, clipped to it.
    func innerShadow(_ color: Color, shift: Point, choke: Double, deviation: Size) throws(RasterError) -> Pixmap {
        // The shifted outline, then everything outside of it. A blur fades to transparent at the
        // pixmap's edges, so the outline is blurred, and inverted afterwards.
        let shade = try Pixmap.composite([(self, shift)])
        shade.grow(by: -choke)
        shade.blur(deviation)
        shade.mapPixels { Pixel(color.opacity(color.alpha * (1 - $0.alpha))) }
        try shade.draw { context in
            cairo_set_operator(context, CAIRO_OPERATOR_DEST_IN)
            cairo_set_source_surface(context, surface, 0, 0)
            cairo_paint(context)
        }
        return shade
    }
}
