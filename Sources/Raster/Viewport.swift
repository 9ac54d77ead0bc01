import Scene

/// How a stage in points lies on a picture in pixels: scaled uniformly to fit, and centred.
public struct Viewport: Sendable, Hashable {
    /// Width of the picture in pixels.
    public let width: Int
    /// Height of the picture in pixels.
    public let height: Int
    /// Pixels per point.
    public let scale: Double
    /// Where the stage's upper left corner lies, in pixels.
    public let origin: Point

    /// A stage fitted into a picture.
    public init(stage: Size, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        scale = min(Double(width) / stage.width, Double(height) / stage.height)
        origin = Point((Double(width) - stage.width * scale) / 2, (Double(height) - stage.height * scale) / 2)
    }

    /// From points on the stage to pixels.
    public var transform: AffineTransform { AffineTransform.scale(scale).then(.translation(origin)) }

    /// Whether the stage leaves bars at two sides.
    public var isLetterboxed: Bool { origin.x > 0 || origin.y > 0 }
}
