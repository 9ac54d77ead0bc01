import ArgumentParser
import Media
import Pipeline
import Platform
import Verification

/// `loadervid verify`: whether files are right.
struct VerifyCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Checks videos and animated pictures: times, colours, alpha, loop, every picture.",
            discussion: """
                EXAMPLES
                  \(Program.name) verify clip.mp4
                  \(Program.name) verify site/*.gif --json
                  \(Program.name) verify balls.webm --looped --alpha
                  \(Program.name) verify balls.mp4 --against qq-mail --scale 2 --fps 30
                  \(Program.name) verify out/web/*.mp4 --against web --junit report.xml

                EXIT CODES
                  0 all are right, 1 a check failed, 65 a file is damaged or cannot be read, 66 one is missing
                """)
    }

    @Argument(help: "The files: MP4, MOV, WebM, Matroska, GIF, APNG, WebP and others that hold all they show.")
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "What they must show: a loader, made with the options that 'encode' had, or a preset that has them "
                + "as outputs.",
            valueName: "loader|preset"))
    var against: String?

    @Option(
        name: .customLong("frames-sha256"),
        help: ArgumentHelp(
            "The pictures' hashes, a line for each, as ffmpeg -f framehash writes them.", valueName: "file"))
    var frameHashes: String?

    @Flag(help: "They are played in a loop, whatever they say.")
    var looped = false

    @Flag(help: "Something of them must be transparent.")
    var alpha = false

    @Flag(help: "Warnings are failures, too.")
    var strict = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How like the expected pictures lossy ones must be, in dB. (default: \(VerificationOptions().leastPSNR))",
            valueName: "dB"), transform: parseDecibels)
    var psnr: Double?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    @OptionGroup(title: "What --against expects") var clip: ClipOptions

    @OptionGroup var work: WorkOptions

    func validate() throws {
        if against == nil, let option = clip.texts.keys.sorted().first {
            throw ValidationError("--\(option) says what is expected: give --against with it")
        }
        if against == nil, !clip.motion.settings.isEmpty {
            throw ValidationError("--set says what is expected: give --against with it")
        }
    }

    func run() throws {
        if let junit,
            let input = (files + [against, frameHashes].compactMap { $0 })
                .first(where: { Machine.isSameFile(junit, $0) })
        {
            throw RenderError(.usage, "--junit \(junit) is what is read as \(input): name another file for the report")
        }
        let report = try junit.map { try OutputFile(path: $0, overwrites: true) }
        var results = VerifyResults(isStrict: strict, isSilent: json)
        let expectation = try against.map { try ExpectedClip($0, clip) }
        var options = VerificationOptions()
        (options.loops, options.needsAlpha) = (looped, alpha)
        options.hashes = try frameHashes.map { try FrameHashes(path: $0) }
        options.leastPSNR = psnr ?? options.leastPSNR
        options.limits = work.limits(mostPixels: clip.motion.maxPixels)
        for file in files {
            options.plan = try expectation?.plan(for: file)
            do {
                results.add(try Verification.certificate(of: file, options, cancellation: Interruption.token))
            } catch let error as RenderError where [.badData, .missingInput].contains(error.kind) {
                results.add(file, error)
            }
        }
        if json { print(try results.json) }
        try report?.commit(Array(results.junit.utf8))
        try results.finish()
    }
}

/// Reads a number of decibels.
func parseDecibels(_ text: String) throws -> Double {
    let value = try parseNumber(text).double
    guard (1...200).contains(value) else { throw ValidationError("give 1...200 dB") }
    return value
}
