import Animations
import ArgumentParser
import Core
import Raster
import Render

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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per row. (default: whole phases, about 4, or 2 with --annotate, or what fits --layout)",
            valueName: "n"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per phase. (default: 4, or 2 with --annotate; twice as many for a single phase)", valueName: "n"))
    var perPhase: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels per point; frames are 220 points wide or high, annotated ones at least 288 high. (default: 2, less "
                + "for large sheets, or what --layout needs)",
            valueName: "factor"),
        transform: parseNumber)
    var scale: Rational?

    @Option(
        help: ArgumentHelp("CSS background colour of the frames. (default: the loader's)", valueName: "color"),
        transform: parseColor)
    var background: Color?

    @Flag(help: "Overwrite the output.")
    var force = false

    /// The maximum number of frames on a sheet. Bounds the work before the sheet's size is known.
    private static let maxFrames = 10_000
    /// The default number of pixels per point, and the smallest one with which a large sheet is
    /// legible.
    private static let defaultScale = 2.0
    private static let minScale = 0.5

    func validate() throws {
        try checkIsPNG("-o", output)
        try checkRange(of: "--columns", columns, 1...100)
        try checkRange(of: "--per-phase", perPhase, 1...1000)
        if let scale, !(Rational(1, 10)...Rational(100)).contains(scale) {
            throw ValidationError("--scale: \(scale) is outside the range 0.1...100 pixels per point")
        }
    }

    func run() throws {
        let request = try choice.request(annotations.texts).loader
        var plain = try choice.request().loader
        plain.font = request.font
        let loader = try LoaderRenderer(plain).loader
        let scene = try sheet(of: loader, request)
        // The layout gives the shape of a sheet, and its pixels if no scale is given.
        let pixels = scale == nil ? request.shape?.pixels : nil
        let longerSide = max(scene.size.width, scene.size.height)
        let fitting = max(Self.minScale, Double(Pixmap.maxSide) / longerSide)
        let scale = scale?.double ?? min(Self.defaultScale, fitting)
        let (width, height) =
            pixels.map { (Double($0.width), Double($0.height)) }
            ?? (scene.size.width * scale, scene.size.height * scale)
        guard max(width, height) <= Double(Pixmap.maxSide) else {
            throw LoadervidError(
                .usage,
                "a sheet of \(Int(width))x\(Int(height)) pixels exceeds the maximum of \(Pixmap.maxSide) pixels per "
                    + "side; lower --scale or --per-phase, or change --columns")
        }
        let png =
            try pixels.map { try scene.png(width: $0.width, height: $0.height) } ?? scene.png(scale: scale)
        try writeImage(png, to: output, force: force, width: Int(width.rounded()), height: Int(height.rounded()))
        if background == nil, let chosen = AnnotationBackground.color(for: loader) {
            printError("\(output): note: " + AnnotationBackground.note(chosen, for: loader, hasOption: true))
            return
        }
        plain.background = background
        // The sheet stays even if the visibility check fails.
        guard let invisibility = try? LoaderRenderer(plain).invisibility() else { return }
        printError("\(output): warning: " + Summary.text(of: invisibility))
    }

    private func sheet(of loader: any Loader, _ request: LoaderRequest) throws -> Scene {
        let font = try request.checkedFont()
        let count = loader.phases.count * (perPhase ?? Storyboard.defaultPerPhase(of: loader, request.annotations))
        guard count <= Self.maxFrames else {
            throw LoadervidError(
                .usage, "a sheet of \(count) frames is above the maximum of \(Self.maxFrames); lower --per-phase")
        }
        var page = AnnotationPage()
        page.shape = request.shape
        page.theme = request.theme
        var scene = Storyboard.sheet(
            of: loader, columns: columns, perPhase: perPhase, annotations: request.annotations,
            language: request.language, background: background, page: page)
        scene.nodes = scene.nodes.withFont(font)
        return scene
    }
}
