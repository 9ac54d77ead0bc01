import Animations
import ArgumentParser
import Batch
import Core
import Media
import Render

/// The output options of commands that render a clip.
struct ClipOutput: ParsableArguments {
    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp(
            "File to create (\(ClipFormat.listedExtensions())), a pattern such as frames/%04d.png for a sequence of "
                + "PNG, TIFF, WebP or JPEG files, a directory with a final /, or - for standard output. "
                + "(default: the loader's name in the current directory)", valueName: "file"),
        completion: .file())
    private var outputs: [String] = []

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

    /// The file to create; nil for the default.
    var output: String? { outputs.last }

    func validate() throws {
        try checkRange(of: "--jobs", jobs, jobsRange)
        guard outputs.count > 1 else { return }
        throw ValidationError(
            "-o names \(outputs.map(quoted).joined(separator: " and ")), but one file is made; run the command for each, or "
                + "list several outputs in a preset")
    }

    /// The file to create and its format.
    struct Destination {
        /// The path, or `-` for standard output.
        let path: String
        let format: ClipFormat
    }

    /// Renders the clip of a request and its sidecars to a file, and prints a summary.
    ///
    /// - Parameter script: the fingerprint of a lesson's script; nil for other clips.
    func write(
        _ plan: RenderPlan, of request: RenderRequest, script: String? = nil, to output: String
    ) throws {
        var sidecars: [Sidecar] = []
        let cancellation = Interruption.token
        let target: RenderTarget
        if output == "-" {
            try checkStandardOutput(plan.container)
            try Self.checkPoster(plan)
            target = .standardOutput(try Machine.standardOutput(cancellation: cancellation))
        } else if plan.container.isFrameSequence {
            let recipe = try Recipe(request, script: script, program: Program.current.version(), plan: plan)
            target = .sequence(
                try OutputSequence(path: output, overwrites: force, recipe: try recipe.fingerprint()))
        } else {
            let file = try streamableFile(output, force: force)
            sidecars = try plan.add(plan.sidecars, to: file)
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
        let summary = try Summary(name: name, plan: plan, report: report, sidecars: sidecars)
        if progress != .json {
            if output == "-" { printError(summary.line) } else { printResult(summary.line) }
            printNotes(on: summary, to: output, plan, name: name)
        } else {
            display.done(summary, notes: summary.notes)
        }
    }

    /// Throws `LoadervidError` if the clip has a poster that its container cannot hold: standard
    /// output has no file beside it.
    private static func checkPoster(_ plan: RenderPlan) throws {
        guard plan.sidecars.contains(where: { $0 != .captions }), !plan.container.supportsPoster else { return }
        let format = plan.vector?.format.title ?? plan.container.rawValue
        throw LoadervidError(
            .usage, "--poster: \(format) on standard output cannot hold a poster; write to a file")
    }

    private func printNotes(on summary: Summary, to output: String, _ plan: RenderPlan, name: String) {
        let notes = summary.notes.map { "\(name): \($0.description)" } + [Self.note(on: output, plan)].compactMap { $0 }
        for line in plan.source.omissions + notes { printError(line) }
        // Sequences and raw frames are for other programs, which do not loop them.
        let mayLoop = !plan.container.isFrameSequence && !plan.container.isRaw
        if progress != .none, mayLoop, let seam = plan.source.seam { printError(Summary.note(on: seam, name: name)) }
    }

    private func checkStandardOutput(_ container: Container) throws {
        guard container.isFrameSequence else { return }
        throw ValidationError(
            "\(container.rawValue) is a directory of files and cannot be written to standard output; name a pattern "
                + "such as frames/%04d.png, or use --format y4m")
    }

    /// The file extensions of video containers that cannot be written.
    private static let otherVideoExtensions: Set = [
        "3gp", "avi", "flv", "mpeg", "mpg", "mts", "mxf", "ogv", "ts", "vob", "wmv",
    ]

    /// Returns the remedy for an output without a known file extension.
    private static func remedy(_ output: String) -> String {
        let fileName = FileSystem.split(output).name
        guard let dot = fileName.lastIndex(of: ".") else { return "; rename it, or pass --format" }
        let fileExtension = fileName[fileName.index(after: dot)...].lowercased()
        let isOtherVideo = otherVideoExtensions.contains(fileExtension)
        guard let nearest = isOtherVideo ? "mp4" : NearestName.of(fileExtension, in: ClipFormat.extensions) else {
            return "; rename it, or pass --format"
        }
        return "; did you mean \(output.dropLast(fileName.count))\(fileName[...dot])\(nearest)?"
    }

    /// Returns the destination from `-o`, `--format` and the codec. `name` is the file name without
    /// an extension for outputs that have none. Throws `ValidationError` if the file extension is
    /// unknown.
    func destination(name: String, codec: String?) throws -> Destination {
        let usual = format ?? .container(.default(for: codec))
        let fileName = usual.fileName(stem: name.isEmpty ? "clip" : name)
        guard let output else { return Destination(path: fileName, format: usual) }
        if output == "-" { return Destination(path: output, format: usual) }
        if output.utf8.last == UInt8(ascii: "/") { return Destination(path: output + fileName, format: usual) }
        if let format {
            try checkExtension(output, of: format)
            return Destination(path: output, format: format)
        }
        guard let format = ClipFormat(ofFile: output) else {
            if FileSystem.kind(output) == S_IFDIR {
                throw ValidationError(
                    "the output \(quoted(output)) is a directory; to write \(fileName) in it, pass -o \(output)/")
            }
            let isPattern = FileSystem.split(output).name.contains("%")
            throw ValidationError(
                isPattern
                    ? "the sequence \(quoted(output)) does not end in .png, .tif, .webp or .jpg; rename it"
                    : "the output \(quoted(output)) does not end in \(ClipFormat.listedExtensions())"
                        + Self.remedy(output))
        }
        try checkName(output, format)
        return Destination(path: output, format: format)
    }

    /// Throws `ValidationError` if the frames of a sequence would have the extension of another
    /// format: importers take the format from the extension.
    private func checkExtension(_ output: String, of format: ClipFormat) throws {
        guard format.isFrameSequence, let named = ClipFormat(ofFile: output), named != format,
            let dot = output.lastIndex(of: "."), let remedy = format.sequenceExtension
        else { return }
        throw ValidationError(
            "the output \(quoted(output)) ends in \(output[dot...]), but its format is \(format.name); rename it to "
                + "\(output[..<dot])\(remedy)" + (named.isFrameSequence ? ", or use --format \(named.name)" : ""))
    }

    /// Throws `ValidationError` unless a file has a name before its extension, which has a number
    /// for a sequence of images, and none for one file.
    private func checkName(_ output: String, _ format: ClipFormat) throws {
        let name = FileSystem.split(output).name
        guard name.first != "." || name.dropFirst().contains(".") else {
            throw ValidationError(
                "the output \(quoted(output)) has no name before its extension; pass -o "
                    + "\(output.dropLast(name.count))clip\(name)")
        }
        if format.isFrameSequence, !name.contains("%") {
            throw ValidationError(
                "the output \(quoted(output)) is one image; use 'still' for one frame, or a pattern such as "
                    + "\(format.fileName(stem: "frames")) for all of them")
        }
        if !format.isFrameSequence, (try? FramePattern(name)) != nil {
            throw ValidationError(
                "the output \(quoted(output)) has a number for each frame, but \(format.name) is one file; remove the "
                    + "number, or use a pattern such as frames/%04d.png")
        }
    }

    /// Returns a note that a file's extension names another format than it has; nil if it does not.
    private static func note(on output: String, _ plan: RenderPlan) -> String? {
        let format = plan.vector.map { ClipFormat.vector($0.format) } ?? .container(plan.container)
        guard let named = ClipFormat(ofFile: output), named != format,
            named.isFrameSequence == format.isFrameSequence, let dot = output.lastIndex(of: ".")
        else { return nil }
        return "\(output): note: its format is \(format.name), although its name ends in \(output[dot...])"
    }
}
