import ArgumentParser
import Core
import Animations
import Render

/// `loadervid still`: renders one frame.
struct StillCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "still", abstract: "Render one frame of a loader as PNG.",
            discussion: """
                EXAMPLES
                  \(Program.name) still jelly -o jelly.png
                  \(Program.name) still qq-mail --at phase:2+1/2 --scale 8 -o balls.png
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var picture: RegisteredOptions<StillChoice>

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Model time in seconds, or phase:N[+fraction]. (default: the middle of the longest phase)",
            valueName: "time"),
        transform: parseModelTime)
    var at: ModelTime?

    @Option(name: .shortAndLong, help: imageOutputHelp)
    var output: String

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") else {
            throw ValidationError("the output \(quoted(output)) does not end in .png; stills are PNG files")
        }
    }

    func run() throws {
        let request = try choice.request(picture.texts)
        let renderer = try LoaderRenderer(request.loader, captions: PictureCaptions(request))
        let size = request.loader.pictureSize ?? .scale(renderer.defaultScale)
        let (width, height) = try size.pixels(of: renderer.size)
        let longest = renderer.loader.longestPhase
        let time = try (at ?? .phase(longest, fraction: Rational(1, 2))).seconds(in: renderer.loader)
        let png = try renderer.scene(at: time).png(width: width, height: height)
        let remark = at == nil ? ", the middle of the longest phase (--at phase:\(longest)+1/2)" : ""
        try writeImage(png, to: output, force: force, width: width, height: height, remark: remark)
        for line in renderer.loader.omissions { printError(line) }
        for line in renderer.notes { printError("\(output): note: \(line)") }
        // The still stays even if the visibility check fails.
        guard let invisibility = try? renderer.invisibility(at: time) else { return }
        printError("\(output): warning: " + Summary.text(of: invisibility) { "--at \($0)" })
    }
}

extension Loader {
    /// The index of the longest phase, counted from 0; the first one if several are equally long.
    fileprivate var longestPhase: Int {
        let longest = phases.map(\.duration).max()
        return phases.firstIndex { $0.duration == longest } ?? 0
    }
}
