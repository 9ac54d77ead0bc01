import Animations
import ArgumentParser
import Core
import Render

/// The options for the format of printed numbers.
struct NumberFormat: ParsableArguments {
    @Flag(help: "Print comma-separated values.")
    var csv = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if csv, json { throw ValidationError(conflict(of: "--csv", and: "--json")) }
    }
}

/// `loadervid phases`: prints the phases of a loader.
struct PhasesCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "phases", abstract: "Print a loader's phases, with the exact motion of each object.",
            discussion: """
                EXAMPLES
                  \(Program.name) phases qq-mail
                  \(Program.name) phases jelly --csv
                  \(Program.name) phases preloader --plot preloader.svg
                  \(Program.name) phases qq --lang zh
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var format: NumberFormat

    @Option(
        help: ArgumentHelp(
            "Also plot each object's position over time (.svg or .png).", valueName: "file"))
    var plot: String?

    @OptionGroup var words: RegisteredOptions<TextChoice>

    @Flag(help: "Overwrite the plot.")
    var force = false

    func run() throws {
        let request = try choice.request(words.texts).loader
        let loader = try LoaderRenderer(request).loader
        let lang = request.language
        if let plot { try draw(loader, to: plot, in: lang, font: request.checkedFont()) }
        let table = PhaseTable(loader)
        if format.json {
            printJSON(try jsonText(PhaseReport(choice.loader, table, in: lang)))
        } else if format.csv {
            printCSV(PhaseReport.csv(table, in: lang))
        } else {
            printText(PhaseText(id: choice.loader, table: table, language: lang).text)
        }
    }

    private func draw(_ loader: any Loader, to path: String, in lang: Language, font: String?) throws {
        guard ["svg", "png"].contains(path.fileExtension) else {
            throw ValidationError("the plot \(quoted(path)) does not end in .svg or .png; rename it")
        }
        let file = try OutputFile(path: path, overwrites: force)
        let background = AnnotationBackground.color(for: loader)
        let chart = MotionChart(loader, language: lang, background: background ?? .white)
        var scene = chart.scene()
        scene.nodes = scene.nodes.withFont(font)
        let bytes = try scene.imageFile(for: path, scale: 2)
        printError("\(path): \(Summary.bytes(try file.commit(bytes)))")
        if let background { printError("\(path): note: " + AnnotationBackground.note(background, for: loader)) }
    }
}
