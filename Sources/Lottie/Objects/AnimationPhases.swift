import Animations
import Core

/// The phases of an animation, from its markers or, without markers, from the motion of the objects
/// that are shown.
enum AnimationPhases {
    typealias Phases = [(name: LocalizedText, duration: Rational)]

    /// The maximum number of inferred phases. More labels do not fit on a timeline.
    private static let maxPhases = 12
    /// The maximum number of inferred phases if turns in an object's path separate them. A loader
    /// that bounces more often has one phase for all its bounces.
    private static let maxPhasesWithTurns = 6
    /// The minimum duration in seconds of an inferred phase, and of one between markers. A shorter
    /// one is hardly visible as a step of its own.
    private static let minDuration = Rational(1, 10)
    /// The number of instants in a phase at which objects are measured.
    private static let samples = 12
    /// The number of instants if something changes between those, such as a jump in a long phase.
    private static let fineSamples = 72

    /// Returns the names and the durations in seconds. The durations add up to the period.
    ///
    /// - Parameter named: the objects after which inferred phases are named.
    static func durations(of survey: ObjectSurvey, named objects: [MovingLayer]) -> Phases {
        let marked = markedSpans(of: survey.animation)
        return marked.isEmpty ? phasesFromMotion(survey, named: objects) : phases(marked, survey, named: objects)
    }

    /// Returns true if the phases come from markers.
    static func comeFromMarkers(_ animation: Animation) -> Bool { !markedSpans(of: animation).isEmpty }

    // MARK: Markers

    /// A range of frames with the name of its marker; nil if the marker has none.
    private typealias MarkedSpan = (name: LocalizedText?, span: Span)

    /// Returns the phases of markers and those between them. A phase whose marker has no name is
    /// named after what objects do in it.
    private static func phases(_ marked: [MarkedSpan], _ survey: ObjectSurvey, named objects: [MovingLayer]) -> Phases {
        let unnamed = marked.indices.filter { marked[$0].name == nil }
        let found = PhaseName.unique(unnamed.map { name(of: marked[$0].span, objects, survey) })
        let names = Dictionary(uniqueKeysWithValues: zip(unnamed, found))
        return marked.indices.map { index in
            let (name, span) = marked[index]
            return (name ?? names[index] ?? LocalizedText(""), (span.end - span.start) / survey.animation.rate)
        }
    }

    /// Returns the ranges of markers and those between them; none if no marker has a name or a
    /// duration. Designers set such markers as cues for scripts, not as steps of the motion.
    private static func markedSpans(of animation: Animation) -> [MarkedSpan] {
        let markers = animation.markers.compactMap { $0.clipped(to: animation) }.sorted { $0.start < $1.start }
        let hasNames = markers.contains(where: \.isNamed)
        guard hasNames || markers.contains(where: { $0.duration > .zero }) else { return [] }
        var spans: [MarkedSpan] = []
        var time = animation.start
        func add(_ name: LocalizedText?, until end: Rational) {
            guard end > time else { return }
            spans.append((name, Span(start: time, end: end)))
            time = end
        }
        let gap = hasNames ? LocalizedText("unmarked", zh: "未标记") : nil
        // A gap of less than a frame comes from rounding, and one under `minDuration` is hardly
        // visible.
        let minGap = max(1, minDuration * animation.rate)
        for (index, marker) in markers.enumerated() {
            let next = index + 1 < markers.count ? markers[index + 1].start : animation.end
            let end = marker.duration > .zero ? min(next, marker.start + marker.duration) : next
            // Of markers that start together, the last one has the phase and a short gap before it.
            guard end > marker.start else { continue }
            if marker.start - time >= minGap { add(gap, until: marker.start) }
            add(marker.isNamed ? LocalizedText(marker.name) : nil, until: end)
        }
        if animation.end - time < minGap, let last = spans.indices.last {
            spans[last].span.end = animation.end
        } else {
            add(gap, until: animation.end)
        }
        return hasNames || spans.count > 1 ? spans : []
    }

    // MARK: Motion

    /// Returns the phases between the times at which several properties of the shown objects start
    /// or stop to change. Neighbours with the same name are one phase.
    private static func phasesFromMotion(_ survey: ObjectSurvey, named objects: [MovingLayer]) -> Phases {
        let animation = survey.animation
        let shown = survey.shown
        let ends = boundaries(of: shown, in: animation) + [animation.end]
        let starts = [animation.start] + ends.dropLast()
        let spans = zip(starts, ends).map { start, end in Span(start: start, end: end) }
        var merged: [Span] = []
        var names: [LocalizedText] = []
        for span in spans {
            let name = name(of: span, shown, survey)
            if let last = names.last, last == name {
                merged[merged.count - 1].end = span.end
            } else {
                merged.append(span)
                names.append(name)
            }
        }
        if objects.map(\.path) != shown.map(\.path) || objects.map(\.title) != shown.map(\.title) {
            names = merged.map { name(of: $0, objects, survey) }
        }
        return zip(PhaseName.unique(names), merged).map { ($0, ($1.end - $1.start) / animation.rate) }
    }

    /// A range of frames.
    private struct Span {
        var start: Rational
        var end: Rational
    }

    private static func name(of span: Span, _ objects: [MovingLayer], _ survey: ObjectSurvey) -> LocalizedText {
        let animation = survey.animation
        func fraction(_ frame: Rational) -> Double {
            ((frame - animation.start) / (animation.end - animation.start)).double
        }
        // The first and last instants lie just inside the phase, because objects can jump at its
        // ends.
        let margin = 1e-4 * (fraction(span.end) - fraction(span.start))
        let inside = fraction(span.start) + margin...fraction(span.end) - margin
        func named(_ layers: [MovingLayer], samples: Int, isAnySize: Bool = false) -> LocalizedText? {
            let fractions = (0..<samples).map {
                lerp(inside.lowerBound, inside.upperBound, Double($0) / Double(samples - 1))
            }
            let actions = survey.states(of: layers, at: fractions).map { layer, states in
                (
                    title: layer.title,
                    action: ObjectAction(states, of: layer, on: animation.size, isAnySize: isAnySize)
                )
            }
            return actions.allSatisfy { $0.action == nil } ? nil : PhaseName(actions, isStill: false).text
        }
        if let name = named(objects, samples: samples) { return name }
        let frames = (span.end - span.start).double
        guard !survey.isStill(during: inside, frames: frames) else { return PhaseName([], isStill: true).text }
        let paths = Set(objects.map(\.path))
        let others = survey.all.filter { !paths.contains($0.path) }
        return named(objects, samples: fineSamples) ?? named(others, samples: samples)
            ?? named(objects, samples: fineSamples, isAnySize: true) ?? named(others, samples: samples, isAnySize: true)
            ?? PhaseName([], isStill: survey.looksStill(during: inside, frames: frames)).text
    }

    /// Returns the frames between phases, in ascending order.
    private static func boundaries(of objects: [MovingLayer], in animation: Animation) -> [Rational] {
        var collector = MotionSpan.Collector()
        for object in objects { MotionSpan.collect(object.path, in: animation, into: &collector) }
        let ends = collector.spans.flatMap { [$0.start, $0.end] }
        let turns = collector.turns.flatMap { [$0, $0] }
        let detailed = boundaries(at: ends + turns, in: animation)
        let found = detailed.count < maxPhasesWithTurns ? detailed : boundaries(at: ends, in: animation)
        return found.map(Animation.frame)
    }

    /// Returns the frames that occur most often among those given, in ascending order. None is
    /// closer to another one, or to an end of the animation, than the minimum duration.
    private static func boundaries(at frames: [Double], in animation: Animation) -> [Double] {
        let start = animation.start.double
        let end = animation.end.double
        let minLength = (minDuration * animation.rate).double
        var counts: [(frame: Double, count: Int)] = []
        for frame in frames.sorted() where frame >= start + minLength && frame <= end - minLength {
            // Changes within a frame of the first one count as one boundary.
            if let last = counts.last, frame - last.frame <= 1 {
                counts[counts.count - 1].count += 1
            } else {
                counts.append((frame, 1))
            }
        }
        // A single property makes a boundary only if no two properties share one.
        let shared = counts.filter { $0.count > 1 }
        let ranked = (shared.isEmpty ? counts : shared).sorted { ($1.count, $0.frame) < ($0.count, $1.frame) }
        var found: [Double] = []
        for (frame, _) in ranked where found.count < maxPhases - 1 {
            // Rounding must not make a phase shorter than the minimum.
            if found.allSatisfy({ abs($0 - frame) >= minLength }) { found.append(frame) }
        }
        return found.sorted()
    }
}
