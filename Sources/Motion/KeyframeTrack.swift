/// A value that passes through keyframes: Core Animation's `CAKeyframeAnimation` with one number.
public struct KeyframeTrack: Sendable, Hashable {
    /// Key times in the unit of the time it is asked for, never decreasing.
    public let keyTimes: [Double]
    /// The value at each key time.
    public let values: [Double]
    /// How each interval is passed; one fewer than the keyframes.
    public let timingFunctions: [TimingFunction]

    /// A track through `values` at `keyTimes`. The lists must be equally long and not empty, the times must not
    /// decrease. Without timing functions every interval is linear.
    public init(keyTimes: [Double], values: [Double], timingFunctions: [TimingFunction]? = nil) {
        precondition(!keyTimes.isEmpty && keyTimes.count == values.count, "one value for each key time")
        precondition(zip(keyTimes, keyTimes.dropFirst()).allSatisfy(<=), "key times must not decrease")
        self.keyTimes = keyTimes
        self.values = values
        self.timingFunctions = timingFunctions ?? Array(repeating: .linear, count: keyTimes.count - 1)
        precondition(self.timingFunctions.count == keyTimes.count - 1, "one timing function for each interval")
    }

    /// The value at a time; before the first and after the last keyframe theirs.
    public func value(at time: Double) -> Double {
        guard let next = keyTimes.firstIndex(where: { $0 > time }) else { return values[values.count - 1] }
        guard next > 0 else { return values[0] }
        let (start, end) = (keyTimes[next - 1], keyTimes[next])
        return lerp(values[next - 1], values[next], timingFunctions[next - 1]((time - start) / (end - start)))
    }
}
