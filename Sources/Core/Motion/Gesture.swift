/// The distance that a finger pulls over time: keyframes in points and seconds, each with a timing
/// function.
public struct Gesture: Sendable, Hashable {
    /// A distance at a time.
    public struct Keyframe: Sendable, Hashable {
        /// Time in seconds since the gesture began.
        public let time: Rational
        /// Distance in points.
        public let distance: Double
        /// Easing of the interval that ends at this keyframe.
        public let timing: TimingFunction

        /// A distance in points at a time in seconds, with the easing of the interval before it.
        public init(_ time: Rational, _ distance: Double, _ timing: TimingFunction = .linear) {
            self.time = time
            self.distance = distance
            self.timing = timing
        }
    }

    /// At least two keyframes. The first is at 0 s, times increase, and the last distance equals
    /// the first.
    public let keyframes: [Keyframe]

    /// The reason why a gesture is invalid.
    public struct Problem: Error, Equatable {
        /// A phrase that follows the word "gesture" or the parameter's name.
        public let message: String
    }

    /// The maximum duration of a gesture in seconds.
    public static let maxDuration = Rational(3600)

    /// A gesture with the given keyframes. Throws `Problem` unless there are at least two, the
    /// first is at 0 s, times increase up to at most an hour, distances are finite and not
    /// negative, and the last distance equals the first, so that a clip can loop.
    public init(_ keyframes: [Keyframe]) throws(Problem) {
        guard keyframes.count >= 2, keyframes[0].time == .zero else {
            throw Problem(message: "needs at least two time:distance pairs, the first at time 0")
        }
        for (before, after) in zip(keyframes, keyframes.dropFirst()) where after.time <= before.time {
            throw Problem(message: "has \(after.time) s after \(before.time) s; times must increase")
        }
        for keyframe in keyframes where !(keyframe.distance >= 0 && keyframe.distance.isFinite) {
            throw Problem(message: "has a distance of \(keyframe.distance) pt; distances must be 0 or more")
        }
        let end = keyframes[keyframes.count - 1].time
        guard end <= Gesture.maxDuration else {
            throw Problem(message: "lasts \(end) s, above the maximum of \(Gesture.maxDuration) s")
        }
        guard keyframes[keyframes.count - 1].distance == keyframes[0].distance else {
            throw Problem(message: "must end at the distance where it begins, so that the clip loops")
        }
        self.keyframes = keyframes
    }

    /// Parses a text such as `0:0,0.5:60:easeOut,1:0`: time in seconds, distance in points and the
    /// timing function, linear by default. Throws `Problem` if the text is not a valid gesture.
    public init(text: String) throws(Problem) {
        var keyframes: [Keyframe] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let fields = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2 || fields.count == 3, let time = Rational(text: fields[0]),
                let distance = Rational(text: fields[1])
            else {
                let reason = fields.prefix(2).lazy.compactMap { Rational.problem(in: String($0)) }.first
                throw Problem(
                    message: "has \(quoted(pair)) where time:distance or time:distance:timing is expected"
                        + (reason.map { " (\($0))" } ?? ""))
            }
            let name = fields.count == 3 ? String(fields[2]) : "linear"
            guard let timing = TimingFunction.named.first(where: { $0.name == name })?.function else {
                let known = TimingFunction.named.map(\.name).joined(separator: ", ")
                throw Problem(message: "has the unknown timing \(quoted(name)); use one of \(known)")
            }
            keyframes.append(Keyframe(time, distance.double, timing))
        }
        try self.init(keyframes)
    }

    /// Duration in seconds.
    public var duration: Rational { keyframes[keyframes.count - 1].time }

    /// The maximum distance in points.
    public var maxDistance: Double { keyframes.map(\.distance).max() ?? 0 }

    /// Returns the distance in points at `time` seconds. Times outside the gesture have the
    /// distance of its nearest end.
    public func distance(at time: Rational) -> Double {
        guard let next = keyframes.firstIndex(where: { $0.time > time }) else {
            return keyframes[keyframes.count - 1].distance
        }
        guard next > 0 else { return keyframes[0].distance }
        let from = keyframes[next - 1]
        let to = keyframes[next]
        let fraction = (time - from.time).double / (to.time - from.time).double
        return lerp(from.distance, to.distance, to.timing(fraction))
    }
}

extension Gesture: CustomStringConvertible {
    /// The gesture in the form that `init(text:)` parses.
    public var description: String {
        keyframes.map { keyframe in
            let timing = keyframe.timing == .linear ? "" : ":" + (keyframe.timing.name ?? "linear")
            return "\(keyframe.time):\(Gesture.text(of: keyframe.distance))\(timing)"
        }.joined(separator: ",")
    }

    /// Returns a distance in the form that `Rational.init(text:)` parses: a decimal without an
    /// exponent and with at most six decimals, otherwise the simplest fraction, found by continued
    /// fractions.
    private static func text(of distance: Double) -> String {
        // `Rational.init(text:)` accepts nine digits before the decimal point.
        guard distance >= 0, distance < 1e9 else { return String(distance) }
        let decimal = Rational(Int128((distance * 1_000_000).rounded()), 1_000_000)
        if decimal.double == distance { return decimal.description }
        var before = (top: Int128(0), bottom: Int128(1))
        var convergent = (top: Int128(1), bottom: Int128(0))
        var rest = distance
        while convergent.bottom < 1_000_000_000, rest < 1e9 {
            let whole = Int128(rest.rounded(.down))
            let next = (
                top: whole * convergent.top + before.top, bottom: whole * convergent.bottom + before.bottom
            )
            before = convergent
            convergent = next
            let fraction = Rational(next.top, next.bottom)
            if fraction.double == distance { return fraction.description }
            rest = 1 / (rest - rest.rounded(.down))
        }
        return String(distance)
    }
}
