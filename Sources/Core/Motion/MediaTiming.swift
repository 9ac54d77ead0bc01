/// The timing of an animation that repeats forever: Core Animation's `duration` and `beginTime`
/// with an infinite `repeatCount`.
///
/// It is periodic over all of time, as if the animation had always been running.
public struct MediaTiming: Sendable, Hashable {
    /// Duration of one repetition in seconds; positive.
    public let duration: Rational
    /// A time in seconds at which a repetition begins.
    public let beginTime: Rational

    public init(duration: Rational, beginTime: Rational = .zero) {
        self.duration = duration
        self.beginTime = beginTime
    }

    /// Returns the exact fraction of the current repetition that has elapsed at `time` in seconds;
    /// in 0..<1.
    public func fraction(at time: Rational) -> Rational { (time - beginTime).modulo(duration) / duration }
}
