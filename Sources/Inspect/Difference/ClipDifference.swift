import Core
import Media
import Render

/// The settings of a comparison of two clips.
package struct DifferenceOptions: Sendable {
    /// The minimum PSNR in dB. Nil means 30 if a codec is lossy, and equal frames if both files are
    /// lossless.
    package var minPSNR: Double?
    /// The limits for reading each clip.
    package var limits = ClipLimits()
    /// True to keep the pair of frames that differs most.
    package var keepsWorst = true

    /// The default minimum PSNR in dB if a codec is lossy.
    package static let defaultMinPSNR = 30.0

    /// The defaults.
    package init() {}
}

/// The differences between two clips.
package struct ClipDifference: Sendable, Encodable {
    /// A summary of one clip.
    package struct Side: Sendable, Hashable, Encodable {
        /// The file.
        package let file: String
        /// The size of its frames in pixels.
        package let width, height: Int
        /// Frames per second; nil if the frames have no regular interval.
        package let rate: Double?
        /// The number of frames.
        package internal(set) var frames = 0
        /// The duration in seconds.
        package internal(set) var duration = 0.0

        /// The number of pixels of all frames.
        var pixelCount: Int { width * height * frames }
    }

    /// The rule that a pair of frames violates.
    package enum Rule: String, Sendable, Hashable, Encodable {
        /// The frames must be equal and are not.
        case equal
        /// The PSNR is below the minimum.
        case psnr
        /// The mean of an 8x8 block differs by more than re-encoding causes.
        case block
        /// The mean of an 8x8 block between the others differs by more than re-encoding causes.
        case spot
        /// The mean of a flat area differs by more than re-encoding causes.
        case area
    }

    /// A pair of different frames.
    package struct DifferingPair: Sendable, Hashable, Encodable {
        /// The index of the first clip's frame, counted from 0.
        package let frame: Int
        /// The index of the second clip's frame.
        package let otherFrame: Int
        /// The time of both frames in seconds.
        package let time: Double
        /// The PSNR in dB; nil if they are equal.
        package let psnr: Double?
        /// The largest difference between block means, in codes; nil if frames must be equal.
        package let blockDifference: Double?
        /// The largest difference between the means of a flat area, in codes; nil unless the rule
        /// is `area`.
        package let areaDifference: Double?
        /// The side of that area in pixels.
        package let areaSide: Int?
        /// The violated rule; nil if the frames are alike.
        package let rule: Rule?
        /// The bounds of the pixels that differ: left, top, width and height.
        package internal(set) var box: [Int]
    }

    /// The first clip, which is the reference.
    package internal(set) var expected: Side
    /// The second clip.
    package internal(set) var actual: Side
    /// The minimum PSNR of a pair of frames in dB; nil if they must be equal.
    package let minPSNR: Double?
    /// The number of compared pairs of frames.
    package internal(set) var compared = 0
    /// The number of pairs that violate a rule.
    package internal(set) var differing = 0
    /// The number of differing pairs by violated rule. The rules take precedence in the order of
    /// `Rule`.
    package internal(set) var differingByRule: [Rule: Int] = [:]
    /// The maximum difference between block means, in codes; nil if frames must be equal.
    package var maxBlockDifference: Double? { minPSNR == nil ? nil : DifferenceLimits.block }
    /// The first pair that violates a rule.
    package internal(set) var first: DifferingPair?
    /// The pair that differs most, even if it violates no rule.
    package internal(set) var worst: DifferingPair?
    /// Descriptions of other differences.
    package internal(set) var remarks: [String] = []
    /// False for two sequences of image files, which have no times.
    let hasTimes: Bool
    /// The changes in words, in descending order of weight; at most 64.
    package internal(set) var changes: [ClipChange] = []
    /// The differences in terms of the loader that both show; empty if unknown.
    package internal(set) var motion: [String] = []
    /// The pixels of the worst pair, if the options keep them.
    var worstPixels: (expected: Pixels, actual: Pixels)?

    /// True if the clips are alike.
    package var isSame: Bool { differing == 0 && remarks.isEmpty }

    private enum CodingKeys: String, CodingKey {
        case isSame, expected, actual, minPSNR = "leastPSNR", maxBlockDifference, compared, differing, differingByRule,
            first,
            worst, remarks, changes, motion
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isSame, forKey: .isSame)
        try values.encode(expected, forKey: .expected)
        try values.encode(actual, forKey: .actual)
        try values.encodeIfPresent(minPSNR, forKey: .minPSNR)
        try values.encodeIfPresent(maxBlockDifference, forKey: .maxBlockDifference)
        try values.encode(compared, forKey: .compared)
        try values.encode(differing, forKey: .differing)
        let counts = differingByRule.map { ($0.key.rawValue, $0.value) }
        try values.encode(Dictionary(uniqueKeysWithValues: counts), forKey: .differingByRule)
        try values.encodeIfPresent(first, forKey: .first)
        try values.encodeIfPresent(worst, forKey: .worst)
        try values.encode(remarks, forKey: .remarks)
        try values.encode(changes, forKey: .changes)
        try values.encode(motion, forKey: .motion)
    }

    /// Compares two clips. Throws `LoadervidError` if a file does not exist or cannot be read to
    /// its end.
    package init(
        _ expected: String, _ actual: String, _ options: DifferenceOptions = DifferenceOptions(),
        cancellation: CancellationToken = CancellationToken()
    ) throws {
        let (a, b) = try ClipSide.pair(expected, actual, options.limits)
        self.expected = a.side
        self.actual = b.side
        hasTimes = !(a.isSequence && b.isSequence)
        try a.assumeMatrix(besides: b)
        try b.assumeMatrix(besides: a)
        var formats: FormatPair?
        if let one = try a.peek(), let two = try b.peek() { formats = FormatPair(one.decoded.frame, two.decoded.frame) }
        let isExact =
            a.isLossless && b.isLossless && a.hasPalette == b.hasPalette && formats?.canBeEqual ?? true
        minPSNR = options.minPSNR ?? (isExact ? nil : DifferenceOptions.defaultMinPSNR)
        if (a.width, a.height) == (b.width, b.height) {
            do { try compareFrames(a, b, formats, options, cancellation) } catch let error as FFmpegError {
                throw LoadervidError(noVideo: error, path: expected)
            }
        } else {
            remarks.append(
                "sizes differ: \(a.width)x\(a.height) and \(b.width)x\(b.height); the frames were not compared")
            try a.readToEnd(cancellation)
            try b.readToEnd(cancellation)
        }
        self.expected = a.side
        self.actual = b.side
        addRemarks(a, b)
        if differing > 0, max(a.side.pixelCount, b.side.pixelCount) <= MotionDifference.maxPixels {
            motion = MotionDifference.lines(expected, actual, options.limits, CommonTimes(a, b))
        }
    }

    private mutating func compareFrames(
        _ a: ClipSide, _ b: ClipSide, _ formats: FormatPair?, _ options: DifferenceOptions,
        _ cancellation: CancellationToken
    ) throws {
        let commonTimes = CommonTimes(a, b)
        let pairs = FramePairs(a, b, commonTimes, cancellation)
        let comparison = PairComparison(pairs, width: a.width, height: a.height, minPSNR: minPSNR)
        var tally = PairTally(isExact: minPSNR == nil, rounding: formats?.rounding ?? 0)
        // Pairs at distant times cannot tell how many frames are missing.
        var tracker = ChangeTracker(hasTimes: hasTimes, findsShifts: commonTimes == nil)
        while let compared = try comparison.next() {
            try cancellation.check()
            try tally.add(compared)
            try tracker.add(compared)
        }
        tally.decideAreas()
        compared = tally.comparedCount
        differingByRule = tally.countByRule
        differing = differingByRule.values.reduce(0, +)
        first = tally.first
        let durationRatio =
            hasTimes ? a.side.duration / b.side.duration : Double(a.side.frames) / Double(b.side.frames)
        changes = tracker.changes(durationRatio: durationRatio) { codes in
            codes.contains { tally.exceedsLimit(at: $0.key, by: $0.value) }
        }
        guard var worst = tally.worst, let frames = tally.worstFrames else { return }
        let pixels = try frames.pixels()
        if worst.box.isEmpty { worst.box = tally.box(pixels) }
        self.worst = worst
        if options.keepsWorst { worstPixels = pixels }
    }

    private mutating func addRemarks(_ a: ClipSide, _ b: ClipSide) {
        let step = [a, b].map { $0.step }.filter { $0 > 0 }.min() ?? 0
        if !hasTimes, a.side.frames != b.side.frames {
            remarks.append("lengths differ: \(a.side.frames) and \(b.side.frames) frames")
        } else if abs(a.side.duration - b.side.duration) > max(0.5 * step, a.precision + b.precision) {
            remarks.append(
                "durations differ: \(decimal(a.side.duration)) s with \(a.side.frames) frames and "
                    + "\(decimal(b.side.duration)) s with \(b.side.frames) frames")
        }
        if CommonTimes(a, b) != nil, let one = a.side.rate, let two = b.side.rate {
            remarks.append(
                "frame rates differ: \(decimal(one)) and \(decimal(two)) frames per second; only frames that both "
                    + "show at the same time were compared")
        } else if let one = a.side.rate, let two = b.side.rate,
            abs(one / two - 1) > 0.002 + a.precision / max(a.step, 1e-9) * 0.02,
            // Long frames in place of several equal ones look like a lower rate but show the same.
            differing > 0 || !(a.hasLongFrames || b.hasLongFrames || CommonTimes.isMultiple(one, two))
        {
            remarks.append("frame rates differ: \(decimal(one)) and \(decimal(two)) frames per second")
        }
        // Less than a pixel of the width comes from rounding by programs that scale clips.
        if (a.width, a.height) == (b.width, b.height), abs(a.pixelAspect / b.pixelAspect - 1) * Double(a.width) >= 1 {
            remarks.append(
                "pixel aspect ratios differ: \(decimal(a.pixelAspect)) and \(decimal(b.pixelAspect)), so players show "
                    + "the frames in different proportions")
        }
        if a.rotation != b.rotation {
            remarks.append(
                "players rotate the frames of the first by \(a.rotation)° and of the second by \(b.rotation)°")
        }
        if a.hasAlpha != b.hasAlpha, differing > 0 {
            remarks.append("only the \(a.hasAlpha ? "first" : "second") has transparency")
        }
    }
}
