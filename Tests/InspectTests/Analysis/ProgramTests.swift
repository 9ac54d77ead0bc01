import Core
import Foundation
import Inspect
import Raster
import TestSupport
import Testing

@Suite struct AnalysisProgramTests {
    @Test func errorsAreOneLine() throws {
        let scratch = try TemporaryDirectory()
        let still = scratch.file("still.mp4")
        try ffmpeg(["-f", "lavfi", "-i", "color=red:s=96x64:d=1", still])
        for (path, code) in [(still, 65), (scratch.file("no.mp4"), 66)] as [(String, Int32)] {
            for command in [["analyze", path], ["compare", path, "--as", "qq-mail"]] {
                let result = try Subprocess(builtProgram, command).wait()
                #expect(result.code == code)
                #expect(result.output.isEmpty)
                #expect(result.errorLines.count == 1)
            }
        }
    }

    /// At 60x60 pixels and 10 fps, neither shapes nor traced outlines agree with the clip.
    @Test(.slow) func misunderstoodShapesAreRefused() throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.file("spots.mp4")
        let encode = ["encode", "qq", "--size", "60x60", "--fps", "10", "--progress", "none", "-o", path]
        try #require(try Subprocess(builtProgram, encode).wait().code == 0)
        // The loader is not written, either.
        let file = scratch.file("loader.json")
        let arguments = [[], ["-o", file], ["--as", "css"], ["--json"]]
        let results = try arguments.map { try Subprocess(builtProgram, ["analyze", path] + $0).wait() }
        for result in results {
            #expect(result.code == 65 && result.output.isEmpty)
            #expect(result.errorLines == results[0].errorLines)
        }
        #expect(results[0].errorLines.count == 1 && !FileManager.default.fileExists(atPath: file))
        // The tracks need no shapes.
        let csv = try Subprocess(builtProgram, ["analyze", path, "--csv"]).wait()
        #expect(csv.code == 0 && csv.output.count > 1000, "\(csv.errorLines)")
        // The line names an object and a time.
        let words = try Regex("from [0-9.]+ s: [a-z ]+[0-9]* is not understood")
        #expect(results[0].errorLines.first?.firstMatch(of: words) != nil, "\(results[0].errorLines)")
    }

    @Test(.slow) func resultsGoToStandardOutput() throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.file("clip.mkv")
        try BallClip(name: "balls", phases: 8).write(to: path)
        let chart = scratch.file("chart.svg")
        let annotated = scratch.file("seen.mp4")
        let arguments = ["analyze", path, "--json", "--plot", chart, "--annotate-to", annotated]
        let result = try Subprocess(builtProgram, arguments).wait()
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        let parsed = try JSONSerialization.jsonObject(with: Data(result.output))
        let object = try #require(parsed as? [String: Any])
        let keys = [
            "width", "height", "duration", "table", "phase", "period", "offset", "objects", "match", "motion",
            "warnings",
        ]
        #expect(Set(object.keys) == Set(keys))
        #expect(object["table"] as? [Int] == [-1, 1, 1, -1, 0, 0])
        let objects = try #require(object["objects"] as? [[String: Any]])
        #expect(objects.map { $0["start"] as? Int } == [1, 5, 3])
        #expect(Set(objects[0].keys) == ["color", "start", "stages", "confidence", "track"])
        #expect(try String(contentsOfFile: chart, encoding: .utf8).contains("<svg"))
        // The annotated clip has the same frames at the same times, and the same motion.
        let (first, second) = (try ClipAnalysis(path: path), try ClipAnalysis(path: annotated))
        #expect(first.times.count == second.times.count)
        #expect(zip(first.times, second.times).allSatisfy { abs($0 - $1) < 0.0011 })
        #expect(try Subprocess(builtProgram, ["analyze", path, "--plot", chart]).wait().code == 73)
    }

    @Test func svgOutputIsDeterministic() throws {
        let scene = BallClip(name: "balls", hasDrawings: true).scene(at: 0.1)
        let (first, second) = (try SVGRenderer.svg(scene), try SVGRenderer.svg(scene))
        #expect(first == second)
        #expect(first.count > 500)
        let broken = Scene(
            size: Size(10, 10), background: .white,
            nodes: [.shape(Shape(.circle(center: Point(.nan, 0), radius: 1), fill: .black))])
        #expect(throws: RasterError.self) { try SVGRenderer.svg(broken) }
    }
}
