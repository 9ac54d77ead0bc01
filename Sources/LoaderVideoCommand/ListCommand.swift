import Animations
import ArgumentParser
import Core
import Render

/// `loadervid list`: lists the loaders and their parameters.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the loaders with their phases and parameters.",
            discussion: """
                EXAMPLES
                  \(Program.name) list
                  \(Program.name) list qq-mail --json
                  \(Program.name) list --picture loaders.png
                """)
    }

    @Argument(help: "Loader to list, or a Lottie file. (default: all loaders)")
    var loader: String?

    @Option(help: ArgumentHelp("Animation of a .lottie file. (default: the first)", valueName: "id"))
    var animation: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw the loaders side by side to a PNG file.", valueName: "file"))
    var picture: String?

    @Flag(help: "Overwrite the image.")
    var force = false

    /// A loader with default parameters, and its definition.
    typealias Listed = (definition: LoaderDefinition, loader: any Loader)

    func validate() throws {
        try checkIsPNG("--picture", picture)
        if json, picture != nil { throw ValidationError(conflict(of: "--json", and: "--picture")) }
    }

    func run() throws {
        let (loaders, problems) =
            try loader.map { ([try lenient(definition(of: $0))], []) } ?? usable(of: LoaderCatalog.current)
        for problem in problems { printError(problem) }
        if let picture { return try draw(loaders, to: picture) }
        let entries = loaders.map(Entry.init)
        guard json else { return printText(entries.map(\.text).joined(separator: "\n\n")) }
        printJSON(try jsonText(entries))
    }

    /// Returns the loaders of a catalogue that can be made, and a line for each of the others: one
    /// faulty loader must not hide the rest.
    func usable(of catalog: LoaderCatalog) -> (loaders: [Listed], problems: [String]) {
        var loaders: [Listed] = []
        var problems: [String] = []
        for definition in catalog.definitions {
            do {
                loaders.append(try lenient(definition))
            } catch {
                problems.append("warning: \(definition.id) is not listed: \(LoadervidError(error))")
            }
        }
        return (loaders, problems)
    }

    private func definition(of id: String) throws -> LoaderDefinition {
        do { return try LoaderCatalog.current.definition(id) } catch { throw LoadervidError(error) }
    }

    /// Returns the loader with default parameters. Unsupported parts of a Lottie file are left out
    /// and listed instead of causing an error.
    private func lenient(_ definition: LoaderDefinition) throws -> Listed {
        let settings =
            (definition.hasParameter("lenient") ? ["lenient=true"] : []) + (animation.map { ["animation=\($0)"] } ?? [])
        do {
            let values = try ParameterValues(settings, for: definition) { (path) throws(ParameterError) in
                throw ParameterError(.usage, "list does not read images: \(quoted(path))")
            }
            return (definition, try definition.make(values))
        } catch { throw LoadervidError(error) }
    }

    private func draw(_ loaders: [Listed], to path: String) throws {
        let panels = loaders.map { (id: $0.definition.id, loader: $0.loader) }
        let scene = Storyboard.gallery(of: panels, columns: min(4, loaders.count), fraction: Rational(7, 25))
        let file = try OutputFile(path: path, overwrites: force)
        let width = Int(scene.size.width)
        let height = Int(scene.size.height)
        let png = try scene.png(width: width, height: height)
        printResult("\(path): \(width)x\(height), \(Summary.bytes(try file.commit(png)))")
    }

    /// A loader in the list.
    private struct Entry: Encodable {
        struct ListedPhase: Encodable {
            var index: Int
            var name: String
            var start: String
            var duration: String
        }
        struct ListedParameter: Encodable {
            var name: String
            var `default`: String
            var limits: String
            var summary: String
        }

        var id: String
        var title: String
        var width: Double
        var height: Double
        var period: String
        var background: String
        var phases: [ListedPhase]
        var parameters: [ListedParameter]
        /// Additional properties by name, such as the frame rate of a Lottie animation; nil for
        /// built-in loaders.
        var details: [String: String]?
        /// The unsupported features that the animation uses, at most 100, and the number of the
        /// others; nil for built-in loaders.
        var omissions: [String]?

        private let order: [String]
        /// The period and the starts of the phases as decimals.
        private let decimals: (period: String, starts: [String])

        private enum CodingKeys: CodingKey {
            case id, title, width, height, period, background, phases, parameters, details, omissions
        }

        init(_ definition: LoaderDefinition, _ loader: any Loader) {
            id = definition.id
            title = definition.title.english
            width = loader.canvas.width
            height = loader.canvas.height
            period = "\(loader.period)"
            func decimal(_ seconds: Rational) -> String { NumberText.decimal(seconds.double, places: 3) }
            decimals = (decimal(loader.period), loader.phases.map { decimal($0.start) })
            background = loader.background.hexString
            phases = loader.phases.map {
                ListedPhase(index: $0.index, name: $0.name.english, start: "\($0.start)", duration: "\($0.duration)")
            }
            parameters = definition.parameters.map {
                ListedParameter(name: $0.name, default: $0.defaultText, limits: $0.limits, summary: $0.summary)
            }
            let details = loader.details
            order = details.map(\.name)
            guard !details.isEmpty else { return }
            self.details = Dictionary(details.map { ($0.name, $0.text) }) { $1 }
            omissions = loader.omissions
        }

        var text: String {
            let head =
                "\(id.visible): \(title.visible)\n  canvas \(Int(width))x\(Int(height)) pt, period \(decimals.period) s, background \(background)"
            let phaseRows = zip(phases, decimals.starts).map { ["\($0.index)", "\($1) s", $0.name] }
            let parameterRows = parameters.map { [$0.name, $0.default, "\($0.summary) (\($0.limits))"] }
            let unsupported = (omissions ?? []).map { "    " + $0.visible }
            return
                ([head] + order.map { "  \($0) \((details?[$0] ?? "").visible)" } + ["  phases"]
                + Table.lines(phaseRows)
                + ["  parameters"] + Table.lines(parameterRows)
                + (unsupported.isEmpty ? [] : ["  not supported"] + unsupported))
                .joined(separator: "\n")
        }
    }
}
