import Analysis
import ArgumentParser
import Loaders
import Pipeline

/// `loadervid compare`: how far a recording strays from a loader.
struct CompareCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compare",
            abstract: "Fits a loader to a video and tells how far they are apart, phase by phase.",
            discussion: """
                EXAMPLES
                  \(Program.name) compare recording.mp4 --as qq-mail
                  \(Program.name) compare recording.gif --as qq-mail --json
                  \(Program.name) compare pink.mp4 --as qq-mail --set green=hotpink
                """)
    }

    @Argument(help: "The video: MP4, MOV, WebM, GIF and others that hold all they show.")
    var video: String

    @Option(name: .customLong("as"), help: ArgumentHelp("The loader it is meant to show.", valueName: "loader"))
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

    private struct PictureReport: Encodable {
        var loader: String
        var scale: Double
        var speed: Double
        var start: Double
        var x: Double
        var y: Double
        var psnr: Double
        var phases: [PictureComparison.PhaseFigure]
        var worst: PictureComparison.WorstFrame

        init(_ loader: String, _ comparison: PictureComparison) {
            self.loader = loader
            (scale, speed, start) = (comparison.scale, comparison.speed, comparison.start)
            (x, y, psnr) = (comparison.origin.x, comparison.origin.y, comparison.psnr)
            (phases, worst) = (comparison.phases, comparison.worst)
        }
    }

    func run() throws {
        let known = try LoaderCanvas(motion.request(loader).loader).loader
        let limits = work.limits(mostPixels: motion.maxPixels)
        guard ClipComparison.judges(known) else {
            let comparison = try PictureComparison(path: video, limits: limits, id: loader, loader: known)
            return print(
                json
                    ? try AnalysisText.json(PictureReport(loader, comparison))
                    : AnalysisText.text(comparison, loader, name: video))
        }
        let comparison = try ClipComparison(
            ClipAnalysis(path: video, limits: limits), id: loader, loader: known)
        guard json else { return print(AnalysisText.text(comparison, name: video)) }
        let match = comparison.match
        let report = Report(
            loader: match.loader, scale: match.scale, speed: match.speed, start: match.start, x: match.origin.x,
            y: match.origin.y, rmsPx: match.rmsPx, rms: comparison.rms, phases: comparison.phases,
            worst: comparison.worst)
        print(try AnalysisText.json(report))
    }
}
