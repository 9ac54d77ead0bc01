import Core

/// PreLoader: two sticky spots that eject three small spots at each other.
///
/// Shows the steady state; all times are fractions of `duration`. Source: "PreLoader, an
/// interesting loader explained" (design by Volodymyr Kurbatov).
public struct PreLoader: CatalogLoader {
    public static let id = "preloader"
    public static let title = LocalizedText("The sticky PreLoader", zh: "粘性 PreLoader")

    static let color = Parameter.color("color", Color(235, 77, 138), "Colour of the spots")
    static let unitRadius = Parameter.number("unitRadius", 5, 1...10, "Radius of a moving spot's frame")
    static let duration = Parameter.time("duration", Rational(18, 5), Rational(1, 10)...600, "Duration of a cycle")
    static let delayRatio = Parameter.number(
        "delayRatio", 0.08, 0.075...0.12, unit: "of a cycle", "Delay of a spot after the one before it")
    static let growRatio = Parameter.number(
        "growRatio", 0.03, 0.001...0.03, unit: "of a cycle", "Time in which a fixed spot changes its size")
    static let stickyDistance = Parameter.number("stickyDistance", 20, 0...60, "Gap at which spots begin to stick")
    static let pathCorrection = Parameter.number(
        "pathCorrection", 2.2, 0...5, "Distance from a fixed spot's frame to the sticky path inside it")

    public static let parameters: [any LoaderParameter] = [
        color, unitRadius, duration, delayRatio, growRatio, stickyDistance, pathCorrection,
    ]

    /// The radius of a disc relative to its frame: the article's sprite is half a point smaller
    /// than its frame at scale 1.
    private static let discRatio = 0.9
    /// The angle from the vertical, in radians, at which the rebound's lines touch the spot. From
    /// the article.
    private static let tangentAngle = 35 * Double.pi / 180
    /// The offset of a rebounding spot in unit radii, by the scale of the fixed spot.
    private static let reboundShift = KeyframeTrack(keyTimes: [1, 2, 3, 4], values: [1, 1.2, 0, -0.8])

    /// One of the two fixed spots at some instant.
    private struct FixedSpot {
        var center: Point
        var scale: Double
        /// +1 on the right side of the canvas, -1 on the left: the direction away from the other
        /// spot.
        var outward: Double
    }

    private let values: ParameterValues
    private let movingTrack: KeyframeTrack
    private let leftTrack: KeyframeTrack
    private let rightTrack: KeyframeTrack
    private let left = Point(62.5, 125)
    private let right = Point(187.5, 125)

    public init(_ values: ParameterValues) throws(ParameterError) {
        self.values = values
        let unit = values[Self.unitRadius]
        let delay = values[Self.delayRatio]
        let grow = values[Self.growRatio]
        let leftRear = left.x - 4 * unit
        let rightRear = right.x + 4 * unit
        movingTrack = KeyframeTrack(
            keyTimes: [0, 0.25, 0.35, 0.38, 0.41, 0.75, 0.85, 0.88, 0.91, 1],
            values: [left.x, left.x, right.x, rightRear, right.x, right.x, left.x, leftRear, left.x, left.x])
        // The third spot returns after the end of the cycle: at 0.85 + 2 delay - 1.
        leftTrack = Self.scaleTrack(
            steps: [2 * delay - 0.15, 0.25, 0.25 + delay, 0.25 + 2 * delay, 0.85, 0.85 + delay],
            scales: [3, 4, 3, 2, 1, 2, 3], grow: grow)
        rightTrack = Self.scaleTrack(
            steps: [0.25, 0.25 + delay, 0.25 + 2 * delay, 0.65, 0.65 + delay, 0.65 + 2 * delay],
            scales: [1, 2, 3, 4, 3, 2, 1], grow: grow)
    }

    /// Returns a track that changes from each scale to the next in the interval `grow` after each
    /// step.
    private static func scaleTrack(steps: [Double], scales: [Double], grow: Double) -> KeyframeTrack {
        KeyframeTrack(
            keyTimes: [0] + steps.flatMap { [$0, $0 + grow] } + [1],
            values: zip(scales, scales).flatMap { [$0, $1] })
    }

    public var canvas: Size { Size(250, 250) }
    public var background: Color { Color(0x2F, 0x2E, 0x33) }
    public var period: Rational { values[Self.duration] }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        let parts: [(name: LocalizedText, percent: Int128)] = [
            (LocalizedText("rest left", zh: "停在左边"), 25), (LocalizedText("eject right", zh: "向右弹出"), 26),
            (LocalizedText("rest right", zh: "停在右边"), 24), (LocalizedText("eject left", zh: "向左弹出"), 25),
        ]
        return parts.map { (name: $0.name, duration: period * Rational($0.percent, 100)) }
    }

    public func nodes(at time: Rational) -> [Node] {
        let (fixed, moving) = spots(at: time)
        return fixed.map { disc($0.center, scale: $0.scale) } + moving.flatMap { movingSpot(at: $0, fixed: fixed) }
    }

    /// Returns the fixed spots, left and right, and the centres of the moving ones.
    private func spots(at time: Rational) -> (fixed: [FixedSpot], moving: [Point]) {
        let progress = (time / period).double
        func wrapped(_ fraction: Double) -> Double { fraction < 0 ? fraction + 1 : fraction }
        let fixed = [
            FixedSpot(center: left, scale: leftTrack.value(at: progress), outward: -1),
            FixedSpot(center: right, scale: rightTrack.value(at: wrapped(progress - 0.1)), outward: 1),
        ]
        let moving = (0..<3).map { index in
            Point(movingTrack.value(at: wrapped(progress - values[Self.delayRatio] * Double(index))), left.y)
        }
        return (fixed, moving)
    }

    public func objects(at time: Rational) -> [MovingObject] {
        let (fixed, moving) = spots(at: time)
        let color = values[Self.color]
        let unit = Self.discRatio * values[Self.unitRadius]
        let titles = [LocalizedText("left", zh: "左圆"), LocalizedText("right", zh: "右圆")]
        let fixedObjects = zip(titles, fixed).map { title, spot in
            MovingObject(
                title.english, title: title, color, at: spot.center, radius: unit * spot.scale, labelSide: .below)
        }
        return fixedObjects
            + moving.enumerated().map { index, center in
                MovingObject(
                    "spot \(index + 1)", title: LocalizedText("spot \(index + 1)", zh: "小球 \(index + 1)"), color,
                    at: center, radius: unit, depth: index + 1,
                    discCenter: anchor(ofRebound: center, from: fixed).map { reboundCenter(spot: center, anchor: $0) },
                    labelSide: .above(row: index + 1))
            }
    }

    private func disc(_ center: Point, scale: Double) -> Node {
        let radius = Self.discRatio * values[Self.unitRadius] * scale
        return .shape(Shape(.circle(center: center, radius: radius), fill: values[Self.color]))
    }

    /// Returns a moving spot with the shapes that connect it to the fixed ones.
    private func movingSpot(at spot: Point, fixed: [FixedSpot]) -> [Node] {
        let unit = values[Self.unitRadius]
        let disc = disc(spot, scale: 1)
        guard isOutside(spot, of: fixed) else { return [disc] }
        if let anchor = anchor(ofRebound: spot, from: fixed) {
            return [.shape(Shape(rebound(spot: spot, anchor: anchor), fill: values[Self.color]))]
        }
        let near = fixed.filter {
            beyond(spot, $0) < 0 && -beyond(spot, $0) - unit * $0.scale - unit < values[Self.stickyDistance]
        }
        return [disc] + near.map { .shape(Shape(bridge(spot: spot, anchor: $0), fill: values[Self.color])) }
    }

    /// Returns the signed distance by which a moving spot is beyond a fixed one, away from the
    /// other fixed spot.
    private func beyond(_ spot: Point, _ anchor: FixedSpot) -> Double {
        (spot.x - anchor.center.x) * anchor.outward
    }

    /// Returns true unless a moving spot is entirely inside a fixed one.
    private func isOutside(_ spot: Point, of fixed: [FixedSpot]) -> Bool {
        let unit = values[Self.unitRadius]
        return fixed.allSatisfy { $0.center.distance(to: spot) >= unit * $0.scale - unit }
    }

    /// Returns the fixed spot from which a moving spot rebounds, if any.
    private func anchor(ofRebound spot: Point, from fixed: [FixedSpot]) -> FixedSpot? {
        isOutside(spot, of: fixed) ? fixed.first { beyond(spot, $0) > 0 } : nil
    }

    /// Returns the distance of the sticky path's ends from the centre of a fixed spot. It is 0 for
    /// a spot that is smaller than the correction, so that the path does not cross itself.
    private func pathReach(of anchor: FixedSpot) -> Double {
        max(0, values[Self.unitRadius] * anchor.scale - values[Self.pathCorrection])
    }

    /// Returns the front shape: two curves from the fixed spot's top and bottom to the moving spot.
    private func bridge(spot: Point, anchor: FixedSpot) -> Path {
        let unit = values[Self.unitRadius]
        let reach = pathReach(of: anchor)
        let origin = anchor.center
        let middle = (anchor.center.x + spot.x) / 2
        var path = Path()
        path.move(to: Point(origin.x, origin.y - reach))
        path.addQuadCurve(to: Point(spot.x, spot.y - unit), control: Point(middle, spot.y - unit))
        addHalfCircle(to: &path, center: spot, side: -anchor.outward)
        path.addQuadCurve(to: Point(origin.x, origin.y + reach), control: Point(middle, spot.y + unit))
        path.close()
        return path
    }

    /// Returns the rear shape: the moving spot bulges out of the far side of the fixed one.
    private func rebound(spot: Point, anchor: FixedSpot) -> Path {
        let unit = values[Self.unitRadius]
        let reach = pathReach(of: anchor)
        let center = reboundCenter(spot: spot, anchor: anchor)
        let tangent = Point.zero.moved(by: unit, towards: Self.tangentAngle)
        let touchX = center.x + anchor.outward * tangent.y
        var path = Path()
        path.move(to: Point(anchor.center.x, anchor.center.y - reach))
        path.addLine(to: Point(touchX, center.y - tangent.x))
        addHalfCircle(to: &path, center: center, side: anchor.outward)
        path.addLine(to: Point(touchX, center.y + tangent.x))
        path.addLine(to: Point(anchor.center.x, anchor.center.y + reach))
        path.close()
        return path
    }

    /// Returns the centre at which a rebounding spot is drawn.
    private func reboundCenter(spot: Point, anchor: FixedSpot) -> Point {
        let shift = values[Self.unitRadius] * Self.reboundShift.value(at: anchor.scale)
        return Point(spot.x - anchor.outward * shift, spot.y)
    }

    /// Adds half a circle of the unit radius from top to bottom, over the right side (+1) or the
    /// left (-1).
    private func addHalfCircle(to path: inout Path, center: Point, side: Double) {
        path.addArc(
            center: center, radius: values[Self.unitRadius], startAngle: -.pi / 2, endAngle: -.pi / 2 + side * .pi)
    }
}
