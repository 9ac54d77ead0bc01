import Animations
import Core
import Render

/// The nodes of a shot at an instant, with the transition from the shot before it.
struct ShotScene {
    private let shot: PlacedShot
    /// The shot before; nil for the first shot and without transitions.
    private let before: PlacedShot?
    private let elapsed: Rational
    private let transition: Transition
    private let style: TransitionStyle

    /// The scene at a time in seconds after the start of a shot.
    init(_ shot: PlacedShot, before: PlacedShot?, after elapsed: Rational, _ style: TransitionStyle) {
        self.shot = shot
        self.elapsed = elapsed
        self.style = style
        let isMoving = style == .ease && before != nil
        let transition = isMoving ? Transition(after: elapsed, length: shot.transitionLength) : .finished
        self.before = transition.isRunning ? before : nil
        self.transition = self.before.map { Self.scheduled(transition, from: $0, to: shot) } ?? transition
    }

    /// Returns a transition in which boards wait for the labels, panels and titles that leave.
    private static func scheduled(_ transition: Transition, from old: PlacedShot, to new: PlacedShot) -> Transition {
        func hasPanel(_ shot: PlacedShot) -> Bool {
            shot.panel != nil || shot.shot.card != nil || shot.views.contains { !$0.title.isEmpty }
        }
        let changesPanel = old.segment != new.segment && !(new.shot.panel is CodeTransition)
        let changesPhase = entersNextPhase(from: old, to: new)
        let labelsLeave = zip(old.views, new.views).contains { old, new in
            !old.callouts.isEmpty || !old.view.show.isEmpty && (changesPhase || !old.hasSameAnnotations(as: new))
        }
        return transition.scheduled(
            labelsLeave: labelsLeave, panelLeaves: changesPanel && hasPanel(old),
            panelEnters: changesPanel && hasPanel(new))
    }

    var nodes: [Node] {
        guard let instant else { return headerNodes }
        return viewNodes + panelNodes(at: panelInstant ?? instant) + barNodes(at: instant) + headerNodes + titleNodes
    }

    // MARK: Time

    /// The steps into which the eased time is divided, so that its fractions stay short.
    private static let timeSteps = 4096.0

    /// The model time in seconds. During a transition to another step, it runs forward or back from
    /// the end of the shot before, whichever is shorter, so that the loader does not jump. After a
    /// freeze, it starts from rest. If the gap is too long for that, it waits while labels leave
    /// and then jumps, and the drawing of the shot before fades into the new one.
    var time: Rational {
        let time = shot.shot.modelTime(after: elapsed)
        guard let timeGap else { return time }
        if timeGap.isLong { return transition.eased == 0 ? timeGap.end : time }
        var distance = timeGap.distance
        if let before, case .still = before.shot.playback {
            distance = distance + time - shot.shot.modelTime(after: 0)
        }
        let rest = Int128(((1 - transition.eased) * Self.timeSteps).rounded())
        return time - distance * Rational(rest, Int128(Self.timeSteps))
    }

    /// The maximum model time in seconds that a loader covers while a step begins. With more, it
    /// would run several times faster than normal, in whichever direction is shorter.
    private static let maxTimeGap = Rational(3, 5)

    /// The model time from the end of the shot before to the start of this one, in seconds; nil if
    /// the loader does not move on.
    private var timeGap: TimeGap? { before.flatMap { Self.timeGap(from: $0, to: shot) } }

    private typealias TimeGap = (end: Rational, distance: Rational, isLong: Bool)

    private static func timeGap(from old: PlacedShot, to new: PlacedShot) -> TimeGap? {
        guard old.segment != new.segment, let loader = new.shot.views.first?.loader,
            let other = old.shot.views.first?.loader, other.id == loader.id, other.period == loader.period
        else { return nil }
        let end = old.endTime
        var distance = (new.shot.modelTime(after: 0) - end).modulo(loader.period)
        if distance > loader.period / 2 { distance = distance - loader.period }
        let isLong = distance > maxTimeGap || distance < Rational(-1) * maxTimeGap
        return (end, distance, isLong)
    }

    /// Returns true if a shot continues with the next phase, which has other ghosts and arrows.
    private static func entersNextPhase(from old: PlacedShot, to new: PlacedShot) -> Bool {
        guard let gap = timeGap(from: old, to: new), (.zero...Kinematics.step).contains(gap.distance),
            (old.views + new.views).contains(where: { !$0.view.show.isDisjoint(with: [.ghosts, .vectors]) })
        else { return false }
        return old.lastInstant?.phase != new.firstPhase
    }

    /// The times whose annotations leave and enter as the next phase begins; nil if it does not.
    private var phaseChange: (leaving: Rational, entering: Rational)? {
        guard let before, let timeGap, Self.entersNextPhase(from: before, to: shot) else { return nil }
        return (timeGap.end, max(time, shot.shot.modelTime(after: 0)))
    }

    /// The state of the panels; nil without a loader.
    var instant: PanelInstant? { instant(at: time) }

    /// The state of a panel that enters. It shows the time of its step even while the loader has
    /// not reached it; otherwise, its playhead, rows and pages would jump.
    private var panelInstant: PanelInstant? {
        guard let before, before.segment != shot.segment, !(shot.shot.panel is CodeTransition) else { return nil }
        return instant(at: shot.shot.modelTime(after: elapsed))
    }

    private func instant(at time: Rational) -> PanelInstant? {
        guard let loader = shot.shot.views.first?.loader else { return nil }
        let time = time.modulo(loader.period)
        let phase = loader.phase(at: time)
        guard style == .ease, case .moving(_, let slowmo) = shot.shot.playback else {
            return PanelInstant(time: time, phase: phase, previous: phase, elapsed: elapsed)
        }
        let sinceStart = time - phase.start
        let isFirst = elapsed / slowmo <= sinceStart || before != nil
        let index = (phase.index + loader.phases.count - 1) % loader.phases.count
        let length = min(PanelInstant.maxMove, phase.duration * slowmo / 2)
        let move = TimingFunction.easeInEaseOut(min(1, (sinceStart * slowmo / length).double))
        return PanelInstant(
            time: time, phase: phase, previous: isFirst ? phase : loader.phases[index], elapsed: elapsed,
            move: isFirst ? 1 : move,
            drawn: drawnShare(slowmo), slowmo: slowmo)
    }

    /// Returns the share of a chart's curves that has been drawn. They are drawn with the motion,
    /// unless the chart shows more than is played.
    private func drawnShare(_ slowmo: Rational) -> Double {
        guard let loader = shot.shot.views.first?.loader else { return 1 }
        let start = shot.shot.modelTime(after: 0)
        let length = shot.shot.duration / slowmo
        guard start == .zero || start + length <= loader.period else { return 1 }
        return min(1, (elapsed / slowmo / min(loader.period, length)).double)
    }

    // MARK: Loaders

    private var viewNodes: [Node] {
        let kept = shot.views.indices.flatMap { index -> [Node] in
            let view = shot.views[index]
            guard let before else { return settled(view) }
            return before.views.indices.contains(index)
                ? moving(from: before.views[index], to: view) : settled(view).faded(transition.entering)
        }
        let left = before?.views.dropFirst(shot.views.count) ?? []
        return left.flatMap { $0.layers(at: before?.endTime ?? 0).nodes.faded(transition.leaving) } + kept
    }

    /// Returns a loader after the transition, with its callouts.
    private func settled(_ view: PlacedView) -> [Node] {
        var layers = view.layers(at: time)
        if view.view.focus != nil {
            layers.canvas += view.shade(at: time, view.annotator, opacity: 1)
        } else if style == .ease {
            layers.canvas += view.shade(at: time, view.annotator, opacity: shot.revealed(-1, after: elapsed))
        }
        return layers.nodes
            + view.callouts.indices.flatMap { index in
                view.callouts[index].nodes(style == .ease ? shot.revealed(index, after: elapsed) : 1)
            }
    }

    /// The boards in which loaders are drawn, including those that leave.
    var boards: [Rect] {
        let boards = shot.views.indices.map { index -> Rect in
            guard let before, before.views.indices.contains(index) else {
                return shot.views[index].annotator.panelFrame
            }
            return annotator(from: before.views[index], to: shot.views[index]).panelFrame
        }
        return boards + (before?.views.dropFirst(shot.views.count).map(\.annotator.panelFrame) ?? [])
    }

    /// Returns an annotator with the board between those of two views.
    private func annotator(
        _ annotator: Annotator? = nil, from old: PlacedView, to new: PlacedView
    ) -> Annotator {
        let start = old.annotator
        let end = new.annotator
        // Without rounding, what stays on a board is the same to the bit.
        guard start.panelFrame != end.panelFrame || start.canvasFrame != end.canvasFrame else {
            return annotator ?? end
        }
        let share = transition.easedBoards
        return (annotator ?? end).moved(
            to: start.panelFrame.mixed(with: end.panelFrame, share),
            middle: old.middle + (new.middle - old.middle) * share,
            scale: exp(lerp(log(start.scale), log(end.scale), share)), between: start, and: end, share: share)
    }

    /// Returns a loader on its way from one board to another.
    private func moving(from old: PlacedView, to new: PlacedView) -> [Node] {
        let annotator = annotator(from: old, to: new)
        var layers = new.layers(at: time, annotator)
        // The time at which the step before is drawn.
        let oldTime = timeGap.flatMap { $0.isLong ? $0.end : nil } ?? time
        if oldTime != time {
            // The fades overlap, so that parts of both drawings do not turn pale.
            let share = transition.eased
            layers.canvas =
                old.layers(at: oldTime, annotator).canvas.faded(min(1, 1.5 * (1 - share)))
                + layers.canvas.faded(min(1, 1.5 * share))
        }
        let phaseChange = phaseChange
        if phaseChange != nil || oldTime != time || !new.hasSameAnnotations(as: old) {
            let leaving = old.layers(
                at: phaseChange?.leaving ?? oldTime, self.annotator(old.annotator, from: old, to: new))
            let entering = phaseChange.map { new.layers(at: $0.entering, annotator) } ?? layers
            layers.beneath = entering.beneath.replacing(leaving.beneath, transition)
            layers.above = entering.above.replacing(leaving.above, transition)
        }
        let focus = new.view.focus
        if focus == nil || focus != old.view.focus {
            layers.canvas += old.shade(at: oldTime, annotator, opacity: transition.leaving)
        }
        if focus != nil {
            let isSame = focus == old.view.focus
            layers.canvas += new.shade(at: time, annotator, opacity: isSame ? 1 : transition.entering)
        }
        return layers.nodes + old.callouts.flatMap { $0.nodes(1) }.faded(transition.labelsLeaving)
    }

    // MARK: Panels

    /// The distance by which a panel slides in, in points.
    private static let slide = 14.0

    private func panelNodes(at instant: PanelInstant) -> [Node] {
        let nodes = shot.panel?.nodes(at: instant) ?? []
        guard let before, before.segment != shot.segment, !(shot.shot.panel is CodeTransition) else { return nodes }
        let old = before.lastInstant.flatMap { before.panel?.nodes(at: $0) } ?? []
        let distance = Self.slide * (1 - TimingFunction.easeOut(transition.panelEntering))
        return old.faded(transition.panelLeaving)
            + nodes.faded(transition.panelEntering).shifted(by: Point(0, distance))
    }

    private func barNodes(at instant: PanelInstant) -> [Node] {
        guard let before else { return shot.phaseBar?.nodes(at: instant) ?? [] }
        if let bar = shot.phaseBar {
            guard before.phaseBar != nil else { return bar.nodes(at: instant).faded(transition.entering) }
            // The bar of a loader with another period has the same times at other positions.
            guard timeGap != nil, let last = before.lastInstant, let own = panelInstant else {
                return bar.nodes(at: instant)
            }
            // The playhead slides, and the colour of the current phase fades, straight from one
            // phase to the other, even if the loader passes the end of its period.
            return bar.nodes(from: last, to: own, transition.eased)
        }
        return before.phaseBar?.nodes(at: instant).faded(transition.leaving) ?? []
    }

    // MARK: Titles

    private var headerNodes: [Node] {
        guard let before else { return shot.header.nodes }
        return shot.header.nodes(from: before.header, transition)
    }

    private var titleNodes: [Node] {
        let titles = shot.views.flatMap(\.title)
        guard let before, before.segment != shot.segment else { return titles }
        return before.views.flatMap(\.title).faded(transition.leaving) + titles.faded(transition.entering)
    }
}
