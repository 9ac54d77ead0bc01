import LoaderVideo

/// A row of dots that grow and shrink one after the other.
public struct PulsingDots: CatalogLoader {
    public static let id = "pulsing-dots"
    public static let title = LocalizedText("Pulsing dots", zh: "跳动的圆点")

    static let color = Parameter.color("color", Color(0, 122, 255), "Colour of the dots")
    static let count = Parameter.count("count", 3, 1...9, "How many dots there are")
    static let duration = Parameter.time("duration", Rational(6, 5), Rational(1, 10)...60, "Time from pulse to pulse")
    public static let parameters: [any LoaderParameter] = [color, count, duration]

    private static let size = KeyframeTrack(
        keyTimes: [0, 0.25, 0.5, 1], values: [4, 9, 4, 4],
        timingFunctions: [.easeInEaseOut, .easeInEaseOut, .linear])

    private let values: ParameterValues
    public init(_ values: ParameterValues) throws(ParameterError) { self.values = values }

    public var canvas: Size { Size(Double(values[Self.count]) * 24 + 16, 40) }
    public var period: Rational { values[Self.duration] }

    public func nodes(at time: Rational) -> [Node] {
        objects(at: time).map { .shape(Shape(.circle(center: $0.position, radius: $0.radius), fill: $0.color)) }
    }

    public func objects(at time: Rational) -> [MovingObject] {
        (0..<values[Self.count]).map { index in
            let delay = period * Rational(Int128(index), Int128(2 * values[Self.count]))
            let pulse = MediaTiming(duration: period, beginTime: delay).fraction(at: time).double
            return MovingObject(
                "dot \(index + 1)", title: LocalizedText("dot \(index + 1)", zh: "圆点 \(index + 1)"), values[Self.color],
                at: Point(Double(index) * 24 + 20, 20), radius: Self.size.value(at: pulse), labelSide: .below)
        }
    }
}
