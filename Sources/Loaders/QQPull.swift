import Motion
import Scene

/// QQ's pull-to-refresh drop alone.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
public struct QQPull: Loader {
    public static let id = "qq-pull"
    public static let title = "QQ's stretching drop"
    public static let parameters = Drop.parameters

    private let drop: Drop
    private let gesture: Gesture

    public init(_ values: ParameterValues) throws(ParameterError) {
        drop = try Drop(values, top: Point(60, 40))
        gesture = values[Drop.gesture]
    }

    public var stage: Size { Size(120, 140) }
    public var period: Rational { gesture.duration }

    /// One phase for each interval of the gesture.
    public var stages: [(name: String, duration: Rational)] {
        zip(gesture.keyframes, gesture.keyframes.dropFirst()).map { from, to in
            let name =
                to.distance > from.distance
                ? "pull" : to.distance < from.distance ? "release" : to.distance > 0 ? "hold" : "rest"
            return (name: name, duration: to.time - from.time)
        }
    }

    public func nodes(at time: Rational) -> [Node] { [drop.node(at: time)] }
    public func objects(at time: Rational) -> [MovingObject] { drop.objects(at: time) }
    public func landmarks(at time: Rational) -> [Landmark] { drop.landmarks(at: time) }
}
