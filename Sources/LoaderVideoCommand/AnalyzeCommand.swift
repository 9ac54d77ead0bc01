import Inspect
import ArgumentParser
import Core
import Render

/// `loadervid analyze`: finds the moving objects of a recording.
struct AnalyzeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "analyze", abstract: "Find the moving objects of a video, their phases and phase table.",
            discussion: """
                EXAMPLES
                  \(Program.name) analyze recording.mp4
                  \(Program.name) analyze recording.gif --json
                  \(Program.name) analyze balls.webm --plot balls.svg --annotate-to seen.mp4
                """)
    }

    @Argument(help: videoHelp)
    var video: String

    @Flag(help: "Print the tracks as CSV.")
    var csv = false

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Plot positions over time to an SVG or PNG file.", valueName: "file"))
    var plot: String?

    @Option(help: ArgumentHelp("Write the video with its tracks and phases drawn over it, as MP4.", valueName: "file"))
    var annotateTo: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the recorded loader as a file: .json (Lottie).", valueName: "file"))
    var output: String?

    @Flag(help: "Overwrite the plot, the annotated video and the written loader.")
    var force = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if csv, json { throw ValidationError(conflict(of: "--csv", and: "--json")) }
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
        if let output {
            let file = try OutputFile(path: output, overwrites: force)
            let clip = try Reconstruction(path: video, limits: reading.limits)
            for gap in clip.gaps { printError("\(video): \(gap.text) at \(gap.time) s") }
            try file.commit(Array(LottieWriter(clip).text.utf8))
            return
        }
        let analysis = try ClipAnalysis(path: video, limits: reading.limits)
        if let chart {
            try chart.commit(TrackChart.scene(analysis).picture(for: chart.path, scale: 2))
        }
        if let clip { _ = try AnnotatedClip(analysis).write(to: clip) }
        if json {
            printJSON(try AnalysisText.json(AnalysisReport(analysis)))
        } else if csv {
            printCSV(AnalysisText.csv(analysis))
        } else {
            printText(AnalysisText.text(analysis, name: video))
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
