/// An animation that repeats for ever: Core Animation's `duration` and `beginTime` with an infinite `repeatCount`.
///
/// It is seen in its steady state, as if it had always been running.
public struct MediaTiming: Sendable, Hashable {
    /// Length of one repetition in seconds, positive.
    public let duration: Rational
    /// When a repetition begins, in seconds.
    public let beginTime: Rational

    /// A repetition of `duration` seconds that begins at `beginTime`.
    public init(duration: Rational, beginTime: Rational = .zero) {
        self.duration = duration
        self.beginTime = beginTime
    }

    /// How much of the current repetition has passed at `time` (seconds), in 0..<1, exactly.
    public func fraction(at time: Rational) -> Rational { (time - beginTime).modulo(duration) / duration }
}
