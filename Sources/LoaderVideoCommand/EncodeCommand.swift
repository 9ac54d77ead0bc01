import ArgumentParser
import Pipeline

/// `loadervid encode`: one clip.
struct EncodeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "encode", abstract: "Renders a loader into a video file.",
            discussion: """
                EXAMPLES
                  \(Program.name) encode qq --slowmo 4 -o qq.mp4
                  \(Program.name) encode qq-mail --cycles 10 --fps 30000/1001 -o balls.webm
                  \(Program.name) encode douyin --size 1080x1920 --set cover=me.jpg -o album.mov
                """)
    }

    @Argument(help: "The loader's id, as '\(Program.name) list' shows it.", completion: .loaders)
    var loader: String

    @OptionGroup var options: ClipOptions

    @OptionGroup var output: ClipOutput

    func run() throws {
        let container = try output.container(codec: options.texts["codec"])
        try output.write(RenderPlan(options.request(loader, container: container)))
    }
}
