import CCairo
import Core

extension Pixmap {
    /// Returns the pixmap with a bulge.
    ///
    /// - Parameter transform: the transform from points to pixels of this pixmap.
    func bulged(_ bulge: Bulge, _ transform: AffineTransform) throws(RasterError) -> Pixmap {
        let ellipse = bulge.ellipse.then(transform)
        let area = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        guard let inverse = ellipse.inverse, let box = transform.bounds(of: bulge.bounds).intersection(area) else {
            return self
        }
        let result = try Pixmap(width: width, height: height)
        cairo_surface_flush(surface)
        result.copy(data, stride: stride)
        for row in Int(box.y)..<min(Int(box.maxY.rounded(.up)), height) {
            for column in Int(box.x)..<min(Int(box.maxX.rounded(.up)), width) {
                let corner = Point(Double(column), Double(row))
                // Pixels outside the ellipse are copied: sampling would soften them.
                guard inverse.apply(corner + Point(0.5, 0.5)).distance(to: .zero) < 1 else { continue }
                var sum = SIMD4<Double>.zero
                for sample in Self.samples {
                    let point = inverse.apply(corner + sample)
                    sum += color(at: ellipse.apply(bulge.source(of: point)))
                }
                let pixel = result.data + row * result.stride + 4 * column
                for channel in 0..<4 { pixel[channel] = UInt8((sum[channel] / 4).rounded()) }
            }
        }
        cairo_surface_mark_dirty(result.surface)
        return result
    }
}
