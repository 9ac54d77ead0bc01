import Animations
import Core

/// The findings of a curve of model time against recorded time.
struct TimeFindings {
    let frames: [AlignedFrame]
    let loader: any Loader
    /// The fitted speed, in seconds of model time per second.
    let speed: Double
    let options: JudgeOptions
    /// The frames between a late start and an early end.
    let body: Range<Int>
    /// True for each frame that shows the same as the previous one although the loader moves.
    let isStill: [Bool]
    /// True for each frame before which the loader moves by more than noise.
    let isTelling: [Bool]
    /// The change from one frame to the next by which a motion is told from noise.
    private let minMotion: Double
    /// True for each frame that determines its model time.
    let isCertain: [Bool]
    /// True for each frame that determines its model time with half the evidence: enough for a
    /// frame that was swapped with another.
    let isLikely: [Bool]
    /// The median interval of judged frames in seconds.
    let step: Double
    /// The number of the recording's frames from one judged frame to the next.
    let sampling: Int
    /// The standstills within the animation, as ranges of frames that repeat the one before them.
    private(set) var standstills: [Range<Int>] = []
    /// The deviations of missing frames. If a few jumps do not divide the recording into stretches
    /// with constant offsets, only those that show are of missing frames.
    private(set) var jumps: [Deviation] = []
    /// The frames with certain times of each stretch between standstills and jumps.
    private(set) var stretches: [[Int]] = []

    /// The smallest interval of frames in seconds: that of 10,000 frames per second.
    private static let minStep = 0.0001
    /// The change of a frame, relative to that of the moving loader, below which it stands still.
    private static let stillShare = 0.12
    /// The squared motion of a frame, relative to the median, below which an encoder may drop it.
    private static let tellingShare = 0.1
    /// The squared motion of a frame, relative to the fastest tenth, below which an encoder may
    /// drop it in loaders that mostly rest.
    private static let fastShare = 0.03
    /// The energy at the designed time, relative to the drawing's, above which a frame that shows
    /// the loader at rest is late.
    private static let minLag = 0.01
    /// The drawing of a frame, relative to the median, below which it is blank. Objects
    /// that cover each other leave a seventh of QQ Mail's drawing.
    static let minDrawing = 0.1
    /// The shortest standstill in seconds. Recorders repeat two or three frames under load.
    private static let minFreeze = 0.075
    /// The energy of the frames around a jump at the designed times, relative to that at the
    /// aligned ones. A difference in space leaves as much at both.
    private static let minJumpGain = 2.5
    /// The number of frames after a jump that keep the new time. Fewer show an instant that looks
    /// alike.
    private static let jumpFrames = 16
    /// The change from one frame to the next, relative to that nearby, above which a jump is
    /// visible. Where the design rests, other timing functions jump in time without a visible skip.
    private static let minSkip = 1.4
    /// The number of frames by which the frame after a standstill may lead.
    private static let maxLead = 2.0
    /// The number of frames before a standstill that show whether it interrupts a motion.
    private static let motionReach = 3
    /// The number of frames on each side that tell the usual change.
    private static let skipReach = 6
    /// The model time that may pass in a standstill, relative to its duration.
    private static let maxAdvance = 0.35
    /// The energy that remains after alignment, relative to the drawing's, above which a frame
    /// shows something else.
    private static let poorFit = 0.05
    /// The shift in model time, in seconds, that must be visible in a frame whose time is certain:
    /// a frame at 60 Hz. It depends on the recording alone, not on the tolerance.
    private static let evidenceShift = 0.017
    /// The difference of a frame's time from the designed one, in frames, below which both count as
    /// equal.
    private static let sameTime = 0.75
    /// The energy at the designed time above which another time is certain, relative to the larger
    /// of the energy at the other time and the median of all frames. Encoders repeat parts of
    /// frames for small motions, at up to three times the energy.
    static let minTimeGain = 4.0

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
        let times = frames.map(\.time)
        // A part of one frame has no interval.
        step = max(Self.minStep, ClipSurvey.medianStep(times))
        let floor = frames.map(\.alignedEnergy).median ?? 0
        let drawing = frames.map(\.drawingEnergy).median ?? 0
        let sameTime = Self.sameTime * step * abs(speed)
        let motion = frames.indices.map { index -> Double in
            let seconds = index > 0 ? speed * (times[index] - times[index - 1]) : 0
            return frames[index].sensitivity * seconds * seconds
        }
        // What changes beside the motion, which may never rest.
        let noise = zip(frames, motion).map { max(0, $0.change - $1) }.sorted()[frames.count / 4]
        let sorted = motion.sorted()
        let minMotion = max(
            3 * noise, Self.tellingShare * sorted[frames.count / 2], Self.fastShare * sorted[9 * frames.count / 10])
        self.minMotion = minMotion
        let changes = frames.map { max(0, $0.change - noise) }
        // How clearly each frame shows its time; 0 for those that do not tell it.
        let gains = frames.indices.map { index -> Double in
            let frame = frames[index]
            // A frame in a rest shows the whole rest, however much its drawing tells of the time.
            let change = max(changes[index], index + 1 < frames.count ? changes[index + 1] : 0)
            guard change > Self.stillShare * minMotion,
                frame.sensitivity * Self.evidenceShift * Self.evidenceShift > 0.25 * floor,
                frame.alignedEnergy < max(3 * floor, Self.poorFit * frame.drawingEnergy),
                frame.drawingEnergy > Self.minDrawing * drawing
            else { return 0 }
            let isByDesign = abs(frame.modelTime - frame.expected) < sameTime
            return isByDesign ? .infinity : frame.energy / max(floor, frame.alignedEnergy)
        }
        isCertain = gains.map { $0 > Self.minTimeGain }
        isLikely = gains.map { $0 > Self.minTimeGain / 2 }
        isTelling = motion.map { $0 > minMotion }
        isStill = zip(zip(frames, isTelling), motion).map { frame, moved in
            if frame.1 { return frame.0.change < Self.stillShare * moved + min(noise, 0.1 * moved) }
            // The design has left a rest that the frame still shows.
            return Self.isBehind(frame.0) && frame.0.change < Self.stillShare * minMotion
        }
        let isBlank = frames.map { $0.drawingEnergy < Self.minDrawing * drawing }
        var first = 0
        while first < frames.count - 1, isBlank[first] { first += 1 }
        while first < frames.count - 1, isStill[first + 1] { first += 1 }
        var last = frames.count
        while last > first + 1, isBlank[last - 1] { last -= 1 }
        while last > first + 1, isStill[last - 1] { last -= 1 }
        body = first..<last
        standstills = foundStandstills()
        let possible = possibleJumps()
        jumps = isStepwise(stretches(between: possible)) ? possible : possibleJumps(mustShow: true)
        stretches = stretches(between: jumps)
        if let jump = jumpInRest() {
            jumps.append(jump)
            stretches = stretches(between: jumps)
        }
    }

    /// The time of a frame.
    func time(_ index: Int) -> Double { frames[index].time }

    /// The notes about what precedes and follows the animation.
    var notes: [Deviation] {
        var notes: [Deviation] = []
        if body.lowerBound > 1 {
            let (start, end) = (time(0), time(body.lowerBound))
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
            guard isStill[index] else {
                index += 1
                continue
            }
            var end = index + 1
            for next in end..<max(end, body.upperBound) {
                // Where the loader hardly moves, a frame cannot tell.
                guard isStill[next] || !isTelling[next] else { break }
                if isStill[next] { end = next + 1 }
            }
            if isStandstill(index..<end) { result.append(index..<end) }
            index = end
        }
        return result
    }

    /// True if a range of still frames is long enough, interrupts a motion, and shows one instant.
    /// A slow motion changes little, too, but it continues.
    private func isStandstill(_ range: Range<Int>) -> Bool {
        let duration = time(range.upperBound - 1) - time(range.lowerBound - 1)
        guard range.count >= 2, duration >= Self.minFreeze, interruptsMotion(range) else { return false }
        // Encoders leave out slow motion, but not for so long that the design moves on visibly.
        guard range.contains(where: { Self.isBehind(frames[$0]) }) else { return false }
        let advances = range.filter { isStill[$0] }.map { abs(frames[$0].modelTime - frames[$0 - 1].modelTime) }
        return advances.median ?? 0 < Self.maxAdvance * step * abs(speed)
    }

    /// True if the designed time of a frame visibly differs from what it shows.
    static func isBehind(_ frame: AlignedFrame) -> Bool {
        frame.energy > max(minLag * frame.drawingEnergy, minJumpGain * frame.alignedEnergy)
    }

    /// True if the recording moves before a range of still frames or skips after it. Otherwise, a
    /// rest of the loader lasts longer.
    private func interruptsMotion(_ range: Range<Int>) -> Bool {
        let before = max(0, range.lowerBound - Self.motionReach)..<range.lowerBound
        let isMoving = before.contains { frames[$0].change > Self.stillShare * minMotion }
        // In a rest of the loader, only what follows tells.
        if isMoving, isTelling[range.lowerBound] { return true }
        // A skip leads to the designed time. The design itself may jump as a longer rest ends.
        let next = range.upperBound
        return next < frames.count && abs(lead(next)) < Self.maxLead * step * abs(speed)
            && isVisibleSkip(from: next - 1, to: next)
    }

    /// Returns the deviations of some standstills.
    func freezes(_ standstills: [Range<Int>]) -> [Deviation] {
        standstills.map { range in
            let from = time(visibleStart(of: range) - 1)
            let until = time(range.upperBound - 1)
            return Deviation(
                kind: .frozen, time: from...until, size: until - from, unit: "s",
                text: "frozen from \(DeviationWriter.decimal(from)) to \(DeviationWriter.decimal(until)) s")
        }
    }

    // MARK: Jumps

    /// The difference of a frame's model time from the design.
    func lead(_ index: Int) -> Double { frames[index].modelTime - frames[index].expected }

    /// The frames in order whose time is certain.
    var certain: [Int] { body.filter { isCertain[$0] } }

    /// True if the recording changes more between two frames than nearby.
    func isVisibleSkip(from first: Int, to last: Int, reach: Int = Self.skipReach) -> Bool {
        let near = max(1, first - reach)..<min(frames.count, last + 1 + reach)
        let usual = near.filter { !(first + 1...last).contains($0) && !isStill[$0] }.map { frames[$0].change }
        let largest = frames[first + 1...last].map(\.change).max() ?? 0
        // As a rest ends, the first motion is longer than none.
        return usual.median.map { largest > max(minMotion, Self.minSkip * $0) } ?? true
    }

    private func possibleJumps(mustShow: Bool = false) -> [Deviation] {
        let certain = certain
        var result: [Deviation] = []
        let reach = 4
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
                abs(here) > 0.7 * abs(speed) * step && change > 0.7 * abs(here) && change < 1.4 * abs(here)
            let near = certain[position - reach..<position + reach]
            let isBetter =
                near.reduce(0) { $0 + frames[$1].energy }
                > Self.minJumpGain * near.reduce(0) { $0 + frames[$1].alignedEnergy }
            if isJump, isBetter, here * speed > 0, !isNearFreeze, interval < 3 * abs(speed) * step,
                abs(here) > 1.2 * options.tolerance.milliseconds / 1000,
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
