import ArgumentParser
import Loaders
import Pipeline

/// `loadervid still`: one picture.
struct StillCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "still", abstract: "Renders one picture of a loader as PNG.",
            discussion: """
                EXAMPLES
                  \(Program.name) still jelly --at 1.5 -o jelly.png
                  \(Program.name) still qq-mail --at phase:2+1/2 --scale 8 -o balls.png
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var picture: RegisteredOptions<PictureChoice>

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Model time in seconds, or phase:N[+fraction].", valueName: "time"),
        transform: parseModelTime)
    var at: ModelTime

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The PNG file to make, or - for standard output.", valueName: "file"))
    var output: String

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") else {
            throw ValidationError("the output '\(output.visible)' does not end in .png: stills are PNG files")
        }
    }

    func run() throws {
        let request = try choice.request(picture.texts)
        let canvas = try LoaderCanvas(request.loader, captions: PictureCaptions(request))
        let (width, height) = try (request.loader.pictureSize ?? .scale(canvas.defaultScale)).pixels(of: canvas.size)
        let png = try canvas.scene(at: try at.seconds(in: canvas.loader)).png(width: width, height: height)
        try writePicture(png, to: output, force: force, width: width, height: height)
        for line in canvas.loader.omissions { printError(line) }
    }
}
