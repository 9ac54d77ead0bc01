import Render
import ArgumentParser
import Core
import Animations
import Raster

/// `loadervid sheet`: renders a contact sheet of a loader's phases.
struct SheetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sheet", abstract: "Render a contact sheet of a loader's phases as PNG.",
            discussion: """
                EXAMPLES
                  \(Program.name) sheet qq-mail -o sheet.png
                  \(Program.name) sheet preloader --columns 3 --per-phase 3 --lang zh -o sheet.png
                  \(Program.name) sheet qq-pull --annotate labels,ghosts -o sheet.png
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var annotations: RegisteredOptions<AnnotationChoice>

    @Option(name: .shortAndLong, help: imageOutputHelp)
    var output: String

    @Option(parsing: .unconditional, help: ArgumentHelp("Frames per row. (default: 4)", valueName: "n"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per phase. (default: 4, or 8 for a single phase)", valueName: "n"))
    var perPhase: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels per point. Frames are 220 points wide or high.", valueName: "factor"),
        transform: parseNumber)
    var scale: Rational = 2

    @Option(
        help: ArgumentHelp("CSS background colour of the frames. (default: the loader's)", valueName: "color"),
        transform: parseColor)
    var background: Color?

    @Flag(help: "Overwrite the output.")
    var force = false

    /// The maximum number of frames on a sheet. Bounds the work before the sheet's size is known.
    private static let maxFrames = 10_000

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") else {
            throw ValidationError("the output \(quoted(output)) does not end in .png; sheets are PNG files")
        }
        try checkRange(of: "--columns", columns, 1...100)
        try checkRange(of: "--per-phase", perPhase, 1...1000)
        guard (Rational(1, 10)...Rational(100)).contains(scale) else {
            throw ValidationError("--scale: \(scale) is outside the range 0.1...100 pixels per point")
        }
    }

    func run() throws {
        let loader = try choice.configuredLoader()
        let request = try choice.request(annotations.texts).loader
        let count = loader.phases.count * (perPhase ?? 4)
        guard count <= Self.maxFrames else {
            throw LoadervidError(
                .usage, "a sheet of \(count) frames is above the maximum of \(Self.maxFrames); lower --per-phase")
        }
        var page = AnnotationPage()
        page.shape = request.shape
        page.theme = request.theme
        let scene = Storyboard.sheet(
            of: loader, columns: columns, perPhase: perPhase, annotations: request.annotations,
            language: request.language, background: background, page: page)
        let (width, height) = (scene.size.width * scale.double, scene.size.height * scale.double)
        guard max(width, height) <= Double(Pixmap.maxSide) else {
            throw LoadervidError(
                .usage,
                "a sheet of \(Int(width))x\(Int(height)) is too large; its sides can have up to \(Pixmap.maxSide) "
                    + "pixels; lower --scale or --per-phase, or change --columns")
        }
        let png = try scene.png(scale: scale.double)
        try writeImage(png, to: output, force: force, width: Int(width.rounded()), height: Int(height.rounded()))
        if background == nil, let chosen = NoteBackground.color(for: loader) {
            printError("\(output): note: " + NoteBackground.note(chosen, for: loader))
            return
        }
        var plain = try choice.request().loader
        plain.background = background
        // The sheet stays even if the visibility check fails.
        guard let invisibility = try? LoaderRenderer(plain).invisibility() else { return }
        printError("\(output): warning: " + Summary.text(of: invisibility))
    }
}
