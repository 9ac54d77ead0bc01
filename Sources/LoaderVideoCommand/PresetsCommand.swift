import Animations
import ArgumentParser
import Batch
import Core
import Explain
import Render

/// `loadervid presets`: checks, lists and shows presets.
struct PresetsCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "presets", abstract: "Check, list and show presets, the YAML files for batches.",
            discussion: """
                EXAMPLES
                  \(Program.name) presets list
                  \(Program.name) presets show ci-smoke
                  \(Program.name) presets validate presets/*.yaml
                """,
            subcommands: [Validate.self, List.self, Show.self, Schema.self, Reference.self])
    }

    /// `presets validate`: reports all problems of presets.
    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate", abstract: "Check presets, and report all problems as file:line:column.")

        @Argument(help: "Preset files, or names of shipped presets.", completion: .yamlFiles)
        var presets: [String]

        @OptionGroup var options: PresetOptions

        func run() throws {
            let paths = try options.paths(presets)
            // Reads all presets together first: outputs of two presets may collide, and limits
            // apply to their total.
            let reading = try options.reader.readings(paths)
            let clips = reading.clips
            for warning in reading.warnings { printError("\(warning)") }
            for path in paths {
                printText("\(path.visible): \(Totals(paths.count == 1 ? clips : try options.reader.read([path])).text)")
            }
        }
    }

    /// `presets list`: lists the shipped presets.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the shipped presets.")

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var options: PresetOptions

        private struct Entry: Encodable {
            var name: String
            var path: String
            var description: String
            var clips: Int
            var outputs: Int
            var frames: Int
        }

        func run() throws {
            guard let directory = try options.shipped else {
                throw LoadervidError(
                    .missingInput,
                    "no presets found beside the program; set --directory or LOADERVID_PRESETS")
            }
            let paths = try DocumentFile.all(in: directory)
            guard !paths.isEmpty else {
                throw LoadervidError(
                    .missingInput, "no presets found in \(directory); name another directory with --directory")
            }
            let entries = try paths.map { path in
                let (name, description) = try options.reader.summary(of: path)
                let totals = Totals(try options.reader.read([path]))
                return Entry(
                    name: name, path: path, description: description, clips: totals.clips, outputs: totals.outputs,
                    frames: totals.frames)
            }
            guard !json else { return printJSON(try jsonText(entries)) }
            Table.lines(entries.map { [$0.name, Summary.count($0.outputs, "output"), $0.description] })
                .forEach { printText($0) }
        }
    }

    /// `presets show`: shows every clip with its own and inherited options.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the clips of a preset with all their options.")

        @Argument(help: "Preset file, or the name of a shipped preset.", completion: .yamlFiles)
        var preset: String

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var options: PresetOptions

        func run() throws {
            let clips = try options.reader.read(options.paths([preset]))
            let reports = clips.map(ClipReport.init)
            guard !json else { return printJSON(try jsonText(reports)) }
            printText((reports.flatMap(\.lines) + [Totals(clips).text]).map(\.visible).joined(separator: "\n"))
        }
    }

    /// `presets schema`: prints the JSON Schema, for editors.
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of presets, for editors.")

        func run() throws { printJSON(try jsonText(PresetSchema.schema)) }
    }

    /// `presets reference`: prints tables of all options. A test compares the documentation with
    /// them.
    struct Reference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reference", abstract: "Print the options as the Markdown tables of the documentation.")

        func run() throws {
            let groups: [ClipOption.Group] = [.motion, .picture, .slowMotion, .time, .lesson, .encoding]
            groups.forEach { printText(OptionReference.commandLineRows($0).joined(separator: "\n")) }
            printText(OptionReference.presetRows().joined(separator: "\n"))
            printText(OptionReference.outputKeys())
        }
    }
}

/// The numbers of clips, outputs and frames of presets.
struct Totals {
    let clips: Int
    let outputs: Int
    let frames: Int

    init(_ clips: [PresetClip]) {
        self.clips = clips.count
        outputs = clips.reduce(0) { $0 + $1.outputs.count }
        frames = clips.reduce(0) { $0 + ($1.outputs.first?.plan.frameCount ?? 0) }
    }

    var text: String {
        [(clips, "clip"), (outputs, "output"), (frames, "frame")].map { Summary.count($0, $1) }.joined(separator: ", ")
    }
}

/// A clip of a preset as `presets show` prints it.
private struct ClipReport: Encodable {
    struct Output: Encodable {
        var path: String
        var line: String
        var options: [String: String]
        /// The encoder's name, or `Lottie` or `SVG` for vector graphics.
        var encoder: String
        var encoderOptions: [String: String]
        /// The pixel format; nil for vector graphics.
        var pixelFormat: String?

        init(_ output: PresetOutput, sharing shared: [String: String]) {
            let plan = output.plan
            path = output.path
            line = "\(output.location)"
            options = output.options.filter { $0.key != "loader" && shared[$0.key] == nil }
            encoder = plan.vector?.format.title ?? plan.encoder.encoder
            encoderOptions = plan.vector == nil ? plan.encoder.options : [:]
            pixelFormat = plan.vector == nil ? "\(plan.encoder.pixelFormat)" : nil
        }

        /// The output on one line, without the options that its path or its encoder already shows.
        var text: String {
            let told = ["format", "codec", "quality", "speed", "pixel-format"] + encoderOptions.keys
            let own = options.filter { !told.contains($0.key) }
            let details = [encoder, ClipReport.list(encoderOptions), ClipReport.list(own), pixelFormat ?? ""]
            return "  -> \(path): \(details.filter { !$0.isEmpty }.joined(separator: ", "))"
        }
    }

    var name: String
    var preset: String
    var loader: String
    var options: [String: String]
    var width: Int
    var height: Int
    var frames: Int
    var seconds: Double
    var fps: String
    /// The timing of the frames; nil if the clip has only one.
    var timing: TimeMap.Timing?
    var chapters: Int
    var outputs: [Output]

    init(_ clip: PresetClip) {
        let plan = clip.outputs[0].plan
        let given = clip.outputs.map(\.options)
        name = clip.name
        preset = clip.preset
        loader = clip.outputs[0].request.loader.definition.id
        let shared = given[0].filter { key, text in given.allSatisfy { $0[key] == text } && key != "loader" }
        options = shared
        width = plan.width
        height = plan.height
        frames = plan.frameCount
        seconds = (Rational(frames) * plan.encoder.frameRate.frameDuration).double
        fps = "\(plan.encoder.frameRate)"
        timing = plan.source.timing
        chapters = plan.source.chapters.count
        outputs = clip.outputs.map { Output($0, sharing: shared) }
    }

    var lines: [String] {
        let head =
            "\(name): \(loader), \(width)x\(height), \(frames) frames, "
            + "\(Summary.length(seconds)) at \(fps) fps" + (timing.map { ", \($0.rawValue) timing" } ?? "")
            + (chapters > 0 ? ", \(chapters) chapters" : "")
        return [head] + (options.isEmpty ? [] : ["  \(Self.list(options))"]) + outputs.map(\.text)
    }

    /// Returns the keys and values in order, separated by commas, without blank values.
    private static func list(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.filter { $0.value.contains { $0 != " " } }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
