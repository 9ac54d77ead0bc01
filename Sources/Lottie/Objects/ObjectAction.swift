import Animations
import Core

/// The most noticeable action of an object in a phase.
struct ObjectAction: Hashable {
    enum Kind: Int, CaseIterable {
        case drop, rise, left, right, bounce, swing, turn, grow, shrink, pulse, fadeIn, fadeOut, blink, draw, erase,
            morph, roll, transform, recolor, shuttle, move, sweep
    }

    var kind: Kind
    /// The share of the canvas that the action concerns, about 0...1.
    var size: Double

    /// The share of the canvas's diagonal below which an action is not noticeable.
    private static let minSize = 0.003
    /// An object has moved in a direction if its distance from the start is at least this share of
    /// the length of its path. A size or an opacity has grown or shrunk by the same rule.
    private static let directShare = 0.35
    /// The sine of half the angle by which an object must turn for a pivot to be known.
    private static let minTurn = 0.05
    /// The largest distance from a circle about the pivot, relative to its radius.
    private static let maxPivotError = 0.02
    /// The share of an object's side that a turn by a radian, a complete fade or a new shape
    /// concerns.
    private static let changeShare = 0.25
    /// The minimum sum of shape changes, relative to the outline's size, of an object that changes
    /// shape, alone or beside a turn. A square that becomes a circle has 0.2.
    private static let newShape = 0.15
    /// The minimum size of an action that is the only change in a phase.
    private static let anySize = 1e-4

    /// The most noticeable action in an object's states during a phase; nil if it does nothing.
    ///
    /// - Parameter isAnySize: true to accept hardly noticeable changes as actions.
    init?(_ states: [ObjectState], of layer: MovingLayer, on canvas: Size, isAnySize: Bool = false) {
        let diagonal = (canvas.width * canvas.width + canvas.height * canvas.height).squareRoot()
        let seen = states.filter { $0.bounds != nil }
        guard let side = seen.compactMap(\.bounds).map({ max($0.width, $0.height) }).max(), diagonal > 0 else {
            return nil
        }
        let change = Self.changeShare * side / diagonal
        let minSize = isAnySize ? Self.anySize : Self.minSize
        if layer.isDrawnGradually, let action = Self.drawing(seen, size: change) {
            self = action
            return
        }
        let isChanged = zip(states, states.dropFirst()).contains { $0.nodes != $1.nodes }
        let best = Self.motion(states, side)
        let outlines = isChanged ? OutlineMotion(seen) : nil
        let isReshaped = (outlines?.shapeChange ?? 0) >= Self.newShape
        if let outlines, let turn = Self.turnInside(states, outlines, side), turn.size / diagonal >= minSize {
            self.init(kind: turn.kind, size: turn.size / diagonal)
        } else if let best, best.size / diagonal >= minSize {
            self.init(kind: best.kind == .turn && isReshaped ? .transform : best.kind, size: best.size / diagonal)
        } else if let outlines, !isReshaped, let inner = Self.motion(outlines.states, side, isContent: true),
            inner.size / diagonal >= minSize
        {
            self.init(kind: inner.kind, size: inner.size / diagonal)
        } else if let outlines, change >= minSize, Self.isVisiblyChanged(outlines, seen) {
            let isRepainted = outlines.shapeChange < Self.newShape && Self.changesPaint(seen)
            self.init(kind: isRepainted ? Self.repainting(seen) : .morph, size: change)
        } else {
            return nil
        }
    }

    /// Returns the largest of the motions that a layer's properties or its outlines make.
    private static func motion(_ states: [ObjectState], _ side: Double, isContent: Bool = false) -> ObjectAction? {
        [
            translation(states, isContent: isContent), scaling(states), turning(states, side), fading(states, side),
        ].compactMap(\.self).max { $0.size < $1.size }
    }

    /// Returns the turn or roll of rigid contents in a layer that neither turns nor changes its
    /// scale; nil if there is none. Their bounds grow and shrink, but a viewer sees the turn.
    private static func turnInside(
        _ states: [ObjectState], _ outlines: OutlineMotion, _ side: Double
    ) -> ObjectAction? {
        guard outlines.shapeChange < minShapeChange, Set(states.map(\.rotation)).count == 1,
            states.allSatisfy({ $0.scale == states[0].scale }),
            let motion = motion(outlines.states, side, isContent: true), [.turn, .roll].contains(motion.kind)
        else { return nil }
        return motion
    }

    /// Returns the action of strokes whose drawn part changes; nil if it does not.
    private static func drawing(_ seen: [ObjectState], size: Double) -> ObjectAction? {
        MovingObject.StrokeTrim.action(seen.compactMap(\.strokeTrim)).map { action in
            let kind: Kind =
                switch action {
                case .draws: .draw
                case .erases: .erase
                case .drawsAndErases: .sweep
                case .travels: .move
                }
            return ObjectAction(kind: kind, size: size)
        }
    }

    /// The minimum change of a paint's alpha that counts as a fade.
    private static let fadeAlpha = 0.02

    /// Returns the kind of a change of paints: a fade or a new colour.
    private static func repainting(_ seen: [ObjectState]) -> Kind {
        let alphas = seen.map { $0.nodes.flatMap(\.paints).map(\.alpha).max() ?? 0 }
        let change = (alphas.last ?? 0) - (alphas.first ?? 0)
        return abs(change) < fadeAlpha ? .recolor : change > 0 ? .fadeIn : .fadeOut
    }

    /// The sum of shape changes below which an outline keeps its shape for a viewer.
    private static let minShapeChange = 0.02

    /// Returns false if only outlines differ, and by too little to be seen, as rounding does.
    private static func isVisiblyChanged(_ outlines: OutlineMotion, _ seen: [ObjectState]) -> Bool {
        outlines.shapeChange >= minShapeChange || outlines.isStill || changesPaint(seen)
    }

    private static func changesPaint(_ seen: [ObjectState]) -> Bool {
        zip(seen, seen.dropFirst()).contains { $0.nodes.flatMap(\.paints) != $1.nodes.flatMap(\.paints) }
    }

    private init(kind: Kind, size: Double) {
        self.kind = kind
        self.size = size
    }

    /// Returns the sum of the distances between successive values.
    private static func length(_ values: [Double]) -> Double {
        zip(values, values.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
    }

    private static func translation(_ states: [ObjectState], isContent: Bool) -> ObjectAction? {
        let points = states.filter { $0.bounds != nil }.map(\.position)
        guard let first = points.first, let last = points.last else { return nil }
        let pathLength = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        let net = last - first
        let isVertical = abs(net.y) >= abs(net.x)
        if turnsAboutPivot(states) { return ObjectAction(kind: .turn, size: pathLength) }
        if isContent, !isVertical, isRolling(states, net.x) { return ObjectAction(kind: .roll, size: pathLength) }
        guard first.distance(to: last) >= directShare * pathLength else {
            let isUpAndDown = length(points.map(\.y)) >= length(points.map(\.x))
            return ObjectAction(kind: isUpAndDown ? .bounce : .swing, size: pathLength)
        }
        return ObjectAction(
            kind: isVertical ? (net.y > 0 ? .drop : .rise) : (net.x > 0 ? .right : .left), size: pathLength)
    }

    /// The minimum rotation, in degrees, of an object that rolls: a square turns by it along half
    /// of its side.
    private static let minRoll = 45.0

    /// Returns true if contents turn in the direction in which they move horizontally: clockwise to
    /// the right, or anticlockwise to the left.
    private static func isRolling(_ states: [ObjectState], _ distance: Double) -> Bool {
        guard let first = states.first, let last = states.last else { return false }
        let angle = last.rotation - first.rotation
        return abs(angle) >= minRoll && (angle > 0) == (distance > 0)
    }

    /// Returns true if an object turns about a fixed point, such as a needle about its axle.
    private static func turnsAboutPivot(_ states: [ObjectState]) -> Bool {
        let seen = states.filter { $0.bounds != nil }
        guard let first = seen.first else { return false }
        let angles = seen.map { ($0.rotation - first.rotation) * .pi / 180 }
        guard let farthest = angles.indices.max(by: { abs(sin(angles[$0] / 2)) < abs(sin(angles[$1] / 2)) }),
            abs(sin(angles[farthest] / 2)) > minTurn
        else { return false }
        // The pivot stays: (1 - R)(pivot - start) = end - start for the rotation R.
        let offset = seen[farthest].position - first.position
        let sine = sin(angles[farthest])
        let rest = 1 - cos(angles[farthest])
        let determinant = rest * rest + sine * sine
        let pivot =
            first.position
            + Point(rest * offset.x - sine * offset.y, sine * offset.x + rest * offset.y) * (1 / determinant)
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
        let change = length(sides)
        let isDirect = abs(last - first) >= directShare * change
        return ObjectAction(kind: !isDirect ? .pulse : last > first ? .grow : .shrink, size: change)
    }

    private static func turning(_ states: [ObjectState], _ side: Double) -> ObjectAction? {
        let angle = length(states.map { $0.rotation * .pi / 180 })
        return angle == 0 ? nil : ObjectAction(kind: .turn, size: angle * changeShare * side)
    }

    private static func fading(_ states: [ObjectState], _ side: Double) -> ObjectAction? {
        let opacities = states.map { $0.bounds == nil ? 0 : $0.opacity }
        guard let first = opacities.first, let last = opacities.last else { return nil }
        let change = length(opacities)
        let isDirect = abs(last - first) >= directShare * change
        return ObjectAction(
            kind: !isDirect ? .blink : last > first ? .fadeIn : .fadeOut, size: change * changeShare * side)
    }
}
