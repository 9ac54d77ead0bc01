import Platform
import Scene

/// A subpath as a polygon.
struct Contour {
    /// Which operand it belongs to.
    var operand: Int
    /// The corners in order; the first does not come again at the end. No two neighbours are the same.
    var points: [Point]
    /// Whether the subpath was closed.
    var isClosed = true
    /// The subpath itself, closed, if the polygon stands for one.
    var source: Path?

    /// The polygon's area in square points: positive if it runs clockwise as it is seen, with y growing downwards.
    var signedArea: Double {
        guard let origin = points.first else { return 0 }
        return (0..<points.count).reduce(0) { sum, index in
            let (p, q) = (points[index] - origin, points[(index + 1) % points.count] - origin)
            return sum + (p.x * q.y - q.x * p.y) / 2
        }
    }

    /// The same polygon, clockwise.
    var clockwise: Contour {
        var result = self
        if signedArea < 0 { result.points.reverse() }
        return result
    }
}

extension Path {
    /// Contours as subpaths, each of which moves to its beginning.
    init(_ contours: [Contour]) {
        self.init()
        for contour in contours { append(contour.source ?? .polygon(contour.points)) }
    }

    /// Appends all steps of another path, after a move to where it begins.
    mutating func append(_ other: Path) {
        if let beginning = other.elements.first?.beginning { move(to: beginning) }
        for element in other.elements { append(element) }
    }
}

extension Path.Element {
    /// Where the step begins if it is a path's first; nil if it moves there itself or draws nothing.
    fileprivate var beginning: Point? {
        switch self {
        case .move, .close: nil
        case .line(let point), .quadratic(let point, _), .cubic(let point, _, _): point
        case .arc(let center, let radius, let start, _): center.moved(by: radius, towards: start)
        }
    }
}

/// Paths as polygons, all within the same tolerance.
struct Flattening {
    /// How far polygons may stray from curves, in points.
    let flatness: Double
    /// By how much neighbouring edges of a curve may turn, in radians.
    let widestTurn: Double
    /// The distance between the coordinates that corners get, a power of two far below the flatness. Corners that are nearer to
    /// each other are one.
    let grid: Double

    /// Coordinates beyond so many points are not computed with.
    private static let farthest = 1e9
    /// Angles beyond so many radians are no longer angles.
    private static let widestAngle = 1e6
    /// The flatness is at least this part of the farthest coordinate, so that a curve never has more than a few thousand edges.
    private static let finest = 1e-7

    /// What suits some paths and what they are grown by; nil if there are numbers among them that nothing can be computed with.
    init?(_ paths: [Path], reach: Double = 0, flatness: Double, widestTurn: Double = .pi / 4) {
        guard paths.allSatisfy({ $0.isFinite && $0.hasAngles(within: Self.widestAngle) }) else { return nil }
        var farthest = abs(reach)
        for bounds in paths.compactMap(\.bounds) {
            for corner in bounds.corners { farthest = max(farthest, abs(corner.x), abs(corner.y)) }
        }
        guard farthest <= Self.farthest else { return nil }
        // Written so that a flatness that is no number is the finest.
        let finest = max(farthest * Self.finest, .leastNormalMagnitude)
        self.flatness = flatness > finest ? min(flatness, Self.farthest) : finest
        self.widestTurn = widestTurn
        grid = exp2((log2(self.flatness) - 6).rounded(.down))
    }

    /// The subpaths of a path that enclose anything if they are closed.
    func contours(of path: Path, operand: Int = 0) -> [Contour] {
        var walk = Walk(flattening: self, operand: operand)
        for element in path.elements { walk.add(element) }
        walk.finish()
        return walk.contours
    }

    /// The corners of an arc after its first point.
    fileprivate func arc(center: Point, radius: Double, from start: Double, to end: Double) -> ArraySlice<Point> {
        // By the polygon's rule, so that its edges turn no more than they may.
        let tolerance = min(flatness, max(radius, 0) * widestTurn * widestTurn / 12)
        return ArcPolygon.corners(
            center: center, radius: radius, from: start, to: end, tolerance: max(tolerance, .leastNormalMagnitude)
        ).dropFirst()
    }

    /// Calls `body` with the ends of the edges of a curve, which is halved until each half is flat.
    fileprivate func walk(_ curve: CubicCurve, depth: Int = 0, _ body: (Point) -> Void) {
        // A cusp stays a corner however often it is halved.
        guard depth < 16, !curve.isFlat(within: flatness, turn: widestTurn) else { return body(curve.p3) }
        walk(curve.part(from: 0, to: 0.5), depth: depth + 1, body)
        walk(curve.part(from: 0.5, to: 1), depth: depth + 1, body)
    }
}

/// Goes along a path and notes its subpaths.
private struct Walk {
    let flattening: Flattening
    let operand: Int
    private(set) var contours: [Contour] = []
    private var points: [Point] = []
    private var source = Path()
    private var current = Point.zero
    private var first = Point.zero
    private var hasBegun = false

    init(flattening: Flattening, operand: Int) { (self.flattening, self.operand) = (flattening, operand) }

    mutating func add(_ element: Path.Element) {
        if !hasBegun, let beginning = element.beginning { begin(at: beginning) }
        switch element {
        case .move(let point):
            finish()
            begin(at: point)
            return
        case .close:
            finish(isClosed: true)
            if hasBegun { begin(at: first) }
            return
        case .line(let point):
            add(point)
        case .quadratic, .cubic:
            var ends: [Point] = []
            flattening.walk(CubicCurve(element, from: current)) { ends.append($0) }
            for end in ends { add(end) }
        case .arc(let center, let radius, let start, let end):
            add(center.moved(by: radius, towards: start))
            for point in flattening.arc(center: center, radius: radius, from: start, to: end) { add(point) }
        }
        source.append(element)
        current = element.end(closingAt: first)
    }

    private mutating func begin(at point: Point) {
        (points, source, current, first, hasBegun) = ([point], Path(), point, point, true)
        source.move(to: point)
    }

    private mutating func add(_ point: Point) { points.appendIfApart(point, flattening.grid) }

    /// Ends the current subpath. One that comes back to its beginning is closed, too.
    mutating func finish(isClosed: Bool = false) {
        let returns = points.count > 2 && points[points.count - 1].distance(to: points[0]) <= flattening.grid
        if returns { points.removeLast() }
        if points.count > 1 {
            source.close()
            contours.append(
                Contour(operand: operand, points: points, isClosed: isClosed || returns, source: source))
        }
        points = []
    }
}

extension [Point] {
    /// Appends a point that is not where the last one is.
    fileprivate mutating func appendIfApart(_ point: Point, _ distance: Double) {
        if last.map({ $0.distance(to: point) > distance }) ?? true { append(point) }
    }
}

extension CubicCurve {
    /// Whether the straight line between the ends may stand for the curve.
    fileprivate func isFlat(within flatness: Double, turn: Double) -> Bool {
        // The distance from the line is at most an eighth of the second derivative, which is largest at an end.
        func bend(_ a: Point, _ b: Point, _ c: Point) -> Double { (a - b * 2 + c).distance(to: .zero) }
        guard 0.75 * max(bend(p0, p1, p2), bend(p1, p2, p3)) <= flatness else { return false }
        let sides = [p1 - p0, p2 - p1, p3 - p2].filter { $0 != .zero }
        guard let first = sides.first, let last = sides.last else { return true }
        let angle = abs(atan2(first.x * last.y - last.x * first.y, first.x * last.x + first.y * last.y))
        // What is smaller than that has no direction that could be seen.
        return angle <= turn || p0.distance(to: p3) <= flatness / 64
    }
}

extension Path {
    fileprivate func hasAngles(within limit: Double) -> Bool {
        elements.allSatisfy { element in
            guard case .arc(_, _, let start, let end) = element else { return true }
            return abs(start) <= limit && abs(end) <= limit
        }
    }
}
