import ArgumentParser
import Media
import Motion
import Pipeline
import SlowMotion

/// The options that make a clip of a loader.
struct ClipOptions: ParsableArguments {
    @OptionGroup(title: "Slow motion") var slowMotion: SlowMotionOptions

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

    @Option(
        help: ArgumentHelp(
            "on: pictures that come again are encoded once and played again; off: all are encoded.", valueName: "on|off"
        ))
    var repetition: Switch = .on

    @Option(
        name: .customLong("static"),
        help: ArgumentHelp(
            "cfr: every frame is stored; vfr: a run of equal frames is stored as one long frame.", valueName: "cfr|vfr")
    )
    var statics: StaticFrames = .cfr

    func validate() throws {
        if cycles != nil, duration != nil {
            throw ValidationError("--cycles and --duration exclude each other: give one of them")
        }
    }

    /// The options as a request.
    func request(_ loader: LoaderRequest, container: Container) throws -> RenderRequest {
        var request = RenderRequest(loader: loader, container: container, frameRate: try fps ?? parseFrameRate("60"))
        request.extent = duration.map { .duration($0) } ?? .cycles(cycles ?? 1)
        request.timing = timing
        try slowMotion.apply(to: &request)
        request.keyFrameInterval = gop
        (request.codec, request.quality, request.speed, request.pixelFormat) = (codec, quality, speed, pixelFormat)
        (request.usesRepetition, request.hasLongFrames) = (repetition == .on, statics == .vfr)
        return request
    }
}

/// What an option turns on or off.
enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

/// How runs of equal frames are stored.
enum StaticFrames: String, CaseIterable, ExpressibleByArgument { case cfr, vfr }

extension TimeMap.Timing: ExpressibleByArgument {}
