// Flashes that may be a part of a clip's design.
extension WholeClipFaults {
    /// The minimum change of the mean colours at the beginning of a flash, relative to the largest
    /// change before it, at which the flash has colours of its own.
    private static let minOwnColors = 4.0
    /// The maximum difference of the mean colours of a flash from those of another frame that shows
    /// them, too, relative to that change.
    private static let maxColorError = 0.2
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
        let moves = [before, after].joined().contains {
            FrameDelta(samples[$0].pixels, samples[$0 + 1].pixels).isMotion
        }
        guard moves else { return true }
        let change = colorChange(index - 1, index)
        let usual = before.map { colorChange($0, $0 + 1) }.max() ?? 0
        guard change > Self.minOwnColors * usual else { return false }
        return samples.indices.contains { other in
            !(index - 1...index + count).contains(other) && colorChange(other, index) <= Self.maxColorError * change
        }
    }
}
