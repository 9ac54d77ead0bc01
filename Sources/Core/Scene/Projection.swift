/// A projective transform of the plane: a plane in 3D space as a camera sees it.
public struct Projection: Sendable, Hashable {
    /// The numerators of x and y, before the division.
    public var numerator: AffineTransform
    /// The coefficients of the divisor: `gradient.x * x + gradient.y * y + offset`. Points where it
    /// is below `minDivisor` are behind the camera or too close to it.
    public var gradient: Point
    public var offset: Double

    public init(numerator: AffineTransform, gradient: Point, offset: Double) {
        self.numerator = numerator
        self.gradient = gradient
        self.offset = offset
    }

    /// The divisor of points that are just in front of the camera. They are enlarged a hundredfold.
    static let minDivisor = 0.01
    /// The maximum coordinate of bounds, beyond all canvases.
    private static let maxCoordinate = 1e6

    /// Returns the divisor of a point, which is proportional to its distance from the camera.
    package func divisor(_ point: Point) -> Double { gradient.x * point.x + gradient.y * point.y + offset }

    /// Returns the projected point; nil if it is not in front of the camera.
    package func apply(_ point: Point) -> Point? {
        let divisor = divisor(point)
        guard divisor >= Projection.minDivisor else { return nil }
        return numerator.apply(point) * (1 / divisor)
    }

    /// True if all points have the same distance from the camera.
    package var isAffine: Bool { gradient == .zero }

    /// Returns the affine transform that is closest to the projection around a point; nil if the
    /// point is not in front of the camera.
    package func affine(around point: Point) -> AffineTransform? {
        guard let image = apply(point) else { return nil }
        let factor = 1 / divisor(point)
        let a = (numerator.a - image.x * gradient.x) * factor
        let b = (numerator.b - image.y * gradient.x) * factor
        let c = (numerator.c - image.x * gradient.y) * factor
        let d = (numerator.d - image.y * gradient.y) * factor
        return AffineTransform(
            a: a, b: b, c: c, d: d, tx: image.x - a * point.x - c * point.y, ty: image.y - b * point.x - d * point.y)
    }

    /// Returns the corners of the part of a rectangle that is in front of the camera.
    package func visibleCorners(of rect: Rect) -> [Point] {
        let corners = rect.corners
        var visible: [Point] = []
        for (start, end) in zip(corners, corners.dropFirst() + [corners[0]]) {
            let first = divisor(start) - Projection.minDivisor
            let second = divisor(end) - Projection.minDivisor
            if first >= 0 { visible.append(start) }
            // The edge crosses the plane just in front of the camera.
            if (first >= 0) != (second >= 0) { visible.append(start + (end - start) * (first / (first - second))) }
        }
        return visible
    }

    /// Returns the bounds of the projected rectangle; empty if it is behind the camera.
    package func bounds(of rect: Rect) -> Rect {
        let limit = Projection.maxCoordinate
        let images = visibleCorners(of: rect).map { corner in
            // Rounding can put a corner on the clipping plane just behind it.
            let image = numerator.apply(corner) * (1 / max(divisor(corner), Projection.minDivisor))
            return Point(min(max(image.x, -limit), limit), min(max(image.y, -limit), limit))
        }
        return Rect(enclosing: images) ?? Rect(x: 0, y: 0, width: 0, height: 0)
    }

    /// The projection in the opposite direction; nil if the plane is seen from its edge.
    package var inverse: Projection? {
        let m = numerator
        // The adjugate of the matrix with the rows (a, c, tx), (b, d, ty), (gradient, offset).
        let a = m.d * offset - m.ty * gradient.y
        let c = m.tx * gradient.y - m.c * offset
        let tx = m.c * m.ty - m.tx * m.d
        let b = m.ty * gradient.x - m.b * offset
        let d = m.a * offset - m.tx * gradient.x
        let ty = m.tx * m.b - m.a * m.ty
        let determinant = determinant
        guard abs(determinant) > 1e-12, determinant.isFinite else { return nil }
        let factor = 1 / determinant
        return Projection(
            numerator: AffineTransform(
                a: a * factor, b: b * factor, c: c * factor, d: d * factor, tx: tx * factor, ty: ty * factor),
            gradient: Point(m.b * gradient.y - m.d * gradient.x, m.c * gradient.x - m.a * gradient.y) * factor,
            offset: m.determinant * factor)
    }

    /// The determinant of the matrix. The area of a small figure changes by it, divided by the cube
    /// of the divisor.
    package var determinant: Double {
        let m = numerator
        return m.a * (m.d * offset - m.ty * gradient.y) - m.c * (m.b * offset - m.ty * gradient.x)
            + m.tx * (m.b * gradient.y - m.d * gradient.x)
    }

    /// Returns the projection that applies this one first and then an affine transform.
    package func then(_ next: AffineTransform) -> Projection {
        let m = numerator
        return Projection(
            numerator: AffineTransform(
                a: next.a * m.a + next.c * m.b + next.tx * gradient.x,
                b: next.b * m.a + next.d * m.b + next.ty * gradient.x,
                c: next.a * m.c + next.c * m.d + next.tx * gradient.y,
                d: next.b * m.c + next.d * m.d + next.ty * gradient.y,
                tx: next.a * m.tx + next.c * m.ty + next.tx * offset,
                ty: next.b * m.tx + next.d * m.ty + next.ty * offset), gradient: gradient, offset: offset)
    }
}
