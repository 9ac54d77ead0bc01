import LoaderVideo

struct Blink: CatalogLoader {
    static let id = "blink"
    static let title = LocalizedText("Blink", zh: "闪烁")
    static let size = Parameter.number("size", 16, 1...40, "Diameter of the dot in points")
    static let parameters: [any LoaderParameter] = [size]

    let canvas = Size(40, 40)
    let period: Rational = 1
    private let radius: Double

    init(_ values: ParameterValues) { radius = values[Self.size] / 2 }

    func nodes(at time: Rational) -> [Node] {
        let share = KeyframeTrack(keyTimes: [0, 0.5, 1], values: [1, 0.4, 1]).value(at: (time / period).double)
        return [.shape(Shape(.circle(center: Point(20, 20), radius: radius * share), fill: Color(0, 122, 255)))]
    }
}
