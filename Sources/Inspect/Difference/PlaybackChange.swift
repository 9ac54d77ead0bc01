import Core

/// A difference in how frames are played, which is not a shift in time: a different speed, the
/// reverse order, or two adjacent frames in the wrong order.
struct PlaybackChange {
    /// The change as a clause of the report, such as `everything is 25% faster`.
    let text: String
    /// The pairs whose difference it explains.
    let pairs: ClosedRange<Int>

    /// The minimum number of pairs that tell a different speed or the reverse order.
    private static let minPairs = 12
    /// The maximum number of pairs among which a different speed is looked for.
    private static let maxPairs = 1500
    /// The maximum number of pairs that are compared for each speed, evenly spread over the clip.
    private static let maxSamples = 150
    /// The speeds that are tried.
    private static let speeds = 0.5...2.0
    /// The minimum distance in frames to which a different speed adds up at the end. Less may be
    /// frames that are missing or repeated.
    private static let minDrift = 4.0
    /// The maximum number of shifts in a clip of the same speed.
    private static let maxRuns = 4
    /// The factor by which a change must bring frames closer to explain their difference.
    private static let minGain: Float = 4
    /// The number of pairs above which the speeds that are tried are at most 0.1% apart, so the
    /// result has a decimal.
    private static let longCount = 500
    /// The part of the best gain above which a speed fits as well.
    private static let minPlateau: Float = 0.7
    /// The minimum part of the frames that a different speed or order must explain.
    private static let minShare = 0.5
    /// The distance of signatures that coding noise causes at least.
    private static let minNoise: Float = 0.004

    /// Returns the changes of playback between two clips that shifts do not explain.
    static func changes(_ entries: [TimeAlignment.Entry], _ alignment: TimeAlignment) -> [PlaybackChange] {
        let isShifted = alignment.runs.contains { $0.shift != 0 }
        if !isShifted || alignment.runs.count > maxRuns, let whole = wholeChange(entries) { return [whole] }
        return isShifted ? [] : swaps(entries)
    }

    /// Returns the change of the speed or the direction of the whole clip; nil if there is none.
    private static func wholeChange(_ entries: [TimeAlignment.Entry]) -> PlaybackChange? {
        let count = entries.count
        let differing = entries.count(where: \.isDifferent)
        guard count >= minPairs, Double(differing) > minShare * Double(count) else { return nil }
        let pairs = 0...count - 1
        // A loop that is played backwards may keep its first frame.
        let orders: [(Int) -> Int] = [{ count - 1 - $0 }, { (count - $0) % count }]
        let reversed = orders.map { gain(of: $0, entries) }.max() ?? 0
        let (speed, speedGain) = bestSpeed(entries)
        guard max(reversed, speedGain) > minGain else { return nil }
        guard speedGain > reversed else { return PlaybackChange(text: "everything is played backwards", pairs: pairs) }
        // The speeds that are tried are closer in long clips.
        let unit = count > longCount ? 0.1 : 1
        let percent = decimal((100 * abs(speed - 1) / unit).rounded() * unit)
        let text = "everything is \(percent)% \(speed > 1 ? "faster" : "slower")"
        return PlaybackChange(text: text, pairs: pairs)
    }

    /// Returns the speed that brings frames closest, and its gain. Frames are whole, so several
    /// speeds in a row fit as well, of which the middle one is returned.
    private static func bestSpeed(_ entries: [TimeAlignment.Entry]) -> (speed: Double, gain: Float) {
        let speeds = candidates(entries.count)
        let gains = speeds.map { speed in gain(of: { Int((Double($0) * speed).rounded()) }, entries) }
        guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }) else { return (1, 0) }
        let first = gains[...best].lastIndex { $0 <= minPlateau * gains[best] }.map { $0 + 1 } ?? 0
        let last = gains[best...].firstIndex { $0 <= minPlateau * gains[best] }.map { $0 - 1 } ?? gains.count - 1
        return ((speeds[first] + speeds[last]) / 2, gains[best])
    }

    /// Returns the speeds to try, between which the last frame moves by half a frame.
    private static func candidates(_ count: Int) -> [Double] {
        guard count <= maxPairs else { return [] }
        let last = Double(count - 1)
        return stride(from: speeds.lowerBound, through: speeds.upperBound, by: 0.5 / last)
            .filter { abs($0 - 1) * last >= minDrift }
    }

    /// Returns the factor by which a mapping of frame indices brings frames closer; 0 if it
    /// explains too few.
    private static func gain(of mapping: (Int) -> Int, _ entries: [TimeAlignment.Entry]) -> Float {
        var (mapped, plain): (Float, Float) = (0, 0)
        var count = 0
        let step = max(1, entries.count / maxSamples)
        let samples = stride(from: 0, to: entries.count, by: step)
        for index in samples where entries.indices.contains(mapping(index)) {
            let actual = entries[index].signature.actual
            mapped += actual.distance(to: entries[mapping(index)].signature.expected)
            plain += actual.distance(to: entries[index].signature.expected)
            count += 1
        }
        guard Double(count * step) > minShare * Double(entries.count) else { return 0 }
        return plain / (mapped + minNoise * Float(count))
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
        return own > minGain * entry.signature.actual.distance(to: other.signature.expected) + minNoise
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
