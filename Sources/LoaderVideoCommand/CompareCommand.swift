import Inspect
import ArgumentParser
import Animations
import Render

/// `loadervid compare`: measures how far a recording deviates from a loader.
struct CompareCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compare",
            abstract: "Fit a loader to a recording, and print the deviation of each phase.",
            discussion: """
                EXAMPLES
                  \(Program.name) compare recording.mp4 --as qq-mail
                  \(Program.name) compare recording.gif --as qq-mail --json
                  \(Program.name) compare pink.mp4 --as qq-mail --set green=hotpink
                """)
    }

    @Argument(help: videoHelp)
    var video: String

    @Option(name: .customLong("as"), help: ArgumentHelp("Loader that the video shows.", valueName: "loader"))
    var loader: String

    @OptionGroup var motion: MotionOptions

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var work: WorkOptions

    private struct Report: Encodable {
        var loader: String
        var scale: Double
        var speed: Double
        var start: Double
        var x: Double
        var y: Double
        var rmsPx: Double
        var rms: Double
        var phases: [ClipComparison.PhaseDeviation]
        var worst: ClipComparison.WorstFrame
    }

    private struct FrameReport: Encodable {
        var loader: String
        var scale: Double
        var speed: Double
        var start: Double
        var x: Double
        var y: Double
        var psnr: Double
        var phases: [FrameComparison.PhasePSNR]
        var worst: FrameComparison.WorstFrame

        init(_ loader: String, _ comparison: FrameComparison) {
            self.loader = loader
            scale = comparison.scale
            speed = comparison.speed
            start = comparison.start
            x = comparison.origin.x
            y = comparison.origin.y
            psnr = comparison.psnr
            phases = comparison.phases
            worst = comparison.worst
        }
    }

    func run() throws {
        let expected = try LoaderRenderer(motion.request(loader).loader).loader
        let limits = work.limits(maxPixels: motion.maxPixels)
        guard ClipComparison.canCompare(expected) else {
            let comparison = try FrameComparison(path: video, limits: limits, id: loader, loader: expected)
            guard json else { return printText(AnalysisText.text(comparison, loader, name: video)) }
            return printJSON(try AnalysisText.json(FrameReport(loader, comparison)))
        }
        let comparison = try ClipComparison(
            ClipAnalysis(path: video, limits: limits), id: loader, loader: expected)
        guard json else { return printText(AnalysisText.text(comparison, name: video)) }
        let match = comparison.match
        let report = Report(
            loader: match.loader, scale: match.scale, speed: match.speed, start: match.start, x: match.origin.x,
            y: match.origin.y, rmsPx: match.rmsPx, rms: comparison.rms, phases: comparison.phases,
            worst: comparison.worst)
        printJSON(try AnalysisText.json(report))
    }
}
