import Foundation
import TestSupport
import Testing

/// The files of lessons: their captions, chapters and frames.
@Suite struct TutorialCommandTests {
    private static let script = """
        tutorial: qq-mail
        title: {en: Three balls, zh: 三个小球}
        steps:
          - title: 1
          - {play: 1, say: {en: They swap places., zh: 它们不断换位。}}
          - {phases: [2], slow: 4, hold: 1, chapter: {en: Back, zh: 返回}}
          - {freeze: 'phase:1', say: {en: Here it stands still., zh: 此刻静止。}, point: {red: {en: red, zh: 红}}}

        """

    private func workspace() throws -> CommandFixture {
        let workspace = try CommandFixture()
        try makeFile(Self.script, at: workspace.directory.file("s.yaml"))
        return workspace
    }

    @Test(
        .slow,
        arguments: some(of: [("mp4", "en"), ("mp4", "zh"), ("mkv", "zh"), ("mov", "en"), ("webm", "zh")], each: 2))
    func everyContainerHasCaptions(container: String, language: String) throws {
        let workspace = try workspace()
        let name = "how.\(container)"
        let arguments = [
            "tutorial", "s.yaml", "--lang", language, "--layout", "320x320", "--fps", "10", "--captions", "both",
            "--speed", container == "webm" ? "8" : "ultrafast",
        ]
        let outcome = try workspace.run(arguments + ["--progress", "none", "-o", name])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.text.contains("how.\(container): "))
        // The caption track equals the sidecar.
        let read = try workspace.shell(
            "ffmpeg -v error -i \(name) -map 0:s:0 -f webvtt - | sed 's/^\\(..:..\\.\\)/00:\\1/; s/--> \\(..:..\\.\\)/--> 00:\\1/'"
        )
        let beside = try String(contentsOfFile: workspace.directory.file("how.vtt"), encoding: .utf8)
        #expect(read.text.split(separator: "\n") == beside.split(separator: "\n"))
        #expect(beside.contains(language == "en" ? "They swap places." : "它们不断换位。"))
        let chapters = try workspace.shell("ffprobe -v error -show_entries chapter_tags=title -of csv=p=0 \(name)")
        let titles = chapters.text.split(separator: "\n").map(String.init)
        #expect(
            titles
                == (language == "en"
                    ? ["Three balls", "At normal speed", "Phase 3: red and yellow meet in the middle", "A closer look"]
                    : ["三个小球", "正常速度", "阶段 3：红球、黄球在中间相遇", "定格细看"]))
        let files = try workspace.directory.names().filter { $0.hasPrefix("how.") }
        #expect(files == ["how.\(container)", "how.png", "how.vtt"].sorted())
    }

    @Test func bytesDoNotDependOnJobs() throws {
        let workspace = try workspace()
        let counts = some(of: ["1", "2", "3"], each: 2)
        for jobs in counts {
            let outcome = try workspace.run(
                ["tutorial", "s.yaml", "--layout", "360x640", "--fps", "10", "--jobs", jobs, "-o", "\(jobs).mp4"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
        }
        let files = try counts.map {
            try Data(contentsOf: URL(fileURLWithPath: workspace.directory.file("\($0).mp4")))
        }
        #expect(Set(files).count == 1)
    }

    /// In decoded frames, the caption rows change exactly at the times of the captions.
    @Test func captionsChangeAtTheirFrames() throws {
        let workspace = try workspace()
        let outcome = try workspace.run(
            [
                "tutorial", "s.yaml", "--layout", "320x320", "--fps", "10", "--codec", "ffv1", "--pixel-format", "bgr0",
                "--transitions", "cut", "-o", "x.mkv",
            ])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let decoded = try workspace.shell("ffmpeg -v error -i x.mkv -map 0:v:0 -f rawvideo -pix_fmt rgb24 -").output
        let size = 320 * 320 * 3
        let frames = stride(from: 0, to: decoded.count, by: size).map { Array(decoded[$0..<$0 + size]) }
        let vtt = try String(contentsOfFile: workspace.directory.file("x.vtt"), encoding: .utf8)
        let edges = vtt.matches(of: /00:00:(\d\d)\.(\d)00 --> 00:00:(\d\d)\.(\d)00/).flatMap { match in
            [Int(match.1)! * 10 + Int(match.2)!, Int(match.3)! * 10 + Int(match.4)!]
        }
        try #require(edges.count == 6)
        // The rows of captions alone: two lines above the margin of a twentieth.
        let rows = 266..<303
        let changes = frames.indices.dropFirst().filter { frame in
            frames[frame][(rows.lowerBound * 320 * 3)..<(rows.upperBound * 320 * 3)]
                != frames[frame - 1][(rows.lowerBound * 320 * 3)..<(rows.upperBound * 320 * 3)]
        }
        #expect(changes == edges.filter { $0 < frames.count })
    }

    @Test func mistakesAreReportedInOneLine() throws {
        let workspace = try workspace()
        expectRefusal(try workspace.run(["tutorial", "s.yaml", "-o", "x.avi"]), 64, ["x.avi", ".mp4"])
        expectRefusal(
            try workspace.run(["tutorial", "s.yaml", "--layout", "10x1000", "-o", "x.mp4"]), 64,
            ["layout: 10x1000 is not a valid size"])
        expectRefusal(
            try workspace.run(["tutorial", "s.yaml", "--layout", "321x321", "-o", "x.mp4"]), 64,
            ["321x321 is not possible in yuv420p", "322x322"])
        let missing = try workspace.run(["tutorial", "none.yaml", "-o", "x.mp4"])
        #expect(missing.code == 66 && missing.errorText == "loadervid: none.yaml does not exist; check the path\n")
        try makeFile(
            "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: [phases == 5]\n", at: workspace.directory.file("bad.yaml"))
        let bad = try workspace.run(["tutorial", "bad.yaml", "-o", "x.mp4"])
        #expect(bad.code == 65)
        #expect(bad.errorText == "bad.yaml:3:10: the check 'phases == 5' fails: 6 == 5\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workspace.directory.path).sorted() == [
                "bad.yaml", "s.yaml",
            ])
    }

    /// A text beside nothing misleads, so a freeze names only objects that are visible then.
    @Test func aFreezeNamesVisibleObjects() throws {
        let workspace = try CommandFixture()
        func layer(_ name: String, x: Int, from start: Int, to end: Int) -> String {
            """
            {"ty":4,"nm":"\(name)","ip":\(start),"op":\(end),"st":0,"ks":{"p":{"a":1,"k":[{"t":0,"s":[\(x),20],"i":{"x":1,"y":1},
            "o":{"x":0,"y":0}},{"t":60,"s":[\(x),80]}]}},"shapes":[{"ty":"el","p":{"k":[0,0]},"s":{"k":[20,20]}},
            {"ty":"fl","c":{"k":[1,0,0]},"o":{"k":100}}]}
            """
        }
        let layers = layer("early", x: 20, from: 0, to: 20) + "," + layer("late", x: 60, from: 20, to: 60)
        try makeFile(
            #"{"v":"5.5.0","fr":60,"ip":0,"op":60,"w":100,"h":100,"layers":[\#(layers)]}"#,
            at: workspace.directory.file("two.json"))
        let script = "tutorial: two.json\nsteps:\n  - {freeze: 0.5, point: {early: Gone}}\n"
        try makeFile(script, at: workspace.directory.file("s.yaml"))
        let check = try workspace.run(["tutorial", "check", "s.yaml"])
        #expect(check.code == 65)
        #expect(
            check.errorText
                == "s.yaml:3:27: 'early' is not visible at 0.5 s; freeze another time, or name another object\n")
        let first = try workspace.run(["tutorial", "new", "two.json"])
        let freeze = try #require(first.text.components(separatedBy: "freeze:").last)
        #expect(freeze.contains("\"late\":") && !freeze.contains("\"early\":"), "\(first.text)")
    }

    @Test func existingSidecarsAreNotOverwritten() throws {
        let workspace = try workspace()
        try makeFile("mine", at: workspace.directory.file("x.vtt"))
        let arguments = [
            "tutorial", "s.yaml", "--layout", "320x320", "--fps", "10", "--progress", "none", "-o", "x.mp4",
        ]
        expectRefusal(try workspace.run(arguments), 73, ["x.vtt already exists"])
        #expect(try String(contentsOfFile: workspace.directory.file("x.vtt"), encoding: .utf8) == "mine")
        #expect(try workspace.run(arguments + ["--force"]).code == 0)
    }

    @Test(.slow) func batchesMakeLessons() throws {
        let workspace = try workspace()
        try makeFile(
            "defaults: {fps: 5, layout: 320x320, speed: ultrafast}\nclips:\n  - tutorial: s.yaml\n    matrix: {lang: [en, zh]}\n    outputs: [mp4, mkv]\n",
            at: workspace.directory.file("p.yaml"))
        let made = try workspace.run(["batch", "p.yaml", "-o", "out", "--progress", "none"])
        try #require(made.code == 0, "\(made.errorText)")
        #expect(made.text.contains("4 outputs: 4 made"))
        let names = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/p")).sorted()
        #expect(
            names == ["mkv", "mp4", "png", "vtt"].flatMap { end in ["en", "zh"].map { "s-\($0).\(end)" } }.sorted())
        #expect(
            try workspace.run(["batch", "p.yaml", "-o", "out", "--progress", "none"]).text.contains("4 up to date"))
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/p/s-zh.vtt"))
        let again = try workspace.run(["batch", "p.yaml", "-o", "out", "--progress", "none"])
        #expect(again.text.contains("4 outputs: 1 made, 3 up to date"))
        // A change in the script makes all its clips stale.
        try makeFile(Self.script + "checks: [phases == 6]\n", at: workspace.directory.file("s.yaml"))
        #expect(
            try workspace.run(["batch", "p.yaml", "-o", "out", "--progress", "none"]).text.contains(
                "4 outputs: 4 made"))
    }

    /// A mark is in the corner of every frame, including title cards, and a changed mark makes
    /// clips stale.
    @Test(.slow) func marksAreInTheCorner() throws {
        let workspace = try workspace()
        func makeMark(_ color: String) throws {
            try TestSupport.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=\(color):s=80x20,format=rgb24", "-frames:v", "1", "-y",
                    "m.png",
                ],
                directory: workspace.directory)
        }
        try makeMark("0xFF00FF")
        let preset =
            "defaults: {fps: 5, layout: 640x360, codec: ffv1, pixel-format: bgr0, mark: m.png}\nclips: [{tutorial: s.yaml, outputs: [mkv]}]\n"
        try makeFile(preset, at: workspace.directory.file("p.yaml"))
        let batch = ["batch", "p.yaml", "-o", "out", "--progress", "none"]
        let made = try workspace.run(batch)
        try #require(made.code == 0, "\(made.errorText)")
        let decoded = try workspace.shell(
            "ffmpeg -v error -i out/p/*.mkv -map 0:v:0 -vf crop=80:18:520:20 -f rawvideo -pix_fmt rgb24 -"
        ).output
        #expect(decoded.count > 80 * 18 * 3 * 10)
        #expect(
            stride(from: 0, to: decoded.count, by: 3).allSatisfy { decoded[$0..<$0 + 3].elementsEqual([255, 0, 255]) })
        #expect(try workspace.run(batch).text.contains("1 up to date"))
        try makeMark("0x00FFFF")
        #expect(try workspace.run(batch).text.contains(": 1 made"))
    }

    @Test func firstScriptsWork() throws {
        let workspace = try workspace()
        #expect(try workspace.run(["tutorial", "new", "iqiyi", "-o", "i.yaml"]).code == 0)
        let check = try workspace.run(["tutorial", "check", "i.yaml"])
        #expect(check.code == 0 && check.text.hasPrefix("i.yaml: valid: en "))
        let sheet = try workspace.run([
            "tutorial", "sheet", "i.yaml", "--lang", "zh", "--layout", "square", "-o", "i.png",
        ])
        #expect(sheet.code == 0, "\(sheet.errorText)")
        expectRefusal(try workspace.run(["tutorial", "new", "nobody"]), 64, ["nobody"])
    }

    /// The lessons of the examples are valid in every language and shape.
    @Test(.slow, arguments: ["bouncing-dots", "progress-ring", "success-tick"])
    func exampleLessonsAreValid(name: String) throws {
        let path = "\(sourceTree)/Examples/lessons/\(name).yaml"
        let check = try workspace().run(["tutorial", "check", path])
        #expect(check.code == 0 && check.text.contains(": valid: en "), "\(check.errorText)")
    }

    /// A page takes its title and its captions from a script.
    @Test func pagesUseTheTextsOfALesson() throws {
        let workspace = try workspace()
        let text =
            "tutorial: iqiyi\ntitle: {en: Rings, zh: 圆环}\nsteps:\n  - phases: all\n    say: [{en: It grows., zh: 变长。}, {en: It goes., zh: 变短。}]\n"
        try makeFile(text, at: workspace.directory.file("i.yaml"))
        let outcome = try workspace.run(["page", "i.yaml", "-o", "i.html"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let page = try String(contentsOfFile: workspace.directory.file("i.html"), encoding: .utf8)
        for words in ["<title>Rings", "圆环", "It grows.", "变短。"] { #expect(page.contains(words), "\(words)") }
        let unknown = try workspace.run(["page", "nobody", "-o", "n.html"])
        expectRefusal(unknown, 64, ["nobody"])
    }
}
