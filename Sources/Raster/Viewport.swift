import Core

/// The mapping of a canvas in points to a bitmap in pixels: scaled uniformly to fit, and centred.
package struct Viewport: Sendable, Hashable {
    /// The width of the bitmap in pixels.
    package let width: Int
    /// The height of the bitmap in pixels.
    package let height: Int
    /// Pixels per point.
    package let scale: Double
    /// The position of the canvas's upper left corner in pixels.
    package let origin: Point

    /// A viewport that fits a canvas into a bitmap.
    package init(canvas: Size, width: Int, height: Int) {
        self.width = width
        self.height = height
        scale = min(Double(width) / canvas.width, Double(height) / canvas.height)
        origin = Point((Double(width) - canvas.width * scale) / 2, (Double(height) - canvas.height * scale) / 2)
    }

    /// The transform from points on the canvas to pixels.
    package var transform: AffineTransform { AffineTransform.scale(scale).then(.translation(origin)) }

    /// True if the canvas begins within a row of pixels. Cairo then rounds the coverage of
    /// rectangles that cross this edge differently, in all rows of the band.
    var hasSoftRow: Bool { abs(origin.y - origin.y.rounded()) > 1e-6 }

    /// True if there are bars on two sides of the canvas.
    package var isLetterboxed: Bool { origin.x > 0 || origin.y > 0 }
}
