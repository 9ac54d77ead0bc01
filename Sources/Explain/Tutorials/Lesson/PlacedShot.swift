import Render
import Animations
import Core

/// A shot with the positions of its parts in time and on the frame.
struct PlacedShot: Sendable {
    let shot: Shot
    /// The index of the shot's first frame in the clip.
    var start: Int
    /// The number of frames.
    var count: Int
    let views: [PlacedView]
    let panel: (any PlacedPanel)?
    /// The nodes that are equal in all frames: the title, the speed and the titles of compared
    /// loaders.
    let fixed: [Node]
    let phaseBar: PhaseBar?

    /// True if all frames are equal.
    var isStill: Bool { if case .still = shot.playback { shot.isSteady } else { false } }

    /// Returns the nodes at a time in seconds after the start of the shot.
    func nodes(after elapsed: Rational) -> [Node] {
        let time = shot.modelTime(after: elapsed)
        let viewNodes = zip(shot.views, views).flatMap { view, placed in placed.nodes(view, at: time) }
        guard let loader = shot.views.first?.loader else { return fixed }
        let timeInPeriod = time.modulo(loader.period)
        let instant = PanelInstant(time: timeInPeriod, phase: loader.phase(at: timeInPeriod), elapsed: elapsed)
        return viewNodes + (panel?.nodes(at: instant) ?? []) + (phaseBar?.nodes(at: instant) ?? []) + fixed
    }
}

/// A loader in its area of the frame, with annotations and callouts.
struct PlacedView: Sendable {
    let annotator: Annotator
    /// The nodes of the callouts and their lines.
    let callouts: [Node]

    func nodes(_ view: LoaderView, at time: Rational) -> [Node] {
        annotator.panelNodes(at: time, points: view.points, hasLines: view.hasLines) + callouts
    }
}

/// A bar of all phases with a playhead.
struct PhaseBar: Sendable {
    private let bars: [Rect]
    private let frame: Rect
    private let period: Rational
    private let theme: AnnotationTheme

    /// Creates the bar; nil for a loader with one phase.
    init?(_ loader: any Loader, in frame: Rect, theme: AnnotationTheme) {
        guard loader.phases.count > 1 else { return nil }
        let period = loader.period
        func x(_ time: Rational) -> Double { frame.x + frame.width * (time / period).double }
        bars = loader.phases.map { phase in
            let (start, end) = (x(phase.start), x(phase.end))
            return Rect(x: start, y: frame.y + 3, width: max(0.5, end - start - 1.5), height: frame.height - 6)
        }
        self.frame = frame
        self.period = period
        self.theme = theme
    }

    func nodes(at instant: PanelInstant) -> [Node] {
        let x = frame.x + frame.width * (instant.time / period).double
        let segments = bars.indices.map { index in
            Node.shape(
                Shape(
                    .rectangle(bars[index]),
                    fill: index == instant.phase.index ? theme.surface.mixed(with: theme.accent, 0.5) : theme.hairline))
        }
        return segments + [Draw.dot(Point(x, frame.center.y), radius: 4.5, fill: theme.accent, outline: theme.surface)]
    }
}
