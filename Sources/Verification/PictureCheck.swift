import Analysis
import Media
import Pipeline

/// Decodes a clip once and looks at every picture.
final class PictureCheck {
    let stream: StreamDescription
    let survey: PacketSurvey
    let kind: FileStructure.Kind
    private let structure: FileStructure
    private let options: VerificationOptions
    private let pictures: any PictureStream
    private let thumbnails: PixelReader
    private(set) var times: TimeCheck
    private var motion = MotionCheck()
    private(set) var alpha = AlphaCheck()
    private(set) var expectation: ExpectationCheck?
    private var hashes: HashCheck?
    private var seeking: SeekCheck?
    private let alphaStride: Int

    private(set) var findings: [Finding] = []
    /// Why decoding ended before the end.
    private(set) var failure: FFmpegError?
    private(set) var pixelFormat = ""
    private(set) var colors: ColorTags?
    /// Whether the format has a place for transparency.
    private(set) var hasAlpha = false
    private var hasChangedSize = false

    /// Pixels of the small pictures by which motion is judged.
    private static let thumbnailPixels = 40_000

    init(_ file: InputFile, _ structure: FileStructure, _ options: VerificationOptions) throws {
        (self.structure, self.options) = (structure, options)
        pictures = try PictureStreams.open(file, structure, options.limits)
        stream = pictures.description
        survey = try PacketSurvey(file, structure, stream, options.limits)
        if case .other = structure.kind, let libav = pictures as? LibAVStream {
            kind = .other(libav.formatName)
        } else {
            kind = structure.kind
        }
        thumbnails = try PixelReader(width: stream.width, height: stream.height, most: Self.thumbnailPixels)
        times = TimeCheck(survey.grid, clock: stream.clock, structure)
        alphaStride = max(1, survey.packetCount / 24)
        hashes = options.hashes.map { HashCheck($0) }
        if structure.kind.isSeekable, structure.hasIndex != false {
            seeking = try SeekCheck(file, keyCount: survey.keyCount, options.limits)
        }
        if let plan = options.plan {
            // Of GIF's pictures the colours are others, of WebP's those that are nearly the same too.
            let isExact = stream.isLossless && !["gif", "webp"].contains(stream.codec)
            var expectation = try ExpectationCheck(
                plan, isExact: isExact, leastPSNR: options.comparesPictures ? options.leastPSNR : nil,
                precision: structure.precision(clock: stream.clock))
            expectation.begin(width: stream.width, height: stream.height)
            self.expectation = expectation
        }
    }

    private lazy var whole = Result { try PixelReader(width: stream.width, height: stream.height) }

    /// Pictures that were decoded.
    var count: Int { times.count }
    /// How many key frames were gone to.
    var soughtCount: Int { seeking?.soughtCount ?? 0 }
    /// How long all are shown, in seconds.
    var duration: Double { times.duration(pictures.saidDuration) }

    /// Decodes everything.
    func run(_ cancellation: CancellationToken) throws {
        do {
            while let picture = try pictures.next() {
                try cancellation.check()
                try add(picture)
            }
        } catch let error as FFmpegError {
            if error.isMemoryShort || error.isSystemFailure { throw RenderError(error) }
            failure = error
        }
        if failure == nil, count > 0 { try finish() }
    }

    private func add(_ picture: StreamPicture) throws {
        if count == 0 { look(at: picture) }
        times.add(picture.time, duration: picture.duration)
        let (frame, time) = (count - 1, times.seconds)
        try hashes?.add(picture.frame, time: time)
        guard (picture.frame.width, picture.frame.height) == (stream.width, stream.height) else {
            if !hasChangedSize {
                findings.append(
                    Finding(
                        .sizeChange, .error, time: time, frame: frame,
                        "a picture has \(picture.frame.width)x\(picture.frame.height) pixels instead of "
                            + "\(stream.width)x\(stream.height): render it again"))
            }
            hasChangedSize = true
            return
        }
        motion.add(try thumbnails.pixels(picture), slots: times.slots, time: time)
        // Where nothing is transparent that must be known of all.
        if picture.hasAlpha, !alpha.isUsed || frame % alphaStride == 0 {
            alpha.add(try whole.get().straight(picture), width: stream.width, height: stream.height)
        }
        if expectation?.isComparable == true {
            try expectation?.add(picture, try whole.get().pixels(picture), time: time)
        }
        if picture.isKey { try seeking?.add(picture, frame: frame, time: time) }
    }

    /// Looks at what the first picture says for all.
    private func look(at picture: StreamPicture) {
        pixelFormat = picture.frame.format.description + (picture.alpha == nil ? "" : " and alpha")
        hasAlpha = picture.hasAlpha
        if !picture.frame.format.isRGB, !picture.frame.format.isPaletted { colors = picture.frame.colorTags }
        findings += ColorCheck.findings(picture.frame, stream)
    }

    private func finish() throws {
        let said = pictures.saidDuration
        times.finish(said)
        try expectation?.finish(end: duration)
        findings += times.findings + alphaFindings
        let plays = structure.loopCount
        motion.finish(lastSlots: times.lastSlots(said), loops: options.loops || plays.map { $0 != 1 } ?? false)
        if options.plan == nil { motion.explainSeam() }
        if let expectation {
            findings += expectation.findings
            // What every picture was meant to be is no fault.
            if !expectation.isRight { findings += motion.findings }
        } else {
            findings += motion.findings
        }
        findings += (hashes?.findings ?? []) + [seeking?.finding].compactMap { $0 }
    }

    // MARK: What follows from all pictures

    private var alphaFindings: [Finding] {
        var findings: [Finding] = []
        let isWanted = options.needsAlpha || options.plan?.showsThrough ?? false
        if isWanted, !alpha.isUsed {
            let what = hasAlpha ? "no pixel is transparent" : "its format has no transparency"
            findings.append(
                Finding(
                    .alphaMissing, .error,
                    "\(what): render it with --background transparent in a format that holds it"))
        } else if hasAlpha, !alpha.isUsed, !structure.kind.isAnimation {
            findings.append(
                Finding(
                    .alphaUnused, .warning,
                    "it holds transparency, and no pixel is transparent: encode it without"))
        }
        if survey.hasSideAlpha != stream.saysAlpha, ["vp8", "vp9"].contains(stream.codec) {
            let words =
                stream.saysAlpha
                ? "it says that it has transparency, and has none"
                : "it has transparency, and does not say so, so that players leave it out"
            findings.append(Finding(.alphaUnmarked, .error, "\(words): set alpha_mode as the pictures are"))
        }
        if alpha.kind == .premultiplied {
            findings.append(
                Finding(
                    .alphaPremultiplied, .error,
                    "colours are multiplied by alpha, which shows as dark fringes: write them straight"))
        }
        return findings
    }

    /// What is missing at the end, by the container's own word; nil if nothing is.
    var missingEnd: String? {
        if let said = structure.saidFrames, said > count { return "it has \(count) of \(said) pictures" }
        let step = survey.grid.step * stream.clock
        guard let said = pictures.saidDuration, count > 0, !structure.kind.isAnimation,
            duration < said - 0.75 * step - 2 * stream.clock
        else { return nil }
        return "it ends after \(decimal(duration)) s of \(decimal(said)) s"
    }
}

extension RenderPlan {
    /// Whether its background leaves something transparent: in formats that know no half only what is less than that, or
    /// with a matte what is nothing.
    fileprivate var showsThrough: Bool {
        let alpha = subject.background.alpha
        guard encoder.traits.countsColors else { return alpha < 1 }
        return encoder.indexing.matte == nil ? (alpha * 255).rounded() < 128 : alpha == 0
    }
}
