import Core
import Foundation
import Media
import TestSupport
import Testing

private struct ListedLoader: Decodable {
    struct Phase: Decodable {
        var index: Int
        var name: String
        var start: String
        var duration: String
    }
    struct Parameter: Decodable {
        var name: String
        var `default`: String
        var limits: String
        var summary: String
    }
    var id: String
    var title: String
    var period: String
    var background: String
    var width: Double
    var height: Double
    var phases: [Phase]
    var parameters: [Parameter]
}

private struct Findings: Decodable {
    struct Encoder: Decodable {
        var codec: String
        var encoder: String
        var opens: Bool
    }
    var version: String
    var ffmpeg: String
    var encoders: [Encoder]
    var fonts: [String]
    var cores: Int
    var libraries: [String: String]
}

@Suite struct OtherCommandTests {
    @Test(arguments: [
        "encode", "batch", "batch merge", "still", "page", "phases", "telemetry", "sheet", "analyze", "compare",
        "presets",
        "presets list", "presets show", "presets validate", "presets schema", "list", "bench", "doctor",
    ])
    func everyCommandHasHelp(command: String) throws {
        let outcome = try CommandFixture().run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        #expect(outcome.text.contains("USAGE: loadervid \(command)"))
        // Lines that are too long continue at the left margin.
        let examples = outcome.lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.hasPrefix("USAGE") }
        #expect(examples.prefix { !$0.isEmpty }.allSatisfy { $0.hasPrefix("  ") }, "\(outcome.text)")
    }

    /// Runs the program, which must succeed without output on standard error. Returns its output.
    private func text(_ arguments: String..., in workspace: CommandFixture? = nil) throws -> String {
        let outcome = try (try workspace ?? CommandFixture()).run(arguments)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
        return outcome.text
    }

    @Test func listShowsAllLoaders() throws {
        let ids = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]
        let text = try text("list")
        for id in ids { #expect(text.contains("\n\(id): ") || text.hasPrefix("\(id): "), "\(id)") }
        let listed = try JSONDecoder().decode([ListedLoader].self, from: Data(try self.text("list", "--json").utf8))
        #expect(listed.map(\.id) == ids)
        let canvases = listed.map { "\(Int($0.width))x\(Int($0.height)) \($0.period) \($0.background)" }
        #expect(
            canvases == [
                "120x120 1.2 #ffffff", "240x240 2.88 #ffffff", "120x140 2.88 #ffffff", "120x60 1.44 #ffffff",
                "250x250 3.6 #2f2e33", "320x280 6 #ffffff", "160x180 3 #161823", "120x120 2 #ffffff",
            ])
        #expect(listed.allSatisfy { !$0.parameters.isEmpty && !$0.phases.isEmpty && !$0.title.isEmpty })
        #expect(listed.first { $0.id == "qq" }?.phases.count == 12)
    }

    /// Setting every parameter to its listed default does not change the clip.
    @Test(
        .slow,
        arguments: some(
            of: ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"], each: 2))
    func listedDefaultsAreAccepted(id: String) throws {
        let workspace = try CommandFixture()
        let json = try text("list", id, "--json")
        let loader = try #require(try JSONDecoder().decode([ListedLoader].self, from: Data(json.utf8)).first)
        let settings = loader.parameters.flatMap { ["--set", "\($0.name)=\($0.default)"] }
        let clip = ["encode", id, "--size", "64x64", "--duration", "0.2", "--progress", "none", "-o"]
        for arguments in [clip + ["plain.mp4"], clip + ["set.mp4"] + settings] {
            let outcome = try workspace.run(arguments)
            #expect(outcome.code == 0, "\(outcome.errorText)")
        }
        let files = try ["plain.mp4", "set.mp4"].map { try bytes(of: workspace.directory.file($0)) }
        #expect(files[0] == files[1])
    }

    @Test func listShowsOneLoader() throws {
        let text = try text("list", "qq-mail")
        #expect(text.hasPrefix("qq-mail: "))
        for word in ["period 1.44 s", "120x60", "phases", "parameters", "radius", "opacity"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(!text.contains("iqiyi"))
    }

    @Test func listDrawsASheet() throws {
        let workspace = try CommandFixture()
        _ = try text("list", "--picture", "all.png", in: workspace)
        let bitmap = try Bitmap.load(path: workspace.directory.file("all.png"))
        #expect(bitmap.width > 700 && bitmap.height > 400)
        #expect(try workspace.directory.names() == ["all.png"])
    }

    @Test func doctorExaminesTheMachine() throws {
        let text = try text("doctor")
        for word in ["FFmpeg", "libx264", "opens", "fonts", "cores"] { #expect(text.contains(word), "\(word)") }
        #expect(text.contains("avif"), "\(text)")
        let json = try self.text("doctor", "--json")
        let findings = try JSONDecoder().decode(Findings.self, from: Data(json.utf8))
        let opening = findings.encoders.filter(\.opens).map(\.codec)
        #expect(opening.contains("h264") && opening.contains("vp9"))
        #expect(findings.cores >= 1 && !findings.fonts.isEmpty)
        #expect(findings.libraries.keys.contains("libavcodec"))
        let ffmpeg = try run("ffmpeg", ["-version"]).text
        #expect(ffmpeg.hasPrefix("ffmpeg version \(findings.ffmpeg) "))
    }

    @Test func versionIncludesFFmpeg() throws {
        let lines = try text("--version").split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: /loadervid \d+\.\d+\.\d+/) != nil, "\(lines)")
        #expect(lines.dropFirst().first?.hasPrefix("FFmpeg ") == true)
    }

    @Test(arguments: [
        ["--help"], ["encode", "--help"], ["still", "--help"], ["page", "--help"], ["list", "--help"],
        ["doctor", "--help"],
    ])
    func helpHasExamples(arguments: [String]) throws {
        let outcome = try CommandFixture().run(arguments)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.text.contains("EXAMPLES"))
        #expect(outcome.text.contains("loadervid \(arguments.count > 1 ? arguments[0] : "encode")"))
    }

    /// The examples in the help work.
    @Test(.slow, arguments: ["still", "page", "list", "doctor"])
    func examplesWork(command: String) throws {
        let help = try text(command, "--help")
        let examples = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("loadervid ") }
        #expect(examples.count >= 2)
        for example in examples {
            let outcome = try CommandFixture().run(example.split(separator: " ").dropFirst().map(String.init))
            #expect(outcome.code == 0, "\(example): \(outcome.errorText)")
        }
    }

    @Test(
        .slow,
        arguments: some(
            of: [
                ("0", 0), ("0%", 0), ("50%", 18), ("phase:0", 0), ("phase:2+1/2", 15), ("phase:2", 12), ("1.2", 30),
                ("phase:1+1", 12),
            ], each: 2))
    func stillsMatchTheClipsFrames(at: String, frame: Int) throws {
        let workspace = try CommandFixture()
        // 1.44 s in 36 frames: six per phase.
        let path = try workspace.encode("qq-mail", "--fps", "25", "--quality", "4", to: "clip.mp4")
        let line = try text("still", "qq-mail", "--at", at, "-o", "a.png", in: workspace)
        #expect(line.hasPrefix("a.png: 480x240, "))
        let still = try Bitmap.load(path: workspace.directory.file("a.png"))
        #expect((still.width, still.height) == (480, 240))
        let luma = try DecodedVideo(path: path) { $0 == frame }.samples[frame]
        var far = 0
        for pixel in 0..<480 * 240 {
            let (blue, green, red) = (still.pixels[4 * pixel], still.pixels[4 * pixel + 1], still.pixels[4 * pixel + 2])
            let exact = 16 + 219 * (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
            if abs(Double(luma[pixel]) - exact) > 6 { far += 1 }
        }
        #expect(far < 20, "\(far) pixels differ")
    }

    /// Without a time, the still shows the middle of the longest phase, the first one if several
    /// are equally long.
    @Test(arguments: some(of: ["qq-mail", "jelly", "preloader", "douyin"], each: 2))
    func stillsNeedNoTime(id: String) throws {
        let workspace = try CommandFixture()
        let json = try text("list", id, "--json")
        let listed = try #require(try JSONDecoder().decode([ListedLoader].self, from: Data(json.utf8)).first)
        let lengths = listed.phases.map { phase -> Double in
            let parts = phase.duration.split(separator: "/").compactMap { Double($0) }
            return parts.count == 2 ? parts[0] / parts[1] : parts.first ?? 0
        }
        let longest = try #require(lengths.indices.max { (lengths[$0], -$0) < (lengths[$1], -$1) })
        let line = try text("still", id, "-o", "a.png", in: workspace)
        #expect(line.contains("the middle of the longest phase (--at phase:\(longest)+1/2)"), "\(line)")
        _ = try text("still", id, "--at", "phase:\(longest)+1/2", "-o", "b.png", in: workspace)
        #expect(try bytes(of: workspace.directory.file("a.png")) == bytes(of: workspace.directory.file("b.png")))
    }

    @Test func timesHaveSixDecimals() throws {
        let workspace = try CommandFixture()
        _ = try text("still", "qq-mail", "--at", "999999/1000000", "--scale", "1", "-o", "a.png", in: workspace)
        _ = try text("still", "qq-mail", "--at", "0.999999", "--scale", "1", "-o", "b.png", in: workspace)
        #expect(try bytes(of: workspace.directory.file("a.png")) == bytes(of: workspace.directory.file("b.png")))
        let clip = ["encode", "qq-mail", "--size", "32x16", "--from", "1/1000000", "--to", "phase:1+999999/1000000"]
        #expect(try workspace.run(clip + ["-o", "a.mp4"]).code == 0)
    }

    /// A name must end in the extension of an image format. A name that equals one does not.
    @Test(arguments: ["jpg", "a/webp", "a.d/tif", "a.gif"]) func stillsNeedAnExtension(name: String) throws {
        let outcome = try CommandFixture().run(["still", "qq", "-o", name])
        expectRefusal(outcome, 64, ["'\(name)' does not end in .png, .jpg, .webp, .avif or .tif; rename it"])
    }

    @Test func stillsHaveTheGivenSize() throws {
        let workspace = try CommandFixture()
        _ = try text("still", "jelly", "--at", "1.5", "--size", "101x77", "-o", "a.png", in: workspace)
        let bitmap = try Bitmap.load(path: workspace.directory.file("a.png"))
        #expect((bitmap.width, bitmap.height) == (101, 77))
        _ = try text(
            "still", "qq-mail", "--at", "0", "--scale", "1", "--background", "#0080ff40", "-o", "b.png", in: workspace)
        let translucent = try Bitmap.load(path: workspace.directory.file("b.png"))
        #expect(Array(translucent.pixels[..<4]) == [64, 32, 0, 64])
    }

    /// Fontconfig accepts a missing directory.
    @Test func missingFontDirectoriesAreRefused() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["still", "qq", "--at", "0", "--font-dir", "none", "-o", "a.png"])
        #expect(
            outcome.code == 64 && outcome.errorText.hasPrefix("loadervid: --font-dir: 'none' is not"),
            "\(outcome.errorText)")
        #expect(try workspace.directory.names().isEmpty)
    }
}
