import Core
import Render

/// The progress of a transition at the start of a shot: labels leave, then everything else that
/// leaves fades out, the board moves, and what enters fades in.
struct Transition: Sendable {
    /// The maximum length in seconds. Interface guidelines give 0.3 to 0.5 s to changes of a whole
    /// screen.
    static let maxLength = Rational(1, 2)
    /// The time in seconds in which labels leave. Boards and loaders wait for them.
    static let labelsLength = Rational(1, 10)
    /// The share of the transition after which one text has left and another one enters: two texts
    /// that fade into each other are not legible.
    private static let half = 0.5
    /// The share of the transition that a panel takes to leave, and another one to enter, if the
    /// board moves between the two.
    private static let panelShare = 0.25

    /// The share of the transition that is over, 0...1.
    let progress: Double
    /// The share of the transition after which labels have left.
    private let labelsEnd: Double
    /// The shares of the transition between which loaders move on to another instant.
    private var motion = 0.0...1.0
    /// The shares of the transition between which boards move. What is beside them leaves before
    /// and enters after that.
    private(set) var boards = 0.0...1.0

    /// The transition at a time after the start of a shot.
    init(after elapsed: Rational, length: Rational) {
        progress = length > .zero ? min(1, max(0, (elapsed / length).double)) : 1
        labelsEnd = length > .zero ? min(Self.panelShare, (Self.labelsLength / length).double) : 1
    }

    /// Returns the transition with its parts in sequence.
    ///
    /// - Parameters:
    ///   - labelsLeave: true if labels leave, which must not stay behind when boards move.
    ///   - panelLeaves: true if a panel or title leaves, over which boards must not move.
    ///   - panelEnters: true if a panel or title enters where boards were.
    func scheduled(labelsLeave: Bool, panelLeaves: Bool, panelEnters: Bool) -> Transition {
        var scheduled = self
        let start = labelsLeave ? labelsEnd : 0
        scheduled.motion = start...1
        switch (panelLeaves, panelEnters) {
        case (true, true): scheduled.boards = Self.panelShare...1 - Self.panelShare
        case (true, false): scheduled.boards = Self.half...1
        case (false, true): scheduled.boards = start...Self.half
        case (false, false): scheduled.boards = start...1
        }
        return scheduled
    }

    /// The end of a transition.
    static let finished = Transition(after: 1, length: 1)

    var isRunning: Bool { progress < 1 }
    /// The share of the way to another instant that loaders have covered.
    var eased: Double { eased(in: motion) }
    /// The share of the way that boards have covered.
    var easedBoards: Double { eased(in: boards) }
    /// The share of the change of a box whose text changes: the box fits the text that it shows.
    var easedBox: Double { eased(in: Self.panelShare...1 - Self.panelShare) }
    /// The opacity of the parts that fade out. Fades are linear, so that no frame changes more than
    /// another.
    var leaving: Double { 1 - share(of: 0...Self.half) }
    /// The opacity of the parts that fade in.
    var entering: Double { share(of: Self.half...1) }
    /// The opacity of labels that leave.
    var labelsLeaving: Double { 1 - share(of: 0...labelsEnd) }
    /// The opacity of a panel that leaves before the board arrives.
    var panelLeaving: Double { 1 - share(of: 0...max(boards.lowerBound, labelsEnd)) }
    /// The opacity of a panel that enters after the board has left.
    var panelEntering: Double { share(of: (boards.upperBound < 1 ? boards.upperBound : Self.half)...1) }

    private func share(of range: ClosedRange<Double>) -> Double {
        min(1, max(0, (progress - range.lowerBound) / (range.upperBound - range.lowerBound)))
    }

    private func eased(in range: ClosedRange<Double>) -> Double {
        TimingFunction.easeInEaseOut(share(of: range))
    }
}

extension [Node] {
    /// Returns the nodes with an opacity: unchanged if it is 1, none if it is 0.
    func faded(_ opacity: Double) -> [Node] {
        if opacity >= 1 || isEmpty { return self }
        return opacity <= 0 ? [] : [.group(Group(opacity: opacity, nodes: self))]
    }

    /// Returns the nodes during the transition from others. Nodes that are in both do not change.
    func replacing(_ old: [Node], _ transition: Transition) -> [Node] {
        // A board clips all of its overlays as one group.
        if count == 1, old.count == 1, case .group(var group) = self[0], case .group(var before) = old[0] {
            let nodes = group.nodes
            let leaving = before.nodes
            group.nodes = []
            before.nodes = []
            if group == before {
                group.nodes = nodes.replacing(leaving, transition)
                return [.group(group)]
            }
        }
        let left = old.filter { !contains($0) }
        var nodes = left.faded(transition.labelsLeaving)
        var entering: [Node] = []
        for node in self {
            guard old.contains(node) else {
                entering.append(node)
                continue
            }
            nodes += entering.faded(transition.entering) + [node]
            entering = []
        }
        return nodes + entering.faded(transition.entering)
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
