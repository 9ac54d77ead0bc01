import Core
import Raster

/// The requested size of a clip's frames.
public enum FrameSize: Sendable, Hashable {
    /// Pixels per point of the canvas, or of the annotated frame.
    case scale(Rational)
    /// The exact size in pixels. The canvas is letterboxed.
    case pixels(width: Int, height: Int)

    /// True if the size was requested in pixels and must not be padded.
    public var isExact: Bool { if case .pixels = self { true } else { false } }

    /// Parses a size such as `1920x1080`. Returns nil for any other text.
    static func sides(text: String) -> (width: Int, height: Int)? {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { side in
            // Digits only, because `Int` would also accept a sign.
            side.hasOnlyASCIIDigits ? Int(side) : nil
        }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        return (width, height)
    }

    /// The minimum side of a frame in pixels.
    public static let minSide = 16

    /// Returns the size in pixels of frames that have `size` points. Throws `LoadervidError` if it
    /// is too small or too large.
    public func pixels(of size: Size) throws -> (width: Int, height: Int) {
        let sides: (width: Int, height: Int)
        switch self {
        case .pixels(let width, let height): sides = (width, height)
        case .scale(let scale):
            guard (Rational(1, 10)...Rational(1000)).contains(scale) else {
                throw LoadervidError(
                    .usage, "\(option: "scale"): \(scale) is outside the range 0.1...1000 pixels per point",
                    subjects: .options("scale"))
            }
            // Whole points are scaled exactly, without rounding errors of floating point.
            func scaled(_ points: Double) -> Int {
                points == points.rounded()
                    ? (Rational(Int(points)) * scale).rounded : Int((points * scale.double).rounded())
            }
            sides = (scaled(size.width), scaled(size.height))
        }
        let limits = Self.minSide...Pixmap.maxSide
        guard limits.contains(sides.width), limits.contains(sides.height) else {
            let text = "\(sides.width)x\(sides.height)"
            let isTooLarge = max(sides.width, sides.height) > limits.upperBound
            throw LoadervidError(
                .usage,
                isExact
                    ? "\(option: "size"): \(text) is outside the range \(limits.lowerBound)...\(limits.upperBound) pixels per "
                        + "side"
                    : "\(option: "scale"): frames of \(text) pixels are outside the range \(limits.lowerBound)..."
                        + "\(limits.upperBound) pixels per side; use a \(isTooLarge ? "smaller" : "larger") scale",
                subjects: .options("size", "scale", "layout"))
        }
        return sides
    }
}
