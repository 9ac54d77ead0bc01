import Core

// Checks of the motion around repeated frames.
extension FrameOrderCheck {
    /// The logarithm of the ratio, 1.4, by which the travel after a long hold may differ from that
    /// of even motion: on a circle, a chord is shorter than its arc.
    private static let maxLongGapError = 0.34
    /// The minimum travel across a gap after repeated frames, relative to the steps next to it.
    /// Even motion stays below 1.1, eased motion below 1.3.
    private static let minSkipRatio = 1.35
    /// The factor by which the change before a hold may differ from that after it. Designed pauses
    /// begin or end slowly.
    private static let maxHoldRatio = 1.3
    /// The maximum ratio between the four steps around a hold: more than `maxHoldRatio`, because
    /// the first and the last are three steps apart.
    private static let maxHoldSpread = 1.6
    /// The minimum travel across the four intervals around a hold, in steps. Motion that goes on
    /// has four; where it turns, the frames on both sides are alike.
    private static let minHoldTravel = 3.0

    /// Returns true if the motion after a frame and its repetitions continues where it would be
    /// without them.
    func skipsAsMuch(_ index: Int, _ count: Int) -> Bool {
        let before = step(index - 1)
        let gap = step(index)
        let after = step(index + 1)
        guard [before, gap, after].allSatisfy(\.isMotion) else { return false }
        let near = min(before.travel, after.travel)
        let far = max(before.travel, after.travel)
        guard far <= Self.maxStepRatio * near, gap.travel > Self.minSkipRatio * far else { return false }
        if count <= Self.maxExactMissing {
            let errors = gapErrors(index, count + 1)
            return max(errors.change, errors.travel) < Self.maxGapError
        }
        // A longer gap exceeds the intervals in the window. Even motion travels one step in each.
        guard let intervals = travelledIntervals(index) else { return false }
        return abs(log(intervals / Double(count + 1))) < Self.maxLongGapError
    }

    /// Returns true if the motion stops abruptly at a frame and continues in the same direction and
    /// at the same speed.
    func isHeld(_ index: Int) -> Bool {
        let steps = [step(index - 2), step(index - 1), step(index), step(index + 1)]
        guard steps.allSatisfy(\.isMotion) else { return false }
        let near = steps[1...2]
        // If objects enter and leave the frame, the travel varies, and the change does not. The
        // visible change has less of the encoder's noise.
        let across = delta(index - 2, index + 2)
        if min(Self.ratio(steps.map(\.mean)), Self.ratio(steps.map(\.visible))) <= Self.maxEvenStepRatio {
            let slowest = steps.map(\.mean).min() ?? 0
            let travel = steps.reduce(0) { $0 + $1.travel } / Double(steps.count)
            if across.mean > Self.minSlowChange * slowest || across.travel > Self.minHoldTravel * travel { return true }
        }
        guard max(Self.ratio(near.map(\.mean)), Self.ratio(near.map(\.travel))) <= Self.maxHoldRatio,
            max(Self.ratio(steps.map(\.mean)), Self.ratio(steps.map(\.travel))) <= Self.maxHoldSpread
        else { return false }
        let minTravel = steps.map(\.travel).min() ?? 0
        return across.travel > Self.minHoldTravel * minTravel
    }

    /// Returns the ratio between the largest and the smallest of some values.
    static func ratio(_ values: [Double]) -> Double { (values.max() ?? 0) / max(1e-9, values.min() ?? 0) }
}
