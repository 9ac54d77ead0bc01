import Core
import Media
import Render

/// The settings of a verification.
package struct VerificationOptions: Sendable {
    /// True if the clip should loop, even if its container has no loop count.
    package var loops = false
    /// True if the clip must have transparent pixels.
    package var needsAlpha = false
    /// The plan whose frames the clip must show; nil compares with none.
    package var plan: RenderPlan?
    /// True to render the plan's frames again. Otherwise only dimensions, times and the number of
    /// frames are compared.
    package var comparesFrames = true
    /// The minimum PSNR of lossy frames in dB.
    package var minPSNR = 28.0
    /// True to compare the profile of ProRes or DNxHR with that of the plan.
    package var comparesProfile = true
    /// The maximum size of the file in bytes; nil for no limit.
    package var maxBytes: Int?
    /// A remark on the choice of the plan, such as settings that were lowered for a size limit; nil
    /// for none.
    package var planNote: String?
    /// The expected frame hashes; nil compares with none.
    package var hashes: FrameHashes?
    /// The limits for reading the file.
    package var limits = ClipLimits()

    /// Creates settings that check the file alone.
    package init() {}

    /// The remark on the choice of the plan as a finding.
    var planFindings: [Finding] { planNote.map { [Finding(.expectedPlan, .note, $0)] } ?? [] }
}

/// A verification of one file.
package struct Verification {
    private let path: String
    private let options: VerificationOptions
    private let cancellation: CancellationToken
    private var certificate: Certificate
    private var findings: [Finding] = []

    /// Verifies a clip. Throws `LoadervidError` if the file does not exist, cannot be read at all,
    /// or exceeds the limits. All other faults are findings of the certificate.
    package static func certificate(
        of path: String, _ options: VerificationOptions = VerificationOptions(), opened file: InputFile? = nil,
        cancellation: CancellationToken = CancellationToken()
    ) throws -> Certificate {
        if file == nil, SequenceStream.isPattern(path) {
            return try certificate(ofSequence: path, options, cancellation)
        }
        if let plan = options.plan, plan.container == .rawvideo {
            return try certificate(ofRawVideo: path, plan, options, opened: file)
        }
        var verification = Verification(path, options, cancellation)
        return try verification.run(file ?? InputFile.clip(path: path))
    }

    private init(_ path: String, _ options: VerificationOptions, _ cancellation: CancellationToken) {
        self.path = path
        self.options = options
        self.cancellation = cancellation
        certificate = Certificate(file: path)
    }

    private mutating func run(_ file: InputFile) throws -> Certificate {
        let structure: FileStructure
        let frameCheck: FrameCheck
        do {
            structure = try FileStructure(file)
            try refuseStillImage(structure)
            frameCheck = try FrameCheck(file, structure, options)
        } catch let error as FFmpegError { throw try unreadable(error, file) }
        try frameCheck.run(cancellation)
        guard frameCheck.count > 0 else {
            throw LoadervidError(
                .badData,
                "\(path) is not a readable video: \(frameCheck.failure?.reason ?? "it has no frames"); "
                    + "use a complete video file")
        }
        describe(file, structure, frameCheck)
        addDamage(structure, frameCheck)
        addContainerFindings(structure, frameCheck)
        if let maxBytes = options.maxBytes, file.byteCount > maxBytes {
            findings.append(
                Finding(
                    .expectedBytes, .error,
                    "the file has \(file.byteCount) bytes, above the limit of \(maxBytes); encode it with "
                        + "\(option: "max-bytes")"))
        }
        findings += frameCheck.findings + options.planFindings
        certificate.findings = findings.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }.map(\.element)
        return certificate
    }

    /// Throws `LoadervidError` if a still image is to be compared with a clip of several frames, or
    /// for a PNG without animation.
    private func refuseStillImage(_ structure: FileStructure) throws {
        if structure.isStill, structure.kind == .apng {
            throw LoadervidError(
                .badData,
                "\(path) is a still PNG; to verify the frames of a sequence, pass a pattern such as frames/%04d.png")
        }
        guard structure.isStill, let count = options.plan?.frameCount, count > 1 else { return }
        throw LoadervidError(
            .badData,
            "\(path) is a still image and cannot be compared with a clip of \(count) frames; use an animated file")
    }

    /// Returns the error for a file that cannot be opened. Prefers the description of a truncated
    /// structure to libav's.
    private func unreadable(_ error: FFmpegError, _ file: InputFile) throws -> LoadervidError {
        let found = try? FileStructure(file)
        guard error.code == FFmpegError.invalidData, let truncation = found?.truncation else {
            guard error.remedy != nil, error.code != FFmpegError.tooManyPixels, !RawVideo.isLikely(path) else {
                return LoadervidError(noVideo: error, path: path)
            }
            return LoadervidError(
                .badData,
                "\(path) is not a readable video: \(error.reason); use MP4, MOV, WebM, Matroska, GIF, APNG, WebP, AVIF "
                    + "or another self-contained format, or a pattern of images such as frames/%04d.png")
        }
        return LoadervidError(.badData, "\(path) is truncated: \(truncation); use a complete file")
    }

    private mutating func describe(_ file: InputFile, _ structure: FileStructure, _ frameCheck: FrameCheck) {
        let stream = frameCheck.stream
        certificate.container = structure.isAVIF ? "AVIF" : frameCheck.kind.name
        certificate.codec = stream.codec
        certificate.pixelFormat = frameCheck.pixelFormat
        certificate.width = stream.width
        certificate.height = stream.height
        certificate.rate = frameCheck.rate
        certificate.frames = frameCheck.count
        certificate.duration = frameCheck.duration
        certificate.bytes = file.byteCount
        certificate.colors = frameCheck.colors.map {
            Certificate.Colors(matrix: $0.matrix, primaries: $0.primaries, transfer: $0.transfer, range: $0.range)
        }
        let alpha = frameCheck.alpha
        certificate.alpha = Certificate.Alpha(
            isPresent: frameCheck.hasAlpha, isUsed: alpha.isUsed, kind: alpha.isUsed ? alpha.kind.rawValue : nil)
        certificate.plays = structure.loopCount
        certificate.keyFrames = frameCheck.survey.keyCount
        certificate.keyFramesSought = frameCheck.seekCount
        certificate.isFastStart = structure.isFastStart
        certificate.isCompared = frameCheck.expectation?.hasCompared ?? false
        certificate.worstPSNR = frameCheck.expectation?.worstPSNR.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Adds findings on data that is missing or damaged.
    private mutating func addDamage(_ structure: FileStructure, _ frameCheck: FrameCheck) {
        if let truncation = structure.truncation {
            findings.append(
                Finding(
                    .truncated, .error, time: frameCheck.duration, frame: frameCheck.count,
                    "the file is truncated: \(truncation); use the complete file"))
        } else if let missing = frameCheck.missingEnd {
            findings.append(
                Finding(
                    .truncated, .error, time: frameCheck.duration, frame: frameCheck.count,
                    "\(missing); use the complete file"))
        } else if let failure = frameCheck.failure {
            findings.append(
                Finding(
                    .damaged, .error, time: frameCheck.times.seconds, frame: frameCheck.count,
                    "decoding stops here: \(failure.reason); use the complete file"))
        }
        if let damage = structure.damage {
            findings.append(Finding(.damaged, .error, "\(damage); create the file again"))
        }
        if let invalid = structure.invalidData, structure.truncation == nil {
            let checks: [FileStructure.Kind: FindingID] = [.apng: .apngInvalid, .webp: .webpInvalid]
            let id = checks[structure.kind] ?? .gifInvalid
            findings.append(Finding(id, .error, "\(invalid), which strict decoders refuse; create the file again"))
        }
    }

    /// Adds findings on the container of a file whose data may be complete.
    private mutating func addContainerFindings(_ structure: FileStructure, _ frameCheck: FrameCheck) {
        if structure.trailingBytes > 0, structure.truncation == nil {
            findings.append(
                Finding(
                    .trailingBytes, .note,
                    "\(structure.trailingBytes) unknown bytes follow the end; remove them"))
        }
        if structure.isFastStart == false {
            findings.append(
                Finding(
                    .fastStart, .warning,
                    "the index follows the media data, so players wait for the whole file; move it to the start "
                        + "(ffmpeg -c copy -movflags +faststart)"))
        }
        if structure.hasIndex == false, structure.kind.isSeekable {
            findings.append(
                Finding(
                    .noIndex, .warning,
                    "there is no keyframe index, so players cannot seek; write to a file instead of a pipe"))
        }
        addDisplayFindings(frameCheck.stream)
        if options.loops, let plays = structure.loopCount, plays != 0, frameCheck.count > 1 {
            findings.append(
                Finding(
                    .loopOnce, .error,
                    "it plays \(plays == 1 ? "once" : "\(plays) times"); set its loop count to 0"))
        }
    }

    /// Adds findings on metadata with which players change the frames.
    private mutating func addDisplayFindings(_ stream: StreamDescription) {
        if stream.pixelAspect != 1 {
            findings.append(
                Finding(
                    .pixelAspect, .error,
                    "its pixels are \(decimal(stream.pixelAspect)) times as wide as high, so players "
                        + "distort it; scale the frames to square pixels (ffmpeg -vf setsar=1)"))
        }
        let turns = stream.rotation == 0 ? [] : ["rotate it by \(stream.rotation)°"]
        let transforms = (stream.isMirrored ? ["mirror it"] : []) + turns
        if !transforms.isEmpty {
            findings.append(
                Finding(
                    .rotated, .error,
                    "its metadata makes players \(transforms.joined(separator: " and ")); make an upright copy with "
                        + "ffmpeg, which transforms the frames"))
        }
    }
}
