// Flashes that may be a part of a clip's design.
extension WholeClipFaults {
    /// The minimum change of the mean colours at the beginning of a flash, relative to the largest
    /// change before it, at which the flash has colours of its own.
    private static let minOwnColors = 4.0
    /// The maximum difference of the mean colours of a flash from those of another frame that shows
    /// them, too, relative to that change.
    private static let maxColorError = 0.2
    /// The minimum change of the mean colours at an end of another flash, relative to that change.
    private static let minAbruptness = 0.5
    /// The minimum ratio of the median step to the largest ones of a clip that changes in every
    /// frame, and the minimum change of such a step relative to the median. Where text appears from
    /// time to time, the median is nearly 0.
    private static let minSteadyPart = 0.1
    private static let minSlowPart = 0.5
    /// The number of steps on each side in which something must move, and with which the colours
    /// are compared.
    private static let stepsBesideFlash = 2
    /// The maximum number of frames of a flash that begins at a known frame.
    private static let maxLength = 6

    /// Returns true if the flash that begins at a frame of the clip may be intended.
    func mayBeIntended(frame: Int) -> Bool {
        guard let index = samples.firstIndex(where: { $0.frame == frame }), index > 0 else { return false }
        let count = (1...Self.maxLength).first { count in
            index + count < samples.count && 2 * difference(index - 1, index + count) < steps[index - 1]
        }
        return mayBeIntended(index, count ?? 1)
    }

    /// Returns true if a flash of a number of frames may be intended: nothing moves around it, as
    /// in a text with a cursor, or the clip shows its colours at another time, too, as with
    /// lightning.
    func mayBeIntended(_ index: Int, _ count: Int) -> Bool {
        let before = max(0, index - 1 - Self.stepsBesideFlash)..<index - 1
        let after = min(steps.count, index + count)..<min(steps.count, index + count + Self.stepsBesideFlash)
        guard [before, after].joined().contains(where: moves) else { return true }
        let change = colorChange(index - 1, index)
        let usual = before.map { colorChange($0, $0 + 1) }.max() ?? 0
        guard change > Self.minOwnColors * usual else { return false }
        // Other flashes begin or end as abruptly. Without that, a slow change of colours passes
        // those of any flash.
        let abrupt = steps.indices.filter { step in
            step != index - 1 && step != index + count - 1
                && colorChange(step, step + 1) >= Self.minAbruptness * change
        }
        return samples.indices.contains { other in
            !(index - 1...index + count).contains(other) && colorChange(other, index) <= Self.maxColorError * change
                && abrupt.contains { abs($0 - other) <= Self.maxLength }
        }
    }

    /// Returns true if a step is motion, or one of the slow changes of which most steps of the clip
    /// consist.
    private func moves(_ step: Int) -> Bool {
        if FrameDelta(samples[step].pixels, samples[step + 1].pixels).isMotion { return true }
        let sorted = steps.sorted()
        let median = sorted[sorted.count / 2]
        let large = sorted[sorted.count * 9 / 10]
        return median >= Self.minSteadyPart * large && steps[step] >= Self.minSlowPart * median
    }
}
