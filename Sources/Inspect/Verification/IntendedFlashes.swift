// Flashes that may be a part of a clip's design.
extension WholeClipFaults {
    /// The minimum change of the mean colours at the beginning of a flash, relative to the largest
    /// change before it, at which the flash has colours of its own.
    private static let minOwnColors = 4.0
    /// The minimum of the same, relative to the difference of the objects from the background. An
    /// object that is elsewhere has only the errors of its edges.
    private static let minOwnPart = 0.05
    /// The maximum difference of the mean colours of a flash from those of another one, and of
    /// those after the latter from those before it, relative to that change.
    private static let maxColorError = 0.2
    /// The minimum change of the mean colours at both ends of another flash, relative to that
    /// change.
    private static let minAbruptness = 0.5
    /// The number of steps on each side in which something must move, and with which the colours
    /// are compared.
    private static let stepsBesideFlash = 2
    /// The number of steps in which slow changes add up, and the minimum of their sum, relative to
    /// the largest step. As squared differences, those of a fade reach 16 in four equal steps,
    /// errors of an encoder 2, and a text that appears 1.
    private static let slow = (steps: 4, minSum: 5.0)
    /// The maximum number of frames of a flash that begins at a known frame.
    private static let maxLength = 6
    /// The minimum change of a pixel in codes, and the minimum difference of an object from the
    /// background.
    private static let minPixelChange = 24
    /// The maximum share of the frame that something covers that blinks where nothing moves, and
    /// the maximum share of its pixels that change in another way, unless it is as small as a
    /// cursor that moves.
    private static let maxBlinking = (ofFrame: 0.25, others: 0.1, small: 0.02)

    /// Returns true if the flash that begins at a frame of the clip may be intended.
    func mayBeIntended(frame: Int) -> Bool {
        guard let index = samples.firstIndex(where: { $0.frame == frame }), index > 0 else { return false }
        let count = (1...Self.maxLength).first { count in
            index + count < samples.count && 2 * difference(index - 1, index + count) < steps[index - 1]
        }
        return mayBeIntended(index, count ?? 1)
    }

    /// Returns true if a flash of a number of frames may be intended: something appears or
    /// disappears while nothing moves, as the cursor in a text, or another flash of the clip has
    /// the same colours, as with lightning.
    func mayBeIntended(_ index: Int, _ count: Int) -> Bool {
        let end = index + count
        let before = max(0, index - 1 - Self.stepsBesideFlash)..<index - 1
        let after = min(steps.count, end)..<min(steps.count, end + Self.stepsBesideFlash)
        let isSlow = [index - 1 - Self.slow.steps, end].contains(where: changesSlowly)
        if !isSlow, ![before, after].joined().contains(where: moves), blinks(index) { return true }
        let change = colorChange(index - 1, index)
        let usual = before.map { colorChange($0, $0 + 1) }.max() ?? 0
        guard change > max(Self.minOwnColors * usual, Self.minOwnPart * colors[index - 1].foreground) else {
            return false
        }
        let abrupt = steps.indices.filter { step in
            step != index - 1 && step != end - 1 && colorChange(step, step + 1) >= Self.minAbruptness * change
        }
        return hasFlash(like: index, change, between: abrupt)
    }

    /// Returns true if a few frames have nearly the colours of a known one, and begin and end
    /// abruptly or with the clip. A frame of another part of the animation also has colours that
    /// the clip shows elsewhere, but not for a moment.
    private func hasFlash(like index: Int, _ change: Double, between abrupt: [Int]) -> Bool {
        let limit = Self.maxColorError * change
        let end = samples.count - 1
        return ([-1] + abrupt).contains { first in
            (abrupt + [end]).contains { last in
                let isInside = first >= 0 && last < end
                return last > first && last - first <= Self.maxLength && !(first...last).contains(index)
                    && (!isInside || colorChange(first, last + 1) <= limit)
                    && (first + 1...last).contains { colorChange($0, index) <= limit }
            }
        }
    }

    private func moves(_ step: Int) -> Bool {
        FrameDelta(samples[step].pixels, samples[step + 1].pixels).isMotion
    }

    /// Returns true if changes from a frame on add up, as in a fade.
    private func changesSlowly(_ first: Int) -> Bool {
        let last = first + Self.slow.steps
        guard first >= 0, last < samples.count else { return false }
        let largest = steps[first..<last].max() ?? 0
        return largest > 0 && difference(first, last) >= Self.slow.minSum * largest
    }

    /// Returns true if something appears on the background at a frame, or disappears, and nothing
    /// else changes.
    private func blinks(_ index: Int) -> Bool {
        let before = samples[index - 1].pixels.bytes
        let after = samples[index].pixels.bytes
        guard before.count == after.count, before.count >= 4 else { return false }
        func differs(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
            zip(a, b).contains { abs(Int($0) - Int($1)) >= Self.minPixelChange }
        }
        let background = before[0..<3]
        var (appeared, vanished, others) = (0, 0, 0)
        for start in stride(from: 0, to: before.count - 3, by: 4) {
            let (old, new) = (before[start..<start + 3], after[start..<start + 3])
            guard differs(old, new) else { continue }
            switch (differs(old, background), differs(new, background)) {
            case (false, true): appeared += 1
            case (true, false): vanished += 1
            default: others += 1
            }
        }
        let changed = appeared + vanished + others
        let share = Double(changed) / Double(before.count / 4)
        let isOne = Double(changed - max(appeared, vanished)) <= Self.maxBlinking.others * Double(changed)
        return share <= (isOne ? Self.maxBlinking.ofFrame : Self.maxBlinking.small)
    }
}
