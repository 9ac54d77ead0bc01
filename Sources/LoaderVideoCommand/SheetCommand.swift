import Annotations
import ArgumentParser
import Loaders
import Motion
import Pipeline
import Raster
import Scene

/// `loadervid sheet`: all phases on one picture.
struct SheetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sheet", abstract: "Renders a contact sheet of a loader's phases as PNG.",
            discussion: """
                EXAMPLES
                  \(Program.name) sheet qq-mail -o sheet.png
                  \(Program.name) sheet preloader --columns 3 --per-phase 3 --lang zh -o sheet.png
                  \(Program.name) sheet qq-pull --annotate labels,ghosts -o sheet.png
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var notes: RegisteredOptions<NoteChoice>

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The PNG file to make, or - for standard output.", valueName: "file"))
    var output: String

    @Option(parsing: .unconditional, help: ArgumentHelp("Pictures in a row. (default: 4)", valueName: "N"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pictures of each phase. (default: 4, of a single phase 8)", valueName: "N"))
    var perPhase: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels per point of the sheet, whose pictures are 220 points wide or high.", valueName: "factor"),
        transform: parseNumber)
    var scale: Rational = 2

    @Option(
        help: ArgumentHelp("CSS colour behind the stages. (default: the loader's)", valueName: "color"),
        transform: parseColor)
    var background: Color?

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") else {
            throw ValidationError("the output '\(output.visible)' does not end in .png: sheets are PNG files")
        }
        if let columns, !(1...100).contains(columns) {
            throw ValidationError("--columns \(columns) is not possible: it takes 1...100")
        }
        if let perPhase, !(1...1000).contains(perPhase) {
            throw ValidationError("--per-phase \(perPhase) is not possible: it takes 1...1000")
        }
        guard (Rational(1, 10)...Rational(100)).contains(scale) else {
            throw ValidationError("--scale \(scale) is not possible: it takes 0.1...100 pixels per point")
        }
    }

    func run() throws {
        let loader = try choice.checked()
        let request = try choice.request(notes.texts).loader
        let count = loader.phases.count * (perPhase ?? 4)
        guard count <= 10_000 else {
            throw RenderError(.usage, "a sheet of \(count) pictures is too large: it takes 10000; lower --per-phase")
        }
        var page = AnnotationPage()
        (page.shape, page.theme) = (request.shape, request.theme)
        let scene = Storyboard.sheet(
            of: loader, columns: columns, perPhase: perPhase, annotations: request.annotations,
            language: request.language, background: background, page: page)
        let (width, height) = (scene.size.width * scale.double, scene.size.height * scale.double)
        guard max(width, height) <= Double(Pixmap.largestSide) else {
            throw RenderError(
                .usage,
                "a sheet of \(Int(width))x\(Int(height)) is not possible: sides may be up to \(Pixmap.largestSide) pixels; "
                    + "lower --scale or --per-phase, or change --columns")
        }
        let png = try scene.png(scale: scale.double)
        try writePicture(png, to: output, force: force, width: Int(width.rounded()), height: Int(height.rounded()))
    }
}
