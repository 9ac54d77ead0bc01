// Flashes: short groups of frames that show something other than the frames around them.
extension WholeClipFaults {
    /// The maximum number of frames of a flash. A longer one is a part of the animation.
    private static let maxFlash = 6
    /// The minimum change at both ends of a flash, relative to the largest step within it and of
    /// two steps on each side. In 500 right clips, no frames reach it; in a conversion from 60 to
    /// 50 frames per second, some have 2.7.
    private static let minEnds = 3.5
    /// The minimum change at both ends, as a mean squared difference in codes.
    private static let minVisible = 2.0
    /// The maximum change across a flash, relative to that at its ends, or else to that of the
    /// motion across the same number of frames beside it.
    private static let maxAcross = (ofEnds: 0.25, ofMotion: 1.5)
    /// The number of steps on each side with which the ends are compared.
    private static let stepsAround = 2
    /// The maximum number of flashes. More are the clip's design, such as an eye that blinks.
    private static let maxFlashes = 2

    /// Frames that interrupt the motion, such as some with exchanged colours.
    var flashes: [Finding] {
        var findings: [Finding] = []
        var index = Self.stepsAround + 1
        while index < samples.count - Self.stepsAround - 1 {
            guard let count = flashLength(index) else {
                index += 1
                continue
            }
            let subject = count == 1 ? "the frame interrupts" : "\(count) frames from here interrupt"
            findings.append(
                Finding(
                    .pictureJumps, .error, time: samples[index].time, frame: samples[index].frame,
                    "\(subject) the motion of those around; render the clip again"))
            index += count
        }
        return findings.count <= Self.maxFlashes ? findings : []
    }

    /// Returns the number of frames of the flash that begins at an index; nil if none does.
    private func flashLength(_ index: Int) -> Int? {
        let before = steps[index - 1 - Self.stepsAround..<index - 1].max() ?? 0
        return (1...Self.maxFlash).first { count in
            let end = index + count
            guard end + Self.stepsAround < samples.count else { return false }
            let ends = min(steps[index - 1], steps[end - 1])
            let around = max(before, steps[index..<end - 1].max() ?? 0, steps[end..<end + Self.stepsAround].max() ?? 0)
            guard ends >= Self.minVisible, ends > Self.minEnds * around else { return false }
            let across = difference(index - 1, end)
            let interval = count + 1
            let earlier = index - 1 - interval >= 0 ? difference(index - 1 - interval, index - 1) : 0
            let later = end + interval < samples.count ? difference(end, end + interval) : 0
            return across < Self.maxAcross.ofEnds * ends || across <= Self.maxAcross.ofMotion * max(earlier, later)
        }
    }
}
