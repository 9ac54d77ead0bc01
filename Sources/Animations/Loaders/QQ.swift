import Core

/// QQ's drop and QQ Mail's three balls in one scene, as in the article's figure.
///
/// The period is the smallest whole number of ball cycles that contains the gesture: by default two
/// cycles, 2.88 s. The drop rests once the gesture has ended.
public struct QQ: CatalogLoader {
    public static let id = "qq"
    public static let title = LocalizedText("QQ's drop over QQ Mail's three balls", zh: "QQ 下拉水滴与 QQ 邮箱三个小球")
    public static let parameters = Drop.parameters + BallTrio.parameters

    /// The maximum number of ball cycles in a period, each with six phases.
    private static let maxCycles = 1000

    private let drop: Drop
    private let balls: BallTrio
    private let cycles: Int

    public init(_ values: ParameterValues) throws(ParameterError) {
        drop = try Drop(values, top: Point(120, 40))
        balls = BallTrio(values: values, center: Point(120, 120))
        cycles = -(Rational.zero - values[Drop.gesture].duration / balls.period).floor
        guard cycles <= Self.maxCycles else {
            throw ParameterError(
                .usage,
                "gesture: \(values[Drop.gesture].duration) s take \(cycles) cycles of the balls, above the maximum of "
                    + "\(Self.maxCycles); increase tick or ticksPerPhase, or shorten the gesture",
                subjects: .parameters(Drop.gesture.name, BallTrio.tick.name, BallTrio.ticksPerPhase.name))
        }
    }

    public var canvas: Size { Size(240, 240) }
    public var period: Rational { balls.period * Rational(cycles) }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] { balls.phaseDurations(cycles: cycles) }

    public func nodes(at time: Rational) -> [Node] { [drop.node(at: time)] + balls.nodes(at: time) }
    public func objects(at time: Rational) -> [MovingObject] { drop.objects(at: time) + balls.objects(at: time) }
    public func landmarks(at time: Rational) -> [Landmark] { drop.landmarks(at: time) }
    public func construction(at time: Rational) -> [ConstructionLine] { drop.construction(at: time) }
}
