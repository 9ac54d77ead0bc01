// The changes around a frame that was swapped with the next one, or that is torn.
extension FrameOrderCheck {
    /// The minimum changes to and from a swapped pair of frames, relative to that between both. In
    /// even motion, the ratio is 2 in the wrong order and 1 in the correct one.
    private static let minOuterRatio = 1.25
    /// The minimum changes to and from a swapped pair, relative to those in the right order. In
    /// even motion, the ratio is 2 if the frames are swapped, and a half if they are not.
    private static let minSwapGain = 1.3
    /// The change between two swapped frames, relative to the smaller step in the right order: one
    /// step, as in even motion. Two equal frames have no order.
    private static let minInnerShare = 0.5
    /// The maximum step in the right order, relative to the largest step around it. Above it, the
    /// right order is not even either.
    private static let maxOrderedStep = 1.5

    /// The minimum change of each part of a torn frame, before and after it, relative to the
    /// largest change of the whole frame: with less, it cannot be told whether the part moves.
    private static let minPartShare = 0.12
    /// The maximum change of a part that repeats a neighbour, relative to its usual change. It is
    /// not 0, because encoders draw equal parts differently.
    private static let maxCopiedChange = 0.12
    /// The minimum change of the torn part where it moves two steps at once, relative to its steps
    /// before and after. Equal to `minSkipRatio`, because eased motion stays below 1.3.
    private static let minDoubleStep = 1.35
    /// The changes between which the other part moves evenly, relative to its steps before and
    /// after: more than a half, less than two steps.
    private static let evenSteps = (min: 0.5, max: 1.6)
    /// The rows at the upper and lower edge of the thumbnail between which a frame may be torn, and
    /// the step in rows. Parts of fewer rows have too few pixels.
    private static let tornRows = (margin: 4, step: 2)

    /// Returns true if the motion becomes even when the frame at an index is swapped with the next
    /// one.
    func isSwapped(_ index: Int) -> Bool {
        let before = step(index - 1)
        let between = step(index)
        let after = step(index + 1)
        let around = [step(index - 2), step(index + 2)]
        guard ([before, between, after] + around).allSatisfy(\.isMotion) else { return false }
        let isChanged = min(before.mean, after.mean) > Self.minOuterRatio * between.mean
        guard isChanged || min(before.travel, after.travel) > Self.minOuterTravel * between.travel else { return false }
        let first = delta(index - 1, index + 1)
        let second = delta(index, index + 2)
        if isSwappedByTravel(before, after, ordered: [first, second], even: around + [between]) { return true }
        guard isChanged else { return false }
        guard before.mean > Self.minSwapGain * first.mean, after.mean > Self.minSwapGain * second.mean else {
            return false
        }
        let usual = max(around[0].mean, around[1].mean, between.mean)
        return between.mean > Self.minInnerShare * min(first.mean, second.mean)
            && max(first.mean, second.mean) < Self.maxOrderedStep * usual
    }

    /// The minimum travel to and from a swapped pair, relative to that between both and in the
    /// right order: more than of the change, because travel varies more.
    private static let minOuterTravel = 1.5
    /// The maximum ratio between the travels, and between the changes, of the steps in the right
    /// order and of those around them.
    private static let maxEvenRatio = (travel: 1.5, change: 1.15)

    /// Returns true if objects that move by about their own width in each step, which always change
    /// as much, move evenly in the right order, and twice as far in the order shown.
    ///
    /// - Parameters:
    ///   - before: the change to the pair.
    ///   - after: the change from the pair.
    ///   - ordered: the changes to and from the pair in the right order.
    ///   - even: the change within the pair, and those before and after all others.
    private func isSwappedByTravel(
        _ before: FrameDelta, _ after: FrameDelta, ordered: [FrameDelta], even: [FrameDelta]
    ) -> Bool {
        let steps = ordered + even
        let largest = (travel: steps.map(\.travel).max() ?? 0, change: steps.map(\.mean).max() ?? 0)
        return min(before.travel, after.travel) > Self.minOuterTravel * largest.travel
            && min(before.mean, after.mean) >= largest.change
            && Self.ratio(steps.map(\.travel)) <= Self.maxEvenRatio.travel
            && Self.ratio(steps.map(\.mean)) <= Self.maxEvenRatio.change
    }

    /// Returns the part of a frame, upper or lower, that is a copy of the next or previous frame
    /// while the other part moves on; nil if there is none.
    func tornPart(_ index: Int) -> String? {
        let steps = (index - 2...index + 1).map { $0 }
        guard steps.allSatisfy({ step($0).isMotion }) else { return nil }
        let profiles = steps.map { RowProfile(recent[$0].pixels, recent[$0 + 1].pixels) }
        let largest = profiles.map(\.total).max() ?? 0
        for row in stride(
            from: Self.tornRows.margin, to: recent[index].pixels.height - Self.tornRows.margin, by: Self.tornRows.step)
        {
            let upper = profiles.map { Double($0.sum(to: row)) }
            let lower = zip(profiles, upper).map { Double($0.total) - $1 }
            if Self.isTorn(upper, lower, Double(largest)) || isFarCopy(index, 0..<row, upper, lower, largest) {
                return "upper"
            }
            let height = recent[index].pixels.height
            if Self.isTorn(lower, upper, Double(largest)) || isFarCopy(index, row..<height, lower, upper, largest) {
                return "lower"
            }
        }
        return nil
    }

    /// The minimum change of the torn part between frames that are not copies of each other,
    /// relative to its usual change. Where a part turns back, frames on both sides are alike.
    private static let minOtherChange = 0.8
    /// The minimum change of the part across the four steps around such a frame, relative to its
    /// usual change: at least 3.6 in torn frames, and 1.1 where the drop of QQ turns.
    private static let minChangeAround = 2.0

    /// The maximum ratio between the steps of the torn part before and after the frame, and between
    /// all four of the other part: up to 1.5 and 1.8 in torn frames. Where something swings out,
    /// they are uneven.
    private static let maxUneven = (part: 1.6, other: 2.0)

    /// Returns true if a part of a frame is a copy of the frame two before or after it while the
    /// other part moves evenly. The part then moves three steps at once, and one back.
    private func isFarCopy(
        _ index: Int, _ rows: Range<Int>, _ part: [Double], _ other: [Double], _ largest: Int
    ) -> Bool {
        let usual = min(part[0], part[3])
        let otherUsual = min(other[0], other[3])
        guard min(usual, otherUsual) > Self.minPartShare * Double(largest),
            Self.ratio([part[0], part[3]]) <= Self.maxUneven.part, Self.ratio(other) <= Self.maxUneven.other,
            min(other[1], other[2]) > Self.evenSteps.min * otherUsual,
            max(other[1], other[2]) < Self.evenSteps.max * max(other[0], other[3]),
            min(part[1], part[2]) > Self.evenSteps.min * usual,
            max(part[1], part[2]) > Self.minDoubleStep * max(part[0], part[3])
        else { return false }
        func change(_ first: Int, _ second: Int) -> Double {
            let profile = RowProfile(recent[first].pixels, recent[second].pixels)
            return Double(profile.sum(to: rows.upperBound) - profile.sum(to: rows.lowerBound))
        }
        let isAhead = part[1] > part[2]
        let (copied, ends) = isAhead ? (index + 2, (index - 1, index + 3)) : (index - 2, (index - 3, index + 1))
        return change(copied, index) < Self.maxCopiedChange * usual
            && change(index - 1, index + 1) > Self.minOtherChange * usual
            && change(ends.0, ends.1) > Self.minChangeAround * usual
    }

    /// Returns true if a part moves two steps at once and none in the next or previous step, while
    /// the other part moves evenly.
    private static func isTorn(_ part: [Double], _ other: [Double], _ largest: Double) -> Bool {
        let usual = min(part[0], part[3])
        let otherUsual = min(other[0], other[3])
        guard min(usual, otherUsual) > minPartShare * largest else { return false }
        return [(1, 2), (2, 1)].contains { double, none in
            part[none] < maxCopiedChange * usual && part[double] > minDoubleStep * max(part[0], part[3])
                && min(other[none], other[double]) > evenSteps.min * otherUsual
                && max(other[double], other[none]) < evenSteps.max * max(other[0], other[3])
        }
    }
}
