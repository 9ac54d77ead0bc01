import Annotations
import ArgumentParser
import Documents
import Loaders
import Pipeline
import Presets
import Tutorials

/// `loadervid tutorial`: lessons.
struct TutorialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutorial", abstract: "Renders a lesson about a loader from a short script.",
        discussion: """
            EXAMPLES
              loadervid tutorial qq-mail -o how.mp4
              loadervid tutorial qq-mail --lang zh --layout vertical -o how-zh.mp4
              loadervid tutorial check my-lesson.yaml
            """,
        subcommands: [Render.self, Check.self], defaultSubcommand: Render.self)

    /// `tutorial render`: a script as a clip.
    struct Render: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Renders a lesson into a video file.")

        @Argument(help: "The script, or the name of a shipped one.")
        var tutorial: String

        @OptionGroup var options: RegisteredOptions<LessonChoice>
        @OptionGroup var presets: ShippedOptions
        @OptionGroup var output: ClipOutput

        func run() throws {
            let script = try TutorialScript(file: presets.tutorial(tutorial))
            var request = RenderRequest(
                loader: script.loader, container: try output.container(codec: options.texts["codec"]))
            try OptionRegistry.current.apply(options.texts, to: &request)
            try output.write(RenderPlan(Lesson(script, LessonRequest(request)), request.encoding))
        }
    }

    /// `tutorial check`: all that is wrong with a script, in all languages and layouts.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says all that is wrong with a script, as file:line:column: what, expected, found.")

        @Argument(help: "The script, or the name of a shipped one.")
        var script: String

        @OptionGroup var presets: ShippedOptions

        func run() throws {
            let path = try presets.tutorial(script)
            let script = try TutorialScript(file: path)
            var problems: [DocumentProblem] = []
            var lengths: [String] = []
            for language in script.languages {
                for shape in [PictureShape.wide, .square, .vertical] {
                    var request = LessonRequest()
                    (request.language, request.shape) = (language, shape)
                    do {
                        let lesson = try Lesson(script, request)
                        guard shape == .wide else { continue }
                        let seconds = request.frameRate.frameDuration.double * Double(lesson.frameCount)
                        lengths.append("\(language.rawValue) \(Summary.decimal(seconds, places: 1)) s")
                    } catch let error as DocumentError {
                        problems += error.problems.filter { !problems.contains($0) }
                    }
                }
            }
            guard problems.isEmpty else { throw DocumentError(problems: problems) }
            printResult("\(path.visible): in order: \(lengths.joined(separator: ", "))")
        }
    }
}

/// Where shipped tutorials are.
struct ShippedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where shipped presets are. (default: LOADERVID_PRESETS, or beside the program)", valueName: "directory"))
    var directory: String?

    /// The path of a script: a file, or a shipped one by its name alone, if there is no such file.
    func tutorial(_ argument: String) throws -> String {
        let shipped = try PresetOptions.shipped(in: directory).map { $0 + "/tutorials" }
        return DocumentFile.find(argument, shipped: shipped)
    }
}

/// How a lesson is laid out, runs, and is encoded.
enum LessonChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { Lesson.takes(option) }
}
