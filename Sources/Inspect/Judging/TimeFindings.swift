import Animations
import Core

/// The findings of a curve of model time against recorded time.
struct TimeFindings {
    let frames: [AlignedFrame]
    let loader: any Loader
    /// The fitted speed, in seconds of model time per second.
    let speed: Double
    let options: JudgeOptions
    let evidence: FrameEvidence
    /// The median interval of judged frames in seconds.
    let step: Double
    /// The number of the recording's frames from one judged frame to the next.
    let sampling: Int
    /// The standstills within the animation, as ranges of frames that repeat the one before them.
    private(set) var standstills: [Range<Int>] = []
    /// The runs of frames that show other content than their neighbours.
    private(set) var flashes: [Flash] = []
    /// The deviations of missing frames. Unless the jumps divide the recording into a few stretches
    /// with constant offsets, only those with a visible skip count.
    private(set) var jumps: [Deviation] = []
    /// The frames with certain times of each stretch between standstills and jumps.
    private(set) var stretches: [[Int]] = []

    /// The smallest interval of frames in seconds: that of 10,000 frames per second.
    private static let minStep = 0.0001
    /// The shortest standstill in seconds, four and a half frames at 60 Hz. Recorders repeat two or
    /// three frames under load.
    private static let minFreeze = 0.075
    /// The number of frames after a jump that keep the new time. If fewer do, they only show
    /// another instant that looks alike.
    private static let jumpFrames = 16
    /// The minimum jump in time, in frames: one missing frame, less the error of the aligned times.
    static let minJump = 0.7
    /// The offset after a jump, relative to the jump, if the recording keeps the new time.
    private static let lastingShare = (min: 0.7, max: 1.4)
    /// The number of frames whose median is the offset before a jump.
    private static let jumpReach = 4
    /// The maximum interval between the frames at a jump, in frames. Over a longer one, the loader
    /// may rest (`jumpInRest`).
    private static let maxJumpInterval = 3.0
    /// The minimum jump relative to the tolerance. At the tolerance itself, the error of aligned
    /// times would decide.
    private static let jumpMargin = 1.2
    /// The change from one frame to the next, relative to that nearby, above which a jump is
    /// visible. Where the design rests, other timing functions jump in time without a visible skip.
    private static let minSkip = 1.4
    /// The number of frames by which the frame after a standstill may lead the design, or lag
    /// behind it. A skip by more is not the end of a standstill.
    private static let maxLead = 2.0
    /// The number of frames before a standstill that show whether it interrupts a motion.
    private static let motionReach = 3
    /// The number of frames on each side that tell the usual change.
    static let skipReach = 6
    /// The model time that may pass in a standstill, relative to its duration. In a slow motion, as
    /// much passes as in the design.
    private static let maxAdvance = 0.35

    /// - Parameter sampling: the number of the recording's frames from one judged frame to the
    ///   next.
    init(
        _ frames: [AlignedFrame], _ loader: any Loader, _ speed: Double, _ options: JudgeOptions, sampling: Int
    ) {
        self.frames = frames
        self.sampling = sampling
        self.loader = loader
        self.speed = speed
        self.options = options
        // A part of one frame has no interval.
        step = max(Self.minStep, ClipSurvey.medianStep(frames.map(\.time)))
        evidence = FrameEvidence(frames, speed: speed, step: step)
        let flashes = foundFlashes()
        self.flashes = flashes
        // Frames in which the loader is missing repeat each other, but do not show it stopped.
        standstills = foundStandstills().filter { range in
            !flashes.contains { $0.isBlank && $0.frames.overlaps(range) }
        }
        let possible = possibleJumps()
        jumps = isStepwise(stretches(between: possible)) ? possible : possibleJumps(mustShow: true)
        stretches = stretches(between: jumps)
        if let jump = jumpInRest() {
            jumps.append(jump)
            stretches = stretches(between: jumps)
        }
    }

    /// The frames from the first to the last that show the loader moving.
    var body: Range<Int> { evidence.body }

    /// Returns the time of a frame.
    func time(_ index: Int) -> Double { frames[index].time }

    /// The notes about what precedes and follows the animation.
    var notes: [Deviation] {
        var notes: [Deviation] = []
        if body.lowerBound > 1 {
            let start = time(0)
            let end = time(body.lowerBound)
            notes.append(
                Deviation(
                    kind: .lateStart, time: start...end, size: end - start, unit: "s",
                    text: "the animation starts \(DeviationWriter.seconds(end - start)) after the recording starts"))
        }
        if body.upperBound < frames.count - 1, let last = frames.last {
            let time = time(body.upperBound - 1)
            notes.append(
                Deviation(
                    kind: .earlyEnd, time: time...max(time, last.time), size: last.time - time, unit: "s",
                    text: "the animation ends \(DeviationWriter.seconds(last.time - time)) before the recording ends"))
        }
        return notes
    }

    // MARK: Standstills

    private func foundStandstills() -> [Range<Int>] {
        var result: [Range<Int>] = []
        var index = body.lowerBound + 1
        while index < body.upperBound {
            guard evidence.isStill[index] else {
                index += 1
                continue
            }
            var end = index + 1
            for next in end..<max(end, body.upperBound) {
                // Where the loader hardly moves, a frame cannot show whether it repeats another.
                guard evidence.isStill[next] || !evidence.isInformative[next] else { break }
                if evidence.isStill[next] { end = next + 1 }
            }
            if isStandstill(index..<end) { result.append(index..<end) }
            index = end
        }
        return result
    }

    /// Returns true if a range of still frames is long enough, interrupts a motion, and shows one
    /// instant. A slow motion changes little, too, but it continues.
    private func isStandstill(_ range: Range<Int>) -> Bool {
        let duration = time(range.upperBound - 1) - time(range.lowerBound - 1)
        guard range.count >= 2, duration >= Self.minFreeze, interruptsMotion(range) else {
            return false
        }
        // Encoders leave out slow motion, but not for so long that the design moves on visibly.
        guard range.contains(where: { frames[$0].isBehind }) else { return false }
        let advances = range.filter { evidence.isStill[$0] }.map {
            abs(frames[$0].modelTime - frames[$0 - 1].modelTime)
        }
        return advances.median ?? 0 < Self.maxAdvance * step * abs(speed)
    }

    /// Returns true if the recording moves before a range of still frames or skips after it.
    /// Otherwise, a rest of the loader lasts longer.
    private func interruptsMotion(_ range: Range<Int>) -> Bool {
        let before = max(0, range.lowerBound - Self.motionReach)..<range.lowerBound
        let isMoving = before.contains { frames[$0].change > FrameEvidence.stillShare * evidence.minMotion }
        // While the loader rests, only the next frame shows whether a motion was interrupted.
        if isMoving, evidence.isInformative[range.lowerBound] { return true }
        // A skip leads to the designed time. The design itself may jump as a longer rest ends.
        let next = range.upperBound
        return next < frames.count && abs(lead(next)) < Self.maxLead * step * abs(speed)
            && isVisibleSkip(from: next - 1, to: next)
    }

    /// Returns the deviations of some standstills.
    func freezes(_ standstills: [Range<Int>]) -> [Deviation] {
        standstills.compactMap { range in
            let from = time(visibleStart(of: range) - 1)
            let until = time(range.upperBound - 1)
            // Most of it may be in a rest of the loader.
            guard until - from > options.tolerance.milliseconds / 1000 else { return nil }
            return Deviation(
                kind: .frozen, time: from...until, size: until - from, unit: "s",
                text: "frozen from \(DeviationWriter.decimal(from)) to \(DeviationWriter.decimal(until)) s")
        }
    }

    // MARK: Jumps

    /// Returns the difference of a frame's model time from the design.
    func lead(_ index: Int) -> Double { frames[index].modelTime - frames[index].expected }

    /// The frames in order whose time is certain.
    var certain: [Int] { body.filter { evidence.isCertain[$0] } }

    /// Returns true if the recording changes more between two frames than nearby.
    func isVisibleSkip(from first: Int, to last: Int, reach: Int = Self.skipReach) -> Bool {
        let near = max(1, first - reach)..<min(frames.count, last + 1 + reach)
        let usual = near.filter { !(first + 1...last).contains($0) && !evidence.isStill[$0] }.map { frames[$0].change }
        let largest = frames[first + 1...last].map(\.change).max() ?? 0
        // At the end of a rest the usual change is nearly 0, so a skip must also exceed the noise.
        return usual.median.map { largest > max(evidence.minMotion, Self.minSkip * $0) } ?? true
    }

    /// The time in seconds above which a jump is a deviation.
    var jumpTolerance: Double { Self.jumpMargin * options.tolerance.milliseconds / 1000 }

    /// Returns a deviation for each frame at which the model time jumps ahead and stays ahead.
    ///
    /// - Parameter mustShow: true to return only jumps with a visible skip.
    private func possibleJumps(mustShow: Bool = false) -> [Deviation] {
        let certain = certain
        var result: [Deviation] = []
        let reach = Self.jumpReach
        guard certain.count > 2 * reach else { return [] }
        var position = reach
        while position <= certain.count - reach {
            let index = certain[position]
            let before = certain[position - reach..<position].map(lead).median ?? 0
            let after = certain[position..<min(certain.count, position + Self.jumpFrames)].map(lead).median ?? 0
            let here = lead(index) - lead(certain[position - 1])
            let isNearFreeze = standstills.contains { $0.lowerBound - 2...$0.upperBound + 1 ~= index }
            let interval = speed * (time(index) - time(certain[position - 1]))
            let change = abs(after - before)
            let isJump =
                abs(here) > Self.minJump * abs(speed) * step && change > Self.lastingShare.min * abs(here)
                && change < Self.lastingShare.max * abs(here)
            let near = certain[position - reach..<position + reach]
            let isBetter =
                near.reduce(0) { $0 + frames[$1].energy }
                > AlignedFrame.minJumpGain * near.reduce(0) { $0 + frames[$1].alignedEnergy }
            if isJump, isBetter, here * speed > 0, !isNearFreeze,
                interval < Self.maxJumpInterval * abs(speed) * step, abs(here) > jumpTolerance,
                !mustShow || isVisibleSkip(from: certain[position - 1], to: index)
            {
                result.append(missing(index, here / speed))
                position += reach
            } else {
                position += 1
            }
        }
        return result
    }

    private func missing(_ index: Int, _ gap: Double) -> Deviation {
        let count = Int((gap / step * Double(sampling)).rounded())
        let at = time(index)
        return Deviation(
            kind: .missingFrames, time: at...at, size: Double(count), unit: "frames",
            text:
                "\(count) frame\(count == 1 ? "" : "s") missing at \(DeviationWriter.decimal(at)) s: the motion skips "
                + DeviationWriter.seconds(gap))
    }
}
