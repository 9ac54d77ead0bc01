import Core

// Gaps of one to three frames in the motion of small objects. An object that moves by its own width
// changes hardly more pixels across a gap than in a step, and its travel is unreliable. So the
// steps around the gap must be nearly equal.
extension FrameOrderCheck {
    /// The maximum ratio between the changes of the four steps nearest to a gap, and of the nearest
    /// eight.
    private static let maxSpread = (near: 1.2, far: 1.45)
    /// The minimum change across the gap, relative to the largest of the four steps around it. In
    /// 500 right clips, no step stands out that fulfils the other conditions.
    private static let minStandingOut = 1.3
    /// The minimum growth of the visible change, relative to that of the whole change. An encoder
    /// that codes a frame coarsely and from scratch adds noise, which is not a visible change.
    private static let minVisibleShare = 0.98
    /// The maximum ratio between successive steps that counts in `unevenness`. In motion that
    /// begins or ends abruptly, it is larger, and says nothing about the steps at a gap.
    private static let maxUnevenness = 1.6
    /// The logarithm of the ratio, 1.06, by which the change across the gap may differ from that
    /// across as many intervals beside it, if these are scaled to the speed at the gap.
    private static let maxScaledError = 0.06

    /// Returns how many frames are missing after the one at an index in even or gently eased
    /// motion; nil if none are.
    func evenGapCount(_ index: Int) -> Int? {
        let gap = step(index)
        let around = (index - 4...index + 4).filter { $0 != index }.map { step($0) }
        let near = Array(around[2...5])
        guard !isRedrawn(index), recent.allSatisfy({ $0.repeats == 0 }), gap.isMotion,
            around.allSatisfy(\.isMotion), Self.ratio(near.map(\.mean)) <= Self.maxSpread.near,
            Self.ratio(around.map(\.mean)) <= Self.maxSpread.far
        else { return nil }
        let growth = gap.mean / (near.map(\.mean).max() ?? 0)
        let visibleGrowth = gap.visible / max(1e-9, near.map(\.visible).max() ?? 0)
        guard growth >= Self.minStandingOut, visibleGrowth >= Self.minVisibleShare * growth else { return nil }
        let errors = (2...Self.maxExactMissing + 1).map { (missing: $0 - 1, error: scaledError(index, $0)) }
        return errors.filter { $0.error < Self.maxScaledError }.min { $0.error < $1.error }?.missing
    }

    /// Returns the change that uneven motion around a gap may reach: the largest step, times the
    /// largest ratio between two successive ones. Programs that interpolate frames make such steps.
    func unevenness(_ index: Int) -> Double {
        let sides = [(index - 4...index - 1).map { step($0).mean }, (index + 1...index + 4).map { step($0).mean }]
        let ratios = sides.flatMap { side in
            zip(side, side.dropFirst()).map { Self.ratio([$0, $1]) }
        }
        return (sides.joined().max() ?? 0) * min(Self.maxUnevenness, ratios.max() ?? 1)
    }

    /// Returns how much the change across a gap differs from that across a number of intervals on
    /// both sides, scaled by the speed, as a logarithm.
    private func scaledError(_ index: Int, _ intervals: Int) -> Double {
        func mean(_ steps: Range<Int>) -> Double {
            steps.reduce(0) { $0 + step($1).mean } / Double(steps.count)
        }
        let first = delta(index - intervals, index).mean / mean(index - intervals..<index)
        let second = delta(index + 1, index + 1 + intervals).mean / mean(index + 1..<index + 1 + intervals)
        let speed = (step(index - 1).mean * step(index + 1).mean).squareRoot()
        return abs(log(step(index).mean / speed / (first * second).squareRoot()))
    }
}
