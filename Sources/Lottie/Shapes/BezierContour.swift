import Core

/// An open or closed contour of cubic Bézier curves through vertices: a path in After Effects, a
/// Bezier shape in the Lottie specification.
struct BezierContour: Sendable, Equatable {
    /// The maximum distance in points between curves and the polygons that approximate them, and
    /// the maximum length of handles and lines that are left out as invisible.
    static let flatness = 0.02

    /// A vertex with the control points of the incoming and the outgoing curve, in the coordinates
    /// of the path. (In files, the control points are relative to the vertex.)
    struct Vertex: Sendable, Equatable {
        var point: Point
        var into: Point
        var out: Point

        /// Creates a corner between straight lines.
        init(_ point: Point) {
            self.point = point
            into = point
            out = point
        }

        init(_ point: Point, into: Point, out: Point) {
            self.point = point
            self.into = into
            self.out = out
        }
    }

    var vertices: [Vertex]
    var isClosed: Bool

    init(_ vertices: [Vertex], isClosed: Bool) {
        self.vertices = vertices
        self.isClosed = isClosed
    }

    var curveCount: Int { vertices.isEmpty ? 0 : isClosed ? vertices.count : vertices.count - 1 }

    /// Returns the curve from the vertex with an index to the next vertex.
    func curve(_ index: Int) -> CubicCurve {
        let start = vertices[index]
        let end = vertices[(index + 1) % vertices.count]
        return CubicCurve(start.point, start.out, end.into, end.point)
    }

    var curves: [CubicCurve] { (0..<curveCount).map(curve) }

    /// True if all curves are on one line.
    var isLine: Bool {
        guard let start = vertices.first?.point else { return false }
        let points = curves.flatMap { [$0.p0, $0.p1, $0.p2, $0.p3] }
        guard let end = points.max(by: { $0.distance(to: start) < $1.distance(to: start) }), end != start else {
            return false
        }
        let direction = (end - start) * (1 / end.distance(to: start))
        return points.allSatisfy { point in
            let offset = point - start
            return abs(offset.x * direction.y - offset.y * direction.x) < Self.flatness
        }
    }

    /// Creates a contour from consecutive curves.
    init(_ curves: [CubicCurve], isClosed: Bool) {
        self.isClosed = isClosed
        vertices = []
        vertices.reserveCapacity(curves.count + 1)
        for curve in curves {
            if vertices.isEmpty {
                vertices.append(Vertex(curve.p0, into: curve.p0, out: curve.p1))
            } else {
                vertices[vertices.count - 1].out = curve.p1
            }
            vertices.append(Vertex(curve.p3, into: curve.p2, out: curve.p3))
        }
        if isClosed, vertices.count > 1 {
            let last = vertices.removeLast()
            vertices[0].into = last.into
        }
    }

    func mapped(_ map: (Point) -> Point) -> BezierContour {
        BezierContour(
            vertices.map { Vertex(map($0.point), into: map($0.into), out: map($0.out)) }, isClosed: isClosed)
    }

    func transformed(by transform: AffineTransform) -> BezierContour {
        transform == .identity ? self : mapped(transform.apply)
    }

    /// The contour in the opposite direction.
    var reversed: BezierContour {
        guard isClosed, let first = vertices.first else {
            return BezierContour(
                vertices.reversed().map { Vertex($0.point, into: $0.out, out: $0.into) }, isClosed: isClosed)
        }
        // A closed contour keeps its first vertex, which matters to trim paths.
        let reordered = [first] + vertices.dropFirst().reversed()
        return BezierContour(reordered.map { Vertex($0.point, into: $0.out, out: $0.into) }, isClosed: true)
    }

    /// Appends the contour to a path.
    func add(to path: inout Path) {
        guard let first = vertices.first else { return }
        path.move(to: first.point)
        for curve in curves {
            if curve.isLine || curve.hasShortHandles {
                path.addLine(to: curve.p3)
            } else {
                path.addCurve(to: curve.p3, control1: curve.p1, control2: curve.p2)
            }
        }
        if isClosed { path.close() }
    }

    /// The maximum number of lines of a polyline, unless the contour has more curves.
    private static let maxLines = 20_000
    /// The maximum number of lines of a curve. A quarter of a circle needs as many from a radius of
    /// 950 points.
    private static let maxLinesPerCurve = 256

    private static func maxLinesPerCurve(of curves: Int) -> Int {
        min(maxLinesPerCurve, max(1, maxLines / max(1, curves)))
    }

    /// Returns the maximum number of lines of the polyline of a number of curves.
    static func maxLineCount(curves: Int) -> Int { curves * maxLinesPerCurve(of: curves) }

    /// The contour as lines. Cairo's strokes of curves have holes where short handles point
    /// backwards, as in paths that change their shape.
    var polyline: Path {
        guard let first = vertices.first else { return Path() }
        let maxCount = Double(Self.maxLinesPerCurve(of: curveCount))
        var path = Path()
        path.move(to: first.point)
        var last = first.point
        for curve in curves {
            let bend = max(
                (curve.p0 - curve.p1 * 2 + curve.p2).distance(to: .zero),
                (curve.p1 - curve.p2 * 2 + curve.p3).distance(to: .zero))
            // Divided at n equal steps of its parameter, a cubic curve is at most 0.75 * bend / n^2
            // from its chords.
            let count = (0.75 * bend / (Self.flatness / 4)).squareRoot().rounded(.up)
            let lines = curve.isLine ? 1 : Int(min(max(count, 1), maxCount))
            for line in 1...lines {
                let point = curve.point(Double(line) / Double(lines))
                guard last.distance(to: point) > Self.flatness else { continue }
                path.addLine(to: point)
                last = point
            }
        }
        if isClosed { path.close() }
        return path
    }
}

extension BezierContour: Animatable {
    func interpolated(to other: BezierContour, by fraction: (Int) -> Double) -> BezierContour {
        // Paths with different numbers of vertices cannot be interpolated.
        guard vertices.count == other.vertices.count else { return self }
        let part = fraction(0)
        func mix(_ a: Point, _ b: Point) -> Point { a + (b - a) * part }
        let mixed = zip(vertices, other.vertices).map { a, b in
            Vertex(mix(a.point, b.point), into: mix(a.into, b.into), out: mix(a.out, b.out))
        }
        return BezierContour(mixed, isClosed: isClosed)
    }

    func distance(to other: BezierContour) -> Double {
        guard vertices.count == other.vertices.count else { return .greatestFiniteMagnitude }
        return zip(vertices, other.vertices).reduce(0) { maximum, pair in
            max(
                maximum, pair.0.point.distance(to: pair.1.point), pair.0.into.distance(to: pair.1.into),
                pair.0.out.distance(to: pair.1.out))
        }
    }

    /// Loops with an offset repeat paths unchanged, as After Effects has no offsets of paths.
    func offset(from start: BezierContour, to end: BezierContour, times: Double) -> BezierContour { self }
    var expressionResult: ExpressionResult { .path(self) }
    func replaced(by result: ExpressionResult) -> BezierContour? {
        guard case .path(let path) = result, path == self || path.isWithinExpressionLimits else { return nil }
        return path
    }

    private var isWithinExpressionLimits: Bool {
        vertices.count <= LottieLimits.maxExpressionVertices
            && vertices.flatMap { [$0.point, $0.into, $0.out] }.allSatisfy {
                abs($0.x) <= LottieLimits.maxResult && abs($0.y) <= LottieLimits.maxResult
            }
    }
}

extension BezierContour: Readable {
    init(reading field: Field) throws {
        guard let shape = field.isArray ? field.items.first : field else { throw field.error("expected a path") }
        guard let points = try shape["v"]?.items.map({ try $0.point() }) else {
            throw shape.error("the path has no vertices (v)")
        }
        func tangents(_ key: String) throws -> [Point] {
            guard let list = shape[key] else { return points.map { _ in .zero } }
            let tangents = try list.items.map { try $0.point() }
            guard tangents.count == points.count else {
                throw list.error("\(tangents.count) tangents for \(points.count) vertices; the numbers must be equal")
            }
            return shape.context.hasAbsoluteTangents ? zip(tangents, points).map { $0 - $1 } : tangents
        }
        let into = try tangents("i")
        let out = try tangents("o")
        let vertices = points.indices.map { index in
            Vertex(points[index], into: points[index] + into[index], out: points[index] + out[index])
        }
        self.init(vertices, isClosed: try shape["c"].map { try $0.number() != 0 } ?? shape.context.isClosed ?? false)
    }
}
