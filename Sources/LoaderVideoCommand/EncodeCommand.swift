import Animations
import ArgumentParser
import Explain
import Render

/// `loadervid encode`: renders one clip.
struct EncodeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "encode", abstract: "Render a loader to a video file.",
            discussion: """
                EXAMPLES
                  \(Program.name) encode spinner.json
                  \(Program.name) encode qq --slowmo 4 -o qq.mp4
                  \(Program.name) encode qq-mail --cycles 10 --fps 30000/1001 -o balls.webm
                  \(Program.name) encode douyin --size 1080x1920 --set cover=me.jpg -o album.mov

                The less common options are listed by '\(Program.name) encode --help-hidden'.
                """)
    }

    @Argument(help: loaderHelp, completion: .loaders)
    var loader: String

    @OptionGroup(title: "Output") var output: ClipOutput

    @OptionGroup var options: ClipOptions

    func run() throws {
        let name = LoaderCatalog.current.isFile(loader) ? DocumentFile.stem(loader) : loader
        let destination = try output.destination(name: name, codec: options.texts["codec"])
        let request = try options.request(loader, format: destination.format)
        try output.write(try RenderPlan(request), of: request, to: destination.path)
    }
}
