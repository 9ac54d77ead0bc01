/// The rules by which a frame, or its transition to the next one, is a fault.
extension MotionCheck {
    /// Returns the fault of the frame at an index of a sequence, or of its transition to the next
    /// one; nil if there is none.
    static func fault(in sequence: [Entry], at index: Int) -> Fault? {
        guard index >= 1, index + 1 < sequence.count else { return nil }
        let before = sequence[index].delta
        let after = sequence[index + 1].delta
        if let fault = flash(in: sequence, at: index) { return fault }
        if before.isMotion, after.isMotion {
            if sequence[index].isBlank {
                if isVanished(in: sequence, at: index) { return .blank }
            } else if isOutOfPlace(in: sequence, at: index) {
                return .jumps
            }
        }
        return pairFault(in: sequence, at: index)
    }

    /// The maximum number of intervals that one frame may fill in place of missing frames. After a
    /// longer rest, a jump is a different motion.
    private static let maxGapSlots = 12
    /// The maximum number of frames of a flash. A longer interruption is a part of the motion.
    private static let maxFlash = 3
    /// The minimum change to and from an interruption, relative to those around it. A missing frame
    /// only doubles one of them.
    private static let minInterruption = 3.0
    /// The minimum travel to and from an interruption, which varies more than the change, and the
    /// minimum change beside it, both relative to those around it.
    private static let minFastInterruption = (travel: 4.0, change: 1.2)
    /// The minimum change before several blank frames, relative to that to them, if it is motion or
    /// an even change of colours. The coding noise of a still image is less.
    private static let minMotionBesideBlanks = 0.02
    /// The minimum change to a blank frame, relative to the change from the frame before the
    /// previous one. In an even fade it is a half.
    private static let minSuddenShare = 0.6
    /// The minimum change after a frame that is shown longer, relative to the steps around it, if
    /// frames are missing. In even motion it is 1 after a hold, and 2 after one missing frame.
    private static let minGapRatio = 1.5
    /// The change to a repeated frame, relative to the expected one, below which it is a
    /// repetition: within the clip, and at the seam, where equal frames are decoded differently.
    private static let maxRepeated = (within: 0.2, atSeam: 0.55)
    /// The minimum expected change, relative to the larger step beside it. With less, the motion
    /// may stop at a frame or between two, and encoders skip changes near zero.
    private static let minExpectedShare = 0.25
    /// The minimum change across a repeated frame, relative to the larger step beside it. Motion
    /// that goes on has more than a step; if it turns between two frames, they are alike, and so
    /// are their neighbours.
    private static let minProgress = 0.6

    /// Returns the fault of two or three frames that interrupt a motion, the first of which is at
    /// an index: all are blank, or the frames around them form a continuous motion without them.
    private static func flash(in sequence: [Entry], at index: Int) -> Fault? {
        guard index >= 2, sequence[index].delta.isMotion, !sequence[index - 1].isBlank else { return nil }
        for count in 2...maxFlash where index + count < sequence.count {
            let enter = sequence[index].delta
            let exit = sequence[index + count].delta
            let near = sequence[index - 1]
            let after = sequence[index + count]
            let isBlank = (index..<index + count).allSatisfy { sequence[$0].isBlank }
            let moves = near.delta.isMotion || isBlank && near.delta.mean > minMotionBesideBlanks * enter.mean
            guard exit.isMotion, !after.isBlank, moves else { continue }
            let within = (index + 1..<index + count).map { sequence[$0].delta.mean }
            let usual = max(near.delta.mean, within.max() ?? 0)
            let change = min(enter.mean, exit.mean)
            guard change > minInterruption * usual, FrameDelta(near.pixels, after.pixels).mean < change / 2 else {
                continue
            }
            return isBlank ? .blank : .jumps
        }
        return nil
    }

    /// Returns true if a frame is blank although its neighbours are not and do not fade to it.
    private static func isVanished(in sequence: [Entry], at index: Int) -> Bool {
        guard !sequence[index - 1].isBlank, !sequence[index + 1].isBlank else { return false }
        func isSudden(_ delta: FrameDelta, _ further: Int) -> Bool {
            guard sequence.indices.contains(further) else { return true }
            return delta.mean > minSuddenShare * FrameDelta(sequence[further].pixels, sequence[index].pixels).mean
        }
        return isSudden(sequence[index].delta, index - 2) && isSudden(sequence[index + 1].delta, index + 2)
    }

    /// Returns true if the frames around one form a continuous motion without it.
    private static func isOutOfPlace(in sequence: [Entry], at index: Int) -> Bool {
        let around = [
            index >= 2 ? sequence[index - 1].delta : nil, index + 2 < sequence.count ? sequence[index + 2].delta : nil,
        ]
        .compactMap { $0 }
        func minimum(_ value: (FrameDelta) -> Double) -> Double {
            min(value(sequence[index].delta), value(sequence[index + 1].delta))
        }
        func maximum(_ value: (FrameDelta) -> Double) -> Double { around.map(value).max() ?? 0 }
        let change = minimum(\.mean)
        let travel = minimum(\.travel)
        let changes = change > minInterruption * maximum(\.mean)
        // If objects move fast, only the travel is conclusive.
        let travels =
            travel > minFastInterruption.travel * maximum(\.travel)
            && change > minFastInterruption.change * maximum(\.mean)
        guard changes || travels else { return false }
        let across = FrameDelta(sequence[index - 1].pixels, sequence[index + 1].pixels)
        return changes && across.mean < change / 2 || travels && across.travel < travel / 2
    }

    /// Returns the fault of the transition from a frame to the next; nil if there is none.
    ///
    /// - Parameter atSeam: true if a loop restarts between them. There motion may turn at a frame
    ///   but not between two, and equal frames are decoded differently.
    static func pairFault(in sequence: [Entry], at index: Int, atSeam: Bool = false) -> Fault? {
        guard index >= 2, index + 3 < sequence.count else { return nil }
        let earlier = sequence[index - 1].delta
        let before = sequence[index].delta
        let delta = sequence[index + 1].delta
        let after = sequence[index + 2].delta
        let later = sequence[index + 3].delta
        guard before.isMotion, after.isMotion else { return nil }
        let isHeld = sequence[index + 1].slots > 1 && sequence[index].slots == 1 && sequence[index + 2].slots == 1
        if isHeld, delta.mean > minGapRatio * max(before.mean, after.mean) {
            // A jump after a long rest is a different motion.
            return sequence[index + 1].slots <= maxGapSlots ? .missing : nil
        }
        // The expected change, extrapolated from the frames before and after.
        let expected = min(
            before.mean, 2 * before.mean - earlier.mean, after.mean, 2 * after.mean - later.mean)
        guard expected > 0 else { return nil }
        if isHeld { return sequence[index + 1].slots <= 3 ? .doubled : nil }
        if atSeam {
            // For small objects, noise makes up most of a change.
            let isNoise = !delta.isMotion && delta.mean < expected
            // If motion rests at the seam, encoders merge the frames into one with a longer
            // duration.
            let rests = sequence[index + 1].slots > 1 || sequence[index + 2].slots > 1
            return (delta.mean < maxRepeated.atSeam * expected || isNoise) && !rests ? .doubled : nil
        }
        guard delta.mean < maxRepeated.within * expected, expected > minExpectedShare * max(before.mean, after.mean)
        else { return nil }
        let across = FrameDelta(sequence[index - 1].pixels, sequence[index + 2].pixels)
        return across.mean > minProgress * max(before.mean, after.mean) ? .doubled : nil
    }
}

extension MotionCheck {
    /// The findings that a loader's own motion explains.
    private static let motionFindings: Set<FindingID> = [
        .pictureBlank, .pictureMissing, .pictureFrozen, .pictureSwapped, .pictureTorn, .pictureJumps,
        .pictureDoubled,
    ]
    /// The number of frames within which two findings are of one fault. The checks of motion and of
    /// the loader's time may report it a frame or two apart.
    private static let sameFaultFrames = 3
    private static let seamFindings: Set<FindingID> = [.seamDropped, .seamDoubled, .seamJumps, .seamBlank]

    private static let pictureFindings: Set<FindingID> = [
        .pictureSwapped, .pictureMissing, .pictureTorn, .pictureJumps,
    ]

    private static func areOfOneFault(_ a: Finding, _ b: Finding) -> Bool {
        guard let first = a.frame, let second = b.frame else { return false }
        return abs(first - second) <= sameFaultFrames
    }

    /// Adds the faults that the small frames of the whole clip show, unless another check found
    /// them.
    mutating func addWholeClipFaults(isEven: Bool) {
        let clip = WholeClipFaults(timeline.samples)
        for index in findings.indices where findings[index].id == .pictureJumps {
            guard findings[index].severity == .error, let frame = findings[index].frame else { continue }
            if clip.mayBeIntended(frame: frame) { findings[index].severity = .warning }
        }
        for fault in clip.findings(isEven: isEven) {
            // Groups in reverse order throughout the clip explain all warnings about single frames.
            let isEverywhere = fault.id == .pictureSwapped
            findings.removeAll {
                $0.severity != .error
                    && (Self.areOfOneFault($0, fault) || isEverywhere && Self.pictureFindings.contains($0.id))
            }
            if !findings.contains(where: { Self.areOfOneFault($0, fault) }) { findings.append(fault) }
        }
    }

    /// Compares the clip with the built-in loader that it shows, if any. Its frames distinguish
    /// designed pauses and jumps from faults better than the motion around them does.
    ///
    /// - Parameters:
    ///   - lastSeconds: the duration of the last frame.
    ///   - loops: true if the clip should loop.
    mutating func compareWithLoaders(lastSeconds: Double, loops: Bool) {
        guard let check = LoaderAlignmentCheck.best(timeline, lastSeconds: lastSeconds, loops: loops),
            let faults = check.faults
        else { return }
        findings.removeAll { finding in
            let isFault = faults.contains { Self.areOfOneFault($0, finding) }
            return Self.motionFindings.contains(finding.id) && !isFault && check.explains(finding)
        }
        let errors = findings.filter { Self.motionFindings.contains($0.id) && $0.severity == .error }
        findings += faults.filter { fault in !errors.contains { Self.areOfOneFault($0, fault) } }
        if check.isSeamRight == true { findings.removeAll { $0.id == .seamDropped } }
        if let fault = check.seamFault,
            !findings.contains(where: { Self.seamFindings.contains($0.id) && $0.severity == .error })
        {
            findings.append(fault)
        }
    }
}
