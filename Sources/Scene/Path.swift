import Platform

/// A path of lines, circular arcs and Bézier curves, built in the manner of UIKit's `UIBezierPath`.
///
/// Arcs stay arcs, so that their lengths, and with them trimming, are exact.
public struct Path: Sendable, Hashable {
    /// One step of a path. All but `move` continue from where the step before ended.
    public enum Element: Sendable, Hashable {
        /// Begins a new subpath.
        case move(Point)
        /// A straight line.
        case line(Point)
        /// A quadratic Bézier curve with one control point.
        case quadratic(control: Point, end: Point)
        /// A cubic Bézier curve with two control points.
        case cubic(control1: Point, control2: Point, end: Point)
        /// A circular arc; clockwise if `endAngle > startAngle`, else anticlockwise. A line leads to its start.
        case arc(center: Point, radius: Double, startAngle: Double, endAngle: Double)
        /// A line back to where the subpath began.
        case close
    }

    /// The steps in drawing order.
    public private(set) var elements: [Element] = []

    /// An empty path.
    public init() {}

    /// Begins a new subpath at `point`.
    public mutating func move(to point: Point) { elements.append(.move(point)) }

    /// Adds a straight line.
    public mutating func addLine(to point: Point) { elements.append(.line(point)) }

    /// Adds a quadratic Bézier curve.
    public mutating func addQuadCurve(to end: Point, control: Point) {
        elements.append(.quadratic(control: control, end: end))
    }

    /// Adds a cubic Bézier curve.
    public mutating func addCurve(to end: Point, control1: Point, control2: Point) {
        elements.append(.cubic(control1: control1, control2: control2, end: end))
    }

    /// Adds an arc of `radius` points about `center`, from one angle to the other (radians, clockwise positive).
    ///
    /// The direction is the sign of `endAngle - startAngle`; nothing is taken modulo a full turn.
    public mutating func addArc(center: Point, radius: Double, startAngle: Double, endAngle: Double) {
        elements.append(.arc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle))
    }

    /// Closes the current subpath.
    public mutating func close() { elements.append(.close) }

    /// Appends a step as it is.
    public mutating func append(_ element: Element) { elements.append(element) }

    /// A full circle that starts at 12 o'clock and runs clockwise, as `bezierPathWithOvalInRect:` turned by -90 degrees.
    public static func circle(center: Point, radius: Double) -> Path {
        var path = Path()
        path.addArc(center: center, radius: radius, startAngle: -.pi / 2, endAngle: 1.5 * .pi)
        path.close()
        return path
    }

    /// Straight lines through the given points, open at their ends; nothing without points.
    public static func polyline(_ points: [Point]) -> Path {
        var path = Path()
        for (index, point) in points.enumerated() {
            if index == 0 { path.move(to: point) } else { path.addLine(to: point) }
        }
        return path
    }

    /// A closed polygon through the given corners.
    public static func polygon(_ corners: [Point]) -> Path {
        var path = polyline(corners)
        path.close()
        return path
    }

    /// A closed rectangle.
    public static func rectangle(_ rect: Rect) -> Path { polygon(rect.corners) }

    /// A rectangle that holds the whole path: exact for lines and arcs, the hull of the control points for curves.
    public var bounds: Rect? {
        var hull: Hull?
        func add(_ point: Point) {
            if hull == nil { hull = Hull(point) } else { hull?.add(point) }
        }
        for element in elements {
            switch element {
            case .move(let point), .line(let point): add(point)
            case .quadratic(let control, let end):
                add(control)
                add(end)
            case .cubic(let control1, let control2, let end):
                add(control1)
                add(control2)
                add(end)
            case .arc(let center, let radius, let start, let end):
                Path.forEachExtreme(center: center, radius: radius, from: start, to: end, add)
            case .close: break
            }
        }
        return hull?.rect
    }

    /// The ends of an arc and those of its points furthest left, right, up and down that it passes.
    private static func forEachExtreme(
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
