import Motion
import Raster
import Scene

/// The picture's size as asked for.
public enum PictureSize: Sendable, Hashable {
    /// Pixels per point of the canvas, or of the annotated picture.
    case scale(Rational)
    /// Exactly so many pixels; the canvas is letterboxed.
    case pixels(width: Int, height: Int)

    /// The smallest side of a picture in pixels.
    public static let smallestSide = 16

    /// The sides in pixels of pictures of a size in points. Throws `RenderError` if they are too small or too large.
    public func pixels(of size: Size) throws -> (width: Int, height: Int) {
        let sides: (width: Int, height: Int)
        switch self {
        case .pixels(let width, let height): sides = (width, height)
        case .scale(let scale):
            guard (Rational(1, 10)...Rational(1000)).contains(scale) else {
                throw RenderError(
                    .usage, "scale \(scale) is not possible: it takes 0.1...1000 pixels per point",
                    about: .options("scale"))
            }
            // Whole points are scaled exactly.
            func scaled(_ points: Double) -> Int {
                points == points.rounded()
                    ? (Rational(Int(points)) * scale).rounded : Int((points * scale.double).rounded())
            }
            sides = (scaled(size.width), scaled(size.height))
        }
        let limits = Self.smallestSide...Pixmap.largestSide
        guard limits.contains(sides.width), limits.contains(sides.height) else {
            throw RenderError(
                .usage,
                "a picture of \(sides.width)x\(sides.height) is not possible: each side takes "
                    + "\(Self.smallestSide)...\(Pixmap.largestSide) pixels",
                about: .options("size", "scale", "layout"))
        }
        return sides
    }
}
