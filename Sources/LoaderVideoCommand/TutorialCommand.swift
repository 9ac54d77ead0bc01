import Animations
import ArgumentParser
import Batch
import Core
import Explain
import Render

/// `loadervid tutorial`: renders and checks lessons.
struct TutorialCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tutorial", abstract: "Render a lesson about a loader from a short script.",
            discussion: """
                EXAMPLES
                  \(Program.name) tutorial qq-mail -o how.mp4
                  \(Program.name) tutorial qq-mail --lang zh --layout vertical -o how-zh.mp4
                  \(Program.name) tutorial check my-lesson.yaml
                """,
            subcommands: [Render.self, Check.self, Sheet.self, New.self, Tokens.self], defaultSubcommand: Render.self)
    }

    /// `tutorial render`: renders a script to a clip.
    struct Render: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "render", abstract: "Render a lesson to a video file.")

        @Argument(help: scriptHelp, completion: .yamlFiles)
        var tutorial: String

        @OptionGroup var options: RegisteredOptions<LessonChoice>
        @OptionGroup var presets: ShippedOptions
        @OptionGroup var output: ClipOutput
        @OptionGroup var fonts: FontOptions

        func run() throws {
            let path = try presets.tutorial(tutorial)
            let script = try TutorialScript(file: path)
            let destination = try output.destination(name: DocumentFile.stem(path), codec: options.texts["codec"])
            var request = RenderRequest(loader: script.loader, container: .mp4)
            request.encoding.format = destination.format
            try OptionRegistry.current.apply(options.texts, to: &request)
            let plan = try RenderPlan(script, request)
            try output.write(plan, of: request, script: try script.fingerprint(), to: destination.path)
        }
    }

    /// `tutorial check`: reports all problems of a script, in all languages and layouts.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check a script, and report all problems as file:line:column.")

        @Argument(help: scriptHelp, completion: .yamlFiles)
        var script: String

        @OptionGroup var presets: ShippedOptions
        @OptionGroup var fonts: FontOptions

        func run() throws {
            let path = try presets.tutorial(script)
            let script = try TutorialScript(file: path)
            var lengths: [String] = []
            let problems = try script.problems { lesson, request in
                guard request.shape == .wide else { return }
                let seconds = request.frameRate.frameDuration.double * Double(lesson.frameCount)
                lengths.append("\(request.language.rawValue) \(NumberText.decimal(seconds, places: 1)) s")
            }
            guard problems.isEmpty else { throw DocumentError(problems: problems.ordered()) }
            printResult("\(path.visible): valid: \(lengths.joined(separator: ", "))")
        }
    }

    /// `tutorial sheet`: renders a contact sheet of a lesson's shots.
    struct Sheet: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sheet", abstract: "Render a contact sheet with one frame per shot of a lesson, as PNG.")

        @Argument(help: scriptHelp, completion: .yamlFiles)
        var tutorial: String

        @OptionGroup var options: RegisteredOptions<LessonLookChoice>
        @OptionGroup var presets: ShippedOptions
        @OptionGroup var fonts: FontOptions

        @Option(parsing: .unconditional, help: ArgumentHelp("Frames per row, 1...20.", valueName: "n"))
        var columns: Int?

        @Option(name: .shortAndLong, help: imageOutputHelp)
        var output: String

        @Flag(help: "Overwrite the output.")
        var force = false

        func validate() throws {
            try checkIsPNG("-o", output)
            try checkRange(of: "--columns", columns, 1...20)
        }

        func run() throws {
            let script = try TutorialScript(file: presets.tutorial(tutorial))
            var request = RenderRequest(loader: script.loader, container: .mp4)
            try OptionRegistry.current.apply(options.texts, to: &request)
            let lesson = try Lesson(script, LessonRequest(request))
            let sheet = lesson.sheet(columns: columns)
            let (width, height) = try FrameSize.scale(2).pixels(of: sheet.size)
            let png = try sheet.png(width: width, height: height)
            try writeImage(png, to: output, force: force, width: width, height: height)
            for note in lesson.notes { printError("\(output): note: \(note)") }
        }
    }

    /// `tutorial new`: writes a starting point for a script.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Write a first script for a loader, from its phases and objects.")

        @Argument(help: "Loader ID, as 'list' prints it, or a Lottie file in the script's directory or below.")
        var loader: String

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Script to create, or - for standard output.", valueName: "file"))
        var output = "-"

        @Flag(help: "Overwrite the output.")
        var force = false

        func run() throws {
            let catalog = LoaderCatalog.current
            let definition = try catalog.definition(loader)
            // A printed script is assumed to be saved in the current directory.
            let file = output == "-" ? nil : try streamableFile(output, force: force)
            let name =
                catalog.isFile(loader) ? try FirstScript.name(of: loader, inScript: file == nil ? "" : output) : nil
            let text = try FirstScript(definition, file: name).text(checkedAs: file == nil ? "lesson.yaml" : output)
            guard let file else { return printYAML(text) }
            try file.commit(Array(text.utf8))
            printResult(
                "\(output): a first lesson about \(loader); edit it, and preview it with "
                    + "'\(Program.current.name) tutorial sheet \(output) -o sheet.png'")
        }
    }
}

extension TutorialCommand {
    /// `tutorial tokens`: prints the syntax highlighter's tokens. Hidden, for
    /// scripts/compare-highlighting.
    struct Tokens: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tokens", abstract: "Print the syntax tokens of a source file.", shouldDisplay: false)

        @Argument(help: "Swift or Objective-C file.")
        var file: String

        func run() throws { for line in try CodeTokens.lines(ofFile: file) { printText(line) } }
    }
}

/// The help of script arguments.
private let scriptHelp: ArgumentHelp = "Script file, or the name of a shipped script."

/// The option for the directory of shipped tutorials.
struct ShippedOptions: ParsableArguments {
    @Option(help: PresetOptions.directoryHelp)
    var directory: String?

    private var shipped: String? { get throws { try PresetOptions.shipped(in: directory).map { $0 + "/tutorials" } } }

    /// Returns the path of a script argument: that of a file, or else of the shipped script with
    /// that name.
    func script(_ argument: String) throws -> String { DocumentFile.find(argument, shipped: try shipped) }

    /// Returns the path of a script for an argument that only a script can match. Throws if it does
    /// not exist, with the most similar name.
    func tutorial(_ argument: String) throws -> String {
        let shipped = try shipped
        let path = try script(argument)
        guard FileSystem.exists(path) else {
            let isLoader = LoaderCatalog.current.ids.contains(argument)
            let remedy =
                isLoader
                ? "to write one for this loader, run '\(Program.name) tutorial new \(argument)'"
                : DocumentFile.question(argument, shipped: shipped)
                    ?? DocumentFile.choice(insteadOf: argument, shipped: shipped)
            if let remedy { throw LoadervidError(.missingInput, "there is no script \(quoted(argument)); \(remedy)") }
            return path
        }
        if LoaderCatalog.current.isFile(path) {
            let script = "\(argument.directoryPart)\(DocumentFile.stem(argument)).yaml"
            throw LoadervidError(
                .badData,
                "\(argument) is an animation, not a script; to write one about it, run: \(Program.name) tutorial new "
                    + "\(shellQuoted(argument)) -o \(shellQuoted(script))")
        }
        return path
    }
}

/// The options for a lesson's layout, timing and encoding.
enum LessonChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { Lesson.takes(option) }
}

/// The options for a lesson's layout.
enum LessonLookChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool {
        ["lang", "layout", "theme", "captions", "mark", "title", "transitions", "font"].contains(option.key)
    }
}
