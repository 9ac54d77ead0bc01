import Core
import Render

/// A decoded frame while it is shown.
private struct ShownFrame {
    let decoded: DecodedFrame
    /// Its index in the plan.
    let frame: Int
    /// Its bitmap, once it is needed.
    var pixels: Pixels?
}

/// The comparison of a clip's frames with expected ones, each for its whole duration.
struct ExpectationCheck {
    private let plan: RenderPlan
    private var expected: ExpectedFrames?
    private let isExact: Bool
    private let minPSNR: Double
    private let comparesFrames: Bool
    private let precision: Double
    private var reader: PixelReader?
    private var shown: ShownFrame?
    private var judge = FrameJudge()
    /// The conversion of the judge's samples to colours; nil before the first frame.
    private var sampleColors: SampleColors?
    private var wrong: (first: Int, count: Int)?
    private var worst: (psnr: Double, frame: Int) = (.infinity, 0)
    private var sum = 0.0
    private var compared = 0
    /// The number of frames that were compared with their neighbours, too.
    private var examined = 0
    /// The first frame that shows the content of another one, with that frame.
    private var misplaced: (frame: Int, as: Int)?
    /// The number of misplaced frames, and the indices of the first of them.
    private var misplacedCount = 0
    private var misplacedFrames: [Int] = []
    /// True if a misplaced frame is visibly displaced.
    private var isFarOff = false
    private var mistimed: (frame: Int, time: Double)?
    /// The frames with a much lower PSNR than all frames before them.
    private var conspicuousFrames: Set<Int> = []
    private(set) var findings: [Finding] = []

    /// Creates a check against a plan.
    ///
    /// - Parameters:
    ///   - isExact: true if frames must be equal.
    ///   - minPSNR: otherwise, the minimum PSNR in dB; nil compares only dimensions and times.
    ///   - precision: the precision of the clip's times in seconds.
    init(_ plan: RenderPlan, isExact: Bool, minPSNR: Double?, precision: Double) {
        self.plan = plan
        self.isExact = isExact
        self.minPSNR = minPSNR ?? 0
        self.precision = precision
        comparesFrames = minPSNR != nil
    }

    private var rate: Double { plan.encoder.frameRate.framesPerSecond.double }

    /// True if no frame was found wrong. Before `finish`, excludes misplaced frames and wrong
    /// times.
    var isRight: Bool { wrong == nil && findings.isEmpty }
    /// True if a frame may not be the expected one. Only the whole clip decides.
    var isSuspicious: Bool { !isRight || misplaced != nil || mistimed != nil || !conspicuousFrames.isEmpty }

    /// Returns true if a time gap lies at a misplaced frame, or a torn frame at one that differs
    /// more than those before it. Either alone may come from an encoder that leaves out slow
    /// motion; together they show that a frame is missing or torn.
    func confirms(_ finding: Finding) -> Bool {
        guard finding.severity == .error, let time = finding.time else { return false }
        switch finding.id {
        case .timeGap: return misplacedFrames.contains { abs(time * rate - Double($0)) <= Self.gapReach }
        case .pictureTorn: return conspicuousFrames.contains { abs(time * rate - Double($0)) <= 0.5 }
        default: return false
        }
    }

    /// The decibels by which the PSNR of a frame must be below that of the worst frame before it,
    /// of at least `minComparedBefore`, for the frame to be conspicuous. In a torn frame of iQIYI
    /// at crf 18 they are 11.
    private static let conspicuousLoss = 6.0
    private static let minComparedBefore = 8
    /// The maximum distance in frames between a gap and a misplaced frame.
    private static let gapReach = 2.0
    /// The maximum number of misplaced frames that confirm gaps. With more, gaps are not the fault.
    private static let maxMisplacedFrames = 500

    /// The PSNR of the worst frame in dB; nil if no frame was compared, infinite if all are equal.
    var worstPSNR: Double? { compared > 0 ? worst.psnr : nil }
    /// True if any frame was compared.
    var hasCompared: Bool { compared > 0 }
    private(set) var isComparable = true
    /// True if the colours of lines are mixed with those beside them, and their means say nothing.
    var hasMixedLines = false

    /// Checks the dimensions before the first frame.
    mutating func begin(width: Int, height: Int) {
        guard (width, height) != (plan.width, plan.height) else { return }
        isComparable = false
        findings.append(
            Finding(
                .expectedSize, .error,
                "the size is \(width)x\(height) instead of \(plan.width)x\(plan.height); render the clip again, or pass "
                    + "the options that it was made with, such as \(option: "size"), \(option: "scale"), "
                    + "\(option: "layout"), \(option: "trim") or \(option: "annotate")"))
    }

    /// Adds the next frame, which starts at `time` seconds from the first.
    mutating func add(_ decoded: DecodedFrame, time: Double) throws {
        guard isComparable else { return }
        let frame = self.frame(at: time)
        if abs(time - Double(frame) / rate) > 0.51 * precision + 0.02 / rate, mistimed == nil {
            mistimed = (frame, time)
        }
        try compare(until: frame)
        shown = ShownFrame(decoded: decoded, frame: frame, pixels: nil)
    }

    /// Ends the current frame at `time`, before frames that are missing and not to be compared.
    mutating func interrupt(at time: Double) throws {
        guard isComparable else { return }
        try compare(until: frame(at: time))
        shown = nil
    }

    private func frame(at time: Double) -> Int { Int(min(max(0, (time * rate).rounded()), 1e9)) }

    /// Compares the current frame with all frames of the plan during its duration.
    private mutating func compare(until end: Int) throws {
        guard var shown else { return }
        if end <= shown.frame, mistimed == nil { mistimed = (shown.frame, Double(shown.frame) / rate) }
        guard comparesFrames else { return }
        let frames = try expected ?? ExpectedFrames(plan, like: shown.decoded, isExact: isExact)
        expected = frames
        var last: ExpectedFrame?
        for index in shown.frame..<max(shown.frame, min(end, plan.frameCount)) {
            // An earlier frame is no longer available: the clip went back in time, which `mistimed`
            // records.
            guard let frame = try frames.frame(index) else { continue }
            // Successive equal frames of the plan are one object; one comparison is enough.
            if frame === last { continue }
            last = frame
            try compare(&shown, with: frame, at: index)
        }
    }

    private mutating func compare(_ shown: inout ShownFrame, with frame: ExpectedFrame, at index: Int) throws {
        let psnr = try difference(&shown, frame)
        if psnr < worst.psnr - Self.conspicuousLoss, compared >= Self.minComparedBefore {
            conspicuousFrames.insert(index)
        }
        if psnr < worst.psnr { worst = (psnr, index) }
        let checksNeighbours = compared % 16 == 0 || psnr < (sum / Double(max(1, compared))) - 2
        sum += min(psnr, 99)
        compared += 1
        if isExact ? psnr.isFinite : psnr < minPSNR { wrong = (wrong?.first ?? index, (wrong?.count ?? 0) + 1) }
        guard psnr.isFinite, !isExact else { return }
        addToJudge(shown, frame, index)
        guard psnr >= minPSNR, checksNeighbours || index == plan.frameCount - 1 else { return }
        examined += 1
        for other in [index - 1, index + 1] where other >= 0 {
            guard let neighbour = try expected?.frame(other), neighbour !== frame,
                try difference(&shown, neighbour) > psnr + Self.neighbourMargin
            else { continue }
            // Where hardly anything moves, an invisible difference may be smaller to a neighbour.
            if psnr > Self.maxVisiblePSNR, judge.latestDisplacement < Self.minVisibleDisplacement { return }
            misplaced = misplaced ?? (index, other)
            misplacedCount += 1
            if misplacedFrames.count < Self.maxMisplacedFrames { misplacedFrames.append(index) }
            let limit = other < index ? Self.visibleRepetition : Self.visibleDisplacement
            isFarOff = isFarOff || judge.latestDisplacement > limit
            return
        }
    }

    /// The decibels by which a frame must be closer to a neighbour of the expected one to be out of
    /// place: half of the squared error.
    private static let neighbourMargin = 3.0

    /// The PSNR in dB above which, and the displacement in pixels below which a misplaced frame is
    /// not visible at all. In an AVIF of a loader that nearly rests, they are 55 and 0.006.
    private static let maxVisiblePSNR = 50.0
    private static let minVisibleDisplacement = 0.1
    /// The displacement in pixels above which one misplaced frame is visible. Encoders leave out
    /// slower motion for a frame or two.
    private static let visibleDisplacement = 0.7
    /// The same for a frame that repeats the previous one: HEVC at crf 38 leaves out motion of 0.96
    /// pixels.
    private static let visibleRepetition = 1.2
    /// One of this many examined frames may be misplaced by less than `visibleDisplacement`.
    private static let framesPerMisplaced = 12

    /// Returns the PSNR of a decoded frame against an expected one in dB.
    private mutating func difference(_ shown: inout ShownFrame, _ frame: ExpectedFrame) throws -> Double {
        if let video = frame.video { return shown.decoded.frame.squaredError(from: video)?.psnr ?? 0 }
        guard let pixels = frame.pixels else { return 0 }
        let reader = try self.reader ?? PixelReader(width: plan.width, height: plan.height)
        self.reader = reader
        let shownPixels = try shown.pixels ?? reader.pixels(shown.decoded)
        shown.pixels = shownPixels
        return PixelDifference(shownPixels, pixels).psnr
    }

    private mutating func addToJudge(_ shown: ShownFrame, _ frame: ExpectedFrame, _ index: Int) {
        let time = Double(index) / rate
        if let video = frame.video {
            guard let actual = FrameSamples(shown.decoded.frame), let expected = FrameSamples(video) else { return }
            sampleColors = SampleColors(video)
            judge.add(actual, expected, frame: index, time: time)
        } else if let pixels = frame.pixels, let shownPixels = shown.pixels {
            sampleColors = .rgba
            shownPixels.withSamples { actual in
                pixels.withSamples { judge.add(actual, $0, frame: index, time: time) }
            }
        }
    }

    /// The relative difference above which two frame rates are not the same. Usual rates differ by
    /// at least 4%, and rounded delays by less than 2% on average.
    private static let rateError = 0.02
    /// The share of the expected rate below which a clip's rate may come from merged equal frames.
    private static let mergedShare = 0.4

    /// Completes the check after the last frame.
    ///
    /// - Parameters:
    ///   - end: the end of the last frame in seconds from the start of the first.
    ///   - clipRate: the clip's frames per second; nil if they have no regular interval.
    mutating func finish(end: Double, clipRate: Double? = nil) throws {
        guard isComparable, shown != nil else { return }
        let last = frame(at: end)
        try compare(until: last)
        findFaults()
        let isWrong = wrong != nil || misplaced != nil || mistimed != nil || last != plan.frameCount
        if isWrong, let clipRate, abs(clipRate / rate - 1) > Self.rateError, clipRate > Self.mergedShare * rate {
            findings.append(
                Finding(
                    .expectedTimes, .error,
                    "the frame rate is \(decimal(clipRate)) instead of \(plan.encoder.frameRate); render the clip again, "
                        + "or pass \(option: "fps") \(decimal(clipRate)) if it is right"))
        }
        if last != plan.frameCount {
            findings.append(
                Finding(
                    .expectedFrames, .error, time: end, frame: last,
                    "it ends after \(last) frames (\(decimal(end)) s) instead of \(plan.frameCount) at "
                        + "\(plan.encoder.frameRate) per second; render the clip again or pass the options it was "
                        + "made with"
                ))
        }
        if let mistimed {
            findings.append(
                Finding(
                    .expectedTimes, .error, time: mistimed.time, frame: mistimed.frame,
                    "the frame is shown at \(decimal(mistimed.time)) s instead of its own time at "
                        + "\(plan.encoder.frameRate) fps; correct its delay"))
        }
        if let wrong { findings.append(wrongFinding(wrong)) }
        if let misplaced, isFarOff || misplacedCount > max(2, examined / Self.framesPerMisplaced) {
            findings.append(
                Finding(
                    .expectedPicture, .error, time: Double(misplaced.frame) / rate, frame: misplaced.frame,
                    "the frame shows the content of frame \(misplaced.as); render the clip again"))
        }
    }

    /// Adds findings about visible differences, the most important first.
    private mutating func findFaults() {
        guard !isExact, let colors = sampleColors else { return }
        let faults = judge.faults(
            colors, hasPalette: plan.encoder.traits.needsColorHistogram, hasMixedLines: hasMixedLines)
        let objects = ObjectNames(plan)
        for fault in faults.prefix(Self.maxFaults) {
            let box = fault.position.box
            let object = objects.name(at: box, ofFrame: fault.position.frame).map { " near \($0)" } ?? ""
            findings.append(
                Finding(
                    .expectedPicture, .error, time: fault.position.time, frame: fault.position.frame,
                    "\(fault.message) in the box \(box.x),\(box.y) \(box.width)x\(box.height)\(object); "
                        + "render the clip again or pass the options it was made with"))
        }
    }

    /// The maximum number of findings about visible differences. Most faults have several effects.
    private static let maxFaults = 4

    private func wrongFinding(_ wrong: (first: Int, count: Int)) -> Finding {
        let others = wrong.count == 1 ? "" : ", as do \(wrong.count - 1) others"
        let minimum = isExact ? "" : ", below the minimum of \(decimal(minPSNR)) dB"
        return Finding(
            .expectedPicture, .error, time: Double(wrong.first) / rate, frame: wrong.first,
            "the frame differs from the expected one\(others) (worst: frame \(worst.frame) with "
                + "\(decimal(worst.psnr)) dB\(minimum)); render the clip again")
    }
}
