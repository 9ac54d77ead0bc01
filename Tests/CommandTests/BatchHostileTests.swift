import Foundation
import TestSupport
import Testing

/// Output directories with arbitrary contents, untrusted or from earlier runs. A batch touches
/// nothing outside and never hangs.
@Suite struct BatchHostileTests {
    private let workspace: CommandFixture
    private var directory: TemporaryDirectory { workspace.directory }

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(smallPreset)
    }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file(name), withDestinationPath: directory.file(target))
    }

    @Test(arguments: ["tmp", "tmp-0-of-2"]) func linksInTheStateDirectoryAreNotFollowed(name: String) throws {
        try makeDirectory("out/.loadervid")
        try makeDirectory("victim")
        try makeFile("precious", at: directory.file("victim/file"))
        try link("out/.loadervid/\(name)", to: "victim")
        _ = try workspace.run(["batch", "p.yaml", "--progress", "none", "--shard", "0/2"])
        try workspace.batch("p.yaml")
        #expect(try bytes(of: directory.file("victim/file")) == Array("precious".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("victim")) == ["file"])
    }

    /// Two Unicode spellings of a name are two directories to the file system, but equal strings in
    /// Swift.
    @Test func pathsAreComparedInBytes() throws {
        let (composed, decomposed) = ("r\u{E9}", "re\u{301}")
        try makeDirectory("\(composed)")
        try makeDirectory("\(decomposed)/q")
        try link("\(composed)/p", to: "\(decomposed)/q")
        let outcome = try workspace.run(["batch", "p.yaml", "-o", composed, "--progress", "none"])
        #expect(outcome.code == 73, "\(outcome.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("\(decomposed)/q")).isEmpty)
    }

    @Test func aPipeAsManifestIsRejected() throws {
        try makeDirectory("out/.loadervid")
        #expect(mkfifo(directory.file("out/.loadervid/manifest.json"), 0o600) == 0)
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(outcome.code == 65)
        #expect(outcome.errorText.contains("manifest.json"))
    }

    @Test(
        .slow,
        arguments: [
            ["--junit", "r", "--json-report", "./r"], ["--junit", "out/p/qq.mp4"],
            ["--json-report", "out/.loadervid/manifest.json"],
        ])
    func reportsReplaceNoOtherFile(options: [String]) throws {
        try workspace.batch("p.yaml")
        let files = try workspace.files(in: "out")
        let report = options[options.count - 1]
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
        #expect(outcome.code == 64)
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains(report), "\(outcome.errorText)")
        #expect(try workspace.files(in: "out") == files)
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"])
    }

    /// The manifests of an earlier run with another number of shards do not prevent the merge of a
    /// complete set.
    @Test func manifestsOfAnotherCountAreIgnored() throws {
        try workspace.batch("p.yaml", "-o", "whole")
        try workspace.batch("p.yaml", "--shard", "1/3")
        for index in 0..<2 { try workspace.batch("p.yaml", "--shard", "\(index)/2") }
        let merged = try workspace.run(["batch", "merge", "out"])
        #expect(merged.code == 0, "\(merged.errorText)")
        #expect(try workspace.files(in: "out") == workspace.files(in: "whole"))
    }

    @Test func contradictingCountsAreRejected() throws {
        let outcome = try workspace.run(
            ["batch", "p.yaml", "--shard", "auto/5"],
            environment: ["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "3"])
        #expect(outcome.code == 64)
        #expect(outcome.errorText.contains("JOB_COMPLETIONS is 3"), "\(outcome.errorText)")
    }
}
