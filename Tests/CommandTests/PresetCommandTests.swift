import Foundation
import TestSupport
import Testing

@Suite struct PresetCommandTests {
    private struct Clip: Decodable {
        struct Output: Decodable {
            var path: String
            var options: [String: String]
            var encoder: String
        }
        var name: String
        var loader: String
        var options: [String: String]
        var width: Int
        var height: Int
        var frames: Int
        var chapters: Int
        var outputs: [Output]
    }

    @Test func validPresetsPrintOneLineEach() throws {
        let workspace = try CommandFixture()
        try makeFile(
            "clips: [{loader: [qq, iqiyi], duration: 1, outputs: [mp4, webm]}]\n", at: workspace.directory.file("a"))
        try makeFile("clips: [{loader: qq, duration: 0.5, fps: 2}]\n", at: workspace.directory.file("b"))
        let outcome = try workspace.run(["presets", "validate", "a", "b", "web"])
        #expect(outcome.code == 0)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(Array(lines.prefix(2)) == ["a: 2 clips, 4 outputs, 120 frames", "b: 1 clip, 1 output, 1 frame"])
        // A name without a file is that of a shipped preset.
        #expect(lines.last?.hasPrefix("\(sourceTree)/presets/web.yaml: 8 clips, 16 outputs, ") == true)
    }

    /// A directory does not hide the shipped preset with its name. Outputs of the preset `web` are
    /// in a directory `web`.
    @Test func directoriesHideNoShippedPresets() throws {
        let workspace = try CommandFixture()
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("web"), withIntermediateDirectories: false)
        let outcome = try workspace.run(["presets", "validate", "web"])
        #expect(outcome.code == 0)
        #expect(outcome.text.hasPrefix("\(sourceTree)/presets/web.yaml: "))
    }

    /// `encode` with the shown options makes the same clip.
    @Test func shownOptionsReproduceTheClip() throws {
        let workspace = try CommandFixture()
        let text = """
            defaults: {slowmo: 3, fps: 25, size: 64x32, hold: 0.2, speed: ultrafast}
            clips: [{loader: qq-mail, name: a, chapters: true, set: {radius: 4}, outputs: [{format: mkv, quality: 30}]}]
            """
        try makeFile(text, at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["presets", "show", "p.yaml", "--json"])
        let clips = try JSONDecoder().decode([Clip].self, from: Data(outcome.output))
        let clip = try #require(clips.first)
        #expect((clip.name, clip.loader, clip.width, clip.height) == ("a", "qq-mail", 64, 32))
        #expect(clip.outputs.map(\.path) == ["a.mkv"])
        #expect(clip.chapters == 6)
        var arguments = ["encode", clip.loader, "--progress", "none", "-o", "a.mkv"]
        for (key, value) in clip.options.merging(clip.outputs[0].options, uniquingKeysWith: { $1 }) {
            if key.hasPrefix("set.") {
                arguments += ["--set", "\(key.dropFirst(4))=\(value)"]
            } else if value == "true" {
                arguments.append("--\(key)")
            } else {
                arguments += ["--\(key)", value]
            }
        }
        #expect(try workspace.run(arguments).code == 0)
        #expect(try Probe(workspace.directory.file("a.mkv")).frames?.count == clip.frames)
    }

    @Test func showListsAllOptions() throws {
        let workspace = try CommandFixture()
        try makeFile(
            "clips: [{loader: qq, slowmo: 2, outputs: [mp4, {format: webm, quality: 40}]}]\n",
            at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["presets", "show", "p.yaml"])
        #expect(
            outcome.text == """
                p/qq: qq, 960x960, 346 frames, 5.767 s at 60 fps, seamless timing
                  slowmo 2
                  -> p/qq.mp4: libx264, crf 18, preset medium, x264-params cpu-independent=1, yuv420p
                  -> p/qq.webm: libvpx-vp9, b 0, cpu-used 2, crf 40, deadline good, yuv420p
                1 clip, 2 outputs, 346 frames

                """)
    }

    /// Vector graphics have no encoder, and options of one output stand beside it.
    @Test func showDescribesTheOutputs() throws {
        let workspace = try CommandFixture()
        try makeFile(
            "clips: [{loader: qq, outputs: [svg, json, {format: mov, codec: prores, timecode: '01:00:00:00'}]}]\n",
            at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["presets", "show", "p.yaml"])
        #expect(
            outcome.lines[1...3] == [
                "  -> p/qq.svg: SVG", "  -> p/qq.json: Lottie",
                "  -> p/qq.mov: prores_ks, qscale 2, timecode 01:00:00:00, yuv422p10le",
            ], "\(outcome.lines)")
    }

    @Test(.slow) func shippedPresetsAreListed() throws {
        struct Entry: Decodable {
            var name: String
            var description: String
            var outputs: Int
        }
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["presets", "list", "--json"])
        let entries = try JSONDecoder().decode([Entry].self, from: Data(outcome.output))
        #expect(
            entries.map(\.name) == [
                "apng", "app-store", "ci-smoke", "gif", "prores", "readme", "slowmo-phases", "tutorials", "web", "webp",
            ])
        #expect(entries.allSatisfy { !$0.description.isEmpty && $0.outputs > 0 })
        let lines = try workspace.run(["presets", "list"]).text.split(separator: "\n")
        #expect(lines.count == entries.count)
        #expect(zip(lines, entries).allSatisfy { $0.contains($1.name) && $0.contains($1.description) })
    }

    @Test func shippedPresetsCanBeElsewhere() throws {
        let workspace = try CommandFixture()
        _ = try workspace.shell("mkdir own")
        try makeFile("description: Mine.\nclips: [{loader: qq}]\n", at: workspace.directory.file("own/mine.yaml"))
        try makeFile("extends: mine\ndefaults: {fps: 30}\n", at: workspace.directory.file("p.yaml"))
        let line = "    mine  1 output  Mine.\n"
        #expect(try workspace.run(["presets", "list", "--directory", "own"]).text == line)
        #expect(try workspace.run(["presets", "list"], environment: ["LOADERVID_PRESETS": "own"]).text == line)
        #expect(try workspace.run(["presets", "show", "mine", "--directory", "own"]).code == 0)
        #expect(try workspace.run(["presets", "validate", "p.yaml", "--directory", "own"]).text.contains("1 output"))
        expectRefusal(try workspace.run(["presets", "list", "--directory", "none"]), 66, ["none", "--directory"])
        let outcome = try workspace.run(["presets", "show", "mine"])
        #expect(outcome.code == 66)
        #expect(
            outcome.errorLines == [
                "loadervid: there is no preset 'mine'; run 'loadervid presets list' to list the presets"
            ])
    }

    /// Paths of images and parents are relative to the preset, not to the current directory.
    @Test func pathsAreRelativeToThePreset() throws {
        let workspace = try CommandFixture()
        _ = try workspace.shell("mkdir -p a/b && \"$LOADERVID\" still qq --at 0 --scale 1 -o a/b/me.png")
        try makeFile("defaults: {set: {cover: me.png}}\n", at: workspace.directory.file("a/b/base.yaml"))
        try makeFile("extends: b/base.yaml\nclips: [{loader: douyin}]\n", at: workspace.directory.file("a/p.yaml"))
        #expect(try workspace.run(["presets", "validate", "a/p.yaml"]).code == 0)
        try FileManager.default.removeItem(atPath: workspace.directory.file("a/b/me.png"))
        let outcome = try workspace.run(["presets", "validate", "a/p.yaml"])
        #expect(outcome.code == 66)
        #expect(outcome.errorLines == ["a/b/base.yaml:1:18: image a/b/me.png does not exist; check the path"])
    }

    /// Every limit has a flag that raises it, and the message names the flag.
    @Test(
        .slow,
        arguments: [
            ("clips: [{loader: qq, matrix: {fps: [24, 30]}}]", "--max-outputs", "1", "2"),
            ("clips: [{loader: qq, duration: 1}]", "--max-frames", "59", "60"),
            ("clips: [{loader: [qq, iqiyi], duration: 1}]", "--max-total-frames", "119", "120"),
            ("clips: [{loader: qq, duration: 60, size: 1000x1000, repetition: off}]", "--max-gigapixels", "3", "4"),
            ("clips: [{loader: qq, duration: 1}]", "--max-preset-bytes", "34", "35"),
            ("clips: [{loader: qq, duration: 1}]", "--max-nodes", "7", "8"),
            ("clips: [{loader: [qq]}]", "--max-depth", "4", "5"),
        ])
    func limitsHaveFlags(text: String, flag: String, low: String, high: String) throws {
        let workspace = try CommandFixture()
        try makeFile(text + "\n", at: workspace.directory.file("p.yaml"))
        let refused = try workspace.run(["presets", "validate", "p.yaml", flag, low])
        #expect(refused.code == 65)
        #expect(refused.errorText.contains(flag), "\(refused.errorText)")
        let accepted = try workspace.run(["presets", "validate", "p.yaml", flag, high])
        #expect(accepted.code == 0, "\(accepted.errorText)")
        expectRefusal(try workspace.run(["presets", "validate", "p.yaml", flag, "0"]), 64, [flag, "0"])
    }

    @Test func theShippedSchemaIsCurrent() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["presets", "schema"])
        #expect(try outcome.output == bytes(of: sourceTree + "/presets/schema.json"))
    }
}
