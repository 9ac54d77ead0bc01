import Foundation
import TestSupport
import Testing

/// The files with which `compare` shows differences.
@Suite struct CompareReportTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func clip(_ options: String..., to name: String) throws {
        let common = ["--scale", "2", "--fps", "30", "--speed", "ultrafast", "--progress", "none", "-o", name]
        let outcome = try workspace.run(["encode", "qq-mail"] + options + common)
        try #require(outcome.code == 0, "\(outcome.errorText)")
    }

    private func compare(_ arguments: String...) throws -> Outcome {
        try workspace.run(["compare"] + arguments + ["--as", "qq-mail"])
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: workspace.directory.file(name), encoding: .utf8)
    }

    private func matches(_ pattern: String, in text: String) throws -> [String] {
        let regex = try NSRegularExpression(pattern: pattern)
        let whole = NSRange(text.startIndex..., in: text)
        return regex.matches(in: text, range: whole).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    /// The share of pixels in the red that marks differences, in the third of the image that shows
    /// them: edges of a red object have the same colour.
    private func markedShare(_ name: String) throws -> Double {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: workspace.directory.file(name))))
        let grid = try #require(PixelGrid(png: bytes))
        let left = 2 * grid.width / 3
        let marked = (0..<grid.height).reduce(0) { sum, y in
            sum
                + (left..<grid.width).count { x in
                    let pixel = grid[x, y]
                    return (60...105).contains(pixel.blue) && pixel.green < 75 && pixel.red > 200
                }
        }
        return Double(marked) / Double(grid.width * grid.height)
    }

    @Test(.slow) func findingsAreShown() throws {
        try clip("--set", "offset=34", to: "far.mp4")
        let files = ["--report", "r.html", "--picture", "w.png", "--overlay", "o.mp4"]
        let outcome = try workspace.run(["compare", "far.mp4", "--as", "qq-mail"] + files)
        #expect(outcome.code == 1 && outcome.text.contains("offset 34"), "\(outcome.errorText)")
        let page = try text("r.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("differs from qq-mail: offset 34"))
        #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
        for words in ["time in the recording (s)", "model time (s)", "ahead of design (ms)", "<th>yellow</th>"] {
            #expect(page.contains(words), "\(words)")
        }
        let links = try matches("<li><a href=\"#([^\"]*)\"", in: page)
        let targets = try matches("<figure id=\"([^\"]*)\"", in: page)
        #expect(!links.isEmpty && links.allSatisfy(targets.contains), "\(links) \(targets)")
        let panels = try matches("<span>(recorded|designed|difference)</span><img", in: page)
        #expect(panels.count == 3 * targets.count)
        #expect(try markedShare("w.png") > 0.005)
        let recording = try Probe(workspace.directory.file("far.mp4"))
        let overlay = try Probe(workspace.directory.file("o.mp4"))
        #expect(overlay.stream.width == recording.stream.width && overlay.stream.height > recording.stream.height)
        #expect(overlay.frames?.count == recording.frames?.count)
    }

    /// The frames of a finding are those of its time, and the design has a new offset in time after
    /// it.
    @Test(.slow) func aStandstillIsShownWhereItIs() throws {
        try clip("--cycles", "2", to: "own.mp4")
        let filter = "setpts='if(gt(T,0.8),PTS+0.3/TB,PTS)',fps=30"
        try TestSupport.run(
            "ffmpeg", ["-v", "error", "-i", "own.mp4", "-vf", filter, "frozen.mp4"], directory: workspace.directory)
        #expect(try compare("frozen.mp4", "--report", "r.html").code == 1)
        let page = try text("r.html")
        let shown = try matches("frame \\d+ at ([0-9.]+) s shows it", in: page).compactMap(Double.init)
        #expect(!shown.isEmpty && shown.allSatisfy { (0.75...1.15).contains($0) }, "\(shown)")
    }

    /// The first frame of a cycle may look like none before and after it: iQIYI's ring is empty.
    @Test(.slow) func theSeamHasNoMarks() throws {
        let options = ["--scale", "2", "--fps", "30", "--cycles", "2", "--progress", "none", "-o", "own.mp4"]
        try #require(try workspace.run(["encode", "iqiyi"] + options).code == 0)
        #expect(try workspace.run(["compare", "own.mp4", "--as", "iqiyi", "--picture", "w.png"]).code == 0)
        #expect(try markedShare("w.png") == 0)
    }

    @Test func aMatchHasNoMarks() throws {
        try clip(to: "own.mp4")
        let outcome = try compare("own.mp4", "--report", "r.html", "--picture", "w.png")
        #expect(outcome.code == 0, "\(outcome.text)")
        #expect(try text("r.html").contains("shows qq-mail as designed"))
        #expect(try markedShare("w.png") == 0)
    }

    /// Each recording has a section, those that cannot be read or judged too.
    @Test(.slow) func severalRecordings() throws {
        try clip(to: "own.mp4")
        let hostile = "<b>&\"'.mp4"
        try FileManager.default.copyItem(
            atPath: workspace.directory.file("own.mp4"), toPath: workspace.directory.file(hostile))
        try workspace.shellMustSucceed("ffmpeg -v error -f lavfi -i color=white:s=320x240:d=1 still.mp4")
        let outcome = try compare(hostile, "still.mp4", "none.mp4", "--report", "r.html")
        #expect(outcome.code == 66, "\(outcome.errorText)")
        let page = try text("r.html")
        #expect(try matches("<section id=\"(r\\d)\"", in: page) == ["r1", "r2", "r3"])
        #expect(page.contains("&lt;b&gt;&amp;&quot;&#39;.mp4") && !page.contains(hostile))
        #expect(page.contains("2 of 3 recordings") && page.contains("none.mp4 does not exist"))
        for option in ["--picture=w.png", "--overlay=o.mp4"] {
            expectRefusal(try compare(hostile, "still.mp4", option), 64, ["single recording"])
        }
        // Nothing is written for a recording in which the loader was not found.
        #expect(try compare("still.mp4", "--picture", "w.png", "--overlay", "o.mp4").code == 65)
        #expect(try Set(workspace.directory.names()) == ["own.mp4", hostile, "still.mp4", "r.html"])
    }

    @Test(.slow) func onlyEarlierReportsAreReplaced() throws {
        try clip(to: "own.mp4")
        #expect(try compare("own.mp4", "--report", "r.html").code == 0)
        let first = try text("r.html")
        #expect(try compare("own.mp4", "--report", "r.html").code == 0)
        #expect(try text("r.html") == first)
        for (option, name) in [("--report", "mine.html"), ("--picture", "mine.png"), ("--overlay", "mine.mp4")] {
            try makeFile("mine", at: workspace.directory.file(name))
            expectRefusal(try compare("own.mp4", option, name), 73, ["--force"])
            #expect(try text(name) == "mine")
            #expect(try compare("own.mp4", option, name, "--force").code == 0)
        }
        expectRefusal(try compare("own.mp4", "--report", "two.xml", "--junit", "two.xml"), 64)
        expectRefusal(try compare("own.mp4", "--picture", "w.jpg"), 64, ["does not end in .png"])
        expectRefusal(try compare("own.mp4", "--overlay", "w.webm"), 64, ["does not end in .mp4"])
    }
}
