import ArgumentParser
import Media
import Motion
import Pipeline
import SlowMotion

/// `loadervid encode`: one clip.
struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Renders a loader into a video file.",
        discussion: """
            EXAMPLES
              loadervid encode qq --slowmo 4 -o qq.mp4
              loadervid encode qq-mail --cycles 10 --fps 30000/1001 -o balls.webm
              loadervid encode douyin --size 1080x1920 --set cover=me.jpg -o album.mov
            """)

    @OptionGroup var loader: LoaderOptions
    @OptionGroup var clip: ClipOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to make (.mp4, .mov, .mkv, .webm), or - for standard output.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp("Container, if the file's name does not tell: mp4, mov, mkv or webm.", valueName: "name"),
        transform: parseContainer)
    var format: Container?

    @Option(parsing: .unconditional, help: "Worker threads. (default: the number of cores)")
    var jobs: Int?

    @Option(help: "auto, bar, plain, json or none.")
    var progress: ProgressDisplay.Style = .auto

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is not possible: it takes 1...256")
        }
    }

    func run() throws {
        let plan = try RenderPlan(clip.request(loader.request, container: container()))
        let interruption = Interruption()
        let target: RenderTarget
        if output == "-" {
            try Machine.checkStandardOutput()
            target = .standardOutput(StandardOutput(cancellation: interruption.token))
        } else {
            let file = try OutputFile(path: output, overwrites: force)
            interruption.removeIfForced(file.temporaryPath)
            target = .file(file)
        }
        let pipeline = RenderPipeline(
            plan, jobs: jobs ?? Machine.cores, memory: Machine.memory / 2, cancellation: interruption.token)
        let name = output == "-" ? "standard output" : output
        let display = ProgressDisplay(progress, name: name, plan: plan, progress: pipeline.progress)
        let report: RenderReport
        do { report = try pipeline.run(to: target) } catch {
            display.end()
            throw error
        }
        display.end()
        if progress != .json {
            let line = Summary(name: name, plan: plan, report: report).line
            if output == "-" { printError(line) } else { printResult(line) }
        } else {
            display.done(report)
        }
    }

    private func container() throws -> Container {
        if let format { return format }
        guard output != "-" else {
            // Of the containers that can be written to a pipe, the one that holds the codec and that most players take.
            let name = clip.codec.flatMap { CodecProfile.find($0)?.codecName } ?? "h264"
            return [Container.mp4, .webm, .mkv].first { $0.holds(codec: name) && (name != "vp9" || $0 == .webm) }
                ?? .mkv
        }
        let name = output.split(separator: "/").last ?? ""
        let suffix = name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? ""
        guard let container = Container(rawValue: suffix.lowercased()) else {
            throw ValidationError(
                "the output '\(output)' does not end in .mp4, .mov, .mkv or .webm: rename it, or give --format")
        }
        return container
    }
}

/// The options that make a clip of a loader.
struct ClipOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("N times slower, 0.05...1000; new instants, no repeated frames.", valueName: "N"),
        transform: parseNumber)
    var slowmo: Rational = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames a second: 60, 30000/1001, 59.94. (default: 60)", valueName: "rate"),
        transform: parseFrameRate)
    var fps: FrameRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Whole cycles, seamless: all the same pictures. (default: 1)", valueName: "N"))
    var cycles: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Seconds of output instead of cycles.", valueName: "S"),
        transform: parseNumber)
    var duration: Rational?

    @Option(
        help: ArgumentHelp(
            "seamless (cycles of whole frames) or exact (frame k shows k/(fps x slowmo)). (default: seamless for cycles, exact for --duration)",
            valueName: "timing"))
    var timing: TimeMap.Timing?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Seconds of output between key frames.", valueName: "S"),
        transform: parseNumber)
    var gop: Rational = 2

    @Option(
        help: ArgumentHelp(
            "h264, hevc, vp9, vp8, av1, or any encoder of FFmpeg. (default: h264; vp9 in .webm)", valueName: "codec"))
    var codec: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quality on the codec's scale, such as crf. (default: 18 for h264, 31 for vp9)", valueName: "Q"))
    var quality: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The codec's preset or cpu-used. (default: medium for h264, 2 for vp9)", valueName: "S"))
    var speed: String?

    @Option(help: ArgumentHelp("yuv420p, yuv444p, ... (default: yuv420p)", valueName: "format"))
    var pixelFormat: String?

    func validate() throws {
        if cycles != nil, duration != nil {
            throw ValidationError("--cycles and --duration exclude each other: give one of them")
        }
    }

    /// The options as a request.
    func request(_ loader: LoaderRequest, container: Container) throws -> RenderRequest {
        var request = RenderRequest(loader: loader, container: container, frameRate: try fps ?? parseFrameRate("60"))
        request.slowmo = slowmo
        request.extent = duration.map { .duration($0) } ?? .cycles(cycles ?? 1)
        request.timing = timing
        request.keyFrameInterval = gop
        (request.codec, request.quality, request.speed, request.pixelFormat) = (codec, quality, speed, pixelFormat)
        return request
    }
}

/// Reads a container's name.
func parseContainer(_ text: String) throws -> Container {
    guard let container = Container(rawValue: text.lowercased()) else {
        throw ValidationError("give mp4, mov, mkv or webm")
    }
    return container
}

extension TimeMap.Timing: ExpressibleByArgument {}
