import Foundation
import TestSupport
import Testing

/// Manifests and files with values that no batch writes, as in an untrusted repository. No command
/// crashes, fills the memory or runs for hours.
@Suite struct BatchRecordTests {
    private let workspace: CommandFixture
    private var directory: TemporaryDirectory { workspace.directory }
    private let manager = FileManager.default

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset("clips: [{loader: qq, name: p/q, size: 32x16, fps: 10, speed: ultrafast}]\n")
    }

    private func makeDirectory(_ name: String) throws {
        try manager.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
    }

    /// Makes a sparse file.
    private func makeFile(ofBytes count: Int, at name: String) throws {
        try makeFile("", at: directory.file(name))
        try #require(truncate(directory.file(name), off_t(count)) == 0)
    }

    private func makeFile(_ text: String, at path: String) throws { try TestSupport.makeFile(text, at: path) }

    /// Changes the record of the only output.
    private func change(_ body: (inout [String: Any]) -> Void) throws {
        let url = URL(fileURLWithPath: directory.file("out/.loadervid/manifest.json"))
        var root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        var outputs = try #require(root["outputs"] as? [String: Any])
        var record = try #require(outputs["p/q.mp4"] as? [String: Any])
        body(&record)
        outputs["p/q.mp4"] = record
        root["outputs"] = outputs
        try JSONSerialization.data(withJSONObject: root).write(to: url)
    }

    private static let manifest = """
        {"schema": 1, "shard": {"index": 0, "count": 1}, "toolchain": {"loadervid": "1"},
        "plan": {"a.mp4": {"fingerprint": "f", "preset": "p", "frames": 1, "duration": 0.5, "shard": 0}},
        "outputs": {"a.mp4": {"fingerprint": "f", "bytes": 1, "sha256": "0", "recipe": {"request": {}, "toolchain": {}},
        "sidecars": {"vtt": {"sha256": "0", "bytes": 2}}}}}
        """

    private func merge(_ manifest: String) throws -> Outcome {
        try makeDirectory("t0/.loadervid")
        try makeFile(manifest, at: directory.file("t0/.loadervid/manifest.json"))
        return try workspace.start(["batch", "merge", "t0", "-o", "m"]).wait(timeout: 20)
    }

    @Test func validNumbersAreAccepted() throws {
        let outcome = try merge(Self.manifest)
        #expect(outcome.code == 66 && outcome.errorText.contains("a.mp4 of shard 0 is missing"), "\(outcome.errorText)")
    }

    @Test(
        .slow,
        arguments: [
            ("\"frames\": 1", ["0", "-1", "10000001", "1e300", "9223372036854775807"]),
            ("\"duration\": 0.5", ["-1", "1e300", "1000000001", "9e18"]),
            ("\"shard\": 0", ["-1", "10000", "1e300", "9223372036854775807"]),
            ("\"bytes\": 1", ["-1", "1e300", "-9223372036854775808"]),
            ("\"bytes\": 2", ["-1", "1e300", "-9223372036854775808"]),
            ("\"index\": 0", ["-1", "1", "1e300"]), ("\"count\": 1", ["0", "-1", "10001", "9223372036854775807"]),
        ])
    func invalidNumbersAreRejected(field: String, values: [String]) throws {
        let key = try #require(field.split(separator: ":").first)
        for value in values {
            let manifest = Self.manifest.replacing(field, with: "\(key): \(value)")
            try #require(manifest != Self.manifest)
            expectRefusal(try merge(manifest), 65, ["manifest.json is damaged"])
        }
    }

    @Test(arguments: [["batch", "p.yaml"], ["batch", "p.yaml", "--dry-run"], ["batch", "merge", "out"]])
    func largeManifestsAreNotLoaded(arguments: [String]) throws {
        try makeDirectory("out/.loadervid")
        try makeFile(ofBytes: 40 << 30, at: "out/.loadervid/manifest.json")
        let outcome = try workspace.start(arguments).wait(timeout: 20)
        expectRefusal(
            outcome, 65, ["manifest.json: it has 42949672960 bytes, above the maximum of 268435456 bytes; remove it"])
        #expect(outcome.cpuSeconds < 5)
    }

    /// A sparse file needs no disk space, but hashing it would take hours.
    @Test func largeOutputsAreNotHashed() throws {
        let made = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(made.code == 0 && made.text.contains("1 output: 1 made"), "\(made.text)")
        let whole = try workspace.files(in: "out")
        try makeFile(ofBytes: 200 << 30, at: "out/p/q.mp4")
        try change { $0["bytes"] = 200 << 30 }
        let planned = try workspace.start(["batch", "p.yaml", "--dry-run"]).wait(timeout: 20)
        #expect(planned.text.contains("damaged: 214748364800 bytes, above the maximum of"), "\(planned.text)")
        let merged = try workspace.start(["batch", "merge", "out", "-o", "m"]).wait(timeout: 20)
        expectRefusal(
            merged, 65, ["q.mp4: it has 214748364800 bytes, above the maximum of 68719476736 bytes; remove it"])
        #expect(planned.cpuSeconds + merged.cpuSeconds < 10)
        #expect(try workspace.batch("p.yaml").results["p/q.mp4"]?.hasPrefix("made: damaged: ") == true)
        #expect(try workspace.files(in: "out") == whole)
    }

    @Test func longTextsOfARecordAreAbbreviated() throws {
        try workspace.batch("p.yaml")
        let (long, key) = (String(repeating: "x", count: 3000), String(repeating: "a", count: 3000))
        try change { record in
            let old = record["recipe"] as? [String: Any] ?? [:]
            var request = old["request"] as? [String: Any] ?? [:]
            (request["fps"], request[key]) = (long, long)
            record["recipe"] = old.merging(["request": request]) { $1 }
        }
        let planned = try workspace.run(["batch", "p.yaml", "--dry-run"])
        #expect(planned.text.contains("fps: xxx") && planned.text.contains("xxx → "), "\(planned.text)")
        for character in ["x", "a"] { #expect(!planned.text.contains(String(repeating: character, count: 81))) }
    }

    // MARK: Directories

    /// A killed batch leaves temporary files, and another program may leave anything in their
    /// directory.
    @Test func temporaryFilesAreRemoved() throws {
        try makeDirectory("out/.loadervid/tmp/x/y")
        try makeDirectory("victim")
        try makeFile("precious", at: directory.file("victim/file"))
        try makeFile("", at: directory.file("out/.loadervid/tmp/x/y/file"))
        for name in ["tmp/x/link", "tmp/x/y/link"] {
            try manager.createSymbolicLink(
                atPath: directory.file("out/.loadervid/\(name)"), withDestinationPath: directory.file("victim"))
        }
        try workspace.batch("p.yaml")
        #expect(try bytes(of: directory.file("victim/file")) == Array("precious".utf8))
        #expect(
            try manager.contentsOfDirectory(atPath: directory.file("out/.loadervid")).sorted()
                == ["lock", "manifest.json"])
    }

    @Test func tooDeepDirectoriesAreReported() throws {
        try makeDirectory("out/.loadervid/tmp" + String(repeating: "/x", count: 60))
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        expectRefusal(outcome, 73, ["out/.loadervid/tmp cannot be emptied; remove it"])
    }

    @Test func invalidOutputDirectoriesAreReported() throws {
        let batch = ["batch", "p.yaml", "--progress", "none", "-o"]
        expectRefusal(
            try workspace.run(batch + [""]), 64, ["the path of the output directory is empty; give a directory"])
        try manager.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "missing")
        for path in ["link", "link/deep"] {
            expectRefusal(
                try workspace.run(batch + [path]), 73,
                ["link is a link to a directory that does not exist; remove it, or use another directory"])
        }
        #expect(try directory.names() == ["link", "p.yaml"])
    }
}
