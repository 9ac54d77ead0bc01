import Annotations
import ArgumentParser
import Loaders
import Motion
import Pipeline

/// `loadervid list`: the loaders and all that can be set.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "Lists the loaders with their phases and parameters.",
            discussion: """
                EXAMPLES
                  \(Program.name) list
                  \(Program.name) list qq-mail --json
                  \(Program.name) list --picture loaders.png
                """)
    }

    @Argument(help: "Only this loader.")
    var loader: String?

    @Option(help: ArgumentHelp("Which animation of a .lottie file.", valueName: "id"))
    var animation: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw all of them side by side into a PNG file.", valueName: "file"))
    var picture: String?

    @Flag(help: "Overwrite the picture.")
    var force = false

    func validate() throws {
        if json, picture != nil { throw ValidationError("--json and --picture exclude each other: give one of them") }
    }

    func run() throws {
        let definitions = try loader.map { [try found($0)] } ?? LoaderCatalog.current.definitions
        if let picture { return try draw(definitions, to: picture) }
        let entries = try definitions.map { Entry($0, try lenient($0)) }
        guard json else { return print(entries.map(\.text).joined(separator: "\n\n")) }
        print(try jsonText(entries))
    }

    private func found(_ id: String) throws -> LoaderDefinition {
        do { return try LoaderCatalog.current.definition(id) } catch { throw RenderError(error) }
    }

    /// The loader by default, or one with less than it should have: what it lacks is listed.
    private func lenient(_ definition: LoaderDefinition) throws -> any Loader {
        let settings =
            (definition.hasParameter("lenient") ? ["lenient=true"] : []) + (animation.map { ["animation=\($0)"] } ?? [])
        do {
            return try definition.make(
                ParameterValues(settings, for: definition) { (path) throws(ParameterError) in
                    throw ParameterError(.usage, "no picture is read for a list: '\(path)'")
                })
        } catch { throw RenderError(error) }
    }

    private func draw(_ definitions: [LoaderDefinition], to path: String) throws {
        let loaders = try definitions.map { (id: $0.id, loader: try lenient($0)) }
        let scene = Storyboard.gallery(of: loaders, columns: min(4, loaders.count), fraction: Rational(7, 25))
        let file = try OutputFile(path: path, overwrites: force)
        let (width, height) = (Int(scene.size.width), Int(scene.size.height))
        let png = try scene.png(width: width, height: height)
        printResult("\(path): \(width)x\(height), \(Summary.bytes(try file.commit(png)))")
    }

    /// A loader as it is listed.
    private struct Entry: Encodable {
        struct Phase: Encodable {
            var index: Int
            var name: String
            var start: String
            var duration: String
        }
        struct Parameter: Encodable {
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
        var phases: [Phase]
        var parameters: [Parameter]
        /// What else is to be said, such as an animation's frame rate and what it uses; none for built-in loaders.
        var details: [String: String]?
        /// What is not supported; none for built-in loaders.
        var omissions: [String]?

        private let order: [String]

        private enum CodingKeys: CodingKey {
            case id, title, width, height, period, background, phases, parameters, details, omissions
        }

        init(_ definition: LoaderDefinition, _ loader: any Loader) {
            (id, title) = (definition.id, definition.title.english)
            (width, height) = (loader.canvas.width, loader.canvas.height)
            (period, background) = ("\(loader.period)", loader.background.hexString)
            phases = loader.phases.map {
                Phase(index: $0.index, name: $0.name.english, start: "\($0.start)", duration: "\($0.duration)")
            }
            parameters = definition.parameters.map {
                Parameter(name: $0.name, default: $0.defaultText, limits: $0.limits, summary: $0.summary)
            }
            let details = loader.details
            order = details.map(\.name)
            guard !details.isEmpty else { return }
            self.details = Dictionary(details.map { ($0.name, $0.text) }) { $1 }
            omissions = loader.omissions
        }

        var text: String {
            let head =
                "\(id): \(title)\n  canvas \(Int(width))x\(Int(height)) pt, period \(period) s, background \(background)"
            let phaseRows = phases.map { ["\($0.index)", "\($0.start) s", $0.name] }
            let parameterRows = parameters.map { [$0.name, $0.default, "\($0.summary) (\($0.limits))"] }
            let lacking = (omissions ?? []).map { "    " + $0.visible }
            return
                ([head] + order.map { "  \($0) \((details?[$0] ?? "").visible)" } + ["  phases"]
                + Table.lines(phaseRows)
                + ["  parameters"] + Table.lines(parameterRows)
                + (lacking.isEmpty ? [] : ["  not supported"] + lacking))
                .joined(separator: "\n")
        }
    }
}

/// Text in columns.
enum Table {
    /// Rows with their cells padded to the widest of their column, up to 30 columns of a terminal, and indented; some may have
    /// fewer cells than others.
    static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            min(30, rows.filter { $0.count > column }.map { width($0[column]) }.max() ?? 0)
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell -> String in
                let rest = column == row.count - 1 ? 0 : max(0, widths[column] - width(cell))
                return cell + String(repeating: " ", count: rest)
            }
            return "    " + cells.joined(separator: "  ")
        }
    }

    /// Columns that a text takes on a terminal, where Chinese characters and punctuation are two wide.
    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            sum + ((0x2E80...0x9FFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value) ? 2 : 1)
        }
    }
}
