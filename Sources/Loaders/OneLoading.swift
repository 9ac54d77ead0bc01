import Motion
import Scene

/// OneLoading's first stage: an arc whose head overtakes its tail until it is a full circle.
///
/// Source: "A loading animation, part 1: taking a complex task apart". The tail (O) goes three quarters of a turn and the
/// head (D) one and a half, both anticlockwise.
public struct OneLoading: Loader {
    public static let id = "oneloading"
    public static let title = "OneLoading's growing arc"

    static let color = Parameter.color("color", Color(255, 0, 0), "Colour of the arc")
    static let radius = Parameter.number("radius", 40, 1...58, "Radius of the arc")
    static let lineWidth = Parameter.number("lineWidth", 2, 0.5...20, "Width of the line")
    static let duration = Parameter.time("duration", 2, Rational(1, 100)...60, "Length of the sweep")

    public static let parameters: [any LoaderParameter] = [color, radius, lineWidth, duration]

    private let values: ParameterValues

    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }

    public var stage: Size { Size(120, 120) }
    public var period: Rational { values[Self.duration] }
    public var stages: [(name: String, duration: Rational)] { [(name: "sweep", duration: period)] }

    public func nodes(at time: Rational) -> [Node] {
        let progress = (time / period).double
        var path = Path()
        path.addArc(
            center: Point(60, 60), radius: values[Self.radius],
            startAngle: 3.5 * .pi - 1.5 * .pi * progress, endAngle: 3 * .pi - 3 * .pi * progress)
        let stroke = Stroke(values[Self.color], width: values[Self.lineWidth], join: .round)
        return [.shape(Shape(path, stroke: stroke))]
    }
}
