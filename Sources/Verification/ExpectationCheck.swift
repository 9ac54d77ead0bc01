import Motion
import Pipeline
import Scene

/// Compares the pictures of a clip with expected ones, each for as long as it is shown.
struct ExpectationCheck {
    private let expected: ExpectedPictures
    private let isExact: Bool
    private let leastPSNR: Double
    private let drawsPictures: Bool
    private let precision: Double
    private var shown: (picture: StreamPicture, pixels: Pixels, frame: Int)?
    private var lastScenes: [Scene]?
    private var wrong: (first: Int, count: Int)?
    private var worst: (psnr: Double, frame: Int) = (.infinity, 0)
    private var (sum, compared) = (0.0, 0)
    private var misplaced: (frame: Int, as: Int, count: Int)?
    private var late: (frame: Int, time: Double)?
    private(set) var findings: [Finding] = []

    /// - Parameters:
    ///   - isExact: whether pictures must be equal to the last bit.
    ///   - leastPSNR: how like they must be otherwise, in dB; nil looks at size and times only.
    ///   - precision: what the clip's times are rounded to, in seconds.
    init(_ plan: RenderPlan, isExact: Bool, leastPSNR: Double?, precision: Double) throws {
        expected = try ExpectedPictures(plan)
        (self.isExact, self.leastPSNR, self.precision) = (isExact, leastPSNR ?? 0, precision)
        drawsPictures = leastPSNR != nil
    }

    private var plan: RenderPlan { expected.plan }
    private var rate: Double { plan.encoder.frameRate.framesPerSecond.double }

    /// Whether all pictures so far are the expected ones.
    var isRight: Bool { wrong == nil && misplaced == nil && findings.isEmpty }
    /// PSNR of the worst picture in dB; nil if nothing was compared, infinite if all are equal.
    var worstPSNR: Double? { compared > 0 ? worst.psnr : nil }
    private(set) var isComparable = true

    /// Looks at the size before anything else.
    mutating func begin(width: Int, height: Int) {
        guard (width, height) != (plan.width, plan.height) else { return }
        isComparable = false
        findings.append(
            Finding(
                .expectedSize, .error,
                "it has \(width)x\(height) pixels, expected are \(plan.width)x\(plan.height): render it again, or say "
                    + "--size \(width)x\(height)"))
    }

    /// Takes the next picture, which is shown at a time in seconds from the first.
    mutating func add(_ picture: StreamPicture, _ pixels: Pixels, time: Double) throws {
        guard isComparable else { return }
        let frame = self.frame(at: time)
        if abs(time - Double(frame) / rate) > 0.51 * precision + 0.02 / rate, late == nil { late = (frame, time) }
        try compare(until: frame)
        shown = (picture, pixels, frame)
    }

    private func frame(at time: Double) -> Int { Int(min(max(0, (time * rate).rounded()), 1e9)) }

    /// Compares the picture that is shown with those of all frames that it stands for.
    private mutating func compare(until end: Int) throws {
        guard let shown else { return }
        if end <= shown.frame, late == nil { late = (shown.frame, Double(shown.frame) / rate) }
        guard drawsPictures else { return }
        for frame in shown.frame..<max(shown.frame, min(end, plan.frameCount)) {
            let scenes = plan.subject.scenes(ofFrame: frame)
            defer { lastScenes = scenes }
            // A still need be compared once.
            if frame > shown.frame, scenes == lastScenes { continue }
            guard let wanted = try expected.pixels(ofFrame: frame, like: shown.picture) else { return }
            try judge(PixelDifference(shown.pixels, wanted), frame, shown.picture, shown.pixels)
        }
    }

    private mutating func judge(
        _ difference: PixelDifference, _ frame: Int, _ picture: StreamPicture, _ pixels: Pixels
    ) throws {
        let psnr = difference.psnr
        if psnr < worst.psnr { worst = (psnr, frame) }
        let isOdd = compared % 16 == 0 || psnr < (sum / Double(max(1, compared))) - 2
        (sum, compared) = (sum + min(psnr, 99), compared + 1)
        if isExact ? difference.squares > 0 : psnr < leastPSNR {
            wrong = (wrong?.first ?? frame, (wrong?.count ?? 0) + 1)
        } else if isOdd || frame == plan.frameCount - 1, difference.squares > 0 {
            for other in [frame - 1, frame + 1] {
                guard let pixelsThere = try expected.pixels(ofFrame: other, like: picture),
                    PixelDifference(pixels, pixelsThere).squares * 2 < difference.squares
                else { continue }
                misplaced = (misplaced?.frame ?? frame, misplaced?.as ?? other, (misplaced?.count ?? 0) + 1)
                return
            }
        }
    }

    /// What is to be said when all pictures are known, the last of which ends at a time in seconds from the first.
    mutating func finish(end: Double) throws {
        guard isComparable, shown != nil else { return }
        let last = frame(at: end)
        try compare(until: last)
        if last != plan.frameCount {
            findings.append(
                Finding(
                    .expectedFrames, .error, time: end, frame: last,
                    "it ends after \(last) frames (\(decimal(end)) s), expected are \(plan.frameCount) at "
                        + "\(plan.encoder.frameRate) a second: render it again, or give the options it was made with"))
        }
        if let late {
            findings.append(
                Finding(
                    .expectedTimes, .error, time: late.time, frame: late.frame,
                    "a picture is shown at \(decimal(late.time)) s, which is no frame of "
                        + "\(plan.encoder.frameRate) a second, or another's: mend its delay"))
        }
        if let wrong { findings.append(wrongFinding(wrong)) }
        if let misplaced {
            findings.append(
                Finding(
                    .expectedPicture, .error, time: Double(misplaced.frame) / rate, frame: misplaced.frame,
                    "the picture is that of frame \(misplaced.as): render the clip again"))
        }
    }

    private func wrongFinding(_ wrong: (first: Int, count: Int)) -> Finding {
        let others = wrong.count == 1 ? "" : ", nor are \(wrong.count - 1) others"
        return Finding(
            .expectedPicture, .error, time: Double(wrong.first) / rate, frame: wrong.first,
            "the picture is not the expected one\(others); the worst is frame \(worst.frame) with "
                + "\(decimal(worst.psnr)) dB\(isExact ? "" : ", \(decimal(leastPSNR)) are needed"): render the "
                + "clip again")
    }
}
