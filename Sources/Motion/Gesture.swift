/// A finger's pull over time: distances in points at given times, with a timing function for each way.
public struct Gesture: Sendable, Hashable {
    /// One point of the gesture.
    public struct Keyframe: Sendable, Hashable {
        /// Seconds from the gesture's beginning.
        public let time: Rational
        /// Pull distance in points.
        public let distance: Double
        /// How the distance gets here from the keyframe before.
        public let timing: TimingFunction

        /// A pull of `distance` points at `time` seconds, reached by `timing`.
        public init(_ time: Rational, _ distance: Double, _ timing: TimingFunction = .linear) {
            (self.time, self.distance, self.timing) = (time, distance, timing)
        }
    }

    /// At least two keyframes; the first at 0 s, each later than the one before, the last as far as the first.
    public let keyframes: [Keyframe]

    /// What is wrong with a gesture, in words that follow "gesture".
    public struct Problem: Error, Equatable {
        /// The words.
        public let message: String
    }

    /// The longest gesture, in seconds.
    public static let longest = Rational(3600)

    /// A gesture through these keyframes. Throws `Problem` unless they are at least two, begin at 0 s, follow each
    /// other in time, last at most an hour, pull 0 pt or more, and end where they began (so that a clip loops).
    public init(_ keyframes: [Keyframe]) throws(Problem) {
        guard keyframes.count >= 2, keyframes[0].time == .zero else {
            throw Problem(message: "needs at least two time:distance pairs, the first at time 0")
        }
        for (before, after) in zip(keyframes, keyframes.dropFirst()) where after.time <= before.time {
            throw Problem(message: "has \(after.time) s after \(before.time) s: times must grow")
        }
        for keyframe in keyframes where !(keyframe.distance >= 0 && keyframe.distance.isFinite) {
            throw Problem(message: "pulls \(keyframe.distance) pt: distances must be 0 or more")
        }
        guard keyframes[keyframes.count - 1].time <= Gesture.longest else {
            throw Problem(message: "lasts longer than \(Gesture.longest) s")
        }
        guard keyframes[keyframes.count - 1].distance == keyframes[0].distance else {
            throw Problem(message: "must end at the distance where it begins, so that the clip loops")
        }
        self.keyframes = keyframes
    }

    /// Reads `0:0,0.5:60:easeOut,1:0`: time in seconds, distance in points, and, if not linear, how it gets there.
    public init(text: String) throws(Problem) {
        var keyframes: [Keyframe] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let fields = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2 || fields.count == 3, let time = Rational(text: fields[0]),
                let distance = Rational(text: fields[1])
            else { throw Problem(message: "has '\(pair)' where time:distance or time:distance:timing is expected") }
            let name = fields.count == 3 ? String(fields[2]) : "linear"
            guard let timing = TimingFunction.named.first(where: { $0.name == name })?.function else {
                let known = TimingFunction.named.map(\.name).joined(separator: ", ")
                throw Problem(message: "has the unknown timing '\(name)' (known: \(known))")
            }
            keyframes.append(Keyframe(time, distance.double, timing))
        }
        try self.init(keyframes)
    }

    /// Length in seconds.
    public var duration: Rational { keyframes[keyframes.count - 1].time }

    /// The furthest pull, in points.
    public var furthest: Double { keyframes.map(\.distance).max() ?? 0 }

    /// The pull in points at `time` seconds; after the end it rests where it ended.
    public func distance(at time: Rational) -> Double {
        guard let next = keyframes.firstIndex(where: { $0.time > time }) else {
            return keyframes[keyframes.count - 1].distance
        }
        guard next > 0 else { return keyframes[0].distance }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        let fraction = (time - from.time).double / (to.time - from.time).double
        return lerp(from.distance, to.distance, to.timing(fraction))
    }
}

extension Gesture: CustomStringConvertible {
    /// The text from which it can be read again.
    public var description: String {
        keyframes.map { keyframe in
            let timing = keyframe.timing == .linear ? "" : ":" + (keyframe.timing.name ?? "linear")
            return "\(keyframe.time):\(Gesture.text(of: keyframe.distance))\(timing)"
        }.joined(separator: ",")
    }

    /// A distance as it can be read again: no exponents, at most six decimals, else the simplest fraction.
    private static func text(of distance: Double) -> String {
        guard distance >= 0, distance < 1e9 else { return String(distance) }
        let decimal = Rational(Int128((distance * 1_000_000).rounded()), 1_000_000)
        if decimal.double == distance { return decimal.description }
        var (before, convergent, rest) = (
            (top: Int128(0), bottom: Int128(1)), (top: Int128(1), bottom: Int128(0)), distance
        )
        while convergent.bottom < 1_000_000_000, rest < 1e9 {
            let whole = Int128(rest.rounded(.down))
            let next = (
                top: whole * convergent.top + before.top, bottom: whole * convergent.bottom + before.bottom
            )
            (before, convergent) = (convergent, next)
            let fraction = Rational(next.top, next.bottom)
            if fraction.double == distance { return fraction.description }
            rest = 1 / (rest - rest.rounded(.down))
        }
        return String(distance)
    }
}
