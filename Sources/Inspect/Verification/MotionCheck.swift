/// The check of the changes from frame to frame. Finds frames that are blank, out of place or
/// duplicated, and faults at the seam of a loop. Holds a few thumbnails, and up to 1,200 small
/// frames for the comparison with built-in loaders.
struct MotionCheck {
    /// A thumbnail of a frame and the change from the previous one.
    struct Entry {
        var pixels: Pixels
        var isBlank: Bool
        /// The change from the previous frame.
        var delta: FrameDelta
        /// The number of regular intervals since the previous frame.
        var slots: Int
        var time: Double
        var frame: Int
        /// True for a keyframe after a frame that is not a keyframe.
        var isRefresh: Bool
        /// The number of intervals for which this frame is repeated or shown longer.
        var repeats = 0
        /// True if it is shown longer.
        var isLong = false
    }

    /// A fault at a position in a sequence of frames.
    enum Fault: Hashable {
        case blank, jumps, doubled, missing
    }

    private(set) var recent: [Entry] = []
    private(set) var beginning: [Entry] = []
    /// The largest jump from one frame to the next, in the mean change, at which the clip restarts
    /// or turns by design.
    private(set) var largestJump = 0.0
    private var gaps: [Finding] = []
    private var gapCount = 0
    /// The number of frames during motion that are shown for more than one interval.
    private var longCount = 0
    private(set) var count = 0
    private(set) var blankCount = 0
    /// The sum and number of all changes above noise.
    private var motion = (sum: 0.0, count: 0)
    private var order = FrameOrderCheck()
    /// The frames to compare with built-in loaders.
    var timeline = LoaderTimeline()
    private var doubled: [(time: Double, frame: Int, slots: Int)] = []
    private var doubledCount = 0
    var findings: [Finding] = []

    /// The number of recent frames that are kept: four before the examined one and three after it.
    private static let window = 8
    /// The number of first frames that are kept: those after the seam that `loopedSequence` needs.
    private static let maxBeginning = 5
    /// The maximum number of findings, for hostile files.
    private static let maxFindings = 20
    /// The minimum share of a frame that its background covers in an animation. Films and test
    /// patterns that fill the frame have less of any one colour.
    private static let minPlainShare = 0.4

    /// The maximum number of faults of one kind that count as errors. More are the clip's own
    /// motion.
    private static let maxErrors = 2
    /// The part of the frames, a twentieth, that may be shown longer while the motion skips ahead.
    /// With more, the clip has a variable frame rate, and single gaps are not faults.
    private static let maxGapPart = 0.05
    /// The minimum frame rate at which motion is even from frame to frame, and at which an
    /// animation does not show a frame of its own, such as a blink, for a single interval.
    private static let minRateWithoutFlashes = 20.0
    /// The last frame is a pause before a designed restart if it is shown for more intervals than
    /// this, and for at least this many seconds. Shorter ones may stand for a few missing frames.
    private static let minPauseSlots = 3
    private static let minPauseSeconds = 0.4
    /// The minimum change of a frame that interrupts the motion, relative to the mean change: for
    /// one that also exceeds all changes around it by a factor, and for others. Where the motion
    /// rests, encoders may predict a frame a little wrong, and where it turns, a program that
    /// rounds positions to pixels may show the turning point for a single frame.
    private static let minJump = (clear: 0.15, other: 0.6, factor: 3.0)

    /// The position of a frame in the clip.
    struct Position {
        /// The index of the frame.
        var frame: Int
        /// The number of regular intervals since the previous frame.
        var slots: Int
        /// The time in seconds.
        var time: Double
        /// True for a keyframe after a frame that is not a keyframe.
        var isRefresh: Bool
    }

    /// Adds the thumbnail of a frame.
    mutating func add(_ pixels: Pixels, at position: Position) {
        let delta = recent.last.map { FrameDelta($0.pixels, pixels) } ?? FrameDelta(mean: 0, isMotion: false)
        let entry = Entry(
            pixels: pixels, isBlank: pixels.isBlank, delta: delta, slots: position.slots, time: position.time,
            frame: position.frame, isRefresh: position.isRefresh)
        if delta.isMotion, position.slots > 1 { longCount += 1 }
        if delta.isMotion { motion = (motion.sum + delta.mean, motion.count + 1) }
        if entry.isBlank { blankCount += 1 }
        if beginning.count < Self.maxBeginning { beginning.append(entry) }
        recent.append(entry)
        order.add(entry)
        timeline.add(pixels, frame: position.frame, time: position.time)
        if recent.count > Self.window { recent.removeFirst() }
        count += 1
        guard count >= Self.window else { return }
        // The first window also covers the earlier frames that have three after them.
        for index in count == Self.window ? 1...4 : 4...4 { examine(recent, at: index) }
        if jump(in: recent, at: 4)?.id == .seamJumps { largestJump = max(largestJump, recent[4].delta.mean) }
    }

    /// True if the clip is drawn on a plain background, which the first and the last frame share.
    private var isPlain: Bool {
        // A blank frame at the end may be the fault that is looked for.
        guard let first = beginning.first?.pixels,
            let last = (recent.last { !$0.isBlank } ?? recent.last)?.pixels
        else { return true }
        let color = Array(first.bytes.prefix(4))
        return min(first.share(of: color), last.share(of: color)) >= Self.minPlainShare
    }

    /// The mean change of frames that move; 0 if none does.
    var meanMotion: Double { motion.count > 0 ? motion.sum / Double(motion.count) : 0 }

    // MARK: Within the clip

    private mutating func examine(_ sequence: [Entry], at index: Int) {
        guard let fault = Self.fault(in: sequence, at: index) else { return }
        if fault == .jumps, !isLargeJump(sequence, at: index) { return }
        let time = sequence[index].time
        let frame = sequence[index].frame
        switch fault {
        case .blank:
            findings.append(
                Finding(.pictureBlank, .error, time: time, frame: frame, "the frame is blank; render the clip again"))
        case .jumps:
            findings.append(
                Finding(
                    .pictureJumps, .warning, time: time, frame: frame,
                    "the frame interrupts the motion of those around it; render the clip again unless this is intended")
            )
        case .doubled:
            doubledCount += 1
            if doubled.count < 4 { doubled.append((time, frame, sequence[index + 1].slots)) }
        case .missing:
            gapCount += 1
            let missing = sequence[index + 1].slots - 1
            gaps.append(
                Finding(
                    .timeGap, .error, time: time, frame: frame,
                    "\(missing) \(missing == 1 ? "frame is" : "frames are") missing after this one, which is shown "
                        + "longer; render the clip again"))
            if gaps.count > Self.maxErrors + 1 { gaps.removeLast() }
        }
        if findings.count > Self.maxFindings { findings.removeLast() }
    }

    private func isLargeJump(_ sequence: [Entry], at index: Int) -> Bool {
        let change = sequence[index].delta.mean
        let others = sequence.indices.filter { $0 != index && $0 != index + 1 }.map { sequence[$0].delta.mean }
        let isClear = change > Self.minJump.factor * (others.max() ?? 0)
        return change >= (isClear ? Self.minJump.clear : Self.minJump.other) * meanMotion
    }

    /// Looks for faults of a frame itself, and not of its transition to the next one.
    private mutating func examineAlone(_ sequence: [Entry], at index: Int) {
        switch Self.fault(in: sequence, at: index) {
        case .blank, .jumps: examine(sequence, at: index)
        default: break
        }
    }

    // MARK: Seam of the loop

    /// Completes the check after the last frame. The seam is only examined if the first frame is
    /// the clip's.
    ///
    /// - Parameters:
    ///   - lastSlots: the number of regular intervals for which the last frame is shown.
    ///   - lastSeconds: the same in seconds.
    ///   - loops: true if the clip should loop because the user says so.
    ///   - repeats: true if its container repeats it. Then it should loop if it is drawn on a plain
    ///     background: films and test patterns are not made as loops.
    mutating func finish(lastSlots: Int, lastSeconds: Double, loops: Bool, repeats: Bool) {
        guard count > 0 else { return }
        let isWhole = beginning.first?.frame == 0
        if blankCount == count, isWhole {
            findings.append(Finding(.allBlank, .error, "every frame has only one colour; render the clip again"))
            return
        }
        let isPlain = isPlain
        let sequence = loopedSequence(lastSlots)
        // Examines the frames that had too few frames after them.
        let first = count < Self.window ? 1 : recent.count - 3
        for index in first..<max(first, recent.count - 2) { examine(sequence, at: index) }
        // The check of the seam reports repeated frames.
        if count >= 4 { examineAlone(sequence, at: recent.count - 2) }
        let isConverted = doubledCount > Self.maxErrors
        if !isConverted { raiseJumps(isPlain) }
        addGaps()
        findings += order.findings(
            isPlain: isPlain, isSmooth: isSmooth, isConverted: isConverted, meanMotion: meanMotion)
        addWholeClipFaults(isEven: isPlain && isSmooth)
        explainRests()
        var seam = count >= 4 && isWhole ? seamFinding(sequence, loops || repeats && isPlain ? .error : .note) : nil
        if seam?.id == .seamJumps, !loops, lastSlots > Self.minPauseSlots, lastSeconds >= Self.minPauseSeconds {
            // An animation that pauses at its end restarts by design.
            seam?.severity = .note
        }
        if seam?.severity == .error, isSeamShown { seam?.severity = .note }
        addDoublings(isOrderReported: isPlain && isSmooth && !isConverted, seam)
    }

    /// Adds a finding about repeated frames, which the order of frames does not explain, and that
    /// of the seam.
    ///
    /// - Parameter isOrderReported: true if frames in a wrong order are reported as errors.
    private mutating func addDoublings(isOrderReported: Bool, _ seam: Finding?) {
        let frozen = isOrderReported ? order.errorFrames : []
        let others = doubled.filter { !frozen.contains($0.frame) }
        let doublings = doubledCount - doubled.count + others.count + (seam?.id == .seamDoubled ? 1 : 0)
        if doublings > 1 {
            findings.append(
                Finding(
                    .pictureDoubled, .note, time: others.first?.time, frame: others.first?.frame,
                    "frames are repeated at \(doublings) points: holds, or a conversion from a lower frame rate"))
        } else if let first = others.first {
            let isTripled = first.slots > 2
            findings.append(
                Finding(
                    .pictureDoubled, isTripled ? .error : .warning, time: first.time, frame: first.frame,
                    "the frame is shown \(isTripled ? "three times" : "twice") during motion; "
                        + "render the clip again unless this is intended"))
        }
        if let seam, doublings <= 1 || seam.id != .seamDoubled { findings.append(seam) }
    }

    /// True if the mean frame rate is high enough for even motion from frame to frame.
    private var isSmooth: Bool {
        let rate = recent.last.map { Double(count - 1) / max(1e-9, $0.time) } ?? 0
        return rate >= Self.minRateWithoutFlashes
    }

    /// Raises findings about frames that interrupt the motion to errors, unless there are many or
    /// the clip may flash by design.
    private mutating func raiseJumps(_ isPlain: Bool) {
        let jumps = findings.indices.filter { findings[$0].id == .pictureJumps }
        guard isPlain, jumps.count <= Self.maxErrors, isSmooth else { return }
        for index in jumps { findings[index].severity = .error }
    }

    private mutating func addGaps() {
        let isVariable = Double(longCount) > max(Double(Self.maxErrors), Self.maxGapPart * Double(count))
        guard gapCount > 0, isVariable, var first = gaps.first
        else {
            findings += gaps
            return
        }
        first.severity = .note
        first.message = "frames are missing and others shown longer at \(longCount) points: a variable frame rate"
        findings.append(first)
    }

    /// Changes an error about a jump at the seam to a note if a known loader jumps in this way.
    ///
    /// - Parameter lastSeconds: the duration of the last frame.
    mutating func explainSeam(lastSeconds: Double) {
        guard let index = findings.firstIndex(where: { $0.id == .seamJumps && $0.severity == .error }),
            let last = recent.last, let first = beginning.first,
            let loader = KnownSeam.loader(from: last.pixels, to: first.pixels, lastSeconds: lastSeconds)
        else { return }
        findings[index].severity = .note
        findings[index].message = "if looped, the clip jumps at the restart, as \(loader) itself does"
    }
}
