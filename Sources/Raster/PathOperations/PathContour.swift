import Core

/// A subpath flattened to a polygon.
struct PathContour {
    /// The index of the operand that the subpath belongs to.
    var operand: Int
    /// The corners in order. The first is not repeated at the end, and no two neighbours are equal.
    var points: [Point]
    /// True if the subpath was closed.
    var isClosed = true
    /// The original subpath, closed; nil if the polygon does not come from one.
    var source: Path?

    /// The area in square points; positive if the polygon runs clockwise with the y axis down.
    var signedArea: Double {
        guard let origin = points.first else { return 0 }
        return (0..<points.count).reduce(0) { sum, index in
            let p = points[index] - origin
            let q = points[(index + 1) % points.count] - origin
            return sum + (p.x * q.y - q.x * p.y) / 2
        }
    }

    /// The polygon with clockwise corners.
    var clockwise: PathContour {
        var result = self
        if signedArea < 0 { result.points.reverse() }
        return result
    }
}

extension Path {
    /// A path with one subpath per contour, each of which starts with a move.
    init(_ contours: [PathContour]) {
        self.init()
        for contour in contours { append(contour.source ?? .polygon(contour.points)) }
    }

    /// Appends all segments of another path, after a move to its start.
    package mutating func append(_ other: Path) {
        if let startPoint = other.elements.first?.startPoint { move(to: startPoint) }
        for element in other.elements { append(element) }
    }
}

extension Path.Element {
    /// The start of a path whose first segment this is; nil for a move or close.
    fileprivate var startPoint: Point? {
        switch self {
        case .move, .close: nil
        case .line(let point), .quadratic(let point, _), .cubic(let point, _, _): point
        case .arc(let center, let radius, let start, _): center.moved(by: radius, towards: start)
        }
    }
}

/// The common tolerance within which paths are flattened to polygons.
struct Flattening {
    /// The maximum distance of polygons from curves, in points.
    let flatness: Double
    /// The maximum turn between neighbouring edges of a curve, in radians.
    let maxTurn: Double
    /// The spacing of the grid to which corners are snapped: a power of two far below the flatness.
    /// Corners closer to each other are merged.
    let grid: Double

    /// The maximum coordinate in points. Paths beyond it are not processed.
    private static let maxCoordinate = 1e9
    /// The maximum angle of an arc in radians. Paths beyond it are not processed.
    private static let maxAngle = 1e6
    /// The minimum flatness as a fraction of the largest coordinate. It bounds the edges of a curve
    /// to a few thousand.
    private static let minRelativeFlatness = 1e-7

    /// A tolerance suitable for paths that may grow by `reach` points. Returns nil if they contain
    /// numbers that are not finite or too large.
    init?(_ paths: [Path], reach: Double = 0, flatness: Double, maxTurn: Double = .pi / 4) {
        guard paths.allSatisfy({ $0.isFinite && $0.hasAngles(within: Self.maxAngle) }) else { return nil }
        var farthest = abs(reach)
        for bounds in paths.compactMap(\.bounds) {
            for corner in bounds.corners { farthest = max(farthest, abs(corner.x), abs(corner.y)) }
        }
        guard farthest <= Self.maxCoordinate else { return nil }
        // The comparison is false for NaN, which becomes the minimum.
        let minFlatness = max(farthest * Self.minRelativeFlatness, .leastNormalMagnitude)
        self.flatness = flatness > minFlatness ? min(flatness, Self.maxCoordinate) : minFlatness
        self.maxTurn = maxTurn
        grid = exp2((log2(self.flatness) - 6).rounded(.down))
    }

    /// Returns the subpaths that enclose an area once they are closed.
    func contours(of path: Path, operand: Int = 0) -> [PathContour] {
        var flattener = PathFlattener(flattening: self, operand: operand)
        for element in path.elements { flattener.add(element) }
        flattener.finish()
        return flattener.contours
    }

    /// Returns the corners of an arc after its first point.
    fileprivate func arc(center: Point, radius: Double, from start: Double, to end: Double) -> ArraySlice<Point> {
        // From the formula of `ArcPolygon`, so that edges turn by no more than the maximum.
        let tolerance = min(flatness, max(radius, 0) * maxTurn * maxTurn / 12)
        return ArcPolygon.corners(
            center: center, radius: radius, from: start, to: end, tolerance: max(tolerance, .leastNormalMagnitude)
        ).dropFirst()
    }

    /// Calls `body` with the end of each edge of a curve, which is halved until each half is flat.
    fileprivate func flatten(_ curve: CubicCurve, depth: Int = 0, _ body: (Point) -> Void) {
        // A cusp stays a corner at any depth.
        guard depth < 16, !curve.isFlat(within: flatness, turn: maxTurn) else { return body(curve.p3) }
        flatten(curve.part(from: 0, to: 0.5), depth: depth + 1, body)
        flatten(curve.part(from: 0.5, to: 1), depth: depth + 1, body)
    }
}

/// The flattened subpaths of a path, collected element by element.
private struct PathFlattener {
    let flattening: Flattening
    let operand: Int
    private(set) var contours: [PathContour] = []
    private var points: [Point] = []
    private var source = Path()
    private var current = Point.zero
    private var first = Point.zero
    private var hasBegun = false

    init(flattening: Flattening, operand: Int) {
        self.flattening = flattening
        self.operand = operand
    }

    mutating func add(_ element: Path.Element) {
        if !hasBegun, let startPoint = element.startPoint { begin(at: startPoint) }
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
            flattening.flatten(CubicCurve(element, from: current)) { ends.append($0) }
            for end in ends { add(end) }
        case .arc(let center, let radius, let start, let end):
            add(center.moved(by: radius, towards: start))
            for point in flattening.arc(center: center, radius: radius, from: start, to: end) { add(point) }
        }
        source.append(element)
        current = element.end(closingAt: first)
    }

    private mutating func begin(at point: Point) {
        points = [point]
        source = Path()
        current = point
        first = point
        hasBegun = true
        source.move(to: point)
    }

    private mutating func add(_ point: Point) { points.append(point, minDistance: flattening.grid) }

    /// Ends the current subpath, which counts as closed if it returns to its start.
    mutating func finish(isClosed: Bool = false) {
        let returns = points.count > 2 && points[points.count - 1].distance(to: points[0]) <= flattening.grid
        if returns { points.removeLast() }
        if points.count > 1 {
            source.close()
            contours.append(
                PathContour(operand: operand, points: points, isClosed: isClosed || returns, source: source))
        }
        points = []
    }
}

extension [Point] {
    /// Appends a point unless it is within `distance` of the last one.
    fileprivate mutating func append(_ point: Point, minDistance distance: Double) {
        if last.map({ $0.distance(to: point) > distance }) ?? true { append(point) }
    }
}

extension CubicCurve {
    /// Returns true if a straight line between the ends is close enough to the curve.
    fileprivate func isFlat(within flatness: Double, turn: Double) -> Bool {
        // The distance from the line is at most an eighth of the second derivative, which is
        // largest at an end of the curve.
        func bend(_ a: Point, _ b: Point, _ c: Point) -> Double { (a - b * 2 + c).distance(to: .zero) }
        guard 0.75 * max(bend(p0, p1, p2), bend(p1, p2, p3)) <= flatness else { return false }
        let sides = [p1 - p0, p2 - p1, p3 - p2].filter { $0 != .zero }
        guard let first = sides.first, let last = sides.last else { return true }
        let angle = abs(atan2(first.x * last.y - last.x * first.y, first.x * last.x + first.y * last.y))
        // A shorter curve has no visible direction.
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
