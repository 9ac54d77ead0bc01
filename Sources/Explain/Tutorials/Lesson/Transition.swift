import Core
import Render

/// The progress of a transition at the start of a shot: what leaves fades out, the board moves,
/// and what enters fades in.
struct Transition: Sendable {
    /// The maximum length in seconds. Interface guidelines give 0.3 to 0.5 s to changes of a whole
    /// screen.
    static let maxLength = Rational(1, 2)
    /// The share of the transition after which what leaves has left.
    private static let leavingEnd = 0.5
    /// The share of the transition after which what enters begins.
    private static let enteringStart = 0.4

    /// The share of the transition that is over, 0...1.
    let progress: Double

    /// The transition at a time after the start of a shot.
    init(after elapsed: Rational, length: Rational) {
        progress = length > .zero ? min(1, max(0, (elapsed / length).double)) : 1
    }

    /// The end of a transition.
    static let finished = Transition(after: 1, length: 1)

    var isRunning: Bool { progress < 1 }
    /// The share of the way that moving parts have covered.
    var eased: Double { TimingFunction.easeInEaseOut(progress) }
    /// The share of the way that parts have covered that move once others have left.
    var easedAfterLeaving: Double {
        TimingFunction.easeInEaseOut(max(0, (progress - Self.leavingEnd) / (1 - Self.leavingEnd)))
    }
    /// The share of the way that parts have covered that make room for those that enter.
    var easedBeforeEntering: Double { TimingFunction.easeInEaseOut(min(1, progress / Self.enteringStart)) }
    /// The opacity of what leaves. Fades are linear, so that no frame changes more than another.
    var leaving: Double { 1 - min(1, progress / Self.leavingEnd) }
    /// The opacity of what enters.
    var entering: Double { max(0, (progress - Self.enteringStart) / (1 - Self.enteringStart)) }
}

extension [Node] {
    /// Returns the nodes with an opacity: unchanged if it is 1, none if it is 0.
    func faded(_ opacity: Double) -> [Node] {
        if opacity >= 1 || isEmpty { return self }
        return opacity <= 0 ? [] : [.group(Group(opacity: opacity, nodes: self))]
    }

    /// Returns the nodes moved by an offset.
    func shifted(by offset: Point) -> [Node] {
        offset == .zero || isEmpty ? self : [.group(Group(transform: .translation(offset), nodes: self))]
    }
}

extension Rect {
    /// Returns the rectangle at a share of the way to another one.
    func mixed(with other: Rect, _ share: Double) -> Rect {
        Rect(
            x: lerp(x, other.x, share), y: lerp(y, other.y, share), width: lerp(width, other.width, share),
            height: lerp(height, other.height, share))
    }
}
