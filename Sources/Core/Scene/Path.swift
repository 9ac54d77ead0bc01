/// A path of lines, circular arcs and Bézier curves, built like UIKit's `UIBezierPath`.
///
/// Arcs are kept as arcs, so that lengths and trimming are exact.
public struct Path: Sendable, Hashable {
    /// A path segment. All except `move` continue from the end of the previous segment.
    public enum Element: Sendable, Hashable {
        /// Starts a new subpath.
        case move(Point)
        /// A straight line.
        case line(Point)
        /// A quadratic Bézier curve with one control point.
        case quadratic(control: Point, end: Point)
        /// A cubic Bézier curve with two control points.
        case cubic(control1: Point, control2: Point, end: Point)
        /// A circular arc, clockwise if `endAngle > startAngle`, otherwise anticlockwise. A line
        /// connects the current point to its start.
        case arc(center: Point, radius: Double, startAngle: Double, endAngle: Double)
        /// A line back to the start of the subpath.
        case close
    }

    /// The segments in drawing order.
    public private(set) var elements: [Element] = []
    /// The bounds of the elements; nil without any. Cached, because bounds are read more often than
    /// paths are built.
    private var boundingBox: BoundingBox?
    /// Upper bounds for the cost of drawing the path.
    package private(set) var extent = Extent()
    /// True if all positions, radii and angles are finite.
    package private(set) var isFinite = true

    /// Upper bounds for the length of a path and the numbers of its curves and arcs.
    package struct Extent: Sendable {
        /// The length of the lines through all control points, with whole circles for arcs.
        package fileprivate(set) var length = 0.0
        /// The number of curves and arcs.
        package fileprivate(set) var curveCount = 0
        /// The number of arcs.
        package fileprivate(set) var arcCount = 0
        fileprivate var current = Point.zero
        fileprivate var first = Point.zero

        fileprivate mutating func add(_ point: Point) {
            let step = point - current
            length += (step.x * step.x + step.y * step.y).squareRoot()
            current = point
        }
    }

    /// An empty path.
    public init() {}

    /// Starts a new subpath at `point`.
    public mutating func move(to point: Point) { append(.move(point)) }

    /// Adds a straight line.
    public mutating func addLine(to point: Point) { append(.line(point)) }

    /// Adds a quadratic Bézier curve.
    public mutating func addQuadCurve(to end: Point, control: Point) {
        append(.quadratic(control: control, end: end))
    }

    /// Adds a cubic Bézier curve.
    public mutating func addCurve(to end: Point, control1: Point, control2: Point) {
        append(.cubic(control1: control1, control2: control2, end: end))
    }

    /// Adds an arc about `center` between two angles in radians, clockwise positive.
    ///
    /// The direction is the sign of `endAngle - startAngle`. Angles are not reduced modulo a full
    /// turn.
    public mutating func addArc(center: Point, radius: Double, startAngle: Double, endAngle: Double) {
        append(.arc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle))
    }

    /// Closes the current subpath.
    public mutating func close() { append(.close) }

    /// Appends a segment.
    public mutating func append(_ element: Element) {
        elements.append(element)
        isFinite = isFinite && element.isFinite
        switch element {
        case .move(let point):
            enclose(point)
            extent.first = point
            extent.current = point
        case .line(let point): include(point)
        case .quadratic(let control, let end):
            extent.curveCount += 1
            include(control)
            include(end)
        case .cubic(let control1, let control2, let end):
            extent.curveCount += 1
            include(control1)
            include(control2)
            include(end)
        case .arc(let center, let radius, let start, let end):
            Path.forEachExtremum(center: center, radius: radius, from: start, to: end) { enclose($0) }
            extent.curveCount += 1
            extent.arcCount += 1
            // A circle has a length of 2π radii, which is less than 7.
            extent.length += 7 * abs(radius)
        case .close: extent.add(extent.first)
        }
    }

    private mutating func include(_ point: Point) {
        enclose(point)
        extent.add(point)
    }

    private mutating func enclose(_ point: Point) {
        if boundingBox == nil { boundingBox = BoundingBox(point) } else { boundingBox?.add(point) }
    }

    public static func == (a: Path, b: Path) -> Bool { a.elements == b.elements }

    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }

    /// Returns a full circle that starts at 12 o'clock and runs clockwise, like
    /// `bezierPathWithOvalInRect:` rotated by -90 degrees.
    public static func circle(center: Point, radius: Double) -> Path {
        var path = Path()
        path.addArc(center: center, radius: radius, startAngle: -.pi / 2, endAngle: 1.5 * .pi)
        path.close()
        return path
    }

    /// Returns an open polyline; empty without points.
    public static func polyline(_ points: [Point]) -> Path {
        var path = Path()
        for (index, point) in points.enumerated() {
            if index == 0 { path.move(to: point) } else { path.addLine(to: point) }
        }
        return path
    }

    /// Returns a closed polygon.
    public static func polygon(_ corners: [Point]) -> Path {
        var path = polyline(corners)
        path.close()
        return path
    }

    /// Returns a closed rectangle.
    public static func rectangle(_ rect: Rect) -> Path { polygon(rect.corners) }

    /// A rectangle that contains the path: exact for lines and arcs, the bounds of the control
    /// points for curves.
    public var bounds: Rect? { boundingBox?.rect }

    /// Calls `body` with the ends of an arc and with its points furthest left, right, up and down.
    private static func forEachExtremum(
        center: Point, radius: Double, from start: Double, to end: Double, _ body: (Point) -> Void
    ) {
        body(center.moved(by: radius, towards: start))
        body(center.moved(by: radius, towards: end))
        let first = (min(start, end) / (.pi / 2)).rounded(.up)
        for quarter in 0..<4 where (first + Double(quarter)) * .pi / 2 <= max(start, end) {
            body(center.moved(by: radius, towards: (first + Double(quarter)) * .pi / 2))
        }
    }
}
