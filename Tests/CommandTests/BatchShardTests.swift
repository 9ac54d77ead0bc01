import Foundation
import TestSupport
import Testing

@Suite struct BatchShardTests {
    private let workspace: CommandFixture

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(smallPreset)
    }

    private func missing(_ outcome: Outcome) -> [String] { outcome.errorLines.filter { $0.contains("missing") } }

    @Test(.slow, arguments: [false, true]) func mergedShardsEqualTheWholeBatch(isShared: Bool) throws {
        try workspace.batch("p.yaml", "-o", "whole")
        let directories = (0..<3).map { isShared ? "shared" : "part-\($0)" }
        let shards = try (0..<3).map { index in
            try workspace.start(
                ["batch", "p.yaml", "-o", directories[index], "--shard", "\(index)/3", "--progress", "none"])
        }
        for shard in shards { #expect(try shard.wait().code == 0) }
        let merge = ["batch", "merge"] + (isShared ? ["shared"] : directories + ["-o", "shared"])
        #expect(try workspace.run(merge).code == 0)
        #expect(try workspace.files(in: "shared") == workspace.files(in: "whole"))
        let manifest = try bytes(of: workspace.directory.file("shared/.loadervid/manifest.json"))
        // A second merge has nothing to do.
        let again = try workspace.run(merge)
        #expect(again.code == 0 && again.text.contains("6 up to date"), "\(again.text)")
        #expect(try bytes(of: workspace.directory.file("shared/.loadervid/manifest.json")) == manifest)
        #expect(try Set(workspace.batch("p.yaml", "-o", "shared").results.values) == ["up-to-date"])
        #expect(try Set(workspace.batch("p.yaml", "-o", "shared", "--shard", "1/2").results.values) == ["up-to-date"])
    }

    @Test func aMergeWithoutShardsLeavesNothing() throws {
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("empty"), withIntermediateDirectories: false)
        for output in [[], ["-o", "new"]] {
            let outcome = try workspace.run(["batch", "merge", "empty"] + output)
            expectRefusal(outcome, 66, ["empty", "manifest"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("empty")).isEmpty)
        #expect(try !workspace.directory.names().contains("new"))
    }

    /// A batch without shards reuses the outputs that shards left in its directory.
    @Test func aWholeBatchReusesShards() throws {
        for index in 0..<2 { try workspace.batch("p.yaml", "--shard", "\(index)/3") }
        let report = try workspace.batch("p.yaml")
        #expect(Set(report.results.values) == ["up-to-date", "made: new"])
        let state = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid"))
        #expect(state.filter { $0.hasPrefix("manifest") } == ["manifest.json"])
        try workspace.preset(smallPreset.replacing("fps: 10", with: "fps: 12"))
        try workspace.batch("p.yaml")
        #expect(try workspace.run(["batch", "merge", "out"]).code == 0)
    }

    @Test func missingOutputsAreReported() throws {
        for index in [0, 2] { try workspace.batch("p.yaml", "-o", "part-\(index)", "--shard", "\(index)/3") }
        let merge = ["batch", "merge", "part-0", "part-2", "-o", "out"]
        let incomplete = try workspace.run(merge)
        #expect(incomplete.code == 66)
        #expect(incomplete.errorText.contains("shard 1/3 is missing"))
        let present = try ["part-0", "part-2"].flatMap { try workspace.files(in: $0).keys }
        for name in smallNames {
            #expect(present.contains(name) != incomplete.errorText.contains("\(name) of shard 1 is missing"))
        }
        #expect(try workspace.files(in: "out").isEmpty)
        // A truncated file counts as missing.
        try workspace.batch("p.yaml", "-o", "part-1", "--shard", "1/3")
        let truncated = try #require(workspace.files(in: "part-2").keys.sorted().first)
        #expect(truncate(workspace.directory.file("part-2/\(truncated)"), 10) == 0)
        let damaged = try workspace.run(merge + ["part-1"])
        #expect(damaged.code == 66)
        #expect(damaged.errorLines.count == 1 && damaged.errorText.contains("\(truncated) of shard 2 is damaged"))
    }

    @Test func shardsOfDifferentBatchesAreRejected() throws {
        try workspace.batch("p.yaml", "-o", "part-0", "--shard", "0/2")
        try workspace.preset(smallPreset.replacing("fps: 10", with: "fps: 12"))
        try workspace.batch("p.yaml", "-o", "part-1", "--shard", "1/2")
        let merge = ["batch", "merge", "part-0", "part-1", "-o", "out", "--progress", "none"]
        expectRefusal(try workspace.run(merge), 65, ["different batches"])
        try workspace.preset(smallPreset)
        try workspace.batch("p.yaml", "-o", "part-1", "--shard", "1/2")
        let path = workspace.directory.file("part-1/.loadervid/manifest-1-of-2.json")
        let text = String(decoding: try bytes(of: path), as: UTF8.self)
        try makeFile(text.replacing("\"loadervid\":\"0.7.0\"", with: "\"loadervid\":\"0.0.9\""), at: path)
        expectRefusal(try workspace.run(merge), 65, ["different versions", "loadervid 0.7.0 → 0.0.9"])
        try makeFile(text, at: path)
        // An existing file that no batch made blocks the merge.
        let name = try #require(workspace.files(in: "part-1").keys.sorted().first)
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("out/p"), withIntermediateDirectories: true)
        try makeFile("mine", at: workspace.directory.file("out/\(name)"))
        expectRefusal(try workspace.run(merge), 73, ["out/\(name) exists and was not made by a batch", "--force"])
        // The merge was refused before it copied anything.
        #expect(try workspace.files(in: "out") == [name: Array("mine".utf8)])
        #expect(try workspace.run(merge + ["--force"]).code == 0)
        #expect(try workspace.files(in: "out").count == 6)
    }

    @Test func differentFilesOfOneOutputAreRejected() throws {
        try workspace.batch("p.yaml", "-o", "a", "--shard", "0/1")
        try FileManager.default.copyItem(
            atPath: workspace.directory.file("a"), toPath: workspace.directory.file("b"))
        #expect(try workspace.run(["batch", "merge", "a", "b", "-o", "c"]).code == 0)
        // A different file, with a matching manifest.
        let (file, manifest) = (workspace.directory.file("b/p/qq.mp4"), "b/.loadervid/manifest-0-of-1.json")
        let old = try run("sha256sum", [file]).text.prefix(64)
        var changed = try bytes(of: file)
        changed[changed.count - 1] ^= 1
        try Data(changed).write(to: URL(fileURLWithPath: file))
        let new = try run("sha256sum", [file]).text.prefix(64)
        let text = String(decoding: try bytes(of: workspace.directory.file(manifest)), as: UTF8.self)
        try makeFile(text.replacing(old, with: new), at: workspace.directory.file(manifest))
        expectRefusal(try workspace.run(["batch", "merge", "a", "b", "-o", "d"]), 65, ["p/qq.mp4", "differ"])
    }
}
