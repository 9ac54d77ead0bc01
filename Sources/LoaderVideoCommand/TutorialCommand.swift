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

        @OptionGroup var lesson: LessonOptions
        @OptionGroup var encoding: RegisteredOptions<LessonChoice>
        @OptionGroup var output: ClipOutput

        func run() throws {
            let container = try output.container(codec: encoding.texts["codec"])
            var request = RenderRequest.plain
            try OptionRegistry.current.apply(encoding.texts, to: &request)
            request.container = container
            var asked = lesson.request
            asked.frameRate = request.encoding.frameRate
            try output.write(RenderPlan(Lesson(lesson.script(), asked), request.encoding))
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

/// Which lesson, and how it is laid out.
struct LessonOptions: ParsableArguments {
    @Argument(help: "The script, or the name of a shipped one.")
    var tutorial: String

    @Option(help: ArgumentHelp("The language of all texts: en or zh. (default: en)", valueName: "en|zh"))
    var lang: Language?

    @Option(
        help: ArgumentHelp(
            "wide (1920x1080), square (1080x1080), vertical (1080x1920) or a size in pixels. (default: wide)",
            valueName: "shape"),
        transform: parseShape)
    var layout: PictureShape?

    @Option(help: ArgumentHelp("light or dark. (default: by the loader's background)", valueName: "light|dark"))
    var theme: ThemeChoice?

    @Option(
        help: ArgumentHelp(
            "Where captions are: in the picture, as a track, or both. (default: picture)",
            valueName: "picture|track|both"))
    var captions: CaptionChoice?

    @OptionGroup var presets: ShippedOptions

    /// What was asked for.
    var request: LessonRequest {
        var request = LessonRequest()
        request.language = lang ?? request.language
        request.shape = layout ?? request.shape
        request.isDark = theme.map { $0 == .dark }
        request.drawsCaptions = captions != .track
        return request
    }

    func script() throws -> TutorialScript { try TutorialScript(file: presets.tutorial(tutorial)) }
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

/// How a lesson runs, and how it is encoded.
enum LessonChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.group == .encoding || option.key == "fps" }
}

enum ThemeChoice: String, ExpressibleByArgument, CaseIterable { case light, dark }

enum CaptionChoice: String, ExpressibleByArgument, CaseIterable { case picture, track, both }

extension Language: ExpressibleByArgument {}

func parseShape(_ text: String) throws -> PictureShape {
    guard let shape = PictureShape(text: text) else {
        throw ValidationError("give wide, square, vertical or a size such as 1280x800")
    }
    return shape
}
