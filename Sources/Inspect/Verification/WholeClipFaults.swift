import Core

/// Faults that are longer than the window of `FrameOrderCheck`, or that repeat throughout a clip:
/// frames in reversed groups, long freezes, and a cut to one colour. They are found in the small
/// frames of the whole clip.
struct WholeClipFaults {
    private let samples: [LoaderTimeline.Sample]
    /// The differences of each frame from the next one.
    private let steps: [Double]

    init(_ samples: [LoaderTimeline.Sample]) {
        self.samples = samples
        steps = zip(samples, samples.dropFirst()).map { SmallFrames.difference($0.pixels, $1.pixels) }
    }

    /// Returns the faults.
    ///
    /// - Parameter isEven: true if the clip is drawn on a plain background, at a frame rate that is
    ///   high enough for even motion.
    func findings(isEven: Bool) -> [Finding] {
        (isEven ? [reversedGroups].compactMap { $0 } + freezes : []) + colorCuts
    }

    // MARK: Reversed groups

    /// The numbers of frames in a group that are tried. An encoder's reordered frames, shown in the
    /// order of decoding, form such groups.
    private static let groupSizes = 2...4
    /// The minimum number of groups that show a fault.
    private static let minGroups = 8
    /// The minimum share of the moving groups that show it. In 271 correct clips, it is at most
    /// 0.18.
    private static let minGroupPart = 0.6
    /// The maximum travel from the first frame of a group to the last of the next one, relative to
    /// that from the last frame of a group to the next frame. In even motion, it is a third for
    /// reversed pairs, and three for correct ones.
    private static let maxReversedTravel = 0.6
    /// The limits of that travel, relative to a step within a group: 1 in even motion, and 0 if
    /// frames alternate between two images by design.
    private static let reversedTravelRange = 0.4...2.0
    /// The minimum travel from the last frame of a group to the next frame, relative to a step
    /// within a group. In even motion of reversed groups, it is at least 3.
    private static let minJump = 1.6

    /// The finding that the motion is more even if each group of two to four frames is reversed;
    /// nil if it is not.
    private var reversedGroups: Finding? {
        for size in Self.groupSizes {
            for start in 0..<size where isReversed(size, from: start) {
                return Finding(
                    .pictureSwapped, .error, time: samples[start].time, frame: samples[start].frame,
                    "each group of \(size) frames is in reverse order; render the clip again")
            }
        }
        return nil
    }

    private func isReversed(_ size: Int, from start: Int) -> Bool {
        var (moving, reversed) = (0, 0)
        for first in Swift.stride(from: start, to: samples.count - 2 * size + 1, by: size) {
            let last = first + size - 1
            let within = travel(first, last) / Double(size - 1)
            let jump = travel(last, last + 1)
            guard within > 0, jump > 0 else { continue }
            moving += 1
            let reversedTravel = travel(first, last + size)
            if reversedTravel < Self.maxReversedTravel * jump, jump > Self.minJump * within,
                Self.reversedTravelRange.contains(reversedTravel / within)
            {
                reversed += 1
            }
        }
        return reversed >= Self.minGroups && Double(reversed) >= Self.minGroupPart * Double(moving)
    }

    private func travel(_ first: Int, _ second: Int) -> Double {
        let delta = FrameDelta(samples[first].pixels, samples[second].pixels)
        return delta.isMotion ? delta.travel : 0
    }

    // MARK: Long freezes

    /// The minimum number of times that a frame is repeated. `FrameOrderCheck` finds shorter
    /// freezes.
    private static let minRepeats = 4
    /// The maximum duration of a freeze in seconds. A longer one is a designed pause.
    private static let maxFreezeSeconds = 2.0
    /// The maximum change to a repeated frame, relative to the median step before the freeze.
    private static let maxStill = 0.04
    /// The number of steps on each side.
    private static let stepsBeside = 3
    /// The maximum ratio between the median steps on both sides, and the minimum change after the
    /// freeze, relative to the largest of these steps. Designed pauses begin or end slowly. The
    /// larger the skip, the more the steps on both sides may differ.
    private static let skips: [(maxStepRatio: Double, minSkip: Double)] = [(1.5, 1.6), (2.2, 4)]
    /// The maximum difference of frames that look the same, relative to the smaller median step.
    private static let maxSame = 0.5
    /// The maximum number of freezes. More pauses are taken for the clip's design.
    private static let maxFreezes = 2

    /// Freezes after which even motion goes on where it would be without them.
    private var freezes: [Finding] {
        var findings: [Finding] = []
        var index = Self.stepsBeside
        while index < steps.count - Self.stepsBeside {
            let before = steps[index - Self.stepsBeside..<index]
            let limit = Self.maxStill * (before.median ?? 0)
            let still = steps[index...].prefix { $0 <= limit }.count
            if still >= Self.minRepeats, skips(index, still, before) {
                let sample = samples[index]
                findings.append(
                    Finding(
                        .pictureFrozen, .error, time: sample.time, frame: sample.frame,
                        "the next \(still) frames repeat this one, and the motion then skips ahead; render the clip "
                            + "again"))
            }
            index += max(1, still)
        }
        return findings.count <= Self.maxFreezes ? findings : []
    }

    /// Returns true if the motion jumps after `still` repetitions of a frame, is as fast as before,
    /// and does not begin again.
    private func skips(_ index: Int, _ still: Int, _ before: ArraySlice<Double>) -> Bool {
        let end = index + still
        guard end + Self.stepsBeside < steps.count,
            samples[end].time - samples[index].time <= Self.maxFreezeSeconds
        else { return false }
        let after = steps[end + 1...end + Self.stepsBeside]
        let beside = before + after
        guard let largest = beside.max(), beside.allSatisfy({ $0 > 0 }), let first = before.median,
            let second = after.median,
            Self.skips.contains(where: {
                max(first, second) <= $0.maxStepRatio * min(first, second) && steps[end] >= $0.minSkip * largest
            }), FrameDelta(samples[end].pixels, samples[end + 1].pixels).isMotion
        else { return false }
        let limit = Self.maxSame * min(first, second)
        // An earlier frame that looks like the one after the freeze may mean that the motion only
        // begins again. It does not if the frozen image came as many frames before that one.
        return (0..<index).allSatisfy { earlier in
            guard difference(earlier, end + 1) <= limit else { return true }
            let origin = earlier - still - 1
            return origin >= 0 && difference(origin, index) <= limit
        }
    }

    private func difference(_ first: Int, _ second: Int) -> Double {
        SmallFrames.difference(samples[first].pixels, samples[second].pixels)
    }

    // MARK: Cuts to one colour

    /// The minimum difference of the colour from the background beside it, in codes of a channel.
    private static let minColorDifference = 24
    /// The minimum share of a frame beside the cut that its background covers. Where a shape grows
    /// until it fills the frame, the last frame before has less.
    private static let minBackgroundShare = 0.4
    /// The maximum number of such cuts, and the maximum share of their frames. More are taken for
    /// the clip's design.
    private static let maxCuts = 2
    private static let maxColorPart = 0.6

    /// Frames of one colour that is not that of the background beside them.
    private var colorCuts: [Finding] {
        let runs = samples.indices(where: \.pixels.isBlank).ranges
        let cuts = runs.filter { run in
            let beside = [run.lowerBound - 1, run.upperBound].filter(samples.indices.contains)
            return !beside.isEmpty && beside.allSatisfy { isOther(samples[run.lowerBound].pixels, samples[$0].pixels) }
        }
        let count = cuts.reduce(0) { $0 + $1.count }
        guard cuts.count <= Self.maxCuts, Double(count) <= Self.maxColorPart * Double(samples.count) else { return [] }
        return cuts.map { cut in
            let sample = samples[cut.lowerBound]
            let subject = cut.count == 1 ? "the frame is" : "\(cut.count) frames from here are"
            return Finding(
                .pictureBlank, .error, time: sample.time, frame: sample.frame,
                "\(subject) blank and not in the background's colour; render the clip again")
        }
    }

    /// Returns true if a blank frame has another colour than the background of a frame beside it.
    private func isOther(_ blank: Pixels, _ other: Pixels) -> Bool {
        let color = Array(blank.bytes.prefix(4))
        let background = Array(other.bytes.prefix(4))
        return zip(color, background).contains { abs(Int($0) - Int($1)) >= Self.minColorDifference }
            && other.share(of: background) >= Self.minBackgroundShare
    }
}
