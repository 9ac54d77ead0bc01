import Core

/// A count of compared pairs of frames and of those that violate a rule, with the first violation
/// and the most different pair.
struct PairTally {
    /// A pair of frames that violates no rule except perhaps `area`, which depends on the noise of
    /// all pairs.
    private struct Candidate {
        let pair: ClipDifference.DifferingPair
        let areas: [PairMeasure.Area]
    }

    private let isExact: Bool
    /// The maximum difference of flat areas, in codes, that comes from the clips' formats.
    private let rounding: Double
    /// The number of compared pairs.
    private(set) var comparedCount = 0
    /// The number of pairs by violated rule.
    private(set) var countByRule: [ClipDifference.Rule: Int] = [:]
    /// The first pair that violates a rule.
    private(set) var first: ClipDifference.DifferingPair?
    /// The pair that differs most, even if it violates no rule.
    private(set) var worst: ClipDifference.DifferingPair?
    /// The frames of `worst`.
    private(set) var worstFrames: FramePairs.Pair?
    private var candidates: [Candidate] = []
    /// The candidate with the largest difference for each limit in `DifferenceLimits.areas`. If any
    /// violates a limit, this one does.
    private var worstCandidates: [(codes: Double, frames: FramePairs.Pair)?] = DifferenceLimits.areas.map { _ in nil }
    /// The largest difference of a flat block, which shows how noisy the clips are.
    private var noise = 0.0

    /// True if most frames have a small square whose mean differs, as objects of another colour do.
    /// The differences of coding noise change from frame to frame.
    private var isPersistent = false

    /// The minimum number of pairs that tell a persistent difference from noise.
    private static let minPersistentPairs = 8
    /// The maximum number of candidates. Later ones are not counted.
    private static let maxCandidates = 100_000

    init(isExact: Bool, rounding: Double = 0) {
        self.isExact = isExact
        self.rounding = rounding
    }

    /// Adds a compared pair.
    mutating func add(_ comparison: PairComparison.Compared) throws {
        comparedCount += 1
        guard let measure = comparison.measure else { return }
        noise = max(noise, measure.flatBlock)
        if measure.rule == nil, !measure.areas.isEmpty, candidates.count < Self.maxCandidates {
            addCandidate(comparison.pair, measure)
        }
        if let rule = measure.rule { countByRule[rule, default: 0] += 1 }
        // A pair that violates a rule is worse than any pair that does not.
        let isWorst =
            (measure.rule == nil ? 1 : 0, measure.psnr) < (worst?.rule == nil ? 1 : 0, worst?.psnr ?? .infinity)
        guard isWorst || measure.rule != nil && first == nil else { return }
        var pair = ClipDifference.DifferingPair(comparison.pair, measure, isExact: isExact)
        if measure.rule != nil, first == nil {
            pair.box = box(try comparison.pair.pixels())
            first = pair
        }
        if isWorst {
            worst = pair
            worstFrames = comparison.pair
        }
    }

    private mutating func addCandidate(_ frames: FramePairs.Pair, _ measure: PairMeasure) {
        let pair = ClipDifference.DifferingPair(frames, measure, isExact: isExact)
        candidates.append(Candidate(pair: pair, areas: measure.areas))
        for area in measure.areas where area.codes > worstCandidates[area.limit]?.codes ?? 0 {
            worstCandidates[area.limit] = (area.codes, frames)
        }
    }

    /// Returns the maximum difference between means for a limit in `DifferenceLimits.areas`, given
    /// the noise of all pairs. Only valid after the last pair.
    private func maxDifference(forLimit index: Int) -> Double {
        let limit = DifferenceLimits.areas[index]
        let maximum = max(limit.codes, limit.noise * noise, rounding)
        return index == 0 && isPersistent ? min(maximum, persistentLimit) : maximum
    }

    /// The maximum difference of a small square that most frames have. Only valid after the last
    /// pair.
    private var persistentLimit: Double {
        max(DifferenceLimits.persistentArea.codes, DifferenceLimits.persistentArea.noise * noise, rounding)
    }

    /// Returns true if a difference between means is above a limit. Only valid after the last pair.
    func exceedsLimit(at index: Int, by difference: Double) -> Bool { difference > maxDifference(forLimit: index) }

    /// Decides which pairs violate the rule `area`, after the last pair.
    mutating func decideAreas() {
        let persistentCount = candidates.count { candidate in
            candidate.areas.contains { $0.limit == 0 && $0.codes > persistentLimit }
        }
        isPersistent = comparedCount >= Self.minPersistentPairs && 2 * persistentCount > comparedCount
        let found = candidates.compactMap { candidate -> ClipDifference.DifferingPair? in
            let violated = candidate.areas.filter { exceedsLimit(at: $0.limit, by: $0.codes) }
            guard let area = violated.max(by: { $0.codes < $1.codes }) else { return nil }
            return candidate.pair.violating(area)
        }
        guard let earliest = found.first else { return }
        countByRule[.area] = found.count
        if earliest.frame < first?.frame ?? .max { first = earliest }
        let violating = worstCandidates.enumerated().compactMap { index, candidate in
            candidate.map { (ratio: $0.codes / maxDifference(forLimit: index), frames: $0.frames) }
        }
        guard worst?.rule == nil, let frames = violating.max(by: { $0.ratio < $1.ratio })?.frames,
            let pair = found.first(where: {
                $0.frame == frames.expected.frame && $0.otherFrame == frames.actual.frame
            })
        else { return }
        worst = pair
        worstFrames = frames
    }

    /// Returns the bounds of the pixels that differ in a pair of frames.
    func box(_ pixels: (expected: Pixels, actual: Pixels)) -> [Int] {
        let largest = PixelDifference(pixels.expected, pixels.actual).largest
        // Codec errors at edges are less than half of a real change.
        let threshold = isExact ? 0 : max(largest / 2, 8)
        let box = pixels.expected.box(differingFrom: pixels.actual, above: threshold)?.box
        return box.map { [$0.x, $0.y, $0.width, $0.height] } ?? []
    }
}

extension ClipDifference.DifferingPair {
    /// A pair of frames with its measured difference, without the box.
    fileprivate init(_ pair: FramePairs.Pair, _ measure: PairMeasure, isExact: Bool) {
        self.init(
            frame: pair.expected.frame, otherFrame: pair.actual.frame, time: pair.time.roundedToMillionths,
            psnr: measure.psnr.isFinite ? measure.psnr.roundedToThousandths : nil,
            blockDifference: isExact ? nil : measure.block.roundedToThousandths, areaDifference: nil, areaSide: nil,
            rule: measure.rule, box: [])
    }

    /// Returns the pair as one that violates the rule `area`.
    fileprivate func violating(_ area: PairMeasure.Area) -> Self {
        let box = area.regions.map(\.box).reduce(area.regions.first?.box) { $0?.union($1) }
        return Self(
            frame: frame, otherFrame: otherFrame, time: time, psnr: psnr, blockDifference: blockDifference,
            areaDifference: area.codes.roundedToThousandths, areaSide: DifferenceLimits.areas[area.limit].side,
            rule: .area,
            box: box.map { [$0.x, $0.y, $0.width, $0.height] } ?? [])
    }
}

extension FramePairs.Pair {
    /// Returns both frames in RGBA with premultiplied alpha.
    func pixels() throws -> (expected: Pixels, actual: Pixels) {
        let reader = try PixelReader(width: expected.decoded.frame.width, height: expected.decoded.frame.height)
        return (try reader.pixels(expected.decoded), try reader.pixels(actual.decoded))
    }
}
