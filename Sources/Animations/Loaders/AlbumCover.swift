import Core

/// The default cover of an album: a disc of radius 1 around the origin with a hill and the sun.
///
/// Sky and hill end at the circle, so no clip is needed, which would flatten three nodes in every
/// frame.
enum AlbumCover {
    /// The top of the hill: a quadratic curve that begins and ends outside of the circle.
    private static let ridge = (start: Point(-1, 0.55), control: Point(-0.1, -0.7), end: Point(1, 0.25))
    /// The distance by which the control point of the sky's lower edge lies below that of the
    /// hill's top, so that no gap shows between them.
    private static let overlap = 0.3

    /// The shapes from back to front.
    static let shapes: [Shape] = {
        let first = crossing(outside: 0, inside: 0.5)
        let last = crossing(outside: 1, inside: 0.5)
        let (start, end) = (ridgePoint(first, first), ridgePoint(last, last))
        let control = ridgePoint(first, last)
        let left = atan2(start.y, start.x)
        let right = atan2(end.y, end.x)
        var sky = Path()
        sky.move(to: start)
        sky.addQuadCurve(to: end, control: control + Point(0, overlap))
        sky.addArc(center: .zero, radius: 1, startAngle: right, endAngle: left - 2 * .pi)
        sky.close()
        var hill = Path()
        hill.move(to: start)
        hill.addQuadCurve(to: end, control: control)
        hill.addArc(center: .zero, radius: 1, startAngle: right, endAngle: left)
        hill.close()
        return [
            Shape(sky, fill: Color(37, 244, 238)),
            Shape(.circle(center: Point(0.35, -0.4), radius: 0.28), fill: .white),
            Shape(hill, fill: Color(254, 44, 85)),
        ]
    }()

    /// Returns the polar form of the ridge: for equal parameters its point, and for the parameters
    /// of a part's ends the control point of that part.
    private static func ridgePoint(_ a: Double, _ b: Double) -> Point {
        ridge.start * ((1 - a) * (1 - b)) + ridge.control * ((1 - a) * b + a * (1 - b)) + ridge.end * (a * b)
    }

    /// Returns the parameter at which the ridge crosses the circle, between one of a point outside
    /// and one of a point inside.
    private static func crossing(outside: Double, inside: Double) -> Double {
        var (outer, inner) = (outside, inside)
        for _ in 0..<53 {
            let middle = (outer + inner) / 2
            if ridgePoint(middle, middle).distance(to: .zero) > 1 { outer = middle } else { inner = middle }
        }
        return inner
    }
}
