import Core

/// iQIYI's network loader: a ring that is drawn and then erased around a triangle, which turns
/// during the erasure.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 1.
public struct IQIYI: CatalogLoader {
    public static let id = "iqiyi"
    public static let title = LocalizedText("iQIYI's ring and triangle", zh: "爱奇艺的圆环与三角形")

    static let color = Parameter.color("color", Color(64, 168, 59), "Colour of ring and triangle")
    static let ringDiameter = Parameter.number("ringDiameter", 70, 2...110, "Diameter of the ring's centre line")
    static let ringWidth = Parameter.number("ringWidth", 7, 0.5...30, "Width of the ring's line")
    static let triangleRadius = Parameter.number("triangleRadius", 20, 1...50, "Circumradius of the triangle")
    static let triangleWidth = Parameter.number("triangleWidth", 2, 0...20, "Width of the triangle's outline")
    static let duration = Parameter.time(
        "duration", Rational(3, 5), Rational(1, 100)...60, "Duration of drawing and of erasing")
    static let leadIn = Parameter.time("leadIn", 0, 0...60, "Time for which only the resting triangle is shown")

    public static let parameters: [any LoaderParameter] = [
        color, ringDiameter, ringWidth, triangleRadius, triangleWidth, duration, leadIn,
    ]

    /// The part of the ring that is ever drawn, as fractions of its length. From the article.
    private static let strokeRange = (start: 0.02, end: 0.98)
    /// The clockwise rotation of the triangle in the erase phase, in radians: 240°, after which it
    /// looks the same.
    private static let turn = 4 * Double.pi / 3

    private let values: ParameterValues
    private let center = Point(60, 60)

    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }

    public var canvas: Size { Size(120, 120) }
    public var period: Rational { values[Self.leadIn] + values[Self.duration] * 2 }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        let duration = values[Self.duration]
        let cycle = [
            (name: LocalizedText("draw", zh: "绘制"), duration: duration),
            (name: LocalizedText("erase", zh: "擦除"), duration: duration),
        ]
        let leadIn = values[Self.leadIn]
        return leadIn > .zero ? [(name: LocalizedText("lead-in", zh: "片头"), duration: leadIn)] + cycle : cycle
    }

    public func nodes(at time: Rational) -> [Node] {
        let state = state(at: time)
        let triangle = triangle(angle: state.angle)
        return time < values[Self.leadIn] ? [triangle] : [ring(from: state.start, to: state.end), triangle]
    }

    /// Returns the ring's ends as fractions of its length, and the triangle's angle in radians.
    private func state(at time: Rational) -> (start: Double, end: Double, angle: Double) {
        let elapsed = (time - values[Self.leadIn]) / values[Self.duration]
        if elapsed < 0 { return (Self.strokeRange.start, Self.strokeRange.start, 0) }
        let fraction = elapsed.modulo(1).double
        let edge = lerp(Self.strokeRange.start, Self.strokeRange.end, TimingFunction.easeInEaseOut(fraction))
        if elapsed < 1 { return (Self.strokeRange.start, edge, 0) }
        return (edge, Self.strokeRange.end, Self.turn * fraction)
    }

    public func objects(at time: Rational) -> [MovingObject] {
        let state = state(at: time)
        func onRing(_ fraction: Double) -> Point {
            center.moved(by: values[Self.ringDiameter] / 2, towards: 2 * .pi * fraction - .pi / 2)
        }
        let color = values[Self.color]
        let cap = values[Self.ringWidth] / 2
        let tip = center.moved(by: values[Self.triangleRadius], towards: state.angle)
        return [
            // The ends meet after each phase, so their labels are in different rows.
            MovingObject(
                "tail", title: LocalizedText("tail", zh: "尾部"), color, at: onRing(state.start), radius: cap,
                labelSide: .outward(row: 1)),
            MovingObject(
                "head", title: LocalizedText("head", zh: "头部"), color, at: onRing(state.end), radius: cap,
                labelSide: .outward(row: 0)),
            MovingObject(
                "tip", title: LocalizedText("tip", zh: "顶点"), color, at: tip, labelSide: .turned(-40 * .pi / 180)),
        ]
    }

    private func ring(from start: Double, to end: Double) -> Node {
        let path = Path.circle(center: center, radius: values[Self.ringDiameter] / 2)
        let stroke = Stroke(
            values[Self.color], width: values[Self.ringWidth], cap: .round, join: .round, start: start, end: end)
        return .shape(Shape(path, stroke: stroke))
    }

    private func triangle(angle: Double) -> Node {
        // The outline has the triangle's colour, so both are one triangle. With miter joins, the
        // outline moves the sides out by half its width and the corners of 60° by all of it.
        let radius = values[Self.triangleRadius] + values[Self.triangleWidth]
        let corners = [0, 2, 4].map { Point.zero.moved(by: radius, towards: .pi / 3 * $0) }
        let shape = Shape(.polygon(corners), fill: values[Self.color])
        return .group(
            Group(transform: AffineTransform.rotation(angle).then(.translation(center)), nodes: [.shape(shape)]))
    }
}
