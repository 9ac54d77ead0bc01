import Core

/// A difference in how frames are played, which is not a shift in time: a different speed, the
/// reverse order, or two adjacent frames in the wrong order.
struct PlaybackChange {
    /// The change as a clause of the report, such as `everything is 25% faster`.
    let text: String
    /// The indices of the pairs of frames whose difference it explains.
    let pairs: ClosedRange<Int>

    /// The minimum number of pairs for the detection of a different speed or the reverse order.
    private static let minPairs = 12
    /// The maximum number of pairs of a clip in which a different speed is looked for.
    private static let maxPairs = 1500
    /// The maximum number of pairs that are compared for each speed, evenly spread over the clip.
    private static let maxSamples = 150
    /// The slowest speed that is always tried, and the inverse of the fastest. Below 0.5, so that
    /// half speed is the middle of the speeds that fit it.
    private static let minFactor = 0.45
    /// The slowest speed, and the inverse of the fastest, that is tried if the ratio of the
    /// durations suggests it.
    private static let minRatio = 0.01
    /// The relative distance from that ratio up to which speeds are tried, because durations are
    /// whole frames.
    private static let ratioReach = 0.03
    /// The minimum distance in frames to which a different speed adds up at the end. Less may be
    /// frames that are missing or repeated.
    private static let minDrift = 4.0
    /// The maximum number of shifts in a clip of the same speed. With more, a different speed is a
    /// simpler explanation.
    private static let maxRuns = 4
    /// The number of pairs above which the speeds that are tried are at most 0.1% apart, so the
    /// result has a decimal.
    private static let longCount = 500
    /// The part of the best gain above which a speed fits as well as the best one.
    private static let minPlateau: Float = 0.7
    /// The minimum share of the frames that must differ for a different speed or order.
    private static let minShare = 0.5

    /// Returns the changes of playback between two clips that shifts do not explain.
    ///
    /// - Parameter durationRatio: the expected clip's duration divided by that of the actual clip.
    static func changes(
        _ entries: [TimeAlignment.Entry], _ alignment: TimeAlignment, durationRatio: Double
    ) -> [PlaybackChange] {
        let isShifted = alignment.runs.contains { $0.shift != 0 }
        if !isShifted || alignment.runs.count > maxRuns, let whole = wholeChange(entries, durationRatio) {
            return [whole]
        }
        return isShifted ? [] : swaps(entries)
    }

    /// Returns the change of the speed or the direction of the whole clip; nil if there is none.
    private static func wholeChange(_ entries: [TimeAlignment.Entry], _ durationRatio: Double) -> PlaybackChange? {
        let count = entries.count
        let differing = entries.count(where: \.isDifferent)
        guard count >= minPairs, Double(differing) > minShare * Double(count) else { return nil }
        let pairs = 0...count - 1
        // A loop that is played backwards may keep its first frame.
        let orders: [(Int) -> Int] = [{ count - 1 - $0 }, { (count - $0) % count }]
        let reversed = orders.map { order in gain(entries) { (actual: $0, expected: order($0)) } }.max() ?? 0
        let (speed, speedGain) = bestSpeed(entries, durationRatio)
        guard max(reversed, speedGain) > TimeAlignment.minGain else { return nil }
        guard speedGain > reversed else { return PlaybackChange(text: "everything is played backwards", pairs: pairs) }
        return PlaybackChange(text: "everything \(words(for: speed, pairs: count))", pairs: pairs)
    }

    /// Returns a predicate such as `is 25% faster` or `takes 4 times as long`.
    private static func words(for speed: Double, pairs count: Int) -> String {
        let factor = (10 * max(speed, 1 / speed)).rounded() / 10
        guard factor < 2 else {
            let times = factor == 2 ? "twice" : "\(decimal(factor)) times"
            return speed > 1 ? "is \(times) as fast" : "takes \(times) as long"
        }
        // The speeds that are tried are closer in long clips.
        let unit = count > longCount ? 0.1 : 1
        let percent = decimal((100 * abs(speed - 1) / unit).rounded() * unit)
        return "is \(percent)% \(speed > 1 ? "faster" : "slower")"
    }

    /// Returns the speed that brings frames closest, and its gain. Frames are whole, so several
    /// speeds in a row fit as well: of these, the ratio of the durations, or else the middle one.
    private static func bestSpeed(
        _ entries: [TimeAlignment.Entry], _ durationRatio: Double
    ) -> (speed: Double, gain: Float) {
        let speeds = candidates(entries.count, durationRatio)
        let gains = speeds.map { speed in
            gain(entries) { index in
                let slower = Int((Double(index) * min(speed, 1 / speed)).rounded())
                return speed > 1 ? (actual: slower, expected: index) : (actual: index, expected: slower)
            }
        }
        guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }) else { return (1, 0) }
        let first = gains[...best].lastIndex { $0 <= minPlateau * gains[best] }.map { $0 + 1 } ?? 0
        let last = gains[best...].firstIndex { $0 <= minPlateau * gains[best] }.map { $0 - 1 } ?? gains.count - 1
        let fitting = speeds[first]...speeds[last]
        let middle = (fitting.lowerBound + fitting.upperBound) / 2
        return (fitting.contains(durationRatio) ? durationRatio : middle, gains[best])
    }

    /// Returns the speeds to try, in ascending order, between which the last frame moves by half a
    /// frame.
    private static func candidates(_ count: Int, _ durationRatio: Double) -> [Double] {
        guard count <= maxPairs else { return [] }
        let last = Double(count - 1)
        let step = 0.5 / last
        let factors = Array(stride(from: minFactor, through: 1 - minDrift / last, by: step))
        // A clip that stands still looks like the first frames of the other at a very low speed, so
        // only the durations are evidence of a much slower or faster one.
        let ratio = min(durationRatio, 1 / durationRatio)
        let isDistant = (minRatio...minFactor).contains(ratio)
        let reach = ratioReach * ratio
        let distant = isDistant ? [ratio] + stride(from: ratio - reach, through: ratio + reach, by: step) : []
        return (factors + factors.map { 1 / $0 } + distant.map { durationRatio > 1 ? 1 / $0 : $0 }).sorted()
    }

    /// Returns the factor by which a mapping of frame indices brings frames closer.
    private static func gain(
        _ entries: [TimeAlignment.Entry], _ mapping: (Int) -> (actual: Int, expected: Int)
    ) -> Float {
        var (mapped, plain): (Float, Float) = (0, 0)
        var count: Float = 0
        for index in stride(from: 0, to: entries.count, by: max(1, entries.count / maxSamples)) {
            let (actual, expected) = mapping(index)
            mapped += entries[actual].signature.actual.distance(to: entries[expected].signature.expected)
            plain += entries[index].signature.actual.distance(to: entries[index].signature.expected)
            count += 1
        }
        return plain / (mapped + TimeAlignment.minNoise * count)
    }

    /// Returns the pairs of adjacent frames in the wrong order.
    private static func swaps(_ entries: [TimeAlignment.Entry]) -> [PlaybackChange] {
        entries.indices.dropLast().compactMap { index in
            let (first, second) = (entries[index], entries[index + 1])
            guard first.isDifferent, second.isDifferent,
                isCloser(first, to: second), isCloser(second, to: first)
            else { return nil }
            return PlaybackChange(
                text: "frames \(first.frame) and \(second.frame) are in the wrong order", pairs: index...index + 1)
        }
    }

    private static func isCloser(_ entry: TimeAlignment.Entry, to other: TimeAlignment.Entry) -> Bool {
        let own = entry.signature.actual.distance(to: entry.signature.expected)
        let swapped = entry.signature.actual.distance(to: other.signature.expected)
        return own > TimeAlignment.minGain * swapped + TimeAlignment.minNoise
    }

    /// Returns the change for a list of changes of a clip.
    func clipChange(_ entries: [TimeAlignment.Entry], hasTimes: Bool) -> ClipChange {
        let first = entries[pairs.lowerBound]
        let last = entries[pairs.upperBound]
        let isWhole = pairs == 0...entries.count - 1
        return ClipChange(
            kind: .time, text: (isWhole || !hasTimes ? "" : "at \(decimal(first.time)) s ") + text,
            from: first.time.roundedToMillionths, to: last.time.roundedToMillionths, firstFrame: first.frame,
            lastFrame: last.frame, box: [], weight: TimeAlignment.weightPerPair * Double(pairs.count))
    }
}
