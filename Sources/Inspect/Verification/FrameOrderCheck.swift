import Core

/// The check for frames that are missing, frozen, swapped or torn although all timestamps are
/// regular. Compares each frame with the motion around it. Holds up to 22 thumbnails: ten frames,
/// and up to three faults of each kind. Does not examine the first four and the last five distinct
/// frames.
struct FrameOrderCheck {
    /// A fault of one frame, or between it and the next one.
    private struct Fault {
        let id: FindingID
        let frame: Int
        let time: Double
        let message: String
        /// The thumbnail of the frame.
        let pixels: Pixels
        /// The largest change of the two steps on each side.
        let motion: Double
    }

    private(set) var recent: [MotionCheck.Entry] = []
    private var faults: [Fault] = []
    /// The frame of the last fault, whether it was kept or not.
    private var lastFault: Int?
    /// The number of faults by kind. Only the first few are kept.
    private var counts: [FindingID: Int] = [:]

    /// The number of frames that are compared at a time: four intervals, or five frames, on each
    /// side of a gap.
    private static let window = 10
    /// The index of the examined frame in the window.
    private static let center = 4
    /// The maximum number of faults of one kind that count as errors. More are the clip's own
    /// motion, as in loaders that change speed abruptly, or a conversion from another frame rate.
    private static let maxErrors = 2

    /// The minimum motion around a fault, relative to the mean change. Where the motion nearly
    /// rests, encoders leave out parts of it.
    private static let minMotion = 0.25

    /// The minimum distance of two faults in frames: the same fault can look like another up to two
    /// frames later.
    private static let minFaultDistance = 3

    /// The additional change per missing frame, relative to the step. Less than 1, because an
    /// object that moves by its own width changes no more pixels.
    private static let minGapGrowth = 0.45
    /// The minimum ratio of the change across a gap to each of the four steps around it. Frames
    /// that VP9 encodes with fewer bits than their neighbours change less before and after them.
    private static let minGrowth = 1.25
    /// The logarithm of the ratio, 1.32, by which the change across a gap may differ from that
    /// across the same number of intervals next to it. For another number of intervals, even motion
    /// differs by a ratio of 1.5 (two instead of three) or 1.33 (three instead of four).
    static let maxGapError = 0.28
    /// The maximum ratio of the steps before and after a gap. With more, the motion changes its
    /// speed there, and its step across the gap cannot be predicted.
    static let maxStepRatio = 2.2
    /// The maximum ratio between the travels of the two steps on both sides of a gap. Even and
    /// eased motion stays below 2. The texts of annotations change at their own times, so their
    /// steps do not measure a gap: 7 in a clip of Jelly with all annotations.
    private static let maxTravelSpread = 4.0
    /// The weight of `FrameDelta.travel` in `gapErrors`, less than 1 because it varies more than
    /// `FrameDelta.mean`, which is called the change here.
    private static let travelWeight = 0.6
    /// The additional travel per missing frame, relative to the step. Travel keeps growing when
    /// objects move farther than their own width, and the change does not.
    private static let minTravelGrowth = 0.75
    /// `maxGapError` where only the travel grows, a ratio of 1.1: travel alone is weaker evidence
    /// than travel and change.
    private static let maxTravelOnlyGapError = 0.1
    /// `maxGapError` where only the change grows, a ratio of 1.06: the travel of a rotating
    /// object depends on its angle. The four steps around the gap must then be even, see
    /// `maxEvenStepRatio`.
    private static let maxChangeOnlyGapError = 0.06
    /// The maximum ratio between the four steps around a gap in even motion.
    static let maxEvenStepRatio = 1.12
    /// The number of missing frames up to which the intervals in the window predict the change.
    static let maxExactMissing = 3

    /// The change between frames relative to the usual one, below which a frame repeats another.
    /// Encoders leave some noise in a repeated frame; motion at a tenth of its speed is a rest.
    private static let maxRepeatedChange = 0.1
    /// The same for all changes and for the visible ones, if the latter decide: a coarse encoder
    /// draws a repeated frame anew little by little.
    private static let maxNoisyChange = (all: 0.3, visible: 0.05)
    /// The minimum number of times that a held frame is shown. Two are common after a conversion
    /// of the frame rate.
    private static let minHold = 3
    /// The maximum duration, in seconds, of a hold that counts as a fault. A longer one is a
    /// designed pause.
    private static let maxHoldSeconds = 0.5

    /// The frames of all faults whose kind is rare enough for an error. `findings` makes some of
    /// them warnings.
    var errorFrames: Set<Int> { Set(faults.filter { isRare($0.id) }.map(\.frame)) }

    private func isRare(_ id: FindingID) -> Bool { counts[id, default: 0] <= Self.maxErrors }

    /// Adds a frame with its change from the previous one. A frame that repeats the previous one
    /// is not kept: `repeats` of the previous one counts its intervals.
    mutating func add(_ entry: MotionCheck.Entry) {
        guard let last = recent.last else {
            recent.append(entry)
            return
        }
        // One of the last two changes may be a jump, so the smaller one counts as usual.
        let other = recent.dropLast().last?.delta ?? last.delta
        if Self.isRepetition(entry.delta, usual: last.delta.mean <= other.mean ? last.delta : other) {
            recent[recent.count - 1].repeats += entry.slots
            return
        }
        var entry = entry
        recent[recent.count - 1].repeats += entry.slots - 1
        recent[recent.count - 1].isLong = entry.slots > 1
        if last.repeats > 0 { entry.delta = FrameDelta(last.pixels, entry.pixels) }
        recent.append(entry)
        guard recent.count >= Self.window else { return }
        if recent.count > Self.window { recent.removeFirst() }
        examine()
    }

    /// Returns true if a frame repeats the previous one, given the change to it and the usual one.
    private static func isRepetition(_ delta: FrameDelta, usual: FrameDelta) -> Bool {
        guard !delta.isMotion else { return false }
        if delta.mean <= maxRepeatedChange * usual.mean { return true }
        return usual.isMotion && delta.mean <= maxNoisyChange.all * usual.mean
            && delta.visible <= maxNoisyChange.visible * usual.visible
    }

    /// Returns the findings, in order of their time.
    ///
    /// - Parameters:
    ///   - isPlain: true if the clip is drawn on a plain background. In others, such as films, the
    ///     encoder's keyframes change the whole frame, and motion is uneven.
    ///   - isSmooth: true if the frame rate is high enough for even motion from frame to frame.
    ///   - isConverted: true if frames are repeated at several points, as after a conversion of the
    ///     frame rate.
    ///   - meanMotion: the mean change of the frames that move.
    func findings(isPlain: Bool, isSmooth: Bool, isConverted: Bool, meanMotion: Double) -> [Finding] {
        faults.map { fault in
            let isError =
                isPlain && isSmooth && !isConverted && isRare(fault.id) && !isRecurring(fault)
                && fault.motion >= Self.minMotion * meanMotion
            // At a low rate, motion that turns back looks like frames in the wrong order.
            let isDoubtful = !isPlain || !isSmooth && fault.id == .pictureSwapped
            return Finding(
                fault.id, isError ? .error : isDoubtful ? .note : .warning, time: fault.time, frame: fault.frame,
                "\(fault.message); render the clip again" + (isError ? "" : " unless its motion is uneven by design"))
        }
    }

    /// Returns true if a fault occurs again at an equal image, as a jump of the animation itself
    /// does.
    private func isRecurring(_ fault: Fault) -> Bool {
        faults.contains { other in
            other.id == fault.id && other.frame != fault.frame && other.message == fault.message
                && !FrameDelta(other.pixels, fault.pixels).isMotion
        }
    }

    private mutating func examine() {
        let index = Self.center
        if isSwapped(index) {
            add(.pictureSwapped, index, "the frame and the next one are in the wrong order")
        } else if let part = tornPart(index) {
            add(.pictureTorn, index, "the \(part) part of the frame belongs to another frame")
        } else if recent[index].repeats > 0 {
            examineRepeats(index)
        } else if let missing = gapCount(index), tornPart(index + 1) == nil, !isSwapped(index + 1),
            !isOtherChange(index)
        {
            // A torn or swapped frame is found when it is examined itself.
            add(
                .pictureMissing, index,
                "\(missing > Self.maxExactMissing ? "about " : "")\(missing) "
                    + "\(missing == 1 ? "frame is" : "frames are") missing after this one, although the times "
                    + "are regular")
        }
    }

    private mutating func examineRepeats(_ index: Int) {
        let count = recent[index].repeats
        // If other frames of the window are repeated too, the frame rate was converted.
        let isAlone = recent.indices.allSatisfy { $0 == index || recent[$0].repeats == 0 }
        guard isAlone else { return }
        if skipsAsMuch(index, count) {
            // `MotionCheck` finds frames with a longer duration by their times.
            guard !recent[index].isLong else { return }
            let frames = count == 1 ? "the next frame repeats" : "the next \(count) frames repeat"
            add(.pictureFrozen, index, "\(frames) this one, and the motion then skips ahead by the same time")
        } else if count + 1 >= Self.minHold, isHeld(index),
            recent[index + 1].time - recent[index].time < Self.maxHoldSeconds
        {
            add(.pictureFrozen, index, "the frame is shown \(count + 1) times during motion")
        }
    }

    private mutating func add(_ id: FindingID, _ index: Int, _ message: String) {
        if let lastFault, recent[index].frame - lastFault < Self.minFaultDistance { return }
        lastFault = recent[index].frame
        counts[id, default: 0] += 1
        guard counts[id, default: 0] <= Self.maxErrors + 1 else { return }
        let entry = recent[index]
        let motion = (index - 2...index + 2).map { step($0).mean }.max() ?? 0
        faults.append(
            Fault(
                id: id, frame: entry.frame, time: entry.time, message: message, pixels: entry.pixels, motion: motion))
    }

    /// Returns the change from the frame at an index to the next one.
    func step(_ index: Int) -> FrameDelta { recent[index + 1].delta }

    func delta(_ first: Int, _ second: Int) -> FrameDelta {
        second == first + 1 ? step(first) : FrameDelta(recent[first].pixels, recent[second].pixels)
    }

    // MARK: Missing frames

    /// Returns how many frames are missing after the one at an index, an estimate above
    /// `maxExactMissing`; nil if none are.
    private func gapCount(_ index: Int) -> Int? {
        let count = missingCount(index) ?? evenGapCount(index)
        // The change across a longer gap may be that of the longest exact one.
        return count == nil || count == Self.maxExactMissing ? longGapCount(index) ?? count : count
    }

    /// The growth of the changes that are not visible, relative to the steps around, above which a
    /// keyframe is taken for one that draws the whole frame anew. Across a missing frame they may
    /// grow as much; then it is not found.
    private static let maxUnseenGrowth = 1.5

    /// Returns true if the frame after the one at an index is a keyframe that changes the whole
    /// frame, which looks like a longer step. At a low bitrate, it does. Encoders also begin a new
    /// group of pictures because frames are missing, and at a high bitrate nothing else changes.
    func isRedrawn(_ index: Int) -> Bool {
        func unseen(_ delta: FrameDelta) -> Double { delta.mean - delta.visible }
        guard recent[index + 1].isRefresh else { return false }
        let usual = [index - 2, index - 1, index + 1, index + 2].map { unseen(step($0)) }.max() ?? 0
        return unseen(step(index)) > Self.maxUnseenGrowth * usual
    }

    /// Returns how many frames are missing after the one at an index, at most `maxExactMissing`;
    /// nil if none are.
    ///
    /// The change across a gap is as large as that across two, three or four intervals before and
    /// after it.
    private func missingCount(_ index: Int) -> Int? {
        guard !isRedrawn(index) else { return nil }
        let gap = step(index)
        let before = step(index - 1)
        let after = step(index + 1)
        let earlier = step(index - 2)
        let later = step(index + 2)
        guard [gap, before, after, earlier, later].allSatisfy(\.isMotion) else { return nil }
        let near = max(before.mean, after.mean, 2 * before.mean - earlier.mean, 2 * after.mean - later.mean)
        let travels = [before.travel, after.travel, earlier.travel, later.travel]
        let nearTravel = travels.max() ?? 0
        guard max(before.mean, after.mean) <= Self.maxStepRatio * min(before.mean, after.mean),
            nearTravel <= Self.maxTravelSpread * (travels.min() ?? 0)
        else { return nil }
        guard gap.mean >= unevenness(index) else { return nil }
        let changes = [before, after, earlier, later].map(\.mean)
        let nearVisible = max(before.visible, after.visible, earlier.visible, later.visible)
        let isEven = (changes.max() ?? 0) <= Self.maxEvenStepRatio * (changes.min() ?? 0)
        let isLarge =
            gap.visible >= Self.minGrowth * nearVisible && gap.mean >= Self.minGrowth * (changes.max() ?? 0)
        let candidates: [(missing: Int, error: Double)] = (2...4).compactMap { intervals in
            let count = Double(intervals - 1)
            let grows = gap.mean >= (1 + Self.minGapGrowth * count) * near
            guard grows || gap.travel >= (1 + Self.minTravelGrowth * count) * nearTravel else { return nil }
            let errors = gapErrors(index, intervals)
            let error = max(errors.change, errors.travel)
            let matches = isLarge && error < (grows ? Self.maxGapError : Self.maxTravelOnlyGapError)
            // An encoder that codes a frame coarsely and from scratch adds noise, which is not a
            // visible change.
            let isVisible = gap.visible >= (1 + Self.minGapGrowth * count) * nearVisible
            let isChangeEven = grows && isVisible && isEven && errors.change < Self.maxChangeOnlyGapError
            return matches || isChangeEven ? (intervals - 1, matches ? error : errors.change) : nil
        }
        return candidates.min { $0.error < $1.error }?.missing
    }

    /// Returns how much the change and the travel across the gap after a frame differ from those
    /// across the same number of intervals on both sides, as logarithms.
    func gapErrors(_ index: Int, _ intervals: Int) -> (change: Double, travel: Double) {
        let gap = step(index)
        let first = delta(index - intervals, index)
        let second = delta(index + 1, index + 1 + intervals)
        let travels = (first.travel * second.travel).squareRoot()
        let change = abs(log(gap.mean / (first.mean * second.mean).squareRoot()))
        guard gap.travel > 0, travels > 0 else { return (change, .infinity) }
        return (change, Self.travelWeight * abs(log(gap.travel / travels)))
    }
}
