import Motion
import Scene

/// QQ Mail's red, yellow and green ball, which swap places in six phases.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
public struct QQMail: Loader {
    public static let id = "qq-mail"
    public static let title = "QQ Mail's three balls"
    public static let parameters = BallTrio.parameters

    private let balls: BallTrio

    public init(_ values: ParameterValues) throws(ParameterError) {
        balls = BallTrio(values: values, center: Point(60, 30))
    }

    public var stage: Size { Size(120, 60) }
    public var period: Rational { balls.period }
    public var stages: [(name: String, duration: Rational)] { balls.stages(cycles: 1) }

    public func nodes(at time: Rational) -> [Node] { balls.nodes(at: time) }
    public func objects(at time: Rational) -> [MovingObject] { balls.objects(at: time) }
}

extension BallTrio {
    /// The phases of some cycles, named after what the balls do.
    func stages(cycles: Int) -> [(name: String, duration: Rational)] {
        let names = [
            "red and green meet in the middle", "red moves out right, yellow left", "red and yellow meet in the middle",
            "yellow moves out right, green left", "yellow and green meet in the middle",
            "green moves out right, red left",
        ]
        return (0..<cycles * names.count).map { (name: names[$0 % names.count], duration: phaseDuration) }
    }
}
