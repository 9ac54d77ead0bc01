// Flashes: short groups of frames that show something other than the frames around them.
extension WholeClipFaults {
    /// The maximum number of frames of a flash. A longer one is a part of the animation.
    private static let maxFlash = 6
    /// The minimum change at both ends of a flash, relative to the largest step within it and of
    /// two steps on each side. In 500 right clips, no frames reach it; in a conversion from 60 to
    /// 50 frames per second, some have 2.7.
    private static let minEnds = 3.5
    /// The same for the mean difference. The squared one exaggerates the uneven steps of slow
    /// motion at a low bitrate.
    private static let minMeanEnds = 2.0
    /// The minimum change at both ends, as a mean squared difference in codes, and relative to the
    /// mean step.
    private static let minVisible = 2.0
    private static let minPartOfMean = 0.5
    /// The maximum change across a flash, relative to that at its ends, or else to that of the
    /// motion across the same number of frames beside it.
    private static let maxAcross = (ofEnds: 0.25, ofMotion: 1.5)
    /// The number of steps on each side with which the ends are compared.
    private static let stepsAround = 2
    /// The maximum number of frames of a flash of other colours that is not a designed beat, and
    /// the maximum saturation of a longer one, relative to that before it.
    private static let maxShort = 3
    private static let maxSaturation = 0.7
    /// The maximum number of flashes. More are the clip's design, such as an eye that blinks.
    private static let maxFlashes = 2
    /// The minimum share of the moving samples that change at both ends of a flash: half of them if
    /// one object has another colour, hardly any if something blinks beside the motion.
    private static let minInterrupted = 0.15
    /// The number of steps before and after a flash in which samples move.
    private static let movingSteps = 4
    /// The minimum change in codes of samples that move or flash, above the noise of encoders.
    private static let minChange = 12
    /// The minimum change at the ends of a flash relative to that of the same sample in the step
    /// beside it, so that the motion itself is not an interruption.
    private static let minChangeRatio = 1.5

    /// Frames that interrupt the motion, such as some with exchanged colours.
    var flashes: [Finding] {
        var findings: [Finding] = []
        var index = Self.stepsAround + 1
        while index < samples.count - Self.stepsAround - 1 {
            guard let (count, hasOtherColors) = flash(index) else {
                index += 1
                continue
            }
            let subject = count == 1 ? "the frame interrupts" : "\(count) frames from here interrupt"
            let hasFaultyColors = hasOtherColors && (count <= Self.maxShort || losesColor(index))
            let isFault = (hasFaultyColors || interruptsMotion(index, count)) && !mayBeIntended(index, count)
            let reservation = isFault ? "" : " unless this is intended"
            findings.append(
                Finding(
                    .pictureJumps, isFault ? .error : .warning, time: samples[index].time, frame: samples[index].frame,
                    "\(subject) the motion of those around; render the clip again\(reservation)"))
            index += count
        }
        return findings.count <= Self.maxFlashes ? findings : []
    }

    /// Returns true if the objects lose a third of their saturation at a frame, as if dimmed.
    private func losesColor(_ index: Int) -> Bool {
        colors[index].means[3] < Self.maxSaturation * colors[index - 1].means[3]
    }

    /// Returns true if a flash changes what moves before and after it. Otherwise something beside
    /// the motion may flash by design.
    private func interruptsMotion(_ index: Int, _ count: Int) -> Bool {
        let end = index + count
        let first = max(0, index - 1 - Self.movingSteps)
        let last = min(samples.count - 1, end + Self.movingSteps)
        let compared = [first, index - 2, index - 1, index, end - 1, end, end + 1, last]
        func bytes(_ frame: Int) -> [UInt8] { samples[frame].pixels.bytes }
        guard compared.allSatisfy({ bytes($0).count == bytes(first).count }) else { return true }
        func change(_ sample: Int, _ a: Int, _ b: Int) -> Int { abs(Int(bytes(a)[sample]) - Int(bytes(b)[sample])) }
        let moving = bytes(first).indices.filter { sample in
            max(change(sample, first, index - 1), change(sample, end, last)) >= Self.minChange
        }
        let interrupted = moving.count { sample in
            let usual = Double(max(change(sample, index - 2, index - 1), change(sample, end, end + 1)))
            let ends = min(change(sample, index - 1, index), change(sample, end - 1, end))
            return ends >= Self.minChange && Double(ends) >= Self.minChangeRatio * usual
        }
        return interrupted > 0 && Double(interrupted) >= Self.minInterrupted * Double(moving.count)
    }

    /// Returns the number of frames of the flash that begins at an index, and true if only their
    /// colours tell; nil if none does.
    private func flash(_ index: Int) -> (count: Int, hasOtherColors: Bool)? {
        if let count = flashLength(index) { return (count, false) }
        return colorFlashLength(index, maxCount: Self.maxFlash).map { ($0, true) }
    }

    /// Returns the number of frames of the flash that begins at an index; nil if none does.
    private func flashLength(_ index: Int) -> Int? {
        let before = steps[index - 1 - Self.stepsAround..<index - 1].max() ?? 0
        return (1...Self.maxFlash).first { count in
            let end = index + count
            guard end + Self.stepsAround < samples.count else { return false }
            let ends = min(steps[index - 1], steps[end - 1])
            let around = max(before, steps[index..<end - 1].max() ?? 0, steps[end..<end + Self.stepsAround].max() ?? 0)
            guard ends >= max(Self.minVisible, Self.minPartOfMean * meanStep), ends > Self.minEnds * around,
                isAbrupt(index, count)
            else { return false }
            let across = difference(index - 1, end)
            let interval = count + 1
            let earlier = index - 1 - interval >= 0 ? difference(index - 1 - interval, index - 1) : 0
            let later = end + interval < samples.count ? difference(end, end + interval) : 0
            return across < Self.maxAcross.ofEnds * ends || across <= Self.maxAcross.ofMotion * max(earlier, later)
        }
    }

    /// Returns true if the mean difference at both ends of a flash also exceeds those around.
    private func isAbrupt(_ index: Int, _ count: Int) -> Bool {
        func change(_ step: Int) -> Double { FrameDelta(samples[step].pixels, samples[step + 1].pixels).mean }
        let end = index + count
        let first = index - 1 - Self.stepsAround
        let around = [first..<index - 1, index..<end - 1, end..<end + Self.stepsAround].joined().map(change)
        return min(change(index - 1), change(end - 1)) > Self.minMeanEnds * (around.max() ?? 0)
    }
}
