import Foundation
import TestSupport
import Testing

private struct Event: Decodable {
    var event: String
    var output: String
    var frame: Int
    var frames: Int
    var framesPerSecond: Double
    var bytes: Int?
    var duration: Double?
}

@Suite struct ProgressTests {
    private static let clip = ["encode", "qq-mail", "--size", "64x32", "--cycles", "3", "-o", "clip.mp4"]

    @Test func jsonLinesParse() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(
            ["encode", "qq", "--scale", "1", "--duration", "2", "-o", "clip.mp4", "--progress", "json"])
        #expect(outcome.code == 0)
        let events = try outcome.errorLines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
        let done = try #require(events.last)
        #expect(done.event == "done")
        #expect(done.bytes == (try bytes(of: workspace.directory.file("clip.mp4")).count))
        #expect(done.frame == 120 && done.frames == 120 && done.duration == 2)
        #expect(events.allSatisfy { $0.output == "clip.mp4" && $0.framesPerSecond >= 0 })
    }

    /// A line is printed every two seconds until an interruption.
    @Test(.slow, arguments: some(of: ["auto", "plain", "json"], each: 2))
    func longRendersReportProgress(style: String) throws {
        let workspace = try CommandFixture()
        let process = try workspace.start(
            [
                "encode", "qq", "--scale", "2", "--duration", "100000", "--repetition", "off", "--jobs", "1", "-o",
                "clip.mp4",
            ]
                + ["--progress", style])
        // A busy machine may start late.
        let start = Date()
        while process.errorsSoFar.count(where: { $0 == UInt8(ascii: "\n") }) < 2, Date().timeIntervalSince(start) < 40 {
            usleep(10_000)
        }
        #expect(Date().timeIntervalSince(start) > 3.9)
        process.send(SIGINT)
        let outcome = try process.wait(timeout: 10)
        #expect(outcome.code == 130)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errorLines
        #expect((3...4).contains(lines.count), "\(lines)")
        #expect(lines.last?.hasPrefix("loadervid: interrupted") == true)
        let first = try #require(lines.first)
        if style == "json" {
            let event = try JSONDecoder().decode(Event.self, from: Data(first.utf8))
            #expect(event.event == "progress" && event.frames == 6_000_000)
            #expect((1..<event.frames).contains(event.frame) && event.framesPerSecond > 0)
        } else {
            let pattern = /clip\.mp4: \d+%, \d+\/6000000 frames, \d+ frames\/s, \d+:\d\d left/
            #expect(first.wholeMatch(of: pattern) != nil, "\(first)")
        }
    }

    @Test(.slow, arguments: ["auto", "plain", "none"])
    func theResultIsOneLine(style: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(Self.clip + ["--progress", style])
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
        let size = try bytes(of: workspace.directory.file("clip.mp4")).count
        let unit =
            size < 1000 ? "\(size) bytes" : "\((Double(size) / 100).rounded() / 10)".replacing(".0", with: "") + " kB"
        let pattern = /clip\.mp4: 258 frames, 4\.3 s at 60 fps, 64x32, libx264, .*; seamless: plays 0\.465% faster.*\n/
        #expect(outcome.text.wholeMatch(of: pattern) != nil, "\(outcome.text)")
        #expect(outcome.text.contains(unit), "\(outcome.text) should say \(unit)")
    }

    @Test func exactTimingHasNoSpeedNote() throws {
        let outcome = try CommandFixture().run(
            ["encode", "qq-mail", "--size", "64x32", "--fps", "25", "-o", "clip.mp4"])
        #expect(outcome.text.contains("36 frames") && outcome.text.hasSuffix("; seamless\n"), "\(outcome.text)")
    }

    @Test func withAPipeTheResultGoesToStandardError() throws {
        let outcome = try CommandFixture().run(["encode", "qq-mail", "--size", "64x32", "-o", "-"])
        #expect(outcome.code == 0)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errorText.hasPrefix("standard output: 86 frames"))
    }

    @Test(.slow) func terminalsShowABarThatIsCleared() throws {
        let terminal = try Terminal()
        let workspace = try CommandFixture()
        let process = try workspace.start(
            ["encode", "qq", "--scale", "2", "--duration", "14.4", "-o", "clip.mp4", "--jobs", "1"],
            errors: .path(terminal.path))
        var shown = ""
        while process.isRunning {
            shown += terminal.read()
            usleep(10_000)
        }
        #expect(try process.wait().code == 0)
        shown += terminal.read()
        #expect(shown.contains("clip.mp4") && shown.contains("frames/s"), "\(shown)")
        #expect(shown.hasSuffix("\r\u{1B}[K"))
        #expect(!shown.contains("\n"))
    }
}
