import ArgumentParser
import Platform
import Media
import Pipeline

/// Where a clip goes, and how that is told.
struct ClipOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to make (\(Container.listed(prefix: "."))), or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp("Container, if the file's name does not tell: \(Container.listed()).", valueName: "name"),
        transform: parseContainer)
    var format: Container?

    @Option(parsing: .unconditional, help: "Cores to use. (default: all)")
    var jobs: Int?

    @Option(help: "auto, bar, plain, json or none.")
    var progress: ProgressDisplay.Style = .auto

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is not possible: it takes 1...256")
        }
    }

    /// Renders a clip into the output, with files beside it, and says so.
    func write(_ plan: RenderPlan, with companions: [ClipCompanion] = []) throws {
        let cancellation = Interruption.token
        let target: RenderTarget
        if output == "-" {
            target = .standardOutput(try Machine.standardOutput(cancellation: cancellation))
        } else {
            let file = try OutputFile(path: output, overwrites: force)
            try plan.add(companions, to: file)
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
            if progress != .none { for line in plan.subject.omissions { printError(line) } }
            if progress != .none, let seam = plan.subject.seam { printError(Summary.note(on: seam, name: name)) }
        } else {
            display.done(summary)
        }
    }

    /// The container that is asked for; where nothing tells, the usual one for a codec.
    func container(codec: String?) throws -> Container {
        if let format { return format }
        guard output != "-" else { return .usual(for: codec) }
        guard let container = Container(ofFile: output) else {
            throw ValidationError(
                "the output '\(output.visible)' does not end in \(Container.listed(prefix: ".")): rename it, or give --format"
            )
        }
        return container
    }
}
