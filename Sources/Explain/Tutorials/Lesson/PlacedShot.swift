import Animations
import Core
import Render

/// A shot with the positions of its parts in time and on the frame.
struct PlacedShot: Sendable {
    let shot: Shot
    /// The index of the segment that the shot belongs to.
    let segment: Int
    /// The index of the shot's first frame in the clip.
    var start: Int
    /// The number of frames.
    var count: Int
    /// The duration in seconds, in whole frames.
    let length: Rational
    let views: [PlacedView]
    let panel: (any PlacedPanel)?
    let header: PlacedHeader
    let phaseBar: PhaseBar?

    /// True if all frames after the transition are equal.
    var isStill: Bool { if case .still = shot.playback { shot.isSteady } else { false } }

    /// The length of the transition at the start, in seconds.
    var transitionLength: Rational { min(Transition.maxLength, length / 2) }

    /// The time after which a still shot does not change, in seconds.
    var settledTime: Rational { transitionLength + revealLength }

    /// The time that showing the callouts one after another takes, in seconds.
    var revealLength: Rational {
        let count = views.map(\.callouts.count).reduce(0, +)
        let wanted = Rational(Int128(count + 1), 5)
        return count == 0 ? 0 : min(wanted, length / 4)
    }

    /// Returns the opacity of a callout at a time in seconds after the start of the shot; index -1
    /// is the shade over everything that the callouts do not point at.
    func revealed(_ index: Int, after elapsed: Rational) -> Double {
        let count = views.map(\.callouts.count).reduce(0, +)
        let share = revealLength / Rational(count + 1)
        guard share > .zero else { return 1 }
        let start = transitionLength + share * Rational(max(0, index))
        return TimingFunction.easeOut(min(1, max(0, ((elapsed - start) / (2 * share)).double)))
    }

    /// The phase at the start of the shot; nil without a loader.
    var firstPhase: Phase? {
        guard let loader = shot.views.first?.loader else { return nil }
        return loader.phase(at: shot.modelTime(after: 0).modulo(loader.period))
    }

    /// The model time at the end of the shot, in seconds. At the end of a phase or period, objects
    /// have not yet jumped to what follows.
    var endTime: Rational {
        let end = shot.modelTime(after: shot.duration)
        if case .moving = shot.playback { return end - Kinematics.step }
        return end
    }

    /// The state of panels at the end of the shot; nil without a loader.
    var lastInstant: PanelInstant? {
        guard let loader = shot.views.first?.loader else { return nil }
        let time = endTime.modulo(loader.period)
        let phase = loader.phase(at: time)
        return PanelInstant(time: time, phase: phase, previous: phase, elapsed: shot.duration)
    }
}

/// A loader in its area of the frame, with annotations and callouts.
struct PlacedView: Sendable {
    let view: LoaderView
    let annotator: Annotator
    let callouts: [PlacedCallout]
    /// The title of a compared loader.
    let title: [Node]

    /// The point of the canvas in the middle of the board.
    var middle: Point {
        let panel = annotator.panelFrame
        let canvas = annotator.canvasFrame
        return Point(panel.center.x - canvas.x, panel.center.y - canvas.y) * (1 / annotator.scale)
    }

    func layers(at time: Rational, _ annotator: Annotator? = nil) -> PanelLayers {
        (annotator ?? self.annotator).panelLayers(at: time, points: view.points, hasLines: view.hasLines)
    }

    /// Returns true if another view has the same annotations.
    func hasSameAnnotations(as other: PlacedView) -> Bool {
        view.show == other.view.show && view.points == other.view.points && view.hasLines == other.view.hasLines
            && view.showsLabels == other.view.showsLabels
    }
}

extension Annotator {
    /// Returns the position and radius of an object or construction point on the frame.
    func target(_ name: String, at time: Rational) -> (center: Point, radius: Double)? {
        if let object = loader.objects(at: time).first(where: { $0.name == name }) {
            guard object.radius == 0, let drawn = loader.bounds(ofObject: name, at: time) else {
                return (place(object.discCenter), object.radius * scale)
            }
            return (place(drawn.center), min(drawn.width, drawn.height) / 2 * scale)
        }
        return loader.landmarks(at: time).first { $0.name == name }.map { (place($0.position), 3) }
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
            let start = x(phase.start)
            let end = x(phase.end)
            return Rect(x: start, y: frame.y + 3, width: max(0.5, end - start - 1.5), height: frame.height - 6)
        }
        self.frame = frame
        self.period = period
        self.theme = theme
    }

    func nodes(at instant: PanelInstant) -> [Node] {
        nodes(playhead: x(instant)) { instant.share(ofPhase: $0) }
    }

    /// Returns the bar at a share of the way from one instant to another.
    func nodes(from start: PanelInstant, to end: PanelInstant, _ share: Double) -> [Node] {
        nodes(playhead: lerp(x(start), x(end), share)) { index in
            lerp(start.share(ofPhase: index), end.share(ofPhase: index), share)
        }
    }

    private func x(_ instant: PanelInstant) -> Double { frame.x + frame.width * (instant.time / period).double }

    private func nodes(playhead x: Double, share: (Int) -> Double) -> [Node] {
        let current = theme.surface.mixed(with: theme.accent, 0.5)
        let segments = bars.indices.map { index in
            Node.shape(
                Shape(.rectangle(bars[index]), fill: theme.hairline.mixed(with: current, share(index))))
        }
        return segments + [Draw.dot(Point(x, frame.center.y), radius: 4.5, fill: theme.accent, outline: theme.surface)]
    }
}
