import Foundation
import TestSupport
import Testing

/// A lesson's sidecars, its captions and poster, are recorded, checked and copied like the clip.
@Suite struct BatchSidecarTests {
    private static let sidecars = ["p/t.png", "p/t.vtt"]
    private static let all = ["p/t.mp4"] + sidecars

    private let workspace: CommandFixture
    private var directory: TemporaryDirectory { workspace.directory }

    init() throws {
        workspace = try CommandFixture()
        try makeFile(
            """
            tutorial: qq-mail
            title: Balls
            steps:
              - {play: 1, say: They swap places.}

            """, at: directory.file("s.yaml"))
        try workspace.preset(
            """
            defaults: {size: 32x16, fps: 10, speed: ultrafast}
            clips:
              - {loader: qq, name: p/q}
              - {tutorial: s.yaml, name: p/t, layout: 160x160, size: null}

            """)
    }

    /// A sidecar in the JSON report.
    private struct Report: Decodable {
        struct Output: Decodable {
            struct Sidecar: Decodable, Equatable {
                var file: String
                var bytes: Int
            }
            var output: String
            var sidecars: [Sidecar]?
        }
        var outputs: [Output]
    }

    private func reportedSidecars() throws -> [Report.Output.Sidecar]? {
        let report = try JSONDecoder().decode(Report.self, from: Data(bytes(of: directory.file("report.json"))))
        #expect(report.outputs.first { $0.output == "p/q.mp4" }?.sidecars == nil)
        return report.outputs.first { $0.output == "p/t.mp4" }?.sidecars
    }

    private func manifest(_ change: (inout [String: Any]) -> Void) throws {
        let url = URL(fileURLWithPath: directory.file("out/.loadervid/manifest.json"))
        var root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        var outputs = try #require(root["outputs"] as? [String: Any])
        var record = try #require(outputs["p/t.mp4"] as? [String: Any])
        change(&record)
        outputs["p/t.mp4"] = record
        root["outputs"] = outputs
        try JSONSerialization.data(withJSONObject: root).write(to: url)
    }

    @Test(.slow, arguments: some(of: sidecars, each: 2)) func damageIsDetectedAndRepaired(name: String) throws {
        try workspace.batch("p.yaml")
        let files = try workspace.files(in: "out")
        #expect(files.keys.sorted() == ["p/q.mp4"] + Self.all)
        #expect(
            try reportedSidecars()
                == Self.sidecars.map { .init(file: $0, bytes: try #require(files[$0]).count) })
        let whole = try #require(files[name])
        var flipped = whole
        flipped[whole.count / 2] ^= 1
        let damages: [(bytes: [UInt8]?, reason: String)] = [
            (Array("garbage\n".utf8), "damaged: \(name) has 8 bytes instead of \(whole.count)"),
            (flipped, "damaged: \(name) has other contents"), (nil, "missing: \(name)"),
        ]
        for (bytes, reason) in damages {
            let path = directory.file("out/\(name)")
            if let bytes {
                try Data(bytes).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            for options in [["--check"], ["--check", "--verify"]] {
                let checked = try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
                #expect(checked.code == 1 && checked.errorText.contains(reason), "\(checked.errorText)")
            }
            let planned = try workspace.run(["batch", "p.yaml", "--dry-run"])
            #expect(planned.text.contains("make (\(reason))"), "\(planned.text)")
            #expect(try workspace.batch("p.yaml").results == ["p/t.mp4": "made: \(reason)", "p/q.mp4": "up-to-date"])
            #expect(try workspace.files(in: "out") == files)
        }
        #expect(try workspace.run(["batch", "p.yaml", "--check", "--verify", "--progress", "none"]).code == 0)
    }

    @Test func linksAreNotFollowed() throws {
        try workspace.batch("p.yaml")
        let captions = directory.file("out/p/t.vtt")
        try FileManager.default.moveItem(atPath: captions, toPath: directory.file("mine.vtt"))
        try FileManager.default.createSymbolicLink(
            atPath: captions, withDestinationPath: directory.file("mine.vtt"))
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(outcome.code == 73 && outcome.errorText.contains("t.vtt is a link"), "\(outcome.errorText)")
        let merged = try workspace.run(["batch", "merge", "out", "-o", "all"])
        #expect(merged.code == 73 && merged.errorText.contains("t.vtt is a link"), "\(merged.errorText)")
        #expect(!(try workspace.files(in: "all").keys.contains("p/t.vtt")))
    }

    @Test(.slow) func outputsOfEarlierVersionsAreRenderedAgain() throws {
        try workspace.batch("p.yaml")
        let files = try workspace.files(in: "out")
        try manifest { $0["sidecars"] = nil }
        #expect(try workspace.batch("p.yaml").results["p/t.mp4"] == "made: not recorded: p/t.vtt")
        #expect(try workspace.files(in: "out") == files)
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"])
    }

    /// A record lists its sidecars, even if there are none, so that one without a list is known to
    /// come from an earlier version.
    @Test func recordsListTheirSidecars() throws {
        try workspace.batch("p.yaml")
        let manifest = String(decoding: try bytes(of: directory.file("out/.loadervid/manifest.json")), as: UTF8.self)
        #expect(manifest.contains("\"sidecars\":{}") && manifest.contains("\"sidecars\":{\"png\":"), "\(manifest)")
    }

    /// Outputs that differ only in their extension share their sidecars. The records of the
    /// sidecars belong to the first output that the preset lists.
    @Test(.slow) func outputsWithTheSameStemShareSidecars() throws {
        let preset = try String(contentsOfFile: directory.file("p.yaml"), encoding: .utf8)
        func setOutputs(_ names: String) throws {
            try workspace.preset(preset.replacing("size: null", with: "size: null, outputs: [\(names)]"))
        }
        try setOutputs("mp4, mov")
        try workspace.batch("p.yaml")
        let files = try workspace.files(in: "out")
        #expect(files.keys.sorted() == ["p/q.mp4", "p/t.mov", "p/t.mp4"] + Self.sidecars)
        for names in ["mov", "mov, mp4", "mp4, mov"] {
            try setOutputs(names)
            #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"], "\(names)")
            #expect(try workspace.files(in: "out") == files)
        }
        // The second output may replace them if it is made alone.
        try setOutputs("mov")
        try makeFile("stale", at: directory.file("out/p/t.mov"))
        #expect(try workspace.batch("p.yaml").results["p/t.mov"]?.hasPrefix("made: damaged") == true)
        #expect(try workspace.files(in: "out") == files)
        // Damage is detected for the output that now has the records.
        try makeFile("garbage", at: directory.file("out/p/t.vtt"))
        #expect(try workspace.batch("p.yaml").results["p/t.mov"]?.hasPrefix("made: damaged: p/t.vtt") == true)
        #expect(try workspace.files(in: "out") == files)
    }

    @Test func largeSidecarsAreRefused() throws {
        try workspace.batch("p.yaml")
        try #require(truncate(directory.file("out/p/t.vtt"), 17 << 20) == 0)
        try manifest { record in
            var sidecars = record["sidecars"] as? [String: Any] ?? [:]
            sidecars["vtt"] = ["bytes": 17 << 20, "sha256": "0"] as [String: Any]
            record["sidecars"] = sidecars
        }
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        let reason = "t.vtt: its record says 17825792 bytes, above the maximum of 16777216"
        #expect(outcome.code == 65 && outcome.errorText.contains(reason), "\(outcome.errorText)")
    }

    @Test func recordsOfUnknownSidecarsAreRejected() throws {
        try workspace.batch("p.yaml")
        try manifest { $0["sidecars"] = ["/../../../victim": ["bytes": 1, "sha256": "0"]] }
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        expectRefusal(outcome, 65, ["manifest.json", "/../../../victim"])
    }

    @Test(.slow, arguments: [false, true]) func mergingCopiesSidecars(isShared: Bool) throws {
        try workspace.batch("p.yaml", "-o", "whole")
        let directories = (0..<2).map { isShared ? "all" : "part-\($0)" }
        for index in 0..<2 { try workspace.batch("p.yaml", "-o", directories[index], "--shard", "\(index)/2") }
        let merge = ["batch", "merge"] + (isShared ? ["all"] : directories + ["-o", "all"])
        let merged = try workspace.run(merge + ["--json-report", "report.json"])
        #expect(merged.code == 0, "\(merged.errorText)")
        #expect(try workspace.files(in: "all") == workspace.files(in: "whole"))
        #expect(try reportedSidecars()?.map(\.file) == Self.sidecars)
        #expect(try Set(workspace.batch("p.yaml", "-o", "all").results.values) == ["up-to-date"])
        let again = try workspace.run(merge)
        #expect(again.code == 0 && again.text.contains("2 up to date"), "\(again.text)")
    }

    @Test(.slow, arguments: some(of: sidecars.reversed(), each: 2))
    func mergingDetectsDamagedSidecars(name: String) throws {
        for index in 0..<2 { try workspace.batch("p.yaml", "-o", "part-\(index)", "--shard", "\(index)/2") }
        let part = try ["part-0", "part-1"].first { try workspace.files(in: $0)[name] != nil }
        let path = directory.file("\(try #require(part))/\(name)")
        try makeFile("garbage\n", at: path)
        let merge = ["batch", "merge", "part-0", "part-1", "-o", "all"]
        let damaged = try workspace.run(merge)
        #expect(
            damaged.code == 66 && damaged.errorText.contains("damaged: \(name) has 8 bytes"), "\(damaged.errorText)")
        try FileManager.default.removeItem(atPath: path)
        let missing = try workspace.run(merge)
        #expect(missing.code == 66 && missing.errorText.contains("missing: \(name)"), "\(missing.errorText)")
        #expect(try workspace.files(in: "all").isEmpty)
        // One other directory with all files is enough.
        try workspace.batch("p.yaml", "-o", "whole")
        let mended = try workspace.run(["batch", "merge", try #require(part), "whole", "-o", "all"])
        #expect(mended.code == 0, "\(mended.errorText)")
        #expect(try workspace.files(in: "all") == workspace.files(in: "whole"))
    }

    /// A user's own file at a sidecar's path blocks merging, like one at the clip's path.
    @Test func mergingKeepsFilesOfTheUser() throws {
        try workspace.batch("p.yaml", "-o", "part", "--shard", "0/1")
        try FileManager.default.createDirectory(
            atPath: directory.file("all/p"), withIntermediateDirectories: true)
        try makeFile("mine", at: directory.file("all/p/t.vtt"))
        let outcome = try workspace.run(["batch", "merge", "part", "-o", "all"])
        #expect(outcome.code == 73 && outcome.errorText.contains("t.vtt"), "\(outcome.errorText)")
        #expect(try workspace.files(in: "all")["p/t.vtt"] == Array("mine".utf8))
        #expect(try workspace.files(in: "all")["p/t.mp4"] == nil)
    }

    @Test(.slow) func orphanedSidecarsAreReported() throws {
        try workspace.batch("p.yaml")
        let preset = try String(contentsOfFile: directory.file("p.yaml"), encoding: .utf8)
        try workspace.preset(preset.replacing("name: p/t", with: "name: p/u"))
        #expect(try workspace.batch("p.yaml").orphans == Self.all.sorted())
        #expect(try workspace.batch("p.yaml").orphans == Self.all.sorted())
    }

    @Test func reportsDoNotReplaceSidecars() throws {
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none", "--json-report", "out/p/t.vtt"])
        #expect(outcome.code == 64 && outcome.errorText.contains("t.vtt"), "\(outcome.errorText)")
    }
}
