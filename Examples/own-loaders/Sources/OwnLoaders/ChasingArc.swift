import LoaderVideo

/// An arc whose head runs away from its tail, which then catches up.
public struct ChasingArc: CatalogLoader {
    public static let id = "chasing-arc"
    public static let title = LocalizedText("Chasing arc", zh: "追逐的圆弧")

    static let width = Parameter.number("width", 5, 1...20, "Width of the line")
    public static let parameters: [any LoaderParameter] = [width]
    private static let (color, center, radius) = (Color(255, 149, 0), Point(40, 40), 28.0)
    private let values: ParameterValues
    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }

    public var canvas: Size { Size(80, 80) }
    public var period: Rational { Rational(8, 5) }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        [(LocalizedText("grow", zh: "变长"), period / 2), (LocalizedText("shrink", zh: "变短"), period / 2)]
    }

    /// Returns the angles of the tail and head in radians. Both make one turn per period.
    private func angles(at time: Rational) -> (tail: Double, head: Double) {
        let turn = (time / period).double
        func eased(_ start: Double) -> Double { 0.8 * TimingFunction.easeInEaseOut(turn * 2 - start) + 0.2 * turn }
        return (2 * .pi * (eased(1) - 0.25), 2 * .pi * (eased(0) - 0.15))
    }

    public func nodes(at time: Rational) -> [Node] {
        let (tail, head) = angles(at: time)
        var path = Path()
        path.addArc(center: Self.center, radius: Self.radius, startAngle: tail, endAngle: head)
        return [.shape(Shape(path, stroke: Stroke(Self.color, width: values[Self.width], cap: .round)))]
    }

    public func objects(at time: Rational) -> [MovingObject] {
        [("tail", angles(at: time).tail), ("head", angles(at: time).head)].map { name, angle in
            let place = Self.center.moved(by: Self.radius, towards: angle)
            return MovingObject(name, Self.color, at: place, labelSide: .outward(row: 0))
        }
    }
}
