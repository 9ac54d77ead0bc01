import Analysis
import ArgumentParser
import FoundationEssentials
import Pipeline
import Scene

/// `loadervid analyze`: what moves in a recording.
struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze", abstract: "Finds the moving objects of a video, their phases and their table.",
        discussion: """
            EXAMPLES
              loadervid analyze recording.mp4
              loadervid analyze recording.gif --json
              loadervid analyze balls.webm --plot balls.svg --annotate-to seen.mp4
            """)

    @Argument(help: "The video: MP4, MOV, WebM, GIF and whatever else FFmpeg decodes.")
    var video: String

    @Flag(help: "Print the tracks as CSV: time, object, x, y, visibility, phase, stage, direction.")
    var csv = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let analysis = try ClipAnalysis(path: video)
        if json {
            print(try AnalysisText.json(AnalysisReport(analysis)))
        } else {
            print(AnalysisText.text(analysis, name: video))
        }
    }
}

/// Analyses as text.
enum AnalysisText {
    static func json(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    static func text(_ analysis: ClipAnalysis, name: String) -> String {
        let report = AnalysisReport(analysis)
        return "\(report.table as Any) \(report.phase as Any) \(report.offset as Any)\n"
            + report.objects.map { "\($0.color) \($0.start as Any) \($0.stages) \($0.confidence)" }.joined(
                separator: "\n")
    }
}
