import Animations
import ArgumentParser
import Core
import Media
import Render

/// `loadervid still`: renders one frame.
struct StillCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "still", abstract: "Render one frame of a loader as PNG, JPEG, WebP, AVIF or TIFF.",
            discussion: """
                EXAMPLES
                  \(Program.name) still jelly -o jelly.png
                  \(Program.name) still jelly --background transparent -o jelly.avif
                  \(Program.name) still qq-mail --at phase:2+1/2 --scale 8 -o balls.png

                The less common options are listed by '\(Program.name) still --help-hidden'.
                """)
    }

    @Argument(help: loaderHelp, completion: .loaders)
    var loader: String

    @OptionGroup(title: "Output") var target: StillTarget
    @OptionGroup(title: "Size") var frame: RegisteredOptions<SizeChoice>
    @OptionGroup(title: "Look") var look: RegisteredOptions<StillLookChoice>
    @OptionGroup(title: "Encoding") var encoding: RegisteredOptions<StillEncodingChoice>
    @OptionGroup(title: "Loader") var motion: LoaderOptions

    /// The given values as text, by option key.
    private var texts: [String: String] {
        frame.texts.merging(look.texts) { $1 }.merging(encoding.texts) { $1 }
    }

    func validate() throws { try checkExclusions(texts) }

    func run() throws {
        let request = try motion.request(loader, texts)
        let renderer = try LoaderRenderer(request.loader, captions: FrameCaptions(request))
        let at = target.at
        let output = target.output
        let size = request.loader.frameSize ?? .scale(renderer.defaultScale)
        let part = try request.loader.trimmedCanvas(of: renderer)
        let (width, height) = try size.pixels(of: part.map { Size($0.width, $0.height) } ?? renderer.size)
        // Finding the phases of a Lottie file can take much longer than drawing it.
        let longest = at == nil ? renderer.loader.longestPhase : 0
        let time = try (at ?? .phase(longest, fraction: Rational(1, 2))).seconds(in: renderer.loader)
        let scene = renderer.scene(at: time)
        let shown = part.map(scene.trimmed) ?? scene
        let image = try target.file(of: shown, width: width, height: height, quality: request.encoding.quality)
        let whole = part == nil ? nil : try? size.pixels(of: renderer.size)
        let trim = whole.map { $0 == (width, height) ? "" : ", trimmed from \($0.width)x\($0.height)" } ?? ""
        let remark = trim + (at == nil ? ", the middle of the longest phase (--at phase:\(longest)+1/2)" : "")
        try writeImage(image, to: output, force: target.force, width: width, height: height, remark: remark)
        for line in renderer.loader.omissions { printError(line) }
        for line in renderer.notes { printError("\(output): note: \(line)") }
        // The still stays even if the visibility check fails.
        guard let invisibility = try? renderer.invisibility(at: time) else { return }
        printError("\(output): warning: " + Summary.text(of: invisibility) { "--at \($0)" })
    }
}

/// The time that `still` shows, and the file that it creates.
struct StillTarget: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Model time in seconds, a percentage of the period such as 50%, or phase:N[+fraction]. (default: the middle "
                + "of the longest phase)",
            valueName: "time"),
        transform: parseModelTime)
    var at: ModelTime?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to create (.png, .jpg, .webp, .avif or .tif), or - for a PNG on standard output.", valueName: "file")
    )
    var output: String

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") || format != nil else {
            throw ValidationError(
                "the output \(quoted(output)) does not end in .png, .jpg, .webp, .avif or .tif; rename it")
        }
    }

    /// The format of the file; nil for PNG.
    private var format: Container? { StillImage.formats[output.fileExtension] }

    /// Returns the file of a scene. Throws `LoadervidError` if the format does not support the
    /// scene or the quality.
    func file(of scene: Scene, width: Int, height: Int, quality: String?) throws -> [UInt8] {
        // The encoder's own check refuses a quality for PNG.
        let container = format ?? (quality != nil ? .pngSequence : nil)
        guard let container else { return try scene.png(width: width, height: height) }
        return try StillImage([scene], width: width, height: height).file(container, quality: quality)
    }
}

extension Loader {
    /// The index of the longest phase, counted from 0; the first one if several are equally long.
    fileprivate var longestPhase: Int {
        let longest = phases.map(\.duration).max()
        return phases.firstIndex { $0.duration == longest } ?? 0
    }
}
