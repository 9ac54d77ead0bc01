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
        subcommands: [Render.self, Check.self, Sheet.self, New.self, Tokens.self], defaultSubcommand: Render.self)

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
            try output.write(RenderPlan(script, request), with: ClipCompanion.allCases)
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

    /// `tutorial sheet`: every shot of a lesson at once.
    struct Sheet: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Renders a picture of every shot of a lesson on one sheet, as PNG.")

        @Argument(help: "The script, or the name of a shipped one.")
        var tutorial: String

        @OptionGroup var options: RegisteredOptions<LessonLookChoice>
        @OptionGroup var presets: ShippedOptions

        @Option(parsing: .unconditional, help: ArgumentHelp("Pictures in a row.", valueName: "N"))
        var columns: Int?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("The PNG file to make, or - for standard output.", valueName: "file"))
        var output: String

        @Flag(help: "Overwrite the output.")
        var force = false

        func validate() throws {
            if let columns, !(1...20).contains(columns) {
                throw ValidationError("--columns \(columns) is not possible: it takes 1...20")
            }
        }

        func run() throws {
            let script = try TutorialScript(file: presets.tutorial(tutorial))
            var request = RenderRequest(loader: script.loader, container: .mp4)
            try OptionRegistry.current.apply(options.texts, to: &request)
            let sheet = try Lesson(script, LessonRequest(request)).sheet(columns: columns)
            let (width, height) = try PictureSize.scale(2).pixels(of: sheet.size)
            let png = try sheet.png(width: width, height: height)
            try writePicture(png, to: output, force: force, width: width, height: height)
        }
    }

    /// `tutorial new`: a script to begin with.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a first script for a loader, from its phases and objects.")

        @Argument(help: "The loader's id, as 'list' shows it.")
        var loader: String

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("The script to make, or - for standard output. (default: -)", valueName: "file"))
        var output = "-"

        @Flag(help: "Overwrite the output.")
        var force = false

        func run() throws {
            let text = try FirstScript(LoaderCatalog.current.definition(loader)).text
            guard output != "-" else { return print(text, terminator: "") }
            let file = try OutputFile(path: output, overwrites: force)
            try file.commit(Array(text.utf8))
            printResult(
                "\(output): a lesson about \(loader), to be changed; look at it with '\(Program.current.name) tutorial sheet'"
            )
        }
    }
}

extension TutorialCommand {
    /// `tutorial tokens`: for whoever changes how code is coloured, since a script compares it with other programs.
    struct Tokens: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what the letters of a file of code are.", shouldDisplay: false)

        @Argument(help: "A file in Swift or Objective-C.")
        var file: String

        func run() throws { for line in try CodeTokens.lines(ofFile: file) { print(line) } }
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

/// How a lesson is laid out.
enum LessonLookChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool {
        ["lang", "layout", "theme", "captions", "mark", "title"].contains(option.key)
    }
}
