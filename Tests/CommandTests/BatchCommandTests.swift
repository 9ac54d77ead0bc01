import Foundation
import TestSupport
import Testing

@Suite struct BatchCommandTests {
    private let workspace: CommandFixture

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(smallPreset)
    }

    @Test func outputsEqualThoseOfEncode() throws {
        let outcome = try workspace.run(["batch", "p.yaml", "--jobs", "3"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let files = try workspace.files(in: "out")
        #expect(files.keys.sorted() == smallNames)
        for name in smallNames {
            #expect(outcome.text.contains(name))
            let loader = name.split(separator: "/")[1].split(separator: ".")[0]
            let speed = name.hasSuffix("webm") ? "8" : "ultrafast"
            let container = name.split(separator: ".")[1]
            let path = try workspace.encode(
                String(loader), "--size", "32x16", "--fps", "10", "--speed", speed, to: "single.\(container)")
            #expect(try files[name] == bytes(of: path), "\(name)")
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(outcome.text.contains("6 outputs: 6 made"))
        #expect(try workspace.directory.names() == ["out", "p.yaml"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid")).sorted()
                == ["lock", "manifest.json"])
    }

    @Test(.slow) func onlyChangedOutputsAreRendered() throws {
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["made: new"])
        let first = try workspace.files(in: "out")
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"])

        // Edits the preset, truncates one output, changes bytes of another, and removes a third.
        try workspace.preset(smallPreset.replacing("loader: iqiyi", with: "loader: iqiyi\n    quality: 40"))
        let files = FileManager.default
        #expect(truncate(workspace.directory.file("out/p/qq.mp4"), 100) == 0)
        var damaged = try #require(first["p/jelly.mp4"])
        damaged[damaged.count / 2] ^= 1
        try Data(damaged).write(to: URL(fileURLWithPath: workspace.directory.file("out/p/jelly.mp4")))
        try files.removeItem(atPath: workspace.directory.file("out/p/qq-mail.mp4"))
        let size = try #require(first["p/qq.mp4"]).count
        #expect(
            try workspace.batch("p.yaml").results == [
                "p/iqiyi.mkv": "made: quality: none → 40", "p/iqiyi.mp4": "made: quality: none → 40",
                "p/iqiyi.webm": "made: quality: none → 40", "p/qq.mp4": "made: damaged: 100 bytes instead of \(size)",
                "p/jelly.mp4": "made: damaged: other contents", "p/qq-mail.mp4": "made: missing",
            ])
        // Restores the preset: only the changed outputs are rendered, and all files are as before.
        try workspace.preset(smallPreset)
        let report = try workspace.batch("p.yaml")
        #expect(report.results.filter { $0.value == "up-to-date" }.keys.sorted() == smallNames.suffix(3))
        #expect(try workspace.files(in: "out") == first)
        #expect(try Set(workspace.batch("p.yaml", "--force").results.values) == ["made: --force"])
        #expect(try workspace.files(in: "out") == first)
    }

    /// If only one of a clip's outputs is stale, only that one is rendered.
    @Test func aSingleStaleOutputIsRenderedAlone() throws {
        let all = { try workspace.batch("p.yaml") }
        _ = try all()
        let first = try workspace.files(in: "out")
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/p/iqiyi.webm"))
        #expect(try all().results.filter { $0.value != "up-to-date" } == ["p/iqiyi.webm": "made: missing"])
        #expect(try workspace.files(in: "out") == first)
    }

    @Test func filesOfTheUserAreKept() throws {
        let path = workspace.directory.file("out/p/qq.mp4")
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("out/p"), withIntermediateDirectories: true)
        try makeFile("mine", at: path)
        let report = try workspace.batch("p.yaml", expecting: 73)
        #expect(report.results.values.filter { $0 == "made: new" }.count == 5)
        #expect(report.outputs.first { $0.output == "p/qq.mp4" }?.error?.contains("--force") == true)
        #expect(try bytes(of: path) == Array("mine".utf8))
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(outcome.code == 73)
        #expect(outcome.errorLines.count == 1 && outcome.errorLines[0].hasPrefix("loadervid: p/qq.mp4: "))
        #expect(try workspace.batch("p.yaml", "--force").results["p/qq.mp4"] == "made: --force")
    }

    @Test func orphansAreKeptAndReported() throws {
        try workspace.batch("p.yaml")
        try workspace.preset(smallPreset.replacing("[qq-mail, qq, jelly]", with: "[qq-mail, qq]"))
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(outcome.code == 0)
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains("p/jelly.mp4"))
        // Its record is still known when the preset asks for it again.
        try workspace.preset(smallPreset)
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"])
    }

    /// Reports are written even after failures, replace older ones, and may be in the output
    /// directory.
    @Test func reportsAreWrittenEvenIfOutputsFail() throws {
        let reports = ["--json-report", "out/report.json", "--junit", "out/report.xml", "--progress", "none"]
        #expect(try workspace.run(["batch", "p.yaml"] + reports).code == 0)
        func junit() throws -> String {
            String(decoding: try bytes(of: workspace.directory.file("out/report.xml")), as: UTF8.self)
        }
        #expect(try junit().contains("tests=\"6\" failures=\"0\""))
        try workspace.preset(smallPreset + "  - {loader: qq, name: report, outputs: [mp4]}\n")
        try makeFile("mine", at: workspace.directory.file("out/report.mp4"))
        #expect(try workspace.run(["batch", "p.yaml"] + reports).code == 73)
        #expect(try junit().contains("tests=\"7\" failures=\"1\""))
        #expect(try bytes(of: workspace.directory.file("out/report.json")).count > 1000)
    }

    @Test func dryRunsWriteNothing() throws {
        let outcome = try workspace.run(["batch", "p.yaml", "--dry-run", "-o", "deep/er"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        #expect(smallNames.allSatisfy { outcome.text.contains($0) } && outcome.text.contains("6 outputs, 6 to make"))
        #expect(outcome.text.contains("32x16") && outcome.text.contains("make (new)"))
        #expect(try workspace.directory.names() == ["p.yaml"])
        try workspace.batch("p.yaml")
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/p/qq.mp4"))
        let state = try bytes(of: workspace.directory.file("out/.loadervid/manifest.json"))
        let again = try workspace.run(["batch", "p.yaml", "--dry-run"])
        #expect(again.text.contains("make (missing)") && again.text.contains("6 outputs, 1 to make"), "\(again.text)")
        #expect(try bytes(of: workspace.directory.file("out/.loadervid/manifest.json")) == state)
        #expect(try workspace.files(in: "out").count == 5)
    }

    @Test func eventsCoverAllOutputs() throws {
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "json"])
        #expect(outcome.code == 0 && outcome.output.isEmpty)
        let events = try outcome.errorLines.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        func outputs(_ kind: String) -> [String] {
            events.filter { $0["event"] as? String == kind }.compactMap { $0["output"] as? String }.sorted()
        }
        #expect(events.first?["event"] as? String == "plan" && events.first?["stale"] as? Int == 6)
        #expect(outputs("start") == smallNames && outputs("done") == smallNames)
        #expect(events.last?["event"] as? String == "summary" && events.last?["made"] as? Int == 6)
    }

    @Test(arguments: [
        (["missing.yaml"], Int32(66), "missing.yaml"), (["p.yaml", "--shard", "3/3"], 64, "shard 3/3"),
        (["p.yaml", "--shard", "auto"], 64, "JOB_COMPLETION_INDEX"), (["p.yaml", "--jobs", "0"], 64, "--jobs"),
        (["p.yaml", "-o", "p.yaml"], 73, "p.yaml"), (["p.yaml", "--junit", "no/such/j.xml"], 73, "no/such"),
        (["p.yaml", "-o", "/proc/out"], 73, "/proc/out"), (["bad.yaml"], 65, "bad.yaml:1:"),
        (["merge", "nothing"], 66, "nothing"), (["merge", "empty"], 66, "manifest"),
    ])
    func invalidArgumentsAreRejected(arguments: [String], code: Int32, words: String) throws {
        try workspace.preset("clip: []\n", at: "bad.yaml")
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("empty"), withIntermediateDirectories: true)
        let outcome = try workspace.run(
            ["batch"] + arguments, environment: ["JOB_COMPLETION_INDEX": "", "SLURM_ARRAY_TASK_ID": ""])
        #expect(outcome.code == code, "\(outcome.errorText)")
        #expect(outcome.errorText.contains(words) && outcome.output.isEmpty, "\(outcome.errorText)")
        #expect(!FileManager.default.fileExists(atPath: workspace.directory.file("out/p")))
    }

    /// A file size limit simulates a full disk.
    @Test func outputsThatDoNotFitFailAlone() throws {
        try workspace.preset(
            smallPreset + "  - {loader: qq-mail, name: large, size: 256x256, quality: 0, outputs: [mov]}\n")
        let outcome = try workspace.shell(
            "ulimit -f 40; $LOADERVID batch p.yaml --progress none --json-report report.json")
        #expect(outcome.code == 74, "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains("large.mov"), "\(outcome.errorText)")
        #expect(try workspace.files(in: "out").keys.sorted() == smallNames)
        // Without the limit, the remaining output is rendered.
        let report = try workspace.batch("p.yaml")
        #expect(report.results.filter { $0.value != "up-to-date" } == ["large.mov": "made: new"])
    }
}
