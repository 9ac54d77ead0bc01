import Core
import Media
import Render

/// The decoded frames of a sequence of image files, in the order of their numbers.
final class SequenceStream: FrameStream {
    private(set) var description = StreamDescription()
    /// The files, in the order of their numbers.
    let files: [(number: Int, path: String)]
    /// The total size of the files in bytes.
    private(set) var byteCount = 0
    /// The names in the directory that are not frames, sorted.
    let others: [String]
    private let limits: ClipLimits
    private var index = 0
    private var first: VideoFrame?

    /// The default duration of a frame in seconds, since the files have none: that of film.
    private static let frameDuration = 1.0 / 24

    /// Returns true if a path is a pattern of image files, such as `frames/%04d.png`, and not a
    /// file.
    static func isPattern(_ path: String) -> Bool {
        Container(ofFile: path)?.isFrameSequence == true && FileSystem.kind(path) == nil
    }

    /// Finds the files and decodes the first one. Throws `LoadervidError` if there is none.
    ///
    /// - Parameter frameDuration: the duration of a frame in seconds; nil for the default.
    init(_ path: String, _ limits: ClipLimits, frameDuration: Double? = nil) throws {
        let frameDuration = frameDuration ?? Self.frameDuration
        let pattern = try OutputSequence.pattern(of: path)
        let folder = FileSystem.split(path).directory
        guard FileSystem.kind(folder) == S_IFDIR else {
            throw LoadervidError(noDirectory: folder)
        }
        let found = try SequenceFiles(in: DirectoryHandle(path: folder), pattern)
        files = found.numbers.map { ($0, "\(folder)/\(pattern.name($0))") }
        others = found.others
        self.limits = limits
        guard let start = files.first else {
            throw LoadervidError(.missingInput, "no file in \(folder) matches \(pattern.text); check the pattern")
        }
        let frame = try decode(start.path)
        first = frame
        description.width = frame.width
        description.height = frame.height
        description.clock = frameDuration
        description.declaredRate = 1 / frameDuration
        description.isLossless = ["png", "tiff"].contains(description.codec)
    }

    var declaredDuration: Double? { nil }

    /// The numbers that are missing between the first and the last file.
    var gaps: [ClosedRange<Int>] {
        zip(files, files.dropFirst()).compactMap { a, b in
            b.number - a.number > 1 ? a.number + 1...b.number - 1 : nil
        }
    }

    func next() throws -> DecodedFrame? {
        guard index < files.count else { return nil }
        defer { index += 1 }
        let frame = try first ?? decode(files[index].path)
        first = nil
        return DecodedFrame(frame: frame, alpha: nil, time: Int64(index), duration: 1, isKey: true)
    }

    private func decode(_ path: String) throws -> VideoFrame {
        let file = try InputFile.clip(path: path)
        do throws(FFmpegError) {
            let (frame, codec) = try VideoFrame.image(file, maxPixels: limits.pixels)
            byteCount += file.byteCount
            description.codec = codec
            return frame
        } catch {
            let isLarge = error.code == FFmpegError.tooManyPixels
            let remedy = isLarge ? "" : "; \(error.remedy ?? "use a complete file")"
            throw LoadervidError(
                .badData, "\(path) is not a readable image: \(error.reason)\(remedy)",
                hint: isLarge ? .morePixels : nil)
        }
    }
}

extension Verification {
    /// Verifies a sequence: its numbers, the size of its images and, with a plan, its frames.
    /// Throws `LoadervidError` if it has no files, or one cannot be read.
    static func certificate(
        ofSequence path: String, _ options: VerificationOptions, _ cancellation: CancellationToken
    ) throws -> Certificate {
        guard !options.loops else {
            throw LoadervidError(
                .usage,
                "\(commandOption: "looped"): \(path) is a frame sequence, which does not loop; omit the option")
        }
        let stream = try SequenceStream(path, options.limits)
        var check = SequenceCheck(stream, options)
        while let decoded = try stream.next() {
            try cancellation.check()
            try check.add(decoded)
        }
        try check.finish()
        return check.certificate(of: path)
    }
}

/// The checks of a sequence's frames.
private struct SequenceCheck {
    private let stream: SequenceStream
    private let options: VerificationOptions
    private var expectation: ExpectationCheck?
    private var hashes: HashCheck?
    private var alpha = AlphaCheck()
    private var format: PixelFormat?
    private var hasAlpha = false
    private var count = 0
    private var findings: [Finding] = []
    /// The number of the file at time 0. If the last file has the expected number, the files before
    /// the first one are missing; otherwise the sequence is numbered from another start.
    private let firstNumber: Int

    init(_ stream: SequenceStream, _ options: VerificationOptions) {
        self.stream = stream
        self.options = options
        hashes = options.hashes.map(HashCheck.init)
        let numbers = stream.files.map(\.number)
        let first = numbers.first ?? 0
        let expected = options.plan.map { $0.startNumber..<$0.startNumber + $0.frameCount }
        if let expected, numbers.last == expected.upperBound - 1 {
            firstNumber = min(first, expected.lowerBound)
        } else {
            firstNumber = first
        }
        for gap in stream.gaps.prefix(Self.maxGaps) {
            let numbers =
                gap.count == 1 ? "number \(gap.lowerBound) is" : "numbers \(gap.lowerBound)...\(gap.upperBound) are"
            findings.append(Finding(.sequenceGap, .error, "\(numbers) missing; render the sequence again"))
        }
        if let plan = options.plan, let first = stream.files.first?.number, first != plan.startNumber {
            // If only the first files are missing, another start number does not help.
            let remedy = firstNumber < first ? "" : " or pass \(option: "start-number") \(first)"
            findings.append(
                Finding(
                    .sequenceStart, .error,
                    "the first number is \(first) instead of \(plan.startNumber); render the sequence again\(remedy)"))
        }
        if let other = stream.others.first {
            findings.append(
                Finding(
                    .sequenceOther, .warning,
                    "\(other.visible) is not a frame of the sequence; move it to another directory"))
        }
    }

    /// The maximum number of reported gaps.
    private static let maxGaps = 5

    private var rate: Double { options.plan?.encoder.frameRate.framesPerSecond.double ?? 1 }

    /// Returns the time of a file in seconds from its number, so that missing files move no others.
    private func time(of number: Int) -> Double { Double(number - firstNumber) / rate }

    mutating func add(_ decoded: DecodedFrame) throws {
        defer { count += 1 }
        let width = stream.description.width
        let height = stream.description.height
        format = format ?? decoded.frame.format
        hasAlpha = hasAlpha || decoded.hasAlpha
        let time = time(of: stream.files[count].number)
        try hashes?.add(decoded.frame, time: time)
        guard (decoded.frame.width, decoded.frame.height) == (width, height) else {
            if !findings.contains(where: { $0.id == .sizeChange }) {
                findings.append(
                    Finding(
                        .sizeChange, .error, frame: count,
                        "\(stream.files[count].path) is \(decoded.frame.width)x\(decoded.frame.height), but the first "
                            + "frame is \(width)x\(height); render the sequence again"))
            }
            try expectation?.interrupt(at: time)
            return
        }
        // Until a transparent pixel appears, every frame must be checked.
        if decoded.hasAlpha, !alpha.isUsed || count % max(1, stream.files.count / 24) == 0 {
            let straight = try PixelReader(width: width, height: height).straight(decoded)
            alpha.add(straight, width: width, height: height)
        }
        if expectation == nil, let plan = options.plan {
            var check = ExpectationCheck(
                plan, isExact: stream.description.codec == "png",
                minPSNR: options.comparesFrames ? options.minPSNR : nil, precision: 0)
            check.begin(width: width, height: height)
            expectation = check
        }
        try expectation?.add(decoded, time: time)
        // The frames of a gap are missing, and the one before it is not shown in their place.
        if count + 1 < stream.files.count, stream.files[count + 1].number > stream.files[count].number + 1 {
            let end = time + 1 / rate
            try expectation?.interrupt(at: end)
        }
    }

    mutating func finish() throws {
        let end = stream.files.last.map { time(of: $0.number) + 1 / rate } ?? 0
        try expectation?.finish(end: end)
        findings += expectation?.findings ?? []
        findings += (hashes?.findings ?? []) + options.planFindings
        if options.needsAlpha, !alpha.isUsed {
            findings.append(
                Finding(
                    .alphaMissing, .error,
                    "no pixel is transparent; render with \(option: "background") transparent to PNG, TIFF or WebP"))
        }
    }

    func certificate(of path: String) -> Certificate {
        var certificate = Certificate(file: path)
        certificate.container = "frame sequence"
        certificate.codec = stream.description.codec
        certificate.pixelFormat = format?.description ?? ""
        certificate.width = stream.description.width
        certificate.height = stream.description.height
        certificate.frames = count
        certificate.bytes = stream.byteCount
        certificate.alpha = Certificate.Alpha(
            isPresent: hasAlpha, isUsed: alpha.isUsed, kind: alpha.isUsed ? alpha.kind.rawValue : nil)
        certificate.keyFrames = count
        certificate.isCompared = expectation?.hasCompared ?? false
        certificate.worstPSNR = expectation?.worstPSNR.flatMap { $0.isFinite ? $0 : nil }
        certificate.findings = findings.filter { $0.severity == .error } + findings.filter { $0.severity != .error }
        return certificate
    }
}
