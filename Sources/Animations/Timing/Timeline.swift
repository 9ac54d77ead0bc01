import Core

/// One pass over a range of model time, as a function of output time: slow motion, holds and ramps.
///
/// All times are exact, except that model times inside ramps are rounded to a nanosecond.
public struct Timeline: Sendable, Hashable {
    /// The speed, holds and ramps of a timeline.
    public struct Style: Sendable, Hashable {
        /// The slow motion factor of the whole range; positive.
        public var slowmo: Rational = 1
        /// The duration of the hold at each boundary, in seconds of output.
        public var hold: Rational = 0
        /// The additional slow motion factor at each boundary; 1 plays evenly. The speed eases back
        /// between boundaries.
        public var ramp: Rational = 1
        /// True if only the boundaries are shown, each for the duration of `hold`.
        public var isStepped = false

        /// Even slow motion.
        public init(slowmo: Rational = 1) { self.slowmo = slowmo }
    }

    /// A span of output time in which model time stands still, runs evenly, or follows a ramp.
    fileprivate struct Span: Sendable, Hashable {
        var start: Rational
        var duration: Rational
        var model: Rational
        /// The speed at the start of the span, in model seconds per output second.
        var firstSpeed: Rational
        /// The speed at the end of the span, in model seconds per output second.
        var lastSpeed: Rational
    }

    /// The fraction of a phase's model time in which the speed eases, at each of its ends. The
    /// quarter between them plays at the even speed.
    private static let easedShare = Rational(3, 8)

    /// The range of model time that one pass shows, in seconds; its end belongs to the next pass.
    public let range: Range<Rational>
    /// The duration of one pass in seconds of output.
    public let duration: Rational
    /// The boundaries in the range: the output time at which each is first shown, and its model
    /// time, in seconds.
    public let boundaries: [(output: Rational, model: Rational)]
    private let spans: [Span]

    /// The timeline of a range of model time.
    ///
    /// - Parameters:
    ///   - range: the range in seconds of model time; not empty.
    ///   - boundaries: the start times of the phases in model time, in ascending order. Those
    ///     inside `range` and at its ends count.
    ///   - style: the speed, holds and ramps; slow motion and ramp are positive, the hold is not
    ///     negative, and positive if `isStepped` is true.
    public init(_ range: Range<Rational>, boundaries: [Rational], style: Style) {
        precondition(!range.isEmpty && style.slowmo > .zero && style.ramp > .zero && style.hold >= .zero)
        precondition(!style.isStepped || style.hold > .zero, "a stepped timeline needs a hold")
        var builder = Builder(style: style)
        let inner = boundaries.filter { $0 > range.lowerBound && $0 < range.upperBound }
        let known = Set(boundaries)
        for (from, to) in zip([range.lowerBound] + inner, inner + [range.upperBound]) {
            builder.addPhase(
                from: from, to: to, startsAtBoundary: known.contains(from), endsAtBoundary: known.contains(to))
        }
        self.range = range
        spans = builder.spans
        duration = builder.end
        self.boundaries = builder.boundaries
    }

    /// True if model time stands still in any span.
    public var standsStill: Bool { spans.contains { $0.firstSpeed == .zero && $0.lastSpeed == .zero } }

    /// Returns the model time shown at `time` seconds of output. The timeline repeats after one
    /// pass.
    public func modelTime(at time: Rational) -> Rational {
        let inner = time.modulo(duration)
        let index = spans.lastIndex { $0.start <= inner } ?? 0
        return spans[index].model(at: inner - spans[index].start)
    }

    public static func == (a: Timeline, b: Timeline) -> Bool { a.range == b.range && a.spans == b.spans }
    public func hash(into hasher: inout Hasher) { hasher.combine(spans) }

    // MARK: Layout

    private struct Builder {
        let style: Style
        var spans: [Span] = []
        var boundaries: [(output: Rational, model: Rational)] = []
        var end = Rational.zero

        mutating func addPhase(from: Rational, to: Rational, startsAtBoundary: Bool, endsAtBoundary: Bool) {
            if startsAtBoundary {
                boundaries.append((end, from))
                if style.hold > .zero { add(style.hold, model: from, 0, 0) }
            }
            guard !style.isStepped else {
                // A range that starts within a phase has no boundary there, but still needs a first
                // image.
                if !startsAtBoundary { add(style.hold, model: from, 0, 0) }
                return
            }
            let speed = 1 / style.slowmo
            let slow = speed / style.ramp
            let eased = style.ramp == 1 ? 0 : (to - from) * Timeline.easedShare
            var model = from
            // The mean speed of an ease is the mean of the speeds at its ends.
            let easeDuration = eased * 2 / (speed + slow)
            if startsAtBoundary, eased > .zero {
                add(easeDuration, model: model, slow, speed)
                model = model + eased
            }
            let plain = to - model - (endsAtBoundary ? eased : 0)
            add(plain / speed, model: model, speed, speed)
            if endsAtBoundary, eased > .zero { add(easeDuration, model: model + plain, speed, slow) }
        }

        private mutating func add(_ duration: Rational, model: Rational, _ first: Rational, _ last: Rational) {
            spans.append(Span(start: end, duration: duration, model: model, firstSpeed: first, lastSpeed: last))
            end = end + duration
        }
    }
}

extension Timeline.Span {
    /// Returns the model time `elapsed` seconds of output after the start of the span.
    ///
    /// In a ramp from speed v0 to v1, the speed at the fraction s of the span is
    /// v0 + (v1 - v0)(3 s^2 - 2 s^3). Its slope is 0 at both ends, so that it joins the adjacent
    /// spans smoothly. Its integral over s is v0 s + (v1 - v0)(s^3 - s^4 / 2).
    fileprivate func model(at elapsed: Rational) -> Rational {
        guard firstSpeed != lastSpeed else { return model + elapsed * firstSpeed }
        let s = (elapsed / duration).double
        let v0 = firstSpeed.double
        let v1 = lastSpeed.double
        let shift = duration.double * (v0 * s + (v1 - v0) * (s * s * s - s * s * s * s / 2))
        return model + Rational(Int128((shift * 1e9).rounded()), 1_000_000_000)
    }
}
