import ArgumentParser
import Documents
import Loaders
import Motion
import Pipeline
import Presets

/// `loadervid presets`: what presets would make.
struct PresetsCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "presets", abstract: "Checks, lists and explains presets, which say in YAML what to render.",
            discussion: """
                EXAMPLES
                  \(Program.name) presets list
                  \(Program.name) presets show ci-smoke
                  \(Program.name) presets validate presets/*.yaml
                """,
            subcommands: [Validate.self, List.self, Show.self, Schema.self, Reference.self])
    }

    /// `presets validate`: everything that is wrong, before anything is rendered.
    struct Validate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says all that is wrong with presets, as file:line:column: what, expected, found.")

        @Argument(help: "Preset files, or names of shipped presets.")
        var presets: [String]

        @OptionGroup var options: PresetOptions

        func run() throws {
            let paths = try options.paths(presets)
            // All together first: outputs of two presets may collide, and limits hold for all of them.
            let clips = try options.reader.read(paths)
            for path in paths {
                print("\(path.visible): \(Totals(paths.count == 1 ? clips : try options.reader.read([path])).text)")
            }
        }
    }

    /// `presets list`: what comes with the program.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the shipped presets.")

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
                throw RenderError(
                    .missingInput,
                    "there are no presets beside the program: name their directory with --directory or LOADERVID_PRESETS"
                )
            }
            let paths = try DocumentFile.all(in: directory)
            guard !paths.isEmpty else {
                throw RenderError(.missingInput, "there are no presets in \(directory): name another with --directory")
            }
            let entries = try paths.map { path in
                let (name, description) = try options.reader.summary(of: path)
                let totals = Totals(try options.reader.read([path]))
                return Entry(
                    name: name, path: path, description: description, clips: totals.clips, outputs: totals.outputs,
                    frames: totals.frames)
            }
            guard !json else { return print(try jsonText(entries)) }
            Table.lines(entries.map { [$0.name, counted($0.outputs, "output"), $0.description] })
                .forEach { print($0.visible) }
        }
    }

    /// `presets show`: every clip with everything it inherited.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows the clips of a preset with all their options.")

        @Argument(help: "A preset file, or the name of a shipped preset.")
        var preset: String

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var options: PresetOptions

        func run() throws {
            let clips = try options.reader.read(options.paths([preset]))
            let reports = clips.map(ClipReport.init)
            guard !json else { return print(try jsonText(reports)) }
            print((reports.flatMap(\.lines) + [Totals(clips).text]).map(\.visible).joined(separator: "\n"))
        }
    }

    /// `presets schema`: for editors.
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the JSON Schema of presets, for editors.")

        func run() throws { print(try jsonText(PresetSchema.schema)) }
    }

    /// `presets reference`: for whoever changes an option, since a test compares the documentation with it.
    struct Reference: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the options as the tables of the documentation have them.", shouldDisplay: false)

        func run() throws {
            let groups: [ClipOption.Group] = [.motion, .picture, .slowMotion, .time, .lesson, .encoding]
            groups.forEach { print(OptionReference.commandLineRows($0).joined(separator: "\n")) }
            print(OptionReference.presetRows().joined(separator: "\n"))
            print(OptionReference.outputKeys())
        }
    }
}

/// What some clips come to.
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
        [counted(clips, "clip"), counted(outputs, "output"), counted(frames, "frame")].joined(separator: ", ")
    }
}

/// A clip of a preset as it is shown.
private struct ClipReport: Encodable {
    struct Output: Encodable {
        var path: String
        var line: String
        var options: [String: String]
        var encoder: String
        var encoderOptions: [String: String]
        var pixelFormat: String
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
    var chapters: Int
    var outputs: [Output]

    init(_ clip: PresetClip) {
        let (plan, given) = (clip.outputs[0].plan, clip.outputs.map(\.options))
        (name, preset, loader) = (clip.name, clip.preset, clip.outputs[0].request.loader.definition.id)
        let shared = given[0].filter { key, text in given.allSatisfy { $0[key] == text } && key != "loader" }
        options = shared
        (width, height, frames) = (plan.width, plan.height, plan.frameCount)
        seconds = (Rational(frames) * plan.encoder.frameRate.frameDuration).double
        (fps, chapters) = ("\(plan.encoder.frameRate)", plan.subject.chapters.count)
        outputs = clip.outputs.map { output in
            Output(
                path: output.path, line: "\(output.location)",
                options: output.options.filter { $0.key != "loader" && shared[$0.key] == nil },
                encoder: output.plan.encoder.encoder, encoderOptions: output.plan.encoder.options,
                pixelFormat: "\(output.plan.encoder.pixelFormat)")
        }
    }

    var lines: [String] {
        func line(_ options: [String: String]) -> String {
            options.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        let head =
            "\(name): \(loader), \(width)x\(height), \(frames) frames, "
            + "\(Summary.decimal(seconds, places: 3)) s at \(fps) fps" + (chapters > 0 ? ", \(chapters) chapters" : "")
        let files = outputs.map { output in
            "  -> \(output.path): \(output.encoder), \(line(output.encoderOptions)), \(output.pixelFormat)"
        }
        return [head] + (options.isEmpty ? [] : ["  \(line(options))"]) + files
    }
}

private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
