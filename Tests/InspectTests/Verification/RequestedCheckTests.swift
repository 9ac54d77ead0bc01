import Foundation
import TestSupport
import Testing

/// Checks that the user asks for are done or refused, never skipped.
@Suite struct RequestedCheckTests {
    private func sequence(_ fixture: VerificationFixture) throws {
        try FileManager.default.createDirectory(atPath: fixture.file("frames"), withIntermediateDirectories: true)
        try fixture.encode("qq-mail --size 60x30 --fps 25", to: "frames/%02d.png")
    }

    @Test func hashesOfSequencesAreCompared() throws {
        let fixture = try VerificationFixture()
        try sequence(fixture)
        try fixture.ffmpeg(["-i", "frames/%02d.png", "-f", "framehash", "right.txt"])
        let lines = try String(contentsOfFile: fixture.file("right.txt"), encoding: .utf8)
        let wrong = lines.replacingOccurrences(
            of: "(?m)[0-9a-f]{64}$", with: String(repeating: "0", count: 64),
            options: .regularExpression)
        try wrong.write(toFile: fixture.file("wrong.txt"), atomically: true, encoding: .utf8)
        #expect(try fixture.verify("frames/%02d.png", "--frames-sha256", "right.txt").code == 0)
        let verdict = try fixture.verify("frames/%02d.png", "--frames-sha256", "wrong.txt")
        #expect(verdict.code == 1 && verdict.wrong == ["frame-hash"], "\(verdict)")
    }

    @Test(.slow) func checksThatAFormatCannotHaveAreUsageErrors() throws {
        let fixture = try VerificationFixture()
        try sequence(fixture)
        try fixture.encode("qq-mail --size 60x30", to: "clip.svg")
        let digits = String(repeating: "0", count: 64)
        try digits.write(toFile: fixture.file("list.txt"), atomically: true, encoding: .utf8)
        let against = ["--against", "qq-mail", "--size", "60x30"]
        for options in [["--frames-sha256", "list.txt"], ["--alpha"], ["--looped"]] {
            let outcome = try fixture.run(["verify", "clip.svg"] + against + options)
            #expect(outcome.code == 64 && outcome.errorText.contains(options[0]), "\(outcome.errorText)")
        }
        #expect(try fixture.run(["verify", "frames/%02d.png", "--looped"]).code == 64)
        #expect(try fixture.run(["verify", "clip.svg", "--psnr", "40"]).code == 64)
    }

    /// The others are checked, and reported.
    @Test func aMissingVectorFileIsMissing() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 60x30", to: "clip.svg")
        #expect(try fixture.run(["verify", "none.svg"]).code == 66)
        let outcome = try fixture.run([
            "verify", "none.svg", "clip.svg", "--against", "qq-mail", "--size", "60x30", "--junit", "report.xml",
        ])
        #expect(outcome.code == 66 && outcome.text.contains("SVG, 60x30"), "\(outcome.text)\(outcome.errorText)")
        #expect(try String(contentsOfFile: fixture.file("report.xml"), encoding: .utf8).contains("tests=\"2\""))
        let verdict = try fixture.verify("clip.svg", "--against", "qq-mail", "--size", "60x30")
        #expect(verdict.files.first?.width == 60 && verdict.files.first?.container == "SVG", "\(verdict)")
    }

    /// The last frame but one has neighbours, too.
    @Test(.slow) func aBlankFrameBeforeTheLastIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 120x60 --fps 25 --codec ffv1 --pixel-format bgra", to: "source.mkv")
        for format in [Format.gif, .mp4] {
            let filter = "drawbox=enable='eq(n,34)':t=fill:c=white" + format.filter
            try fixture.ffmpeg(["-i", "source.mkv", "-filter_complex", filter] + format.options + [format.name])
            let verdict = try fixture.verify(format.name)
            #expect(verdict.code == 1 && verdict.wrong == ["picture-blank"], "\(format): \(verdict)")
        }
    }
}
