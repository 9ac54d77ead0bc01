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

    @Test(.slow) func filesAreVerifiedBeforeTheyAreNamed() throws {
        let fixture = try VerificationFixture()
        try fixture.write(Array(Self.preset.utf8), to: "p.yaml")
        let run = ["batch", "p.yaml", "-o", "out", "--progress", "none"]
        let before = try fixture.run(run + ["--check", "--junit", "c.xml"])
        #expect(before.code == 1 && before.text.contains("3 failed"), "\(before.text)")
        #expect(String(decoding: try fixture.bytes("c.xml"), as: UTF8.self).contains("failures=\"3\""))
        #expect(!FileManager.default.fileExists(atPath: fixture.file("out")))
        let made = try fixture.run(run + ["--verify"])
        #expect(made.code == 0 && made.text.contains("3 made"), "\(made.text) \(made.errorText)")
        for more in [[], ["--verify"]] {
            let right = try fixture.run(run + ["--check"] + more)
            #expect(right.code == 0 && right.text.contains("3 up to date"), "\(right.text) \(right.errorText)")
        }
        // Reports must not replace clips or the batch's records.
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.file("out"))
        let taken = names.filter { $0.hasSuffix("mp4") || $0.hasSuffix("manifest.json") }
        #expect(taken.count == 3, "\(names)")
        for name in taken {
            let whole = try fixture.bytes("out/\(name)")
            for option in ["--junit", "--json-report"] {
                #expect(try fixture.run(run + ["--check", option, "out/\(name)"]).code == 64, "\(option) \(name)")
            }
            #expect(try fixture.bytes("out/\(name)") == whole)
        }
        // A clip with different bytes is bad data, and a clip that does not exist is missing.
        let clips = taken.filter { $0.hasSuffix("mp4") }.map { "out/\($0)" }
        let whole = try fixture.bytes(clips[0])
        try fixture.write(whole + [0], to: clips[0])
        let reports = ["--check", "--junit", "c.xml", "--json-report", "c.json"]
        for kind in ["badData", "missingInput"] {
            #expect(try fixture.run(run + reports).code == 1)
            let (xml, json) = (String(decoding: try fixture.bytes("c.xml"), as: UTF8.self), try fixture.bytes("c.json"))
            #expect(xml.contains("type=\"\(kind)\""), "\(xml)")
            #expect(String(decoding: json, as: UTF8.self).contains("\"kind\" : \"\(kind)\""))
            try? FileManager.default.removeItem(atPath: fixture.file(clips[0]))
        }
        try fixture.write(whole, to: clips[0])
        try fixture.write(Array(Self.preset.replacingOccurrences(of: "fps: 10", with: "fps: 12").utf8), to: "p.yaml")
        let stale = try fixture.run(run + ["--check"])
        #expect(stale.code == 1 && stale.errorText.contains("fps: 10"), "\(stale.errorText)")
        #expect(try fixture.run(run + ["--check", "--force"]).code == 64)
    }

    /// Properties that a format cannot store are not expected of it.
    @Test func animationsAreVerified() throws {
        let fixture = try VerificationFixture()
        let preset = """
            defaults: {scale: 1, fps: 25, background: transparent}
            clips:
              - {loader: qq-mail, outputs: [gif, {format: gif, matte: white, suffix: -white}, apng, webp]}
              - {loader: jelly, duration: 1, outputs: [{format: gif, matte: "#222222"}]}
            """
        try fixture.write(Array(preset.utf8), to: "p.yaml")
        let made = try fixture.run(["batch", "p.yaml", "-o", "out", "--verify", "--progress", "none"])
        #expect(made.code == 0 && made.text.contains("5 made"), "\(made.text) \(made.errorText)")
    }

    @Test func wrongFilesAreNotNamed() throws {
        let fixture = try VerificationFixture()
        // At this quality the frames differ too much.
        let preset = """
            clips:
              - loader: qq-mail
                size: 64x32
                fps: 10
                outputs: [{format: webm, quality: 60, speed: 8, suffix: -bad}, {format: mp4, suffix: -good}]
            """
        try fixture.write(Array(preset.utf8), to: "p.yaml")
        let outcome = try fixture.run([
            "batch", "p.yaml", "-o", "out", "--verify", "--progress", "none", "--junit", "r.xml",
        ])
        #expect(outcome.code == 70 && outcome.text.contains("1 made, 1 failed"), "\(outcome.text) \(outcome.errorText)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.file("out"))
        #expect(
            names.contains { $0.hasSuffix("-good.mp4") } && !names.contains { $0.hasSuffix("-bad.webm") }, "\(names)")
        let report = String(decoding: try fixture.bytes("r.xml"), as: UTF8.self)
        #expect(report.contains("failures=\"1\"") && report.contains("expected-picture"), "\(report)")
    }

    /// Files that were reduced for a size limit must match their records, also without a batch.
    /// Others must not.
    @Test func qualityReducedForALimitIsExpected() throws {
        let fixture = try VerificationFixture()
        let preset =
            "clips:\n  - {loader: qq-mail, size: 96x96, fps: 50, outputs: [{format: apng, max-bytes: 12 kB}]}\n"
        try fixture.write(Array(preset.utf8), to: "p.yaml")
        let made = try fixture.run(["batch", "p.yaml", "-o", "out", "--verify", "--progress", "none"])
        try #require(made.code == 0 && made.text.contains("for max-bytes: "), "\(made.text) \(made.errorText)")
        let right = try fixture.run(["verify", "out/p/qq-mail.apng", "--against", "p.yaml"])
        #expect(right.code == 0, "\(right.text) \(right.errorText)")
        try FileManager.default.removeItem(atPath: fixture.file("out/.loadervid"))
        let unknown = try fixture.run(["verify", "out/p/qq-mail.apng", "--against", "p.yaml"])
        #expect(unknown.code == 1 && unknown.text.contains("expected-"), "\(unknown.text) \(unknown.errorText)")
    }
}
