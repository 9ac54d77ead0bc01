import Core
import Animations

/// The most noticeable action of an object in a phase.
struct ObjectAction: Hashable {
    enum Kind: Int, CaseIterable {
        case drop, rise, left, right, bounce, swing, turn, grow, shrink, pulse, fadeIn, fadeOut, blink, draw, erase,
            morph
    }

    var kind: Kind
    /// The share of the canvas that the action concerns, about 0...1.
    var size: Double

    /// The share of the canvas's diagonal below which an action is not noticeable.
    private static let minSize = 0.003
    /// The share of the way that an object must end up from its start to have moved in a direction.
    private static let directShare = 0.35
    /// The sine of half the angle by which an object must turn for a pivot to be known.
    private static let minTurn = 0.05
    /// The largest distance from a circle about the pivot, relative to its radius.
    private static let maxPivotError = 0.02
    /// The share of an object's side that a turn by a radian, a complete fade or a new shape
    /// concerns.
    private static let changeShare = 0.25

    /// The share of its initial extent below which a stroke counts as erased.
    private static let erasedShare = 0.5

    /// The most noticeable action in an object's states during a phase; nil if it does nothing.
    init?(_ states: [ObjectState], of layer: MovingLayer, on canvas: Size) {
        let diagonal = (canvas.width * canvas.width + canvas.height * canvas.height).squareRoot()
        let seen = states.compactMap(\.bounds)
        guard let side = seen.map({ max($0.width, $0.height) }).max(), diagonal > 0 else { return nil }
        let isChanged = zip(states, states.dropFirst()).contains { $0.nodes != $1.nodes }
        if layer.isDrawnGradually, isChanged {
            let isErased = Self.extent(states.last) < Self.erasedShare * Self.extent(states.first)
            self.init(kind: isErased ? .erase : .draw, size: Self.changeShare * side / diagonal)
            return
        }
        let changes = [
            Self.translation(states), Self.scaling(states), Self.turning(states, side), Self.fading(states, side),
        ].compactMap(\.self)
        let best = changes.max { $0.size < $1.size }
        if let best, best.size / diagonal >= Self.minSize {
            self.init(kind: best.kind, size: best.size / diagonal)
        } else if isChanged, Self.changeShare * side / diagonal >= Self.minSize {
            self.init(kind: .morph, size: Self.changeShare * side / diagonal)
        } else {
            return nil
        }
    }

    private init(kind: Kind, size: Double) {
        self.kind = kind
        self.size = size
    }

    /// Returns the longer side of what is visible; 0 for nothing.
    private static func extent(_ state: ObjectState?) -> Double {
        state?.bounds.map { max($0.width, $0.height) } ?? 0
    }

    /// Returns the sum of the distances between successive values.
    private static func length(_ values: [Double]) -> Double {
        zip(values, values.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
    }

    private static func translation(_ states: [ObjectState]) -> ObjectAction? {
        let points = states.filter { $0.bounds != nil }.map(\.position)
        guard let first = points.first, let last = points.last else { return nil }
        let way = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        let net = last - first
        let isVertical = abs(net.y) >= abs(net.x)
        if turnsAboutPivot(states) { return ObjectAction(kind: .turn, size: way) }
        guard first.distance(to: last) >= directShare * way else {
            let isUpAndDown = length(points.map(\.y)) >= length(points.map(\.x))
            return ObjectAction(kind: isUpAndDown ? .bounce : .swing, size: way)
        }
        return ObjectAction(
            kind: isVertical ? (net.y > 0 ? .drop : .rise) : (net.x > 0 ? .right : .left), size: way)
    }

    /// True if an object turns about a fixed point, such as a needle about its axle.
    private static func turnsAboutPivot(_ states: [ObjectState]) -> Bool {
        let seen = states.filter { $0.bounds != nil }
        guard let first = seen.first else { return false }
        let angles = seen.map { ($0.rotation - first.rotation) * .pi / 180 }
        guard let farthest = angles.indices.max(by: { abs(sin(angles[$0] / 2)) < abs(sin(angles[$1] / 2)) }),
            abs(sin(angles[farthest] / 2)) > minTurn
        else { return false }
        // The pivot stays: (1 - R)(pivot - start) = end - start for the rotation R.
        let way = seen[farthest].position - first.position
        let (sine, rest) = (sin(angles[farthest]), 1 - cos(angles[farthest]))
        let determinant = rest * rest + sine * sine
        let pivot =
            first.position
            + Point(rest * way.x - sine * way.y, sine * way.x + rest * way.y) * (1 / determinant)
        let arm = first.position - pivot
        let radius = arm.distance(to: .zero)
        return zip(seen, angles).allSatisfy { state, angle in
            let turned = Point(cos(angle) * arm.x - sin(angle) * arm.y, sin(angle) * arm.x + cos(angle) * arm.y)
            return state.position.distance(to: pivot + turned) <= maxPivotError * radius
        }
    }

    private static func scaling(_ states: [ObjectState]) -> ObjectAction? {
        let seen = states.filter { $0.bounds != nil }
        var sides = seen.compactMap(\.bounds).map { ($0.width + $0.height) / 2 }
        if let first = seen.first, Set(seen.map(\.rotation)).count > 1 {
            // The bounds of an object that turns change with its angle.
            let unit = sides[0] / max(1e-6, abs(first.scale.x) + abs(first.scale.y))
            sides = seen.map { unit * (abs($0.scale.x) + abs($0.scale.y)) }
        }
        guard let first = sides.first, let last = sides.last else { return nil }
        let way = length(sides)
        let isDirect = abs(last - first) >= directShare * way
        return ObjectAction(kind: !isDirect ? .pulse : last > first ? .grow : .shrink, size: way)
    }

    private static func turning(_ states: [ObjectState], _ side: Double) -> ObjectAction? {
        let angle = length(states.map { $0.rotation * .pi / 180 })
        return angle == 0 ? nil : ObjectAction(kind: .turn, size: angle * changeShare * side)
    }

    private static func fading(_ states: [ObjectState], _ side: Double) -> ObjectAction? {
        let opacities = states.map { $0.bounds == nil ? 0 : $0.opacity }
        guard let first = opacities.first, let last = opacities.last else { return nil }
        let way = length(opacities)
        let isDirect = abs(last - first) >= directShare * way
        return ObjectAction(
            kind: !isDirect ? .blink : last > first ? .fadeIn : .fadeOut, size: way * changeShare * side)
    }
}

extension ObjectAction.Kind {
    /// The verb for one object, for several, and in Chinese.
    var verb: (singular: String, plural: String, chinese: String) {
        switch self {
        case .drop: ("drops", "drop", "落下")
        case .rise: ("rises", "rise", "上升")
        case .left: ("moves left", "move left", "左移")
        case .right: ("moves right", "move right", "右移")
        case .bounce: ("bounces", "bounce", "弹跳")
        case .swing: ("swings", "swing", "摆动")
        case .turn: ("turns", "turn", "转动")
        case .grow: ("grows", "grow", "变大")
        case .shrink: ("shrinks", "shrink", "变小")
        case .pulse: ("pulses", "pulse", "脉动")
        case .fadeIn: ("fades in", "fade in", "淡入")
        case .fadeOut: ("fades out", "fade out", "淡出")
        case .blink: ("blinks", "blink", "闪烁")
        case .draw: ("draws itself", "draw themselves", "描线")
        case .erase: ("erases itself", "erase themselves", "擦去")
        case .morph: ("changes shape", "change shape", "变形")
        }
    }
}
