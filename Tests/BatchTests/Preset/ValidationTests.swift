import Batch
import Explain
import Render
import TestSupport
import Testing

/// Problems of presets, which are all reported in one pass.
@Suite struct ValidationTests {
    /// A structural problem of a clip hides neither the problems of its values nor those of other
    /// clips.
    @Test func allProblemsAreReportedAtOnce() throws {
        let text = """
            defaults:
              fsp: 30
              gop: 100
            clips:
              - loader: qq-mail
                slow-mo: 2
                hold: 5000
                set: {radius: 1000, red: reddish}
              - loader: qq
                size: 33
                cycles: 0
                ramp: 2000
              - laoder: qq
                hold: 4000
              - {loader: jelly, quality: 99, speed: warp}

            """
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        for words in [
            "p.yaml:2:3: unknown key", "p.yaml:3:3: gop: 100", "p.yaml:6:5: unknown key", "p.yaml:7:5: hold: 5000",
            "radius=1000", "red=reddish", "p.yaml:10:11: 'size'", "p.yaml:11:13: 'cycles'", "p.yaml:12:5: ramp: 2000",
            "p.yaml:13:5: unknown key", "p.yaml:15:21: quality: 99", "p.yaml:15:34: speed: warp",
        ] {
            #expect(problems.contains { $0.contains(words) }, "\(words) in \(problems)")
        }
        // The clip without a loader is reported once, at the misspelled key.
        #expect(!problems.contains { $0.contains("names no loader") })
    }

    /// Rejected loaders, formats, keys and parents hide no problems of other values, and cause
    /// none.
    @Test func rejectedPartsHideNothing() throws {
        let text = """
            extends: nope
            clips:
              - {loader: qq-mial, slowmo: 0, phase: 5, set: {radius: 5}}
              - {loader: qq, outputs: [mp5], slowmo: 0, quality: 60, name: b}
              - {loadr: qq, slowmo: 0, name: c}
              - {loader: qq, slowmo: 0, quality: 60, name: d}

            """
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        let words = [
            "p.yaml:1:10: 'extends' names '", "p.yaml:3:14: there is no loader", "p.yaml:3:23: slowmo: 0",
            "p.yaml:4:28: there is no format", "p.yaml:4:34: slowmo: 0", "p.yaml:5:6: unknown key",
            "p.yaml:5:17: slowmo: 0", "p.yaml:6:18: slowmo: 0",
        ]
        #expect(problems.count == words.count, "\(problems)")
        for (problem, start) in zip(problems, words) { #expect(problem.hasPrefix(start), "\(problem)") }
    }

    /// A file that does not exist is the only problem of its clip.
    @Test func missingFilesAreReportedOnce() throws {
        for text in ["clips: [{loader: missing.json}]\n", "defaults: {loader: qq}\nclips: [{loader: missing.json}]\n"] {
            let problems = try PresetDirectory(["p.yaml": text]).problems()
            #expect(problems.count == 1 && problems[0].contains("missing.json"), "\(problems)")
        }
    }

    /// A script that cannot be read is a problem, although it has no location.
    @Test func unreadableScriptsAreReported() throws {
        let script = "tutorial: qq\n" + String(repeating: "# comment\n", count: 200_000)
        let directory = try PresetDirectory(["p.yaml": "clips: [{tutorial: a}]\n", "a.yaml": script])
        let problems = directory.problems()
        #expect(problems.count == 1 && problems[0].contains("a.yaml"), "\(problems)")
    }

    @Test func anAxisReplacesTheInheritedLoader() throws {
        let text = "defaults: {loader: qq}\nclips: [{matrix: {tutorial: [qq-mail, iqiyi]}, fps: 10}]\n"
        let directory = try PresetDirectory(["p.yaml": text])
        let clips = try PresetReader(shipped: shippedFolder).read([directory.directory.file("p.yaml")])
        #expect(clips.count == 2)
    }

    @Test func theLaterKeyIsReported() throws {
        let problems = try PresetDirectory(["p.yaml": "clips: [{loader: qq, tutorial: qq-mail}]\n"]).problems()
        #expect(problems.first?.hasPrefix("p.yaml:1:22: 'loader' and 'tutorial'") == true, "\(problems)")
    }

    /// Errors do not hide warnings.
    @Test func warningsStandBesideErrors() throws {
        let text = """
            clips:
              - {loader: qq-mail, matrix: {slowmo: [2, 2.0]}}
              - {loader: qq, name: a}
              - {loader: jelly, name: a}

            """
        let directory = try PresetDirectory(["p.yaml": text])
        let error = try #require(throws: DocumentError.self) {
            try PresetReader().readings([directory.directory.file("p.yaml")])
        }
        #expect(error.problems.count == 1 && error.reported.count == 2, "\(error.reported)")
        #expect(error.reported[0].problem.hasPrefix("warning: ") && error.reported[1] == error.problems[0])
    }

    /// An option that depends on a rejected one is not reported.
    @Test func consequentialProblemsAreNotReported() throws {
        let problems = try PresetDirectory([
            "p.yaml": "clips: [{loader: qq, codec: '', pixel-format: yuv420p10le, quality: 63, name: '{codec}'}]\n"
        ]).problems()
        #expect(problems.count == 1 && problems[0].contains("'codec' is invalid"), "\(problems)")
    }

    private func warnings(_ text: String) throws -> [String] {
        let directory = try PresetDirectory(["p.yaml": text])
        return try PresetReader().readings([directory.directory.file("p.yaml")]).warnings.map {
            "\($0)".replacing(directory.directory.path + "/", with: "")
        }
    }

    @Test(arguments: [
        (
            "clips:\n  - loader: qq-mail\n    matrix:\n      slowmo: [2, 2.0]\n",
            [
                "p.yaml:4:19: warning: 'p/qq-mail-2.0x.mp4' is identical to 'p/qq-mail-2x.mp4' except for its name: slowmo '2.0'; remove one of them"
            ]
        ),
        (
            "clips:\n  - loader: qq-mail\n    matrix: {fps: [30, 30/1], lang: [en, zh]}\n",
            ["p.yaml:3:24: warning: ", "p.yaml:3:24: warning: "]
        ),
        (
            "clips:\n  - loader: qq\n  - {loader: qq, name: other}\n",
            ["p.yaml:3:5: warning: 'other.mp4' is identical to 'p/qq.mp4'"]
        ),
        ("clips:\n  - {loader: qq, outputs: [mp4, {format: mp4, suffix: -b}]}\n", ["p.yaml:2:33: warning: "]),
    ])
    func identicalClipsAreReported(text: String, lines: [String]) throws {
        let found = try warnings(text)
        #expect(found.count == lines.count, "\(found)")
        for (line, start) in zip(found, lines) { #expect(line.hasPrefix(start), "\(line)") }
    }

    @Test(arguments: [
        "clips: [{loader: all, outputs: [mp4, webm]}]\n",
        "clips: [{loader: qq, matrix: {slowmo: [2, 4], lang: [en, zh]}}]\n",
        "clips: [{loader: qq-mail, matrix: {set.radius: [4, 5], fps: [30, 60]}}]\n",
    ])
    func differentClipsAreNotReported(text: String) throws { #expect(try warnings(text).isEmpty) }

    @Test func noShippedPresetMakesAClipTwice() throws {
        let paths = ["web", "gif", "webp", "apng", "prores", "readme", "ci-smoke", "slowmo-phases"].map {
            "\(shippedFolder)/\($0).yaml"
        }
        #expect(try paths.flatMap { try PresetReader(shipped: shippedFolder).readings([$0]).warnings }.isEmpty)
    }
}
