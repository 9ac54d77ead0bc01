import Core

/// QQ's drop and QQ Mail's three balls in one scene, as in the figure of "iOS: iQIYI, QQ pull and
/// QQ Mail loading animations", part 2.
///
/// The period is the smallest whole number of ball cycles not shorter than the gesture: by default
/// two, 2.88 s. The drop rests once the gesture has ended.
public struct QQ: CatalogLoader {
    public static let id = "qq"
    public static let title = LocalizedText("QQ's drop over QQ Mail's three balls", zh: "QQ 下拉水滴与 QQ 邮箱三个小球")
    public static let parameters = Drop.parameters + BallTrio.parameters

    /// The maximum number of ball cycles in a period. Each adds six phases.
    private static let maxBallCycles = 1000

    private let drop: Drop
    private let balls: BallTrio
    private let ballCycles: Int

    public init(_ values: ParameterValues) throws(ParameterError) {
        drop = try Drop(values, top: Point(120, 40))
        balls = BallTrio(values: values, center: Point(120, 120))
        ballCycles = (values[Drop.gesture].duration / balls.period).ceiling
        guard ballCycles <= Self.maxBallCycles else {
            throw ParameterError(
                .usage,
                "gesture: \(values[Drop.gesture].duration) s need \(ballCycles) cycles of the balls, above the maximum of "
                    + "\(Self.maxBallCycles); increase tick or ticksPerPhase, or shorten the gesture",
                subjects: .parameters(Drop.gesture.name, BallTrio.tick.name, BallTrio.ticksPerPhase.name))
        }
    }

    public var canvas: Size { Size(240, 240) }
    public var period: Rational { balls.period * Rational(ballCycles) }
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] { balls.phaseDurations(cycles: ballCycles) }

    public func nodes(at time: Rational) -> [Node] { [drop.node(at: time)] + balls.nodes(at: time) }
    public func objects(at time: Rational) -> [MovingObject] { drop.objects(at: time) + balls.objects(at: time) }
    public func landmarks(at time: Rational) -> [Landmark] { drop.landmarks(at: time) }
    public func construction(at time: Rational) -> [ConstructionLine] { drop.construction(at: time) }
}
