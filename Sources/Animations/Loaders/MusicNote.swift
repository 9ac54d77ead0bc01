import Core

/// Outlines of musical notes in a box of 10 x 10 points around the origin. All corners and line
/// ends are round. Subpaths overlap, and the nonzero rule fills their union.
enum MusicNote {
    /// A single quaver with head, stem and flag.
    static let quaver: Path = {
        let center = Point(-1.3, 3.1)
        let top = Point(stemX(of: center), -4.4)
        return union([
            head(at: center), capsule(from: top, to: foot(of: center), width: stemWidth),
            ribbon([top, top + Point(0.35, 1.9), top + Point(3.5, 1.7), top + Point(2.9, 4.7)], width: stemWidth),
        ])
    }()

    /// Two quavers under one beam.
    static let beamedQuavers: Path = {
        let heads = [Point(-2.85, 3.35), Point(2.35, 2.65)]
        let tops = zip(heads, [-3.2, -4.1]).map { Point(stemX(of: $0), $1) }
        // The beam's round ends are flush with the stems.
        let inset = Point((beamWidth - stemWidth) / 2, 0)
        let stems = zip(heads, tops).map { capsule(from: $1, to: foot(of: $0), width: stemWidth) }
        let beam = capsule(from: tops[0] + inset, to: tops[1] - inset, width: beamWidth)
        return union(heads.map(head) + stems + [beam])
    }()

    private static func union(_ parts: [Path]) -> Path {
        var path = Path()
        for element in parts.flatMap(\.elements) { path.append(element) }
        return path
    }

    /// The widths of a stem and of a beam, in points.
    private static let stemWidth = 1.1
    private static let beamWidth = 1.8
    /// Half the length of a head, in points.
    private static let length = 2.25
    /// Half the height of a head, in points.
    private static let height = 1.7
    /// The tilt of a head in radians.
    private static let tilt = -0.35

    /// The rightmost point of a head, relative to its centre: the extreme of a rotated ellipse.
    private static let rightmost: Point = {
        let cosine = cos(tilt)
        let sine = sin(tilt)
        let reach = (length * length * cosine * cosine + height * height * sine * sine).squareRoot()
        return Point(reach, (length * length - height * height) * sine * cosine / reach)
    }()

    /// Returns the centre line of a stem whose right edge is flush with that of its head.
    private static func stemX(of head: Point) -> Double { head.x + rightmost.x - stemWidth / 2 }
    /// Returns the lower end of a stem, which lies inside the head.
    private static func foot(of head: Point) -> Point { Point(stemX(of: head), head.y + rightmost.y - 0.15) }

    /// Returns an ellipse of four cubic curves, tilted as in engraved music.
    private static func head(at center: Point) -> Path {
        /// The distance of control points that approximates a quarter circle: 4 / 3 (√2 - 1).
        let kappa = 0.5522847498
        let transform = AffineTransform(a: length, b: 0, c: 0, d: height, tx: 0, ty: 0).then(.rotation(tilt))
            .then(.translation(center))
        func at(_ x: Double, _ y: Double) -> Point { transform.apply(Point(x, y)) }
        var path = Path()
        path.move(to: at(1, 0))
        path.addCurve(to: at(0, 1), control1: at(1, kappa), control2: at(kappa, 1))
        path.addCurve(to: at(-1, 0), control1: at(-kappa, 1), control2: at(-1, kappa))
        path.addCurve(to: at(0, -1), control1: at(-1, -kappa), control2: at(-kappa, -1))
        path.addCurve(to: at(1, 0), control1: at(kappa, -1), control2: at(1, -kappa))
        path.close()
        return path
    }

    /// Returns a straight line with round ends.
    private static func capsule(from start: Point, to end: Point, width: Double) -> Path {
        let angle = atan2(end.y - start.y, end.x - start.x)
        var path = Path()
        path.move(to: end.moved(by: width / 2, towards: angle - .pi / 2))
        path.addArc(center: end, radius: width / 2, startAngle: angle - .pi / 2, endAngle: angle + .pi / 2)
        path.addArc(center: start, radius: width / 2, startAngle: angle + .pi / 2, endAngle: angle + 1.5 * .pi)
        path.close()
        return path
    }

    /// Returns a cubic curve as a line with round ends. Its edges are the cubic curves of the
    /// control polygon offset to both sides.
    private static func ribbon(_ points: [Point], width: Double) -> Path {
        let angles = zip(points, points.dropFirst()).map { atan2($1.y - $0.y, $1.x - $0.x) }
        func edge(_ shift: Double) -> [Point] {
            points.indices.map { index in
                let before = angles[max(index - 1, 0)]
                let after = angles[min(index, angles.count - 1)]
                let middle = (before + after) / 2
                let half = (after - before) / 2
                return points[index].moved(by: shift / cos(half), towards: middle + .pi / 2)
            }
        }
        let right = edge(width / 2)
        let left = edge(-width / 2)
        var path = Path()
        path.move(to: left[0])
        path.addCurve(to: left[3], control1: left[1], control2: left[2])
        path.addArc(
            center: points[3], radius: width / 2, startAngle: angles[2] - .pi / 2, endAngle: angles[2] + .pi / 2)
        path.addCurve(to: right[0], control1: right[2], control2: right[1])
        path.addArc(
            center: points[0], radius: width / 2, startAngle: angles[0] + .pi / 2, endAngle: angles[0] + 1.5 * .pi)
        path.close()
        return path
    }
}
