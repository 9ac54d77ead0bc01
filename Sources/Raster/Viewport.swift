import Scene

/// How a canvas in points lies on a picture in pixels: scaled uniformly to fit, and centred.
public struct Viewport: Sendable, Hashable {
    /// Width of the picture in pixels.
    public let width: Int
    /// Height of the picture in pixels.
    public let height: Int
    /// Pixels per point.
    public let scale: Double
    /// Where the canvas's upper left corner lies, in pixels.
    public let origin: Point

    /// A canvas fitted into a picture.
    public init(canvas: Size, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        scale = min(Double(width) / canvas.width, Double(height) / canvas.height)
        origin = Point((Double(width) - canvas.width * scale) / 2, (Double(height) - canvas.height * scale) / 2)
    }

    /// From points on the canvas to pixels.
    public var transform: AffineTransform { AffineTransform.scale(scale).then(.translation(origin)) }

    /// Whether the canvas leaves bars at two sides.
    public var isLetterboxed: Bool { origin.x > 0 || origin.y > 0 }
}
