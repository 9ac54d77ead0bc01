/// A bulge: an ellipse whose middle is enlarged, or reduced, and whose edge stays.
public struct Bulge: Sendable, Hashable {
    /// The transform from the unit circle to the ellipse.
    public var ellipse: AffineTransform
    /// The strength in -4...4: positive enlarges the middle and negative reduces it.
    public var height: Double

    public init(ellipse: AffineTransform, height: Double) {
        self.ellipse = ellipse
        self.height = min(max(height, -4), 4)
    }

    /// The bounds of the ellipse.
    package var bounds: Rect { bounds(radius: 1) }

    /// The bounds of the points that the ellipse shows: at a height of -4, up to 1.362 radii from
    /// its centre.
    package var sourceBounds: Rect { bounds(radius: height < 0 ? 1.37 : 1) }

    private func bounds(radius: Double) -> Rect {
        ellipse.bounds(of: Rect(x: -radius, y: -radius, width: 2 * radius, height: 2 * radius))
    }

    /// Returns the point of the unit circle whose colour a point shows.
    ///
    /// After Effects publishes no formula. This is Skottie's, which imitates After Effects: the sum
    /// of the displacement by a sphere and one that grows with a power of the distance.
    package func source(of point: Point) -> Point {
        let square = point.x * point.x + point.y * point.y
        guard square > 0, square < 1, height != 0 else { return point }
        let distance = square.squareRoot()
        let strength = abs(height) / 4
        let radius = (1 + strength) / 2 / strength.squareRoot()
        let spherical = asin(distance / radius) / asin(1 / radius) / distance
        let exponential = pow(square, 1.3 * strength * strength * strength)
        let change = spherical + exponential - 2
        return point * (height > 0 ? 1 + change : 1 - change)
    }
}
