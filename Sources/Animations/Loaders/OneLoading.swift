import Core

/// The first step of OneLoading: an arc that grows into a full circle, because its head is faster
/// than its tail.
///
/// The tail (O) makes three quarters of a turn and the head (D) one and a half, both anticlockwise.
/// The later steps of the animation are not drawn. Source: "A loading animation, part 1: taking a
/// complex task apart".
public struct OneLoading: CatalogLoader {
    public static let id = "oneloading"
    public static let title = LocalizedText("OneLoading's growing arc", zh: "OneLoading 圆弧")

    static let color = Parameter.color("color", Color(255, 0, 0), "Colour of the arc")
    static let radius = Parameter.number("radius", 40, 1...58, "Radius of the arc")
    static let lineWidth = Parameter.number("lineWidth", 2, 0.5...20, "Width of the line")
    static let duration = Parameter.time("duration", 2, Rational(1, 100)...60, "Duration of the sweep")

    public static let parameters: [any LoaderParameter] = [color, radius, lineWidth, duration]

    private let values: ParameterValues

    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }

    public var canvas: Size { Size(120, 120) }
    public var period: Rational { values[Self.duration] }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        [(name: LocalizedText("sweep", zh: "扫过"), duration: period)]
    }

    private let center = Point(60, 60)

    /// Returns the angles of the arc's tail (O) and head (D) in radians.
    private func angles(at time: Rational) -> (origin: Double, dest: Double) {
        let progress = (time / period).double
        return (3.5 * .pi - 1.5 * .pi * progress, 3 * .pi - 3 * .pi * progress)
    }

    public func nodes(at time: Rational) -> [Node] {
        let (origin, dest) = angles(at: time)
        var path = Path()
        path.addArc(center: center, radius: values[Self.radius], startAngle: origin, endAngle: dest)
        let stroke = Stroke(values[Self.color], width: values[Self.lineWidth], join: .round)
        return [.shape(Shape(path, stroke: stroke))]
    }

    public func objects(at time: Rational) -> [MovingObject] {
        landmarks(at: time).map {
            MovingObject($0.name, values[Self.color], at: $0.position, labelSide: $0.labelSide)
        }
    }

    public func landmarks(at time: Rational) -> [Landmark] {
        let (origin, dest) = angles(at: time)
        let radius = values[Self.radius]
        return [
            // The head passes the tail, so the tail's label is further out.
            Landmark("O", center.moved(by: radius, towards: origin), labelSide: .outward(row: 1), centerOf: "O"),
            Landmark("D", center.moved(by: radius, towards: dest), labelSide: .outward(row: 0), centerOf: "D"),
        ]
    }

    /// Returns the radii to both ends of the arc.
    public func construction(at time: Rational) -> [ConstructionLine] {
        landmarks(at: time).map { .polyline([center, $0.position]) }
    }
}
