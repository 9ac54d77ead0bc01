import Core

/// Faults that are longer than the window of `FrameOrderCheck`, or that repeat throughout a clip:
/// frames in another order, long freezes, flashes, and cuts to one colour. They are found in the
/// small frames of the whole clip.
struct WholeClipFaults {
    let samples: [LoaderTimeline.Sample]
    /// The differences of each frame from the next one.
    let steps: [Double]
    let meanStep: Double
    /// The mean colours of each frame.
    let colors: [FrameColors]

    init(_ samples: [LoaderTimeline.Sample]) {
        self.samples = samples
        steps = zip(samples, samples.dropFirst()).map { SmallFrames.difference($0.pixels, $1.pixels) }
        meanStep = steps.reduce(0, +) / Double(max(1, steps.count))
        colors = samples.map { FrameColors($0.pixels) }
    }

    /// Returns the faults.
    ///
    /// - Parameter isEven: true if the clip is drawn on a plain background, at a frame rate that is
    ///   high enough for even motion.
    func findings(isEven: Bool) -> [Finding] {
        (isEven ? [reorderedGroups].compactMap { $0 } + freezes + flashes : []) + colorCuts
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
            if origin >= 0 { return difference(origin, index) <= limit }
            // That frame is missing if the clip begins later. Then the motion is even before the
            // earlier frame, too. After an introduction, it begins there.
            return earlier >= Self.stepsBeside && isEven(earlier - Self.stepsBeside...earlier)
                && (0..<earlier).allSatisfy { difference($0, index) > limit }
        }
    }

    /// Returns true if steps differ by no more than around a freeze.
    private func isEven(_ range: ClosedRange<Int>) -> Bool {
        let ratio = Self.skips.map(\.maxStepRatio).max() ?? 1
        return FrameOrderCheck.ratio(Array(steps[range])) <= ratio
    }

    func difference(_ first: Int, _ second: Int) -> Double {
        SmallFrames.difference(samples[first].pixels, samples[second].pixels)
    }

    // MARK: Cuts to one colour

    /// The minimum difference of the colour from the background beside it, in codes of a channel:
    /// at a fade, and at a background that does not change.
    private static let minColorDifferences = (atFade: 24, atSteady: 8)
    /// The maximum change of a steady background between two frames, which encoding causes.
    private static let maxSteadyChange = 2
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
            let beside = [(run.lowerBound - 1, -1), (run.upperBound, 1)].filter { samples.indices.contains($0.0) }
            return !beside.isEmpty
                && beside.allSatisfy { isOther(samples[run.lowerBound].pixels, at: $0, outward: $1) }
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

    /// Returns true if a blank frame has another colour than the background of the frame beside it
    /// at an index.
    ///
    /// - Parameter step: the step from that frame away from the blank one, 1 or -1.
    private func isOther(_ blank: Pixels, at index: Int, outward step: Int) -> Bool {
        func corner(_ pixels: Pixels) -> [Int] { pixels.bytes.prefix(4).map(Int.init) }
        func distance(_ a: [Int], _ b: [Int]) -> Int { zip(a, b).map { abs($0 - $1) }.max() ?? 0 }
        let other = samples[index].pixels
        let isSteady =
            samples.indices.contains(index + step)
            && distance(corner(other), corner(samples[index + step].pixels)) <= Self.maxSteadyChange
        let limits = Self.minColorDifferences
        return distance(corner(blank), corner(other)) >= (isSteady ? limits.atSteady : limits.atFade)
            && other.share(of: Array(other.bytes.prefix(4))) >= Self.minBackgroundShare
    }
}
