import Annotations
import Loaders
import Motion
import Scene
import Timing

/// A shot with everything in its place.
struct PlacedShot: Sendable {
    let shot: Shot
    /// The frame of the clip at which it begins, and how many it has.
    var start: Int
    var count: Int
    let stages: [PlacedStage]
    let board: (any PlacedBoard)?
    /// What is the same in all of its pictures: title, speed, names of stages.
    let fixed: [Node]
    /// The strip of all phases, if there is one.
    let strip: PhaseStrip?

    /// Whether all of its pictures are the same.
    var isStill: Bool { if case .still = shot.course { shot.isSteady } else { false } }

    /// What it shows so many seconds after its beginning.
    func nodes(after elapsed: Rational) -> [Node] {
        let time = shot.modelTime(after: elapsed)
        let views = zip(shot.stages, stages).flatMap { view, stage in stage.nodes(view, at: time) }
        guard let loader = shot.stages.first?.loader else { return fixed }
        let inner = time.modulo(loader.period)
        let moment = BoardMoment(time: inner, phase: loader.phase(at: inner), elapsed: elapsed)
        return views + (board?.nodes(at: moment) ?? []) + (strip?.nodes(at: moment) ?? []) + fixed
    }
}

/// A stage in its panel, with what is drawn over it.
struct PlacedStage: Sendable {
    let annotator: Annotator
    /// Explanations and what they point with.
    let callouts: [Node]

    func nodes(_ view: StageView, at time: Rational) -> [Node] {
        annotator.panelNodes(at: time, points: view.points, hasLines: view.hasLines) + callouts
    }
}

/// All phases in a row, with a mark at the present.
struct PhaseStrip: Sendable {
    private let bars: [Rect]
    private let frame: Rect
    private let period: Rational
    private let theme: AnnotationTheme

    /// Nil for a loader with one phase.
    init?(_ loader: any Loader, in frame: Rect, theme: AnnotationTheme) {
        guard loader.phases.count > 1 else { return nil }
        let period = loader.period
        func x(_ time: Rational) -> Double { frame.x + frame.width * (time / period).double }
        bars = loader.phases.map { phase in
            let (start, end) = (x(phase.start), x(phase.end))
            return Rect(x: start, y: frame.y + 3, width: max(0.5, end - start - 1.5), height: frame.height - 6)
        }
        (self.frame, self.period, self.theme) = (frame, period, theme)
    }

    func nodes(at moment: BoardMoment) -> [Node] {
        let x = frame.x + frame.width * (moment.time / period).double
        let segments = bars.indices.map { index in
            Node.shape(
                Shape(
                    .rectangle(bars[index]),
                    fill: index == moment.phase.index ? theme.canvas.mixed(with: theme.accent, 0.5) : theme.hairline))
        }
        return segments + [Draw.dot(Point(x, frame.center.y), radius: 4.5, fill: theme.accent, outline: theme.canvas)]
    }
}
