import Analysis
import Foundation
import Pipeline
import Raster
import Scene
import Testing

@Suite struct RefusalTests {
    /// A file that is no clip of moving objects: its name, what ffmpeg makes it of, and how it is broken afterwards.
    struct Bad: CustomTestStringConvertible, Sendable {
        var name: String
        var arguments: [String]
        /// How much of the file is kept.
        var kept = 1.0
        /// What the message must say.
        var word: String
        var testDescription: String { name }
    }

    static let bad = [
        Bad(name: "still.mp4", arguments: ["-f", "lavfi", "-i", "color=red:s=96x64:d=1"], word: "nothing moves"),
        Bad(
            name: "cut.mp4",
            arguments: [
                "-f", "lavfi", "-i", "color=red:s=96x64:d=1", "-f", "lavfi", "-i", "color=blue:s=96x64:d=1",
                "-filter_complex", "[0][1]concat",
            ], word: "cut at 1.0 s"),
        Bad(
            name: "truncated.mp4",
            arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2", "-movflags", "+faststart"], kept: 0.6,
            word: "cut off"),
        Bad(
            name: "truncated.webm", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=3"], kept: 0.5, word: "cut off"),
        Bad(
            name: "headless.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2"], kept: 0.6, word: "no video"),
        Bad(name: "sound.m4a", arguments: ["-f", "lavfi", "-i", "sine=d=1"], word: "no video"),
        Bad(
            name: "one.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"], word: "one picture"),
        Bad(name: "none.mkv", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "0"], word: "no"),
        Bad(
            name: "one.gif", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"], word: "one picture"),
    ]

    private func make(_ bad: Bad, in scratch: Scratch) throws -> String {
        let path = scratch.file(bad.name)
        try ffmpeg(bad.arguments + [path])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.prefix(Int(Double(data.count) * bad.kept)).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: bad) func refuses(_ bad: Bad) throws {
        let scratch = try Scratch()
        let path = try make(bad, in: scratch)
        let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: path) }
        #expect(error.kind == .badData)
        #expect(error.description.contains(bad.word), "\(error)")
    }

    @Test func refusesEmptyCorruptAndMissingFiles() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(fileURLWithPath: scratch.file("empty.mp4")))
        let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
        try garbage.write(to: URL(fileURLWithPath: scratch.file("garbage.mp4")))
        for (name, kind) in [
            ("empty.mp4", RenderError.Kind.badData), ("garbage.mp4", .badData), ("no.mp4", .missingInput),
        ] {
            let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: scratch.file(name)) }
            #expect(error.kind == kind, "\(name): \(error)")
        }
    }

    @Test func theProgramSaysSoInOneLine() throws {
        let scratch = try Scratch()
        let program = try #require(Self.program)
        let still = try make(Self.bad[0], in: scratch)
        for (path, code) in [(still, 65), (scratch.file("no.mp4"), 66)] as [(String, Int32)] {
            for command in [["analyze", path], ["compare", path, "--as", "qq-mail"]] {
                let result = try run(program, command)
                #expect(result.code == code)
                #expect(result.output.isEmpty)
                #expect(result.error.split(separator: "\n").count == 1)
            }
        }
    }

    /// The built program beside the tests.
    private static var program: String? {
        let directory = Bundle.allBundles.map(\.bundlePath).first { $0.hasSuffix(".xctest") }
        let beside = (directory ?? CommandLine.arguments[0]) as NSString
        let candidates = [beside.deletingLastPathComponent + "/loadervid"]
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    @Test func theProgramAnswersOnStandardOutput() throws {
        let scratch = try Scratch()
        let program = try #require(Self.program)
        let path = scratch.file("clip.mkv")
        try BallClip(name: "balls").write(to: path)
        let (chart, seen) = (scratch.file("chart.svg"), scratch.file("seen.mp4"))
        let result = try run(program, ["analyze", path, "--json", "--plot", chart, "--annotate-to", seen])
        #expect(result.code == 0)
        #expect(result.error.isEmpty)
        let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        let object = try #require(parsed as? [String: Any])
        let keys = ["width", "height", "duration", "table", "phase", "period", "offset", "objects", "match"]
        #expect(Set(object.keys) == Set(keys))
        #expect(object["table"] as? [Int] == [-1, 1, 1, -1, 0, 0])
        let objects = try #require(object["objects"] as? [[String: Any]])
        #expect(objects.map { $0["start"] as? Int } == [1, 5, 3])
        #expect(Set(objects[0].keys) == ["color", "start", "stages", "confidence", "track"])
        #expect(try String(contentsOfFile: chart, encoding: .utf8).contains("<svg"))
        // The annotated clip has the same pictures at the same times, and the same motion in it.
        let (first, second) = (try ClipAnalysis(path: path), try ClipAnalysis(path: seen))
        #expect(first.times.count == second.times.count)
        #expect(zip(first.times, second.times).allSatisfy { abs($0 - $1) < 0.0011 })
        #expect(try run(program, ["analyze", path, "--plot", chart]).code == 73)
    }

    @Test func vectorPicturesAreTheSameEachTime() throws {
        let scene = BallClip(name: "balls", hasDrawings: true).scene(at: 0.1)
        let (first, second) = (try VectorPicture.svg(scene), try VectorPicture.svg(scene))
        #expect(first == second)
        #expect(first.count > 500)
        let broken = Scene(
            size: Size(10, 10), background: .white,
            nodes: [.shape(Shape(.circle(center: Point(.nan, 0), radius: 1), fill: .black))])
        #expect(throws: RasterError.self) { try VectorPicture.svg(broken) }
    }
}
