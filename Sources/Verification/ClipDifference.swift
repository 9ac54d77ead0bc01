import Motion
import Analysis
import Media
import Pipeline
import Scene

/// How two clips are compared.
public struct DifferenceOptions: Sendable {
    /// How like pictures must be, in dB; nil takes 30 with what a re-encoding leaves, or asks for equal ones where both files
    /// keep all they are given.
    public var leastPSNR: Double?
    /// How much may be read of each.
    public var limits = ClipLimits()
    /// Whether the pair of pictures that differ most is kept.
    public var keepsWorst = true

    /// What pictures need by default where a codec loses something, in dB.
    public static let usualPSNR = 30.0

    /// The defaults.
    public init() {}
}

/// What differs between two clips.
public struct ClipDifference: Sendable, Encodable {
    /// A clip in a few numbers.
    public struct Side: Sendable, Hashable, Encodable {
        /// The file.
        public let file: String
        /// Size of its pictures in pixels.
        public let width, height: Int
        /// Pictures a second; nil if they have no even distance.
        public let rate: Double?
        /// How many pictures it has.
        public internal(set) var frames = 0
        /// How long it is, in seconds.
        public internal(set) var duration = 0.0
    }

    /// A pair of pictures that are not alike.
    public struct Place: Sendable, Hashable, Encodable {
        /// The first clip's picture, counted from 0.
        public let frame: Int
        /// The second clip's picture.
        public let otherFrame: Int
        /// When both are shown, in seconds.
        public let time: Double
        /// How alike they are, in dB; nil if they are equal.
        public let psnr: Double?
        /// The box of pixels that differ: left, upper, width and height.
        public let box: [Int]
    }

    /// The first clip, which is what was expected.
    public internal(set) var expected: Side
    /// The second one.
    public internal(set) var actual: Side
    /// What a pair of pictures needs to be alike, in dB; nil if they must be equal.
    public let leastPSNR: Double?
    /// Pairs of pictures that were compared.
    public internal(set) var compared = 0
    /// How many of them are not alike.
    public internal(set) var differing = 0
    /// The first that are not alike.
    public internal(set) var first: Place?
    /// The pair that differs most, alike or not.
    public internal(set) var worst: Place?
    /// What else differs, in words.
    public internal(set) var remarks: [String] = []
    /// What differs in terms of the loader that both show; empty if that cannot be told.
    public internal(set) var motion: [String] = []
    /// The worst pair's pixels, if they were to be kept.
    var worstPixels: (expected: Pixels, actual: Pixels)?

    /// Whether they show the same.
    public var isSame: Bool { differing == 0 && remarks.isEmpty }

    private enum CodingKeys: String, CodingKey {
        case isSame, expected, actual, leastPSNR, compared, differing, first, worst, remarks, motion
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isSame, forKey: .isSame)
        try values.encode(expected, forKey: .expected)
        try values.encode(actual, forKey: .actual)
        try values.encodeIfPresent(leastPSNR, forKey: .leastPSNR)
        try values.encode(compared, forKey: .compared)
        try values.encode(differing, forKey: .differing)
        try values.encodeIfPresent(first, forKey: .first)
        try values.encodeIfPresent(worst, forKey: .worst)
        try values.encode(remarks, forKey: .remarks)
        try values.encode(motion, forKey: .motion)
    }

    /// Compares two files, each of which holds a clip. Throws `RenderError` if one is not there or cannot be read to its end.
    public init(
        _ expected: String, _ actual: String, _ options: DifferenceOptions = DifferenceOptions(),
        cancellation: CancellationToken = CancellationToken()
    ) throws {
        let (a, b) = (try ClipSide(expected, options.limits), try ClipSide(actual, options.limits))
        (self.expected, self.actual) = (a.side, b.side)
        let isExact = a.stream.description.isLossless && b.stream.description.isLossless
        leastPSNR = options.leastPSNR ?? (isExact ? nil : DifferenceOptions.usualPSNR)
        if (a.side.width, a.side.height) == (b.side.width, b.side.height) {
            let pairs = PicturePairs(a, b, cancellation)
            while let pair = try pairs.next() {
                try cancellation.check()
                compare(pair, keeps: options.keepsWorst)
            }
        } else {
            remarks.append(
                "sizes differ: \(a.side.width)x\(a.side.height) and \(b.side.width)x\(b.side.height), so that "
                    + "pictures were not compared")
            try a.readToEnd(cancellation)
            try b.readToEnd(cancellation)
        }
        (self.expected, self.actual) = (a.side, b.side)
        addRemarks(a, b)
        if differing > 0 { motion = MotionDifference.lines(expected, actual, options.limits) }
    }

    private mutating func compare(_ pair: PicturePairs.Pair, keeps: Bool) {
        compared += 1
        let difference = PixelDifference(pair.expected.pixels, pair.actual.pixels)
        guard difference.squares > 0 else { return }
        let isAlike =
            leastPSNR.map {
                difference.psnr >= $0 && !pair.expected.pixels.differsLocally(from: pair.actual.pixels)
            } ?? false
        let isWorst = difference.psnr < worst?.psnr ?? .infinity
        guard isWorst || !isAlike && first == nil else {
            differing += isAlike ? 0 : 1
            return
        }
        // What a codec leaves at edges is less than half of a change.
        let threshold = leastPSNR == nil ? 0 : max(difference.largest / 2, 8)
        let box = pair.expected.pixels.box(differingFrom: pair.actual.pixels, above: threshold)?.box
        let place = Place(
            frame: pair.expected.frame, otherFrame: pair.actual.frame, time: pair.time.millionths,
            psnr: difference.psnr.isFinite ? difference.psnr.thousandths : nil,
            box: box.map { [$0.x, $0.y, $0.width, $0.height] } ?? [])
        if !isAlike {
            differing += 1
            first = first ?? place
        }
        if isWorst {
            worst = place
            if keeps { worstPixels = (pair.expected.pixels, pair.actual.pixels) }
        }
    }

    /// Whether of two rates one is a whole multiple of the other.
    private static func isMultiple(_ one: Double, _ two: Double) -> Bool {
        let ratio = max(one, two) / min(one, two)
        return abs(ratio - ratio.rounded()) < 0.002 * ratio
    }

    private mutating func addRemarks(_ a: ClipSide, _ b: ClipSide) {
        let step = [a, b].map { $0.step }.filter { $0 > 0 }.min() ?? 0
        if abs(a.side.duration - b.side.duration) > max(0.5 * step, a.precision + b.precision) {
            remarks.append(
                "lengths differ: \(decimal(a.side.duration)) s with \(a.side.frames) pictures and "
                    + "\(decimal(b.side.duration)) s with \(b.side.frames)")
        }
        if let one = a.side.rate, let two = b.side.rate,
            abs(one / two - 1) > 0.002 + a.precision / max(a.step, 1e-9) * 0.02,
            // Long pictures for several equal ones look like a lower rate, and show the same.
            differing > 0 || !(a.hasLongPictures || b.hasLongPictures || Self.isMultiple(one, two))
        {
            remarks.append("rates differ: \(decimal(one)) and \(decimal(two)) pictures a second")
        }
        if a.hasAlpha != b.hasAlpha, differing > 0 {
            let which = a.hasAlpha ? "only the first has" : "only the second has"
            remarks.append("\(which) transparency")
        }
    }
}
