import Foundation
import TestSupport
import Testing

/// Clips that `diff` must tell apart, and files that it cannot read.
@Suite struct DeepDiffTests {
    /// Samples of more than 8 bits are compared with all their bits.
    @Test func lowBitsOfDeepSamplesCount() throws {
        let fixture = try VerificationFixture()
        let source = ["-f", "lavfi", "-i", "color=gray:size=64x48:duration=0.2:rate=25,format=yuv420p10le"]
        for (name, change) in [("a.mkv", "null"), ("b.mkv", "null"), ("c.mkv", "lutyuv=y=val+1")] {
            try fixture.ffmpeg(source + ["-vf", change, "-c:v", "ffv1", "-pix_fmt", "yuv420p10le", name])
        }
        #expect(try fixture.run(["diff", "a.mkv", "b.mkv"]).code == 0)
        let outcome = try fixture.run(["diff", "a.mkv", "c.mkv"])
        #expect(outcome.code == 1, "\(outcome.text)")
    }

    /// One file that cannot be read does not keep the others from being compared.
    @Test(.enabled(if: geteuid() != 0)) func unreadableFilesOfDirectoriesAreReported() throws {
        let fixture = try VerificationFixture()
        for folder in ["old", "new"] {
            try FileManager.default.createDirectory(
                atPath: fixture.file(folder), withIntermediateDirectories: true)
            for name in ["a", "b"] { try fixture.encode("qq-mail --size 60x30", to: "\(folder)/\(name).mp4") }
        }
        chmod(fixture.file("new/a.mp4"), 0)
        let outcome = try fixture.run(["diff", "old", "new", "--junit", "report.xml"])
        #expect(outcome.code == 66 && outcome.text.contains("1 equal, 1 different"), "\(outcome.text)")
        #expect(try String(contentsOfFile: fixture.file("report.xml"), encoding: .utf8).contains("tests=\"2\""))
    }
}
