import Core

/// QQ Mail's red, yellow and green balls, which change positions in six phases.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
public struct QQMail: CatalogLoader {
    public static let id = "qq-mail"
    public static let title = LocalizedText("QQ Mail's three balls", zh: "QQ 邮箱三个小球")
    public static let parameters = BallTrio.parameters

    private let balls: BallTrio

    public init(_ values: ParameterValues) throws(ParameterError) {
        balls = BallTrio(values: values, center: Point(60, 30))
    }

    public var canvas: Size { Size(120, 60) }
    public var period: Rational { balls.period }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] { balls.phaseDurations(cycles: 1) }

    public func nodes(at time: Rational) -> [Node] { balls.nodes(at: time) }
    public func objects(at time: Rational) -> [MovingObject] { balls.objects(at: time) }
}

extension BallTrio {
    /// Returns the phases of a number of cycles, named after the balls' motion.
    func phaseDurations(cycles: Int) -> [(name: LocalizedText, duration: Rational)] {
        let names = [
            LocalizedText("red and green meet in the middle", zh: "红球、绿球在中间相遇"),
            LocalizedText("red moves out right, yellow left", zh: "红球向右、黄球向左分开"),
            LocalizedText("red and yellow meet in the middle", zh: "红球、黄球在中间相遇"),
            LocalizedText("yellow moves out right, green left", zh: "黄球向右、绿球向左分开"),
            LocalizedText("yellow and green meet in the middle", zh: "黄球、绿球在中间相遇"),
            LocalizedText("green moves out right, red left", zh: "绿球向右、红球向左分开"),
        ]
        return (0..<cycles * names.count).map { (name: names[$0 % names.count], duration: phaseDuration) }
    }
}
