import Foundation
import TestSupport
import Testing

/// The results that a batch, a check and a merge print.
@Suite struct BatchResultTests {
    private let workspace: CommandFixture

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(
            """
            defaults: {loader: qq, size: 32x16, fps: 10, speed: ultrafast}
            clips: [{name: a}, {name: b, slowmo: 1/2}, {name: c, slowmo: 1/4}]

            """)
    }

    /// The outputs and the last event of `--progress json`, each as event and output or exit code.
    private func events(_ arguments: String...) throws -> [String] {
        let outcome = try workspace.run(["batch"] + arguments + ["--progress", "json"])
        #expect(outcome.output.isEmpty, "\(outcome.text)")
        return try outcome.errorLines.map { line in
            let event = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let subject = (event["output"] as? String) ?? (event["exitCode"] as? Int).map { "\($0)" } ?? ""
            return "\(event["event"] as? String ?? "") \(subject)"
        }
    }

    /// Nothing else names the outputs that failed.
    @Test func eventsOfChecksAndMergesNameTheOutputs() throws {
        try workspace.batch("p.yaml")
        #expect(truncate(workspace.directory.file("out/a.mp4"), 10) == 0)
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/b.mp4"))
        #expect(
            try events("p.yaml", "--check") == ["failed a.mp4", "failed b.mp4", "up-to-date c.mp4", "summary 1"])
        #expect(try events("merge", "out") == ["failed a.mp4", "failed b.mp4", "up-to-date c.mp4", "summary 66"])
        try workspace.batch("p.yaml")
        #expect(
            try events("merge", "out", "-o", "copy") == ["done a.mp4", "done b.mp4", "done c.mp4", "summary 0"])
    }

    /// The timing depends on the formats of a clip. Reports, merges and `presets show` name it.
    @Test func reportsNameTheTiming() throws {
        try workspace.preset(
            """
            defaults: {loader: qq, size: 32x16, fps: 10}
            clips:
              - {name: a, outputs: [mov, png-sequence]}
              - {name: b, outputs: [{format: mov, codec: prores}]}
              - {name: c, outputs: [mp4, gif], duration: 0.5}

            """)
        let expected = [
            "a.mov": "seamless", "a/%04d.png": "seamless", "b.mov": "exact", "c.gif": "exact", "c.mp4": "exact",
        ]
        for arguments in [["p.yaml"], ["p.yaml"], ["p.yaml", "--check"], ["merge", "out", "-o", "copy"]] {
            let outcome = try workspace.run(
                ["batch"] + arguments + ["--progress", "none", "--json-report", "report.json"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let timings = try workspace.report().outputs.map { ($0.output, $0.timing ?? "") }
            #expect(Dictionary(uniqueKeysWithValues: timings) == expected, "\(arguments)")
            let row = try #require(outcome.lines.first { $0.contains("b.mov") })
            #expect(row.split(separator: " ").contains("exact"), "\(row)")
        }
        let shown = try workspace.run(["presets", "show", "p.yaml"]).lines.filter { $0.contains(" timing") }
        #expect(shown.map { $0.contains("exact timing") } == [false, true, true], "\(shown)")
    }

    @Test func checksStopAtTheFirstFailure() throws {
        let report = try workspace.batch("p.yaml", "--check", "--fail-fast", expecting: 1)
        #expect(report.outputs.map(\.state).sorted() == ["failed", "not-run", "not-run"])
    }

    @Test func aShardMayHaveNoOutputs() throws {
        let outcome = try workspace.run(["batch", "p.yaml", "--shard", "3/4", "--progress", "none"])
        #expect(outcome.code == 0 && outcome.text.hasPrefix("0 outputs; 0 bytes in "), "\(outcome.text)")
        #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
    }

    /// A former sidecar of an output still counts as a file that a batch made.
    @Test func formerSidecarsAreRemembered() throws {
        let preset = "clips: [{loader: qq, name: a, size: 32x16, fps: 10, poster: true}]\n"
        let without = preset.replacing(", poster: true", with: "")
        try workspace.preset(preset)
        try workspace.batch("p.yaml")
        for _ in 0..<2 {
            try workspace.preset(without)
            #expect(try workspace.batch("p.yaml").orphans == ["a.png"])
            #expect(try workspace.batch("p.yaml").orphans == ["a.png"])
            try workspace.preset(preset)
            let report = try workspace.batch("p.yaml")
            #expect(report.results == ["a.mp4": "made: poster: none → true"] && report.orphans.isEmpty)
        }
    }

    /// Outputs of one clip share a poster only if they request the same file.
    @Test func outputsHaveTheirOwnPosters() throws {
        try workspace.preset(
            """
            defaults: {loader: qq, size: 32x16, fps: 10, poster: true}
            clips:
              - {name: a, outputs: [mp4, mkv, {format: mov, poster-format: jpg}]}

            """)
        try workspace.batch("p.yaml")
        #expect(try workspace.files(in: "out").keys.sorted() == ["a.jpg", "a.mkv", "a.mov", "a.mp4", "a.png"])
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/a.jpg"))
        let results = try workspace.batch("p.yaml").results
        #expect(results == ["a.mp4": "up-to-date", "a.mkv": "up-to-date", "a.mov": "made: missing: a.jpg"])
    }
}
