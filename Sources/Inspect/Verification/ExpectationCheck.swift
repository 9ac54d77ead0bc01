import Core
import Render

/// Compares the frames of a clip with expected ones, each for its whole duration.
struct ExpectationCheck {
    private let expected: ExpectedFrames
    private let isExact: Bool
    private let minPSNR: Double
    private let drawsFrames: Bool
    private let precision: Double
    private var shown: (decoded: DecodedFrame, pixels: Pixels, frame: Int)?
    private var lastScenes: [Scene]?
    private var wrong: (first: Int, count: Int)?
    private var worst: (psnr: Double, frame: Int) = (.infinity, 0)
    private var sum = 0.0
    private var compared = 0
    private var misplaced: (frame: Int, as: Int, count: Int)?
    private var late: (frame: Int, time: Double)?
    private(set) var findings: [Finding] = []

    /// Creates a check against a plan.
    ///
    /// - Parameters:
    ///   - isExact: true if frames must be equal.
    ///   - minPSNR: otherwise, the minimum PSNR in dB; nil compares only dimensions and times.
    ///   - precision: the precision of the clip's times in seconds.
    init(_ plan: RenderPlan, isExact: Bool, minPSNR: Double?, precision: Double) throws {
        expected = try ExpectedFrames(plan)
        self.isExact = isExact
        self.minPSNR = minPSNR ?? 0
        self.precision = precision
        drawsFrames = minPSNR != nil
    }

    private var plan: RenderPlan { expected.plan }
    private var rate: Double { plan.encoder.frameRate.framesPerSecond.double }

    /// True if all frames so far are as expected.
    var isRight: Bool { wrong == nil && misplaced == nil && findings.isEmpty }
    /// The PSNR of the worst frame in dB; nil if no frame was compared, infinite if all are equal.
    var worstPSNR: Double? { compared > 0 ? worst.psnr : nil }
    private(set) var isComparable = true

    /// Checks the dimensions before the first frame.
    mutating func begin(width: Int, height: Int) {
        guard (width, height) != (plan.width, plan.height) else { return }
        isComparable = false
        findings.append(
            Finding(
                .expectedSize, .error,
                "the size is \(width)x\(height) instead of \(plan.width)x\(plan.height); render the clip again or pass "
                    + "--size \(width)x\(height)"))
    }

    /// Adds the next frame, which starts at `time` seconds from the first.
    mutating func add(_ decoded: DecodedFrame, _ pixels: Pixels, time: Double) throws {
        guard isComparable else { return }
        let frame = self.frame(at: time)
        if abs(time - Double(frame) / rate) > 0.51 * precision + 0.02 / rate, late == nil { late = (frame, time) }
        try compare(until: frame)
        shown = (decoded, pixels, frame)
    }

    private func frame(at time: Double) -> Int { Int(min(max(0, (time * rate).rounded()), 1e9)) }

    /// Compares the current frame with all frames of the plan during its duration.
    private mutating func compare(until end: Int) throws {
        guard let shown else { return }
        if end <= shown.frame, late == nil { late = (shown.frame, Double(shown.frame) / rate) }
        guard drawsFrames else { return }
        for frame in shown.frame..<max(shown.frame, min(end, plan.frameCount)) {
            let scenes = plan.subject.scenes(ofFrame: frame)
            defer { lastScenes = scenes }
            // An unchanged scene needs only one comparison.
            if frame > shown.frame, scenes == lastScenes { continue }
            guard let expectedPixels = try expected.pixels(ofFrame: frame, like: shown.decoded) else { return }
            try judge(PixelDifference(shown.pixels, expectedPixels), frame, shown.decoded, shown.pixels)
        }
    }

    private mutating func judge(
        _ difference: PixelDifference, _ frame: Int, _ decoded: DecodedFrame, _ pixels: Pixels
    ) throws {
        let psnr = difference.psnr
        if psnr < worst.psnr { worst = (psnr, frame) }
        let checksNeighbours = compared % 16 == 0 || psnr < (sum / Double(max(1, compared))) - 2
        sum += min(psnr, 99)
        compared += 1
        if isExact ? difference.squares > 0 : psnr < minPSNR {
            wrong = (wrong?.first ?? frame, (wrong?.count ?? 0) + 1)
        } else if checksNeighbours || frame == plan.frameCount - 1, difference.squares > 0 {
            for other in [frame - 1, frame + 1] {
                guard let neighbourPixels = try expected.pixels(ofFrame: other, like: decoded),
                    PixelDifference(pixels, neighbourPixels).squares * 2 < difference.squares
                else { continue }
                misplaced = (misplaced?.frame ?? frame, misplaced?.as ?? other, (misplaced?.count ?? 0) + 1)
                return
            }
        }
    }

    /// Completes the check after the last frame, which ends at `end` seconds from the start of the
    /// first.
    mutating func finish(end: Double) throws {
        guard isComparable, shown != nil else { return }
        let last = frame(at: end)
        try compare(until: last)
        if last != plan.frameCount {
            findings.append(
                Finding(
                    .expectedFrames, .error, time: end, frame: last,
                    "it ends after \(last) frames (\(decimal(end)) s) instead of \(plan.frameCount) at "
                        + "\(plan.encoder.frameRate) per second; render the clip again or pass the options it was made with"
                ))
        }
        if let late {
            findings.append(
                Finding(
                    .expectedTimes, .error, time: late.time, frame: late.frame,
                    "the frame is shown at \(decimal(late.time)) s, which is not a frame time at "
                        + "\(plan.encoder.frameRate) per second, or that of another frame; correct its delay"))
        }
        if let wrong { findings.append(wrongFinding(wrong)) }
        if let misplaced {
            findings.append(
                Finding(
                    .expectedPicture, .error, time: Double(misplaced.frame) / rate, frame: misplaced.frame,
                    "the frame shows the content of frame \(misplaced.as); render the clip again"))
        }
    }

    private func wrongFinding(_ wrong: (first: Int, count: Int)) -> Finding {
        let others = wrong.count == 1 ? "" : ", as do \(wrong.count - 1) others"
        let minimum = isExact ? "" : ", below the minimum of \(decimal(minPSNR)) dB"
        return Finding(
            .expectedPicture, .error, time: Double(wrong.first) / rate, frame: wrong.first,
            "the frame differs from the expected one\(others) (worst: frame \(worst.frame) with "
                + "\(decimal(worst.psnr)) dB\(minimum)); render the clip again")
    }
}
