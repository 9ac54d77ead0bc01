import Foundation
import TestSupport
import Testing

/// `batch --verify` and `batch --check`.
@Suite struct BatchVerifyTests {
    private static let preset = """
        defaults: {size: 64x32, fps: 10}
        clips:
          - {loader: qq-mail, outputs: [mp4, {format: webm, speed: 8, quality: 35}]}
          - {loader: qq-mail, name: other, duration: 1}
        """

    @Test func filesAreCheckedBeforeTheyHaveTheirNames() throws {
        let bench = try Bench()
        try bench.write(Array(Self.preset.utf8), to: "p.yaml")
        let run = ["batch", "p.yaml", "-o", "out", "--progress", "none"]
        let before = try bench.run(run + ["--check", "--junit", "c.xml"])
        #expect(before.code == 1 && before.text.contains("3 failed"), "\(before.text)")
        #expect(String(decoding: try bench.bytes("c.xml"), as: UTF8.self).contains("failures=\"3\""))
        #expect(!FileManager.default.fileExists(atPath: bench.file("out")))
        let made = try bench.run(run + ["--verify"])
        #expect(made.code == 0 && made.text.contains("3 made"), "\(made.text) \(made.errorText)")
        for more in [[], ["--verify"]] {
            let right = try bench.run(run + ["--check"] + more)
            #expect(right.code == 0 && right.text.contains("3 up to date"), "\(right.text) \(right.errorText)")
        }
        // Reports may stand in no clip's place, nor in that of the batch's own records.
        let names = try FileManager.default.subpathsOfDirectory(atPath: bench.file("out"))
        let taken = names.filter { $0.hasSuffix("mp4") || $0.hasSuffix("manifest.json") }
        #expect(taken.count == 3, "\(names)")
        for name in taken {
            let whole = try bench.bytes("out/\(name)")
            for option in ["--junit", "--json-report"] {
                #expect(try bench.run(run + ["--check", option, "out/\(name)"]).code == 64, "\(option) \(name)")
            }
            #expect(try bench.bytes("out/\(name)") == whole)
        }
        try bench.write(Array(Self.preset.replacingOccurrences(of: "fps: 10", with: "fps: 12").utf8), to: "p.yaml")
        let stale = try bench.run(run + ["--check"])
        #expect(stale.code == 1 && stale.errorText.contains("fps: 10"), "\(stale.errorText)")
        #expect(try bench.run(run + ["--check", "--force"]).code == 64)
    }

    /// Whatever a format cannot hold is not expected of it.
    @Test func animationsAreChecked() throws {
        let bench = try Bench()
        let preset = """
            defaults: {scale: 1, fps: 25, background: transparent}
            clips:
              - {loader: qq-mail, outputs: [gif, {format: gif, matte: white, suffix: -white}, apng, webp]}
              - {loader: jelly, duration: 1, outputs: [{format: gif, matte: "#222222"}]}
            """
        try bench.write(Array(preset.utf8), to: "p.yaml")
        let made = try bench.run(["batch", "p.yaml", "-o", "out", "--verify", "--progress", "none"])
        #expect(made.code == 0 && made.text.contains("5 made"), "\(made.text) \(made.errorText)")
    }

    @Test func aWrongFileGetsNoName() throws {
        let bench = try Bench()
        // So few bits that pictures are not what they should be.
        let preset = """
            clips:
              - loader: qq-mail
                size: 64x32
                fps: 10
                outputs: [{format: webm, quality: 60, speed: 8, suffix: -bad}, {format: mp4, suffix: -good}]
            """
        try bench.write(Array(preset.utf8), to: "p.yaml")
        let outcome = try bench.run([
            "batch", "p.yaml", "-o", "out", "--verify", "--progress", "none", "--junit", "r.xml",
        ])
        #expect(outcome.code == 70 && outcome.text.contains("1 made, 1 failed"), "\(outcome.text) \(outcome.errorText)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: bench.file("out"))
        #expect(
            names.contains { $0.hasSuffix("-good.mp4") } && !names.contains { $0.hasSuffix("-bad.webm") }, "\(names)")
        let report = String(decoding: try bench.bytes("r.xml"), as: UTF8.self)
        #expect(report.contains("failures=\"1\"") && report.contains("expected-picture"), "\(report)")
    }

    /// Files that became smaller for a limit are what they must be, alone too, and others are not.
    @Test func whatWasGivenUpForALimitIsExpected() throws {
        let bench = try Bench()
        let preset =
            "clips:\n  - {loader: qq-mail, size: 96x96, fps: 50, outputs: [{format: apng, max-bytes: 12 kB}]}\n"
        try bench.write(Array(preset.utf8), to: "p.yaml")
        let made = try bench.run(["batch", "p.yaml", "-o", "out", "--verify", "--progress", "none"])
        try #require(made.code == 0 && made.text.contains("for max-bytes: "), "\(made.text) \(made.errorText)")
        let right = try bench.run(["verify", "out/p/qq-mail.apng", "--against", "p.yaml"])
        #expect(right.code == 0, "\(right.text) \(right.errorText)")
        try FileManager.default.removeItem(atPath: bench.file("out/.loadervid"))
        let unknown = try bench.run(["verify", "out/p/qq-mail.apng", "--against", "p.yaml"])
        #expect(unknown.code == 1 && unknown.text.contains("expected-"), "\(unknown.text) \(unknown.errorText)")
    }
}
