import Motion

/// One pass over a stretch of model time, laid out in output time: slowed down, held and ramped.
///
/// Everything is exact but the inside of a ramp, whose fourth powers are rounded to a nanosecond.
public struct Timeline: Sendable, Hashable {
    /// How a stretch is laid out.
    public struct Style: Sendable, Hashable {
        /// How many times slower throughout, positive.
        public var slowmo: Rational = 1
        /// Seconds of output for which each boundary stands still.
        public var hold: Rational = 0
        /// How many times slower still at each boundary; 1 plays evenly. Between boundaries the speed eases back.
        public var ramp: Rational = 1
        /// Whether only the boundaries are shown, each held.
        public var isStepped = false

        /// An even slow motion.
        public init(slowmo: Rational = 1) { self.slowmo = slowmo }
    }

    /// A part of the output in which model time stands still, runs evenly, or runs along a ramp.
    fileprivate struct Span: Sendable, Hashable {
        var start: Rational
        var duration: Rational
        var model: Rational
        /// Model seconds per output second at the span's beginning and at its end.
        var firstSpeed: Rational
        var lastSpeed: Rational
    }

    /// The share of a phase's model time in which the speed eases, at each of its ends.
    private static let easedShare = Rational(3, 8)

    /// The stretch of model time that one pass shows, in seconds; its end belongs to the next pass.
    public let range: Range<Rational>
    /// How long one pass takes, in seconds of output.
    public let duration: Rational
    /// The boundaries within the stretch: when each begins to show, and at which model time it is. Both in seconds.
    public let boundaries: [(output: Rational, model: Rational)]
    private let spans: [Span]

    /// Lays out a stretch.
    ///
    /// - Parameters:
    ///   - range: the stretch in seconds of model time, not empty.
    ///   - boundaries: the model times of the phases' beginnings, growing; those within `range` and at its ends
    ///     count.
    ///   - style: how fast it goes, and where it stops; slow motion and ramp are positive.
    public init(_ range: Range<Rational>, boundaries: [Rational], style: Style) {
        precondition(!range.isEmpty && style.slowmo > .zero && style.ramp > .zero && style.hold >= .zero)
        var builder = Builder(style: style)
        let inner = boundaries.filter { $0 > range.lowerBound && $0 < range.upperBound }
        let known = Set(boundaries)
        for (from, to) in zip([range.lowerBound] + inner, inner + [range.upperBound]) {
            builder.addPhase(
                from: from, to: to, startsAtBoundary: known.contains(from), endsAtBoundary: known.contains(to))
        }
        self.range = range
        (spans, duration, self.boundaries) = (builder.spans, builder.end, builder.boundaries)
    }

    /// Whether it stands still anywhere.
    public var standsStill: Bool { spans.contains { $0.firstSpeed == .zero && $0.lastSpeed == .zero } }

    /// The model time shown at `time` seconds of output. After one pass it begins again.
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
                // A stretch that begins within a phase still needs something to show.
                if !startsAtBoundary { add(style.hold, model: from, 0, 0) }
                return
            }
            let speed = 1 / style.slowmo
            let slow = speed / style.ramp
            let eased = style.ramp == 1 ? 0 : (to - from) * Timeline.easedShare
            var model = from
            // The mean speed of an ease is the mean of its ends.
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
    /// The model time `elapsed` seconds of output after the span's beginning.
    ///
    /// In a ramp the speed follows v0 + (v1 - v0)(3 s^2 - 2 s^3), whose slope is 0 at both ends, so that it joins what
    /// is before and after smoothly; its integral is v0 s + (v1 - v0)(s^3 - s^4 / 2).
    fileprivate func model(at elapsed: Rational) -> Rational {
        guard firstSpeed != lastSpeed else { return model + elapsed * firstSpeed }
        let s = (elapsed / duration).double
        let (v0, v1) = (firstSpeed.double, lastSpeed.double)
        let shift = duration.double * (v0 * s + (v1 - v0) * (s * s * s - s * s * s * s / 2))
        return model + Rational(Int128((shift * 1e9).rounded()), 1_000_000_000)
    }
}
