/// An affine transform in Core Graphics' notation: x' = a x + c y + tx, y' = b x + d y + ty.
public struct AffineTransform: Sendable, Hashable {
    /// Matrix coefficients, named as in `CGAffineTransform`.
    public var a: Double, b: Double, c: Double, d: Double
    /// Translation in points.
    public var tx: Double, ty: Double

    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The identity transform.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Returns a translation by a vector in points.
    public static func translation(_ offset: Point) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: offset.x, ty: offset.y)
    }

    /// Returns a uniform scale about the origin.
    public static func scale(_ factor: Double) -> AffineTransform {
        AffineTransform(a: factor, b: 0, c: 0, d: factor, tx: 0, ty: 0)
    }

    /// Returns a rotation about the origin by `angle` radians, clockwise with the y axis down.
    public static func rotation(_ angle: Double) -> AffineTransform {
        let (s, c) = (sin(angle), cos(angle))
        return AffineTransform(a: c, b: s, c: -s, d: c, tx: 0, ty: 0)
    }

    /// Returns the transform that applies this one first and then `next`.
    public func then(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d,
            tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
    }

    /// Returns the same transform about `anchor` instead of the origin.
    public func about(_ anchor: Point) -> AffineTransform {
        AffineTransform.translation(anchor * -1).then(self).then(.translation(anchor))
    }

    /// The factor by which areas grow; negative if the transform mirrors.
    package var determinant: Double { a * d - b * c }

    /// The transform in the opposite direction; nil if it maps the plane to a line or a point.
    package var inverse: AffineTransform? {
        let determinant = determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }

    /// Transforms a point.
    public func apply(_ point: Point) -> Point {
        Point(a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
    }

    /// The largest and the smallest factor by which lengths are scaled, over all directions: the
    /// singular values of the linear part.
    package var scales: (larger: Double, smaller: Double) {
        let sum = hypot(a + d, b - c)
        let difference = hypot(a - d, b + c)
        return ((sum + difference) / 2, abs(sum - difference) / 2)
    }

    /// Returns the bounding box of the transformed rectangle.
    public func bounds(of rect: Rect) -> Rect {
        // An array of corners would be slower, and this is called several times for each drawn
        // node.
        var boundingBox = BoundingBox(apply(Point(rect.x, rect.y)))
        boundingBox.add(apply(Point(rect.maxX, rect.y)))
        boundingBox.add(apply(Point(rect.maxX, rect.maxY)))
        boundingBox.add(apply(Point(rect.x, rect.maxY)))
        return boundingBox.rect
    }
}
