import Analysis
import ArgumentParser
import Motion
import Pipeline

/// `loadervid analyze`: what moves in a recording.
struct AnalyzeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "analyze", abstract: "Finds the moving objects of a video, their phases and their table.",
            discussion: """
                EXAMPLES
                  \(Program.name) analyze recording.mp4
                  \(Program.name) analyze recording.gif --json
                  \(Program.name) analyze balls.webm --plot balls.svg --annotate-to seen.mp4
                """)
    }

    @Argument(help: "The video: MP4, MOV, WebM, GIF and others that hold all they show.")
    var video: String

    @Flag(help: "Print the tracks as CSV.")
    var csv = false

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw positions over time into an SVG or PNG file.", valueName: "file"))
    var plot: String?

    @Option(help: ArgumentHelp("Encode the video with its tracks and phases over it as MP4.", valueName: "file"))
    var annotateTo: String?

    @Flag(help: "Overwrite the plot and the annotated video.")
    var force = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if csv, json { throw ValidationError("--csv and --json exclude each other: give one of them") }
        if let plot, !plot.lowercased().hasSuffix(".svg"), !plot.lowercased().hasSuffix(".png") {
            throw ValidationError("the plot '\(plot.visible)' does not end in .svg or .png: rename it")
        }
        if let annotateTo, !annotateTo.lowercased().hasSuffix(".mp4") {
            throw ValidationError("the annotated video '\(annotateTo.visible)' does not end in .mp4: rename it")
        }
    }

    func run() throws {
        for output in [plot, annotateTo].compactMap({ $0 }) where Machine.isSameFile(output, video) {
            throw RenderError(.usage, "\(output) is the video itself: name another file for the output")
        }
        // Whether the outputs can be made is known before the long work.
        let chart = try plot.map { try OutputFile(path: $0, overwrites: force) }
        let clip = try annotateTo.map { try OutputFile(path: $0, overwrites: force) }
        let analysis = try ClipAnalysis(path: video, limits: reading.limits)
        if let chart {
            try chart.commit(TrackChart.scene(analysis).picture(for: chart.path, scale: 2))
        }
        if let clip { _ = try AnnotatedClip(analysis).write(to: clip) }
        if json {
            print(try AnalysisText.json(AnalysisReport(analysis)))
        } else if csv {
            print(AnalysisText.csv(analysis))
        } else {
            print(AnalysisText.text(analysis, name: video))
        }
    }
}

/// The options that say how much may be read of a video.
struct ReadingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: mostPixelsHelp)
    var maxPixels: Int?

    @OptionGroup var work: WorkOptions

    func validate() throws { try checkMostPixels(maxPixels) }

    var limits: ClipLimits { work.limits(mostPixels: maxPixels) }
}

/// How much all pictures of a video may take together.
struct WorkOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The most pixels of all pictures together, in billions. (default: 0.5, and 0.05 for each 1000 bytes)",
            valueName: "N"), transform: parseNumber)
    var maxGigapixels: Rational?

    func limits(mostPixels: Int?) -> ClipLimits {
        var limits = ClipLimits()
        limits.pixels = mostPixels ?? limits.pixels
        limits.gigapixels = maxGigapixels?.double
        return limits
    }
}
