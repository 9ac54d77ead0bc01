import Core

/// A path over frames as contours of lines and cubic curves, of which only the numbers change.
struct CurveTrack {
    struct Contour {
        /// True for a curve with two control points, false for a line; one for each segment.
        var isCurved: [Bool] = []
        var isClosed = false

        /// The number of coordinates: those of the start, and of each segment.
        var valueCount: Int { 2 + isCurved.reduce(0) { $0 + ($1 ? 6 : 2) } }
    }

    /// The contours with at least one segment.
    private(set) var contours: [Contour] = []
    /// The coordinates of each path, contour by contour: the start, then each segment's control
    /// points and end.
    private(set) var values: [[Double]] = []

    /// Converts paths of the same structure.
    init(_ paths: [Path]) {
        let arcs = CurveTrack.arcs(of: paths)
        for (index, path) in paths.enumerated() {
            var tracer = ContourTracer(arcs: arcs)
            tracer.trace(path)
            if index == 0 { contours = tracer.contours }
            values.append(tracer.values)
        }
    }

    /// Returns the number of curves that each arc needs in any of the paths, and whether a line
    /// leads to it, by the index of its element.
    private static func arcs(of paths: [Path]) -> [Int: ContourTracer.Arc] {
        var result: [Int: ContourTracer.Arc] = [:]
        for path in paths {
            var current: Point?
            var first = Point.zero
            for (index, element) in path.elements.enumerated() {
                if case .move(let point) = element { first = point }
                if case .arc(let center, let radius, let start, let end) = element {
                    // Quarter circles as cubic curves are off by at most 0.03% of the radius.
                    let count = Int(max(1, (abs(end - start) / (.pi / 2) - 1e-6).rounded(.up)))
                    let entry = center.moved(by: radius, towards: start)
                    let hasGap = current.map { $0.distance(to: entry) > 1e-4 } ?? false
                    if current == nil { first = entry }
                    let known = result[index] ?? ContourTracer.Arc(curveCount: 1, hasLine: false)
                    result[index] = ContourTracer.Arc(
                        curveCount: max(known.curveCount, min(count, 64)), hasLine: known.hasLine || hasGap)
                }
                current = element.end(closingAt: first)
            }
        }
        return result
    }
}

/// A tracer that converts one path to contours.
private struct ContourTracer {
    struct Arc {
        var curveCount: Int
        var hasLine: Bool
    }

    let arcs: [Int: Arc]
    private(set) var contours: [CurveTrack.Contour] = []
    private(set) var values: [Double] = []
    private var current = Point.zero
    private var first = Point.zero
    private var isOpen = false
    private var hasBegun = false

    init(arcs: [Int: Arc]) { self.arcs = arcs }

    mutating func trace(_ path: Path) {
        for (index, element) in path.elements.enumerated() {
            switch element {
            case .move(let point):
                isOpen = false
                current = point
                first = point
            case .line(let point): addLine(to: point)
            case .quadratic, .cubic:
                let curve = CubicCurve(element, from: current)
                addCurve(curve.p1, curve.p2, curve.p3)
            case .arc(let center, let radius, let start, let end):
                let arc = arcs[index] ?? Arc(curveCount: 4, hasLine: false)
                addArc(arc, center, max(0, radius), start, end)
            case .close:
                if isOpen { contours[contours.count - 1].isClosed = true }
                isOpen = false
                current = first
            }
            hasBegun = true
        }
    }

    /// Begins a contour at the current point unless one is open.
    private mutating func open() {
        guard !isOpen else { return }
        isOpen = true
        first = current
        contours.append(CurveTrack.Contour())
        values += [current.x, current.y]
    }

    private mutating func addLine(to point: Point) {
        open()
        contours[contours.count - 1].isCurved.append(false)
        values += [point.x, point.y]
        current = point
    }

    private mutating func addCurve(_ control1: Point, _ control2: Point, _ end: Point) {
        open()
        contours[contours.count - 1].isCurved.append(true)
        values += [control1.x, control1.y, control2.x, control2.y, end.x, end.y]
        current = end
    }

    private mutating func addArc(_ arc: Arc, _ center: Point, _ radius: Double, _ start: Double, _ end: Double) {
        let entry = center.moved(by: radius, towards: start)
        if arc.hasLine, hasBegun { addLine(to: entry) } else if !isOpen { current = entry }
        let step = (end - start) / Double(arc.curveCount)
        let handle = 4 / 3 * tan(step / 4) * radius
        for index in 0..<arc.curveCount {
            let a = start + step * Double(index)
            let b = start + step * Double(index + 1)
            let from = center.moved(by: radius, towards: a)
            let to = center.moved(by: radius, towards: b)
            addCurve(
                from.moved(by: handle, towards: a + .pi / 2), to.moved(by: -handle, towards: b + .pi / 2), to)
        }
    }
}

extension Path {
    /// The centre and radius of a path that is a full circle; nil for other paths.
    var wholeCircle: [Double]? {
        guard case .arc(let center, let radius, let start, let end)? = elements.first, elements.count == 2,
            elements[1] == .close, abs(abs(end - start) - 2 * .pi) < 1e-9
        else { return nil }
        return [center.x, center.y, max(0, radius)]
    }
}
