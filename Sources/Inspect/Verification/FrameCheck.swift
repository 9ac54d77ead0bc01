import Media
import Render

/// The check of a clip's frames, which decodes the clip once and passes every frame to the
/// individual checks.
final class FrameCheck {
    private(set) var stream: StreamDescription
    let survey: PacketSurvey
    let kind: FileStructure.Kind
    private let structure: FileStructure
    private let options: VerificationOptions
    private let frameStream: any FrameStream
    private let thumbnailReader: PixelReader
    private(set) var times: TimeCheck
    private var motion = MotionCheck()
    private(set) var alpha = AlphaCheck()
    private var lumaRange = LumaRangeCheck()
    private(set) var expectation: ExpectationCheck?
    private var hashes: HashCheck?
    private var seeking: SeekCheck?
    /// The number of frames from one that is examined for alpha and range to the next.
    private let sampleStride: Int

    private(set) var findings: [Finding] = []
    /// The error that stopped decoding; nil if the clip was decoded to its end.
    private(set) var failure: FFmpegError?
    private(set) var pixelFormat = ""
    private(set) var colors: ColorTags?
    /// True if the pixel format has alpha.
    private(set) var hasAlpha = false
    private var hasChangedSize = false
    /// True if the latest frame was a keyframe.
    private var isAfterKey = true
    /// The latest frames whose motion was not examined, because all are the expected ones.
    private var unexamined: [(decoded: DecodedFrame, position: MotionCheck.Position)] = []

    /// The number of frames before an unexpected one whose motion is examined.
    private static let framesBefore = 6

    /// The approximate number of pixels of the thumbnails for the motion check.
    private static let thumbnailPixels = 40_000

    init(_ file: InputFile, _ structure: FileStructure, _ options: VerificationOptions) throws {
        self.structure = structure
        self.options = options
        frameStream = try FrameStreams.open(file, structure, options.limits, findsDamage: true)
        stream = frameStream.description
        survey = try PacketSurvey(file, structure, stream, options.limits)
        if case .other = structure.kind, let libav = frameStream as? LibAVStream {
            kind = .other(libav.formatName)
        } else {
            kind = structure.kind
        }
        thumbnailReader = try PixelReader(width: stream.width, height: stream.height, maxPixels: Self.thumbnailPixels)
        times = TimeCheck(survey.grid, clock: stream.clock, structure)
        sampleStride = max(1, survey.packetCount / 24)
        hashes = options.hashes.map { HashCheck($0) }
        if structure.kind.isSeekable, structure.hasIndex != false {
            seeking = try SeekCheck(file, keyCount: survey.keyCount, options.limits)
        }
        if let plan = options.plan {
            // GIF changes colours, and lossless encoders of WebP may merge similar ones.
            let isExact = stream.isLossless && !["gif", "webp"].contains(stream.codec)
            let comparesFrames = options.comparesFrames && !hasUnreadableAlpha
            var expectation = ExpectationCheck(
                plan, isExact: isExact, minPSNR: comparesFrames ? options.minPSNR : nil,
                precision: structure.precision(clock: stream.clock))
            // Lossy WebP has subsampled chroma, which libwebp decodes to RGB.
            expectation.hasMixedLines = stream.codec == "webp" && !stream.isLossless
            expectation.begin(width: stream.width, height: stream.height)
            self.expectation = expectation
        }
    }

    private lazy var fullSizeReader = Result { try PixelReader(width: stream.width, height: stream.height) }

    /// The number of decoded frames.
    var count: Int { times.count }
    /// The number of keyframes verified by seeking.
    var seekCount: Int { seeking?.seekCount ?? 0 }
    /// The total duration in seconds; 0 for a still image.
    var duration: Double { structure.isUntimed ? 0 : times.duration(frameStream.declaredDuration) }
    /// Frames per second; nil if the frames have no regular interval.
    var rate: Double? { structure.isUntimed ? nil : times.rate }
    /// True if the file has alpha that this FFmpeg does not read.
    private var hasUnreadableAlpha: Bool { structure.hasAlphaItem && !stream.hasAlphaStream }

    /// Decodes the clip and runs all checks.
    func run(_ cancellation: CancellationToken) throws {
        do {
            while let decoded = try frameStream.next() {
                try cancellation.check()
                try add(decoded)
            }
        } catch let error as FFmpegError {
            if error.isOutOfMemory || error.isSystemFailure { throw LoadervidError(error) }
            failure = error
        }
        if failure == nil, count > 0 { try finish() }
    }

    private func add(_ decoded: DecodedFrame) throws {
        if count == 0 { describe(decoded) }
        times.add(decoded.time, duration: decoded.duration)
        let frame = count - 1
        let time = times.seconds
        try hashes?.add(decoded.frame, time: time)
        guard (decoded.frame.width, decoded.frame.height) == (stream.width, stream.height) else {
            if !hasChangedSize {
                findings.append(
                    Finding(
                        .sizeChange, .error, time: time, frame: frame,
                        "the frame size changes from \(stream.width)x\(stream.height) to "
                            + "\(decoded.frame.width)x\(decoded.frame.height); render the clip again"))
            }
            hasChangedSize = true
            return
        }
        let isRefresh = decoded.isKey && !isAfterKey
        isAfterKey = decoded.isKey
        let position = MotionCheck.Position(frame: frame, slots: times.slots, time: time, isRefresh: isRefresh)
        // Until a transparent pixel appears, every frame must be checked.
        if decoded.hasAlpha, !alpha.isUsed || frame % sampleStride == 0 {
            alpha.add(try fullSizeReader.get().straight(decoded), width: stream.width, height: stream.height)
        }
        if frame % sampleStride == 0 { lumaRange.add(decoded.frame) }
        if expectation?.isComparable == true {
            try expectation?.add(decoded, time: time)
        }
        try addToMotion(decoded, position)
        if decoded.isKey { try seeking?.add(decoded, frame: frame, time: time) }
    }

    /// Adds a frame to the check of the motion. Motion explains why frames are not the expected
    /// ones, so it is examined from a little before the first of those.
    private func addToMotion(_ decoded: DecodedFrame, _ position: MotionCheck.Position) throws {
        unexamined.append((decoded, position))
        guard expectation?.isSuspicious != false else {
            if unexamined.count > Self.framesBefore { unexamined.removeFirst() }
            return
        }
        for (decoded, position) in unexamined {
            motion.add(try thumbnailReader.pixels(decoded), at: position)
        }
        unexamined = []
    }

    /// Records the properties that the first frame determines for all.
    private func describe(_ decoded: DecodedFrame) {
        pixelFormat = decoded.frame.format.description + (decoded.alpha == nil ? "" : " and alpha")
        hasAlpha = decoded.hasAlpha
        stream.pixelAspect = frameStream.description.pixelAspect
        if !decoded.frame.format.isRGB, !decoded.frame.format.isPaletted { colors = decoded.frame.colorTags }
        findings += ColorCheck.findings(decoded.frame, stream, kind, isImage: structure.isAVIF)
    }

    private func finish() throws {
        let declared = frameStream.declaredDuration
        times.finish(declared)
        // A still image is shown as long as the expected clip.
        let end = structure.isUntimed ? options.plan?.duration.double ?? 0 : duration
        try expectation?.finish(end: end, clipRate: rate)
        findings += times.findings + alphaFindings
        findings += DurationCheck.findings(
            structure, survey, duration: times.duration(declared), interval: survey.grid.step * stream.clock,
            plannedSound: options.plan?.audioSeconds)
        // A long hold that the user requested is not a fault.
        if expectation?.isRight != true { findings += times.lengthFindings(declared) }
        let plays = structure.loopCount
        motion.finish(
            lastSlots: times.lastSlots(declared), lastSeconds: duration - times.seconds, loops: options.loops,
            repeats: plays.map { $0 != 1 } ?? false)
        if options.plan == nil {
            motion.compareWithLoaders(
                lastSeconds: duration - times.seconds, loops: options.loops || plays.map { $0 != 1 } ?? false)
            motion.explainSeam(lastSeconds: duration - times.seconds)
        }
        if let expectation {
            findings += expectation.findings
            if let plan = options.plan {
                findings += DeclarationCheck.findings(
                    frameStream.description, plan, comparesProfile: options.comparesProfile)
            }
            // Faults of an expected frame are the loader's own design, unless the comparison
            // confirms them.
            findings += motion.findings.filter { !expectation.isRight || expectation.confirms($0) }
        } else {
            findings += motion.findings
        }
        findings += (hashes?.findings ?? []) + [lumaRange.finding, seeking?.finding].compactMap { $0 }
    }

    // MARK: Findings about the whole clip

    private var alphaFindings: [Finding] {
        var findings: [Finding] = []
        let isWanted = options.needsAlpha || options.plan?.hasTransparentBackground ?? false
        if hasUnreadableAlpha {
            findings.append(
                Finding(
                    .alphaUnread, .note,
                    "this FFmpeg does not read the alpha of a still AVIF; look at it in a browser, or verify .webp"))
        } else if isWanted, !alpha.isUsed {
            let problem = hasAlpha ? "no pixel is transparent" : "the pixel format has no alpha"
            findings.append(
                Finding(
                    .alphaMissing, .error,
                    "\(problem); render it with \(option: "background") transparent in a format with alpha"))
        } else if hasAlpha, !alpha.isUsed, !structure.kind.isAnimatedImage {
            findings.append(
                Finding(
                    .alphaUnused, .warning,
                    "the clip has alpha, but no pixel is transparent; encode it without alpha"))
        }
        if survey.hasSideAlpha != stream.declaresAlpha, ["vp8", "vp9"].contains(stream.codec) {
            let problem =
                stream.declaresAlpha
                ? "the container declares alpha, but there is none"
                : "the container does not declare its alpha, so players ignore it"
            findings.append(Finding(.alphaUnmarked, .error, "\(problem); set alpha_mode to match the frames"))
        }
        if alpha.kind == .premultiplied {
            findings.append(
                Finding(
                    .alphaPremultiplied, .error,
                    "colours are premultiplied, which shows as dark fringes; encode with straight alpha"))
        }
        return findings
    }

    /// A description of what is missing at the end, according to the container; nil if nothing is.
    /// If decoding failed although packets of the whole duration follow, nothing is missing: the
    /// data is damaged.
    var missingEnd: String? {
        if failure != nil, let declared = stream.declaredFrameCount, survey.packetCount >= declared { return nil }
        var end = (count: count, duration: duration)
        if failure != nil, let first = survey.startTime, let last = survey.endTime {
            end = (max(count, survey.packetCount), max(duration, last - first))
        }
        return structure.missingEnd(
            count: end.count, duration: end.duration, start: times.start,
            declaredDuration: frameStream.declaredDuration, step: survey.grid.step * stream.clock, clock: stream.clock)
    }
}

extension RenderPlan {
    /// True if the background leaves some pixels transparent. In formats with on-or-off
    /// transparency, that means less than half opaque, or with a matte, fully transparent.
    fileprivate var hasTransparentBackground: Bool {
        let alpha = source.background.alpha
        guard encoder.traits.needsColorHistogram else { return alpha < 1 }
        return encoder.indexing.matte == nil ? (alpha * 255).rounded() < 128 : alpha == 0
    }
}
