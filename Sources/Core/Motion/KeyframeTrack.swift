/// A number animated through keyframes, like Core Animation's `CAKeyframeAnimation`.
public struct KeyframeTrack: Sendable, Hashable {
    /// Key times in ascending order, in the same unit as the argument of `value(at:)`.
    public let keyTimes: [Double]
    /// The value at each key time.
    public let values: [Double]
    /// The easing of each interval; one fewer than the keyframes.
    public let timingFunctions: [TimingFunction]

    /// A track with `values` at `keyTimes`. Both must have the same count, at least one, and the
    /// times must ascend. By default every interval is linear.
    public init(keyTimes: [Double], values: [Double], timingFunctions: [TimingFunction]? = nil) {
        precondition(!keyTimes.isEmpty && keyTimes.count == values.count, "one value for each key time")
        precondition(zip(keyTimes, keyTimes.dropFirst()).allSatisfy(<=), "key times must not decrease")
        self.keyTimes = keyTimes
        self.values = values
        self.timingFunctions = timingFunctions ?? Array(repeating: .linear, count: keyTimes.count - 1)
        precondition(self.timingFunctions.count == keyTimes.count - 1, "one timing function for each interval")
    }

    /// Returns the value at a time. Times outside the track have the value of its nearest end.
    public func value(at time: Double) -> Double {
        guard let next = keyTimes.firstIndex(where: { $0 > time }) else { return values[values.count - 1] }
        guard next > 0 else { return values[0] }
        let start = keyTimes[next - 1]
        let end = keyTimes[next]
        return lerp(values[next - 1], values[next], timingFunctions[next - 1]((time - start) / (end - start)))
    }
}
