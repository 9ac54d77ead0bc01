// Gaps of more than `maxExactMissing` frames. The window has too few frames for the change across
// as many intervals, so the number of missing frames is extrapolated from the steps around the gap.
extension FrameOrderCheck {
    /// The maximum number of missing frames. A longer jump is a part of the animation.
    private static let maxMissing = 12
    /// The travel or change, in steps, that three more intervals on either side of a gap must add
    /// to that across the gap alone. If the motion jumps back, as at a restart, they add less.
    private static let minTravelBeyond = 1.5
    /// The minimum change across four intervals, in steps, at which motion is so slow that its
    /// change grows with the time.
    static let minSlowChange = 3.4
    /// The maximum ratio between the four steps around a gap in slow motion. At edges that move by
    /// less than a pixel, they vary more than `maxEvenStepRatio`.
    private static let maxSlowStepRatio = 1.2

    /// Returns the approximate number of frames that are missing after the one at an index if it is
    /// above `maxExactMissing`; nil if it is not certain that frames are missing.
    func longGapCount(_ index: Int) -> Int? {
        guard !isRedrawn(index) else { return nil }
        return missingCount(travelledIntervals(index)) ?? missingCount(changedIntervals(index))
    }

    /// Returns the number of frames that are missing in a gap as long as a number of intervals; nil
    /// if it is outside the range of long gaps.
    private func missingCount(_ intervals: Double?) -> Int? {
        guard let intervals else { return nil }
        let count = Int(intervals.rounded()) - 1
        return (Self.maxExactMissing + 1...Self.maxMissing).contains(count) ? count : nil
    }

    /// Returns the number of even intervals whose change equals that after the frame at an index;
    /// nil unless the motion is even, and so slow that its change grows with the time. The travel
    /// of such motion is too small to be measured in thumbnails.
    private func changedIntervals(_ index: Int) -> Double? {
        let gap = step(index)
        let around = [index - 2, index - 1, index + 1, index + 2].map { step($0) }
        guard gap.isMotion, around.allSatisfy(\.isMotion) else { return nil }
        let changes = around.map(\.mean)
        guard let smallest = changes.min(), (changes.max() ?? 0) <= Self.maxSlowStepRatio * smallest else { return nil }
        let usual = (changes[1] * changes[2]).squareRoot()
        let slow = (delta(index - 4, index).mean * delta(index + 1, index + 5).mean).squareRoot()
        let beyond = gap.mean + Self.minTravelBeyond * usual
        guard slow >= Self.minSlowChange * usual, delta(index - 3, index + 1).mean > beyond,
            delta(index, index + 4).mean > beyond
        else { return nil }
        return gap.mean / usual
    }

    /// Returns the number of even intervals across which the motion travels as far as after the
    /// frame at an index; nil unless it continues in the same direction and at a similar speed.
    func travelledIntervals(_ index: Int) -> Double? {
        let before = step(index - 1)
        let gap = step(index)
        let after = step(index + 1)
        guard [before, gap, after, step(index - 2), step(index + 2)].allSatisfy(\.isMotion) else { return nil }
        let near = min(before.travel, after.travel)
        let far = max(before.travel, after.travel)
        guard near > 0, far <= Self.maxStepRatio * near, gap.mean > max(before.mean, after.mean) else { return nil }
        let beyond = gap.travel + Self.minTravelBeyond * near
        guard delta(index - 3, index + 1).travel > beyond, delta(index, index + 4).travel > beyond else { return nil }
        return gap.travel / (near * far).squareRoot()
    }
}
