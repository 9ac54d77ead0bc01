import ArgumentParser
import Core
import Inspect
import Media
import Render

/// `loadervid verify`: checks files.
struct VerifyCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Check the timestamps, colours, alpha, loop and frames of videos and animated images.",
            discussion: """
                EXAMPLES
                  \(Program.name) verify clip.mp4
                  \(Program.name) verify site/*.gif --json
                  \(Program.name) verify balls.webm --looped --alpha
                  \(Program.name) verify 'frames/%04d.png'
                  \(Program.name) verify balls.mp4 --against qq-mail --scale 2 --fps 30
                  \(Program.name) verify out/web/*.mp4 --against web --junit report.xml

                EXIT CODES
                  0 all files passed, 1 a check failed,
                  65 a file is damaged or cannot be read, 66 a file is missing
                """)
    }

    @Argument(
        help: ArgumentHelp(
            "Files to check: MP4, MOV, WebM, Matroska, GIF, APNG, WebP and other self-contained formats, or sequences "
                + "such as frames/%04d.png."), completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Expected contents: a loader, with the options of 'encode', or a preset with the files as outputs.",
            valueName: "loader|preset"))
    var against: String?

    @Option(
        name: .customLong("frames-sha256"),
        help: ArgumentHelp(
            "Expected frame hashes, one per line, as written by ffmpeg -f framehash.", valueName: "file"))
    var frameHashes: String?

    @Flag(help: "Check the loop even if the file does not ask for looping.")
    var looped = false

    @Flag(help: "Require transparent pixels.")
    var alpha = false

    @Flag(help: "Treat warnings as failures.")
    var strict = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Minimum PSNR of lossy frames against the expected ones. (default: "
                + "\(NumberText.decimal(VerificationOptions().minPSNR, places: 1)))",
            valueName: "dB"), transform: parseDecibels)
    var psnr: Double?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    @Flag(help: "Overwrite any existing file with the report.")
    var force = false

    @OptionGroup(title: "Expected clip, with --against") var clip: ClipOptions

    @OptionGroup var work: WorkOptions

    func validate() throws {
        if against == nil, let option = clip.texts.keys.sorted().first {
            throw ValidationError("--\(option) describes the expected clip; add --against")
        }
        if against == nil, !clip.motion.settings.isEmpty {
            throw ValidationError("--set describes the expected clip; add --against")
        }
        if against == nil, psnr != nil { throw ValidationError("--psnr compares with expected frames; add --against") }
    }

    func run() throws {
        FilesInUse.noteInputs(files + [against, frameHashes].compactMap { $0 })
        // Opens the report before the long work, so that an error appears early.
        let report = try junit.map { try ReportKind.junit.file($0, force: force) }
        var results = VerifyResults(isStrict: strict, isSilent: json)
        let expectation = try against.map { try ExpectedClip($0, clip) }
        var options = VerificationOptions()
        options.loops = looped
        options.needsAlpha = alpha
        options.hashes = try frameHashes.map { try FrameHashes(path: $0) }
        options.minPSNR = psnr ?? options.minPSNR
        options.limits = work.limits(maxPixels: clip.motion.maxPixels)
        for file in files {
            try expectation?.describe(file, in: &options)
            do {
                results.add(try Self.certificate(of: file, options, expectation))
            } catch let error as LoadervidError where [.badData, .missingInput].contains(error.kind) {
                results.add(file, error)
            }
        }
        noteUncompared()
        if json { printJSON(try results.json) }
        try report?.commit(Array(results.junit.utf8))
        try results.finish()
    }
}

extension VerifyCommand {
    /// Options of `encode` that change a file in ways that `verify` does not compare.
    private static let uncompared = [
        "audio", "audio-codec", "bit-depth", "chapters", "codec", "encoder-option", "gop", "pixel-format", "poster",
        "poster-format", "quality", "repetition", "speed",
    ]

    /// Notes which given options have no influence on the result.
    private func noteUncompared() {
        let given = Self.uncompared.filter { clip.texts[$0] != nil }
        guard !given.isEmpty else { return }
        printError("\(Program.name): note: verify does not compare --\(given.joined(separator: ", --"))")
    }

    /// Verifies a file. If its frames are not the expected ones, tries the timing of a batch.
    private static func certificate(
        of file: String, _ options: VerificationOptions, _ expectation: ExpectedClip?
    ) throws -> Certificate {
        let certificate = try certificate(of: file, options)
        var options = options
        guard !certificate.showsExpectedFrames, !certificate.isDamaged,
            try expectation?.describeSeamless(file, in: &options) == true
        else { return certificate }
        let seamless = try Self.certificate(of: file, options)
        return seamless.showsExpectedFrames ? seamless : certificate
    }

    private static func certificate(of file: String, _ options: VerificationOptions) throws -> Certificate {
        guard case .vector(let format)? = ClipFormat(ofFile: file) else {
            return try Verification.certificate(of: file, options, cancellation: Interruption.token)
        }
        return try Verification.certificate(ofVectors: file, format, options, cancellation: Interruption.token)
    }
}

/// Parses a PSNR limit in dB, 1...200.
func parseDecibels(_ text: String) throws -> Double {
    let value = try parseNumber(text).double
    guard (1...200).contains(value) else { throw ValidationError("use 1...200 dB") }
    return value
}
