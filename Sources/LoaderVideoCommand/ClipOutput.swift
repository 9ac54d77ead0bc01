import ArgumentParser
import Core
import Animations
import Media
import Render

/// The output options of commands that render a clip.
struct ClipOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to create (\(ClipFormat.listed(prefix: "."))), a directory with a final /, or - for standard "
                + "output. (default: the loader's name in the current directory)", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Format: \(ClipFormat.listed()). (default: from the file extension)", valueName: "name",
            visibility: .hidden),
        transform: parseFormat)
    var format: ClipFormat?

    @Option(parsing: .unconditional, help: jobsHelp.hidden)
    var jobs: Int?

    @Option(
        help: progressHelp.hidden, completion: .list(ProgressDisplay.Style.allCases.map(\.rawValue)),
        transform: parseProgress)
    var progress: ProgressDisplay.Style = .auto

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws { try checkRange(of: "--jobs", jobs, jobsRange) }

    /// The file to create and its format.
    struct Destination {
        /// The path, or `-` for standard output.
        let path: String
        let format: ClipFormat
    }

    /// Renders a clip and its sidecars to a file, and prints a summary.
    func write(_ plan: RenderPlan, to output: String, with sidecars: [Sidecar] = []) throws {
        let cancellation = Interruption.token
        let target: RenderTarget
        if output == "-" {
            target = .standardOutput(try Machine.standardOutput(cancellation: cancellation))
        } else {
            let file = try streamableFile(output, force: force)
            try plan.add(sidecars, to: file)
            target = .file(file)
        }
        let pipeline = RenderPipeline(
            [plan], jobs: jobs ?? Resources.processors, memory: Resources.memory / 2, cancellation: cancellation)
        let name = output == "-" ? "standard output" : output
        let display = ProgressDisplay(progress, name: name, plan: plan, progress: pipeline.progress)
        let report: RenderReport
        do { report = try pipeline.run(to: target) } catch {
            display.end()
            throw error
        }
        display.end()
        let summary = try Summary(name: name, plan: plan, report: report)
        if progress != .json {
            if output == "-" { printError(summary.line) } else { printResult(summary.line) }
            let notes = summary.notes.map { "\(name): \($0.description)" }
            for line in plan.subject.omissions + notes { printError(line) }
            if progress != .none, let seam = plan.subject.seam { printError(Summary.note(on: seam, name: name)) }
        } else {
            display.done(summary, notes: summary.notes)
        }
    }

    /// The remedy for an output without a known file extension.
    private static func remedy(_ output: String) -> String {
        let extensionStart = output.lastIndex(of: ".").map { output.index(after: $0) } ?? output.endIndex
        let nearest = NearestName.of(String(output[extensionStart...]), in: ClipFormat.names)
        return nearest.map { "; did you mean \(output[..<extensionStart])\($0)?" } ?? "; rename it, or pass --format"
    }

    /// The destination from `-o`, `--format` and the codec. `name` is the file name without an
    /// extension for outputs that have none. Throws `ValidationError` if the file extension is
    /// unknown.
    func destination(name: String, codec: String?) throws -> Destination {
        let usual = format ?? .container(.default(for: codec))
        let fileName = "\(name.isEmpty ? "clip" : name).\(usual.name)"
        guard let output else { return Destination(path: fileName, format: usual) }
        if output == "-" { return Destination(path: output, format: usual) }
        if output.utf8.last == UInt8(ascii: "/") { return Destination(path: output + fileName, format: usual) }
        if let format { return Destination(path: output, format: format) }
        guard let format = ClipFormat(ofFile: output) else {
            throw ValidationError(
                "the output \(quoted(output)) does not end in \(ClipFormat.listed(prefix: "."))\(Self.remedy(output))")
        }
        return Destination(path: output, format: format)
    }
}
