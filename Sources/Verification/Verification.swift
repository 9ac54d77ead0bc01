import Analysis
import Media
import Pipeline

/// What a clip is checked for.
public struct VerificationOptions: Sendable {
    /// Whether it is meant to be played in a loop, even if its container has no word for that.
    public var loops = false
    /// Whether something of it must be transparent.
    public var needsAlpha = false
    /// The plan whose pictures it must show; nil compares with none.
    public var plan: RenderPlan?
    /// Whether the plan's pictures are drawn again; otherwise only its size, times and number are compared.
    public var comparesPictures = true
    /// How like lossy pictures must be to those, in dB.
    public var leastPSNR = 28.0
    /// The hashes that its pictures must have; nil compares with none.
    public var hashes: FrameHashes?
    /// How much may be read.
    public var limits = ClipLimits()

    /// Checks the file alone.
    public init() {}
}

/// Checks one file.
public struct Verification {
    private let path: String
    private let options: VerificationOptions
    private let cancellation: CancellationToken
    private var certificate: Certificate
    private var findings: [Finding] = []

    /// Checks a clip. Throws `RenderError` if it is not there, cannot be read at all, or has more than the limits allow; all
    /// else is in the certificate.
    public static func certificate(
        of path: String, _ options: VerificationOptions = VerificationOptions(),
        cancellation: CancellationToken = CancellationToken()
    ) throws -> Certificate {
        var verification = Verification(path, options, cancellation)
        return try verification.run()
    }

    private init(_ path: String, _ options: VerificationOptions, _ cancellation: CancellationToken) {
        (self.path, self.options, self.cancellation) = (path, options, cancellation)
        certificate = Certificate(file: path)
    }

    private mutating func run() throws -> Certificate {
        let file = try InputFile.clip(path: path)
        let structure: FileStructure
        let pictures: PictureCheck
        do {
            structure = try FileStructure(file)
            pictures = try PictureCheck(file, structure, options)
        } catch let error as FFmpegError { throw try unreadable(error, file) }
        try pictures.run(cancellation)
        guard pictures.count > 0 else {
            throw RenderError(
                .badData, "\(path) is no video that can be read: \(pictures.failure?.reason ?? "it has no pictures")")
        }
        describe(file, structure, pictures)
        tellStructure(structure, pictures)
        findings += pictures.findings
        certificate.findings = findings.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }.map(\.element)
        return certificate
    }

    /// Why a file cannot be opened: what its structure says, where that is better than libav's words.
    private func unreadable(_ error: FFmpegError, _ file: InputFile) throws -> RenderError {
        let found = try? FileStructure(file)
        guard error.code == FFmpegError.invalidData, let cut = found?.cut else {
            return RenderError(noVideo: error, path: path)
        }
        return RenderError(.badData, "\(path) is cut off: \(cut); give a whole file")
    }

    private mutating func describe(_ file: InputFile, _ structure: FileStructure, _ pictures: PictureCheck) {
        let stream = pictures.stream
        certificate.container = pictures.kind.name
        (certificate.codec, certificate.pixelFormat) = (stream.codec, pictures.pixelFormat)
        (certificate.width, certificate.height) = (stream.width, stream.height)
        (certificate.rate, certificate.frames) = (pictures.times.rate, pictures.count)
        (certificate.duration, certificate.bytes) = (pictures.duration, file.byteCount)
        certificate.colors = pictures.colors.map {
            Certificate.Colors(matrix: $0.matrix, primaries: $0.primaries, transfer: $0.transfer, range: $0.range)
        }
        let alpha = pictures.alpha
        certificate.alpha = Certificate.Alpha(
            isPresent: pictures.hasAlpha, isUsed: alpha.isUsed, kind: alpha.isUsed ? alpha.kind.rawValue : nil)
        certificate.plays = structure.loopCount
        (certificate.keyFrames, certificate.keyFramesSought) = (pictures.survey.keyCount, pictures.soughtCount)
        certificate.isFastStart = structure.isFastStart
        certificate.isCompared = pictures.expectation != nil
        certificate.worstPSNR = pictures.expectation?.worstPSNR.flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func tellStructure(_ structure: FileStructure, _ pictures: PictureCheck) {
        if let cut = structure.cut {
            findings.append(
                Finding(
                    .truncated, .error, time: pictures.duration, frame: pictures.count,
                    "it is cut off: \(cut): give the whole file"))
        } else if let words = pictures.missingEnd {
            findings.append(
                Finding(
                    .truncated, .error, time: pictures.duration, frame: pictures.count,
                    "\(words): give the whole file"))
        } else if let failure = pictures.failure {
            findings.append(
                Finding(
                    .damaged, .error, time: pictures.times.seconds, frame: pictures.count,
                    "it cannot be decoded further: \(failure.reason): give the whole file"))
        }
        if let damage = structure.damage {
            findings.append(Finding(.damaged, .error, "\(damage): write the file anew"))
        }
        if structure.trailingBytes > 0, structure.cut == nil {
            findings.append(
                Finding(
                    .trailingBytes, .note,
                    "\(structure.trailingBytes) bytes behind its end belong to nothing: cut them off"))
        }
        if structure.isFastStart == false {
            findings.append(
                Finding(
                    .fastStart, .warning,
                    "what players need first comes last, so that they wait for the whole file: move it "
                        + "(ffmpeg -c copy -movflags +faststart)"))
        }
        if structure.hasIndex == false, structure.kind.isSeekable {
            findings.append(
                Finding(
                    .noIndex, .warning,
                    "it has no index of key frames, so that players cannot go to a time: write it to a "
                        + "file instead of a pipe"))
        }
        if ![0, 1].contains(pictures.stream.pixelAspect) {
            findings.append(
                Finding(
                    .pixelAspect, .warning,
                    "its pixels are \(decimal(pictures.stream.pixelAspect)) times as wide as high, which some "
                        + "players pass over: scale the pictures"))
        }
        if options.loops, let plays = structure.loopCount, plays != 0, pictures.count > 1 {
            findings.append(
                Finding(
                    .loopOnce, .error,
                    "it is played \(plays == 1 ? "once" : "\(plays) times"): set its loop count to 0"))
        }
    }
}
