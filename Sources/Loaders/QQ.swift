import Motion
import Scene

/// QQ's drop and QQ Mail's three balls in one scene, as the article's picture shows them.
///
/// The period is the shortest whole number of ball cycles that holds the gesture: with the defaults two cycles,
/// 2.88 s. A shorter gesture rests where it ended.
public struct QQ: CatalogLoader {
    public static let id = "qq"
    public static let title = LocalizedText("QQ's drop over QQ Mail's three balls", zh: "QQ 下拉水滴与 QQ 邮箱三个小球")
    public static let parameters = Drop.parameters + BallTrio.parameters

    /// More ball cycles than anyone watches; each has six phases.
    private static let mostCycles = 1000

    private let drop: Drop
    private let balls: BallTrio
    private let cycles: Int

    public init(_ values: ParameterValues) throws(ParameterError) {
        drop = try Drop(values, top: Point(120, 40))
        balls = BallTrio(values: values, center: Point(120, 120))
        cycles = -(Rational.zero - values[Drop.gesture].duration / balls.period).floor
        guard cycles <= Self.mostCycles else {
            throw ParameterError(
                .usage,
                "the gesture of \(values[Drop.gesture].duration) s takes \(cycles) cycles of the balls: at most "
                    + "\(Self.mostCycles) are possible; make tick or ticksPerPhase larger, or the gesture shorter",
                about: .parameters(Drop.gesture.name, BallTrio.tick.name, BallTrio.ticksPerPhase.name))
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
