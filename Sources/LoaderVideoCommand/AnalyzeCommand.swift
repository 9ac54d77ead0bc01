import ArgumentParser
import Core
import Inspect
import Render

/// `loadervid analyze`: finds the moving objects of a recording.
struct AnalyzeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "analyze",
            abstract: "Find the moving objects of a video and their motion, or convert the video to a loader.",
            discussion: """
                EXAMPLES
                  \(Program.name) analyze recording.mp4
                  \(Program.name) analyze recording.mp4 -o loader.json
                  \(Program.name) analyze recording.mp4 --as css > loader.html
                  \(Program.name) analyze recording.gif --json
                  \(Program.name) analyze balls.webm --plot balls.svg --annotate-to seen.mp4
                """)
    }

    @Argument(help: videoHelp, completion: .file())
    var video: String

    @Flag(help: "Print the tracks as CSV.")
    var csv = false

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the recorded loader: .json (Lottie), .html (CSS keyframes), .swift (Core Animation).",
            valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Print the recorded loader, or write it with -o: lottie, css or swift.", valueName: "format"))
    var format: LoaderFormat?

    @Option(help: ArgumentHelp("Plot positions over time to an SVG or PNG file.", valueName: "file"))
    var plot: String?

    @Option(help: ArgumentHelp("Write the video with its tracks and phases drawn over it, as MP4.", valueName: "file"))
    var annotateTo: String?

    @Flag(help: "Overwrite the plot, the annotated video and the written loader.")
    var force = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if csv, json { throw ValidationError(conflict(of: "--csv", and: "--json")) }
        if let format, output == nil, csv || json {
            throw ValidationError(conflict(of: "--as \(format.rawValue)", and: csv ? "--csv" : "--json"))
        }
        if let output, output.lowercased().hasSuffix(".css"), format == nil || format == .css {
            throw ValidationError(
                "the output \(quoted(output)) is an HTML document, not a style sheet; rename it to .html")
        }
        if let output, format == nil, LoaderFormat(path: output) == nil {
            throw ValidationError(
                "the output \(quoted(output)) does not end in .json, .html or .swift; rename it or pass --as")
        }
        if let plot, !plot.lowercased().hasSuffix(".svg"), !plot.lowercased().hasSuffix(".png") {
            throw ValidationError("the plot \(quoted(plot)) does not end in .svg or .png; rename it")
        }
        if let annotateTo, !annotateTo.lowercased().hasSuffix(".mp4") {
            throw ValidationError("the annotated video \(quoted(annotateTo)) does not end in .mp4; rename it")
        }
    }

    func run() throws {
        FilesInUse.noteInputs([video])
        // Opens the outputs before the long work, so that an error appears early.
        let chart = try plot.map { try OutputFile(path: $0, overwrites: force) }
        let clip = try annotateTo.map { try OutputFile(path: $0, overwrites: force) }
        let file = try output.map { try OutputFile(path: $0, overwrites: force) }
        let isLoaderOnly = (format != nil || file != nil) && chart == nil && clip == nil && !csv && !json
        if isLoaderOnly { return try writeLoader(Reconstruction(path: video, limits: reading.limits), to: file) }
        let motion = try MotionAnalysis(path: video, limits: reading.limits)
        // Tracks are measured, whether or not the shapes are understood.
        let needsTracks = chart != nil || clip != nil || csv
        if needsTracks { try printTracks(motion, chart: chart, clip: clip) }
        if format != nil || file != nil { try writeLoader(motion.shapes.get(), to: file) }
        if json || !needsTracks, let refusal = motion.refusal { throw refusal }
        if json {
            printJSON(try AnalysisText.json(AnalysisReport(motion)))
        } else if !csv, format == nil || file != nil {
            printText(AnalysisText.text(motion, name: video))
        }
    }

    private func printTracks(_ motion: MotionAnalysis, chart: OutputFile?, clip: OutputFile?) throws {
        let analysis = try motion.tracks.get()
        if let chart {
            try chart.commit(TrackChart.scene(analysis).imageFile(for: chart.path, scale: 2))
        }
        if let clip { _ = try AnnotatedClip(analysis).write(to: clip) }
        if csv { printCSV(AnalysisText.csv(analysis)) }
    }

    /// Writes or prints the loader in the requested format, and prints the parts that it lacks to
    /// standard error.
    private func writeLoader(_ clip: Reconstruction, to file: OutputFile?) throws {
        guard let format = format ?? output.flatMap(LoaderFormat.init(path:)) else { return }
        for gap in clip.gaps { printError("\(video.visible): warning: \(AnalysisText.gap(gap))") }
        let text = format.text(of: clip)
        guard let file else { return ConsoleOutput.write(text, terminator: "") }
        try file.commit(Array(text.utf8))
        // CSV and JSON have standard output for themselves.
        guard !csv, !json else { return }
        printResult(
            "\(file.path.visible): \(Summary.count(clip.objects.count, "object")), \(Summary.length(clip.duration))"
                + (clip.isLoop ? ", loops" : ", does not loop"))
    }
}

/// The formats of a reconstructed loader.
enum LoaderFormat: String, ExpressibleByArgument, CaseIterable {
    case lottie
    case css
    case swift

    /// The format of a file, by the extension of its name; nil for others.
    init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".json") {
            self = .lottie
        } else if name.hasSuffix(".html") {
            self = .css
        } else if name.hasSuffix(".swift") {
            self = .swift
        } else {
            return nil
        }
    }

    func text(of clip: Reconstruction) -> String {
        switch self {
        case .lottie: return LottieWriter(clip).text
        case .css: return StyleSheetWriter(clip).text
        case .swift: return LayerCodeWriter(clip).text
        }
    }
}

/// The help of video arguments.
let videoHelp: ArgumentHelp = "Video: MP4, MOV, WebM, GIF and other self-contained formats."

/// The limits for reading a video.
struct ReadingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: maxPixelsHelp)
    var maxPixels: Int?

    @OptionGroup var work: WorkOptions

    func validate() throws { try checkRange(of: "--max-pixels", maxPixels, maxPixelsRange) }

    var limits: ClipLimits { work.limits(maxPixels: maxPixels) }
}

/// The limit for all frames of a video together.
struct WorkOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum number of pixels in all frames together, in billions. (default: 0.5, plus 0.05 per 1000 bytes "
                + "of the file)",
            valueName: "gigapixels"), transform: parseNumber)
    var maxGigapixels: Rational?

    func limits(maxPixels: Int?) -> ClipLimits {
        var limits = ClipLimits()
        limits.pixels = maxPixels ?? limits.pixels
        limits.gigapixels = maxGigapixels?.double
        return limits
    }
}
