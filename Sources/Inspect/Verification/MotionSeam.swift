// The change from a clip's last frame to its first, as in a loop.
extension MotionCheck {
    /// The minimum growth of the change at which the travel tells that frames are missing. Objects
    /// that move farther than their own width change about as much as in a step; a smaller change
    /// has another cause, and the travel is noise.
    private static let minChangeOfTravel = 0.9
    /// The maximum jump at the seam that is the clip's own motion, relative to the largest jump
    /// within the clip. A smaller jump is a note, a larger one a fault.
    private static let maxOwnJump = 1.4
    /// The minimum change and travel at the seam, relative to the steps around it, at which frames
    /// are missing. One missing frame doubles both in even motion; eased motion reaches 1.3, and
    /// travel varies more than the change.
    private static let minSkip = (change: 1.4, travel: 1.6)
    /// The change or travel, relative to the steps around, above which the clip jumps. Below it,
    /// one to three frames are missing.
    private static let maxCountedSkip = 3.6
    /// The growth, relative to the steps beside the seam, of the change in samples that do not
    /// change visibly, above which that change is coding noise, and the growth of the travel below
    /// which no frame is missing then. The noise of a lossy WebP's first frame differs from that of
    /// its last.
    private static let minNoiseGrowth = 3.0
    private static let maxNoisyTravel = 1.2
    /// The minimum jump of a clip that rests on both sides of its seam, relative to the mean
    /// change. A smaller one is not even a step of the motion.
    private static let minJumpAtRest = 0.5
    /// The minimum motion before and after a repeated frame, relative to the mean change. With
    /// less, a repeated frame is not visible.
    private static let minDoubledMotion = 0.1
    /// The minimum motion of several repeated frames, relative to the mean change. Slower frames
    /// resemble each other without a repetition.
    private static let minRepeatedMotion = 0.3
    /// The maximum change between a frame and its repetition, relative to the slowest step of the
    /// motion. It is not 0, because encoders draw equal frames differently.
    private static let maxRepeatedChange = 0.25

    /// Returns the last frames followed by the first ones, as in a loop.
    func loopedSequence(_ lastSlots: Int) -> [Entry] {
        guard let last = recent.last, var first = beginning.first else { return [] }
        first.delta = FrameDelta(last.pixels, first.pixels)
        first.slots = lastSlots
        return recent + [first] + beginning.dropFirst()
    }

    /// Returns the fault at the seam of a looped sequence; nil if there is none.
    func seamFinding(_ sequence: [Entry], _ severity: Finding.Severity) -> Finding? {
        let seam = recent.count
        func finding(_ id: FindingID, _ index: Int, _ message: String) -> Finding {
            Finding(id, severity, time: sequence[index].time, frame: sequence[index].frame, message)
        }
        for (index, name) in [(seam - 1, "last"), (seam, "first")] {
            switch Self.fault(in: sequence, at: index) {
            case .blank:
                return finding(
                    .seamBlank, index,
                    "if looped, the \(name) frame is blank; remove it")
            case .jumps:
                return finding(
                    .seamJumps, index, "if looped, the \(name) frame interrupts the motion; render the clip again")
            default: break
            }
        }
        for index in [seam - 2, seam - 1, seam]
        where min(sequence[index].delta.mean, sequence[index + 2].delta.mean) > Self.minDoubledMotion * meanMotion
            && Self.pairFault(in: sequence, at: index, atSeam: index == seam - 1) == .doubled
        {
            return finding(
                .seamDoubled, index,
                "if looped, a frame is repeated at the restart; remove the last frame")
        }
        for repeated in 2...3 where repeats(repeated, in: sequence, at: seam) {
            return finding(
                .seamDoubled, seam - repeated,
                "if looped, \(repeated) frames are repeated at the restart; remove the last \(repeated) frames")
        }
        guard let (id, message) = jump(in: sequence, at: seam) else { return nil }
        guard id == .seamJumps, sequence[seam].delta.mean <= Self.maxOwnJump * largestJump else {
            return finding(id, seam - 1, message)
        }
        // An animation that restarts within the clip may do so at its end.
        return Finding(
            id, .note, time: sequence[seam - 1].time, frame: sequence[seam - 1].frame,
            "if looped, the clip jumps at the restart, as it does elsewhere")
    }

    /// Returns true if the last frames of a loop equal the first ones although they move.
    private func repeats(_ number: Int, in sequence: [Entry], at seam: Int) -> Bool {
        guard number <= seam, seam + number < sequence.count else { return false }
        let equal = (0..<number).map { FrameDelta(sequence[seam - number + $0].pixels, sequence[seam + $0].pixels) }
        let moving = (seam - number + 1...seam + number - 1).map { sequence[$0].delta }
        let slowest = moving.map(\.mean).min() ?? 0
        return moving.allSatisfy { $0.isMotion && $0.mean > Self.minRepeatedMotion * meanMotion }
            && equal.allSatisfy { !$0.isMotion && $0.mean < Self.maxRepeatedChange * slowest }
    }

    /// Returns the fault of the change from the last frame to the first, compared with those around
    /// it; nil if there is none.
    func jump(in sequence: [Entry], at seam: Int) -> (id: FindingID, message: String)? {
        func steady(_ near: Entry, _ far: Entry, _ value: (FrameDelta) -> Double) -> Double {
            let delta = value(near.delta) / Double(near.slots)
            return max(delta, 2 * delta - value(far.delta) / Double(far.slots))
        }
        let before = sequence[seam - 1]
        let after = sequence[seam + 1]
        let delta = sequence[seam].delta
        func growth(_ value: (FrameDelta) -> Double) -> Double {
            let around = max(
                steady(before, sequence[seam - 2], value), steady(after, sequence[seam + 2], value))
            return value(delta) / max(1e-9, around)
        }
        // The first frame is a keyframe, whose coding noise is another than that of the last one.
        let change = min(growth(\.mean), growth(\.visible))
        let around = [before, after, sequence[seam - 2], sequence[seam + 2]].map { $0.delta.travel / Double($0.slots) }
        let travel = delta.travel / max(1e-9, around.max() ?? 0)
        let isLong = change > Self.minSkip.change || travel > Self.minSkip.travel && change >= Self.minChangeOfTravel
        guard delta.isMotion, isLong else { return nil }
        if Self.unseenGrowth(delta, beside: [before.delta, after.delta]) > Self.minNoiseGrowth,
            travel < Self.maxNoisyTravel, change < Self.maxCountedSkip
        {
            return nil
        }
        let isStill = !before.delta.isMotion && !after.delta.isMotion
        if isStill || max(change, travel) > Self.maxCountedSkip {
            guard !isStill || delta.mean > Self.minJumpAtRest * meanMotion else { return nil }
            return (
                .seamJumps,
                "if looped, the clip jumps at the restart; render whole cycles (\(option: "cycles")) or pass "
                    + "the expected loader (\(commandOption: "against"))"
            )
        }
        let missing = max(1, Int(max(change, travel).rounded()) - 1)
        return (
            .seamDropped,
            "if looped, about \(missing) \(missing == 1 ? "frame is" : "frames are") missing at the restart; "
                + "render to the end of the cycle"
        )
    }

    /// Returns the ratio of the change that is not visible to the largest one of others; 0 if those
    /// have none.
    private static func unseenGrowth(_ delta: FrameDelta, beside others: [FrameDelta]) -> Double {
        let usual = others.map { $0.mean - $0.visible }.max() ?? 0
        return usual > 0 ? (delta.mean - delta.visible) / usual : 0
    }
}
