import Platform

/// A plane affine map in Core Graphics' notation: x' = a x + c y + tx, y' = b x + d y + ty.
public struct AffineTransform: Sendable, Hashable {
    /// Matrix coefficients, named as in `CGAffineTransform`.
    public var a: Double, b: Double, c: Double, d: Double
    /// Translation in points.
    public var tx: Double, ty: Double

    /// A map from its six coefficients.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// The map that changes nothing.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// A shift by the given vector, in points.
    public static func translation(_ offset: Point) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: offset.x, ty: offset.y)
    }

    /// The same factor in both directions, about the origin.
    public static func scale(_ factor: Double) -> AffineTransform {
        AffineTransform(a: factor, b: 0, c: 0, d: factor, tx: 0, ty: 0)
    }

    /// A turn about the origin by `angle` radians, clockwise on a y-down canvas.
    public static func rotation(_ angle: Double) -> AffineTransform {
        let (s, c) = (sin(angle), cos(angle))
        return AffineTransform(a: c, b: s, c: -s, d: c, tx: 0, ty: 0)
    }

    /// This map first, then `next`.
    public func then(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d,
            tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
    }

    /// This map carried out about `anchor` instead of about the origin.
    public func about(_ anchor: Point) -> AffineTransform {
        AffineTransform.translation(anchor * -1).then(self).then(.translation(anchor))
    }

    /// The image of a point.
    public func apply(_ point: Point) -> Point {
        Point(a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
    }

    /// The smallest axis-aligned rectangle that holds the image of `rect`.
    public func bounds(of rect: Rect) -> Rect {
        // Not by an array of corners: this is asked for several times for everything that is drawn.
        var hull = Hull(apply(Point(rect.x, rect.y)))
        hull.add(apply(Point(rect.maxX, rect.y)))
        hull.add(apply(Point(rect.maxX, rect.maxY)))
        hull.add(apply(Point(rect.x, rect.maxY)))
        return hull.rect
    }
}
