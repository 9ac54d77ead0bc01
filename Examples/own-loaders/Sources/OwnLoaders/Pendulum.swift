import LoaderVideo

/// A ball on a string that swings from side to side, drawn with a gradient.
public struct Pendulum: CatalogLoader {
    public static let id = "pendulum"
    public static let title = LocalizedText("Pendulum", zh: "单摆")

    static let reach = Parameter.number("reach", 40, 5...80, unit: "degrees", "How far it swings to each side")
    public static let parameters: [any LoaderParameter] = [reach]
    private let pivot = Point(60, 10)
    private let values: ParameterValues
    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }
    public var canvas: Size { Size(120, 100) }
    public var period: Rational { 2 }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        [(LocalizedText("to the right", zh: "向右"), 1), (LocalizedText("to the left", zh: "向左"), 1)]
    }

    private func ball(at time: Rational) -> Point {
        let swing = TimingFunction.easeInEaseOut(time < 1 ? time.double : 2 - time.double) * 2 - 1
        return pivot.moved(by: 66, towards: .pi / 2 - swing * values[Self.reach] * .pi / 180)
    }

    public func nodes(at time: Rational) -> [Node] {
        let ball = ball(at: time)
        let stops = [GradientStop(0, Color(255, 220, 120)), GradientStop(1, Color(200, 90, 0))]
        let light = RadialGradient(center: ball, radius: 11, focus: ball + Point(-4, -4), stops: stops)
        return [
            .shape(Shape(.polygon([pivot, ball]), stroke: Stroke(Color(90, 90, 90), width: 1.5))),
            .shape(Shape(.circle(center: ball, radius: 11), fill: .radialGradient(light))),
        ]
    }

    public func objects(at time: Rational) -> [MovingObject] {
        let title = LocalizedText("ball", zh: "小球")
        return [MovingObject("ball", title: title, Color(230, 140, 30), at: ball(at: time), radius: 11)]
    }

    public func construction(at time: Rational) -> [ConstructionLine] { [.polyline([pivot, Point(60, 76)])] }
}
