import Core

/// QQ's pull-to-refresh drop.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
public struct QQPull: CatalogLoader {
    public static let id = "qq-pull"
    public static let title = LocalizedText("QQ's stretching drop", zh: "QQ 下拉水滴")
    public static let parameters = Drop.parameters

    private let drop: Drop
    private let gesture: Gesture

    public init(_ values: ParameterValues) throws(ParameterError) {
        drop = try Drop(values, top: Point(60, 40))
        gesture = values[Drop.gesture]
    }

    public var canvas: Size { Size(120, 140) }
    public var period: Rational { gesture.duration }

    /// The phases, one for each interval of the gesture.
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        zip(gesture.keyframes, gesture.keyframes.dropFirst()).map { from, to in
            (name: Self.name(from: from.distance, to: to.distance), duration: to.time - from.time)
        }
    }

    private static func name(from: Double, to: Double) -> LocalizedText {
        if to > from { return LocalizedText("pull", zh: "下拉") }
        if to < from { return LocalizedText("release", zh: "松手") }
        return to > 0 ? LocalizedText("hold", zh: "停住") : LocalizedText("rest", zh: "静止")
    }

    public func nodes(at time: Rational) -> [Node] { [drop.node(at: time)] }
    public func objects(at time: Rational) -> [MovingObject] { drop.objects(at: time) }
    public func landmarks(at time: Rational) -> [Landmark] { drop.landmarks(at: time) }
    public func construction(at time: Rational) -> [ConstructionLine] { drop.construction(at: time) }
}
