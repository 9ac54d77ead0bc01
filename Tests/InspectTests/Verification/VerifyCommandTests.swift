import Foundation
import TestSupport
import Testing

/// The `verify` command.
@Suite struct VerifyCommandTests {
    /// Loaders with the number of their frames and options of `encode`.
    private static let clips = [
        (loader: "qq-mail", frames: 29, options: ""), (loader: "jelly", frames: 120, options: "--static vfr"),
        (loader: "iqiyi", frames: 24, options: ""),
    ]

    @Test(.slow, arguments: some(of: ["mp4", "webm", "mkv", "mov"], and: clips, each: 4))
    func ownClipsPass(_ fileExtension: String, _ clip: (loader: String, frames: Int, options: String)) throws {
        let fixture = try VerificationFixture()
        let name = "\(clip.loader).\(fileExtension)"
        try fixture.encode("\(clip.loader) --size 96x96 --fps 20 \(clip.options)", to: name)
        let verdict = try fixture.verify("--looped", "--strict", name)
        let file = try #require(verdict.files.first)
        #expect(verdict.code == 0 && verdict.wrong.isEmpty, "\(name): \(verdict)")
        #expect(file.rate == 20 && abs((file.duration ?? 0) - Double(clip.frames) / 20) < 0.0015, "\(name): \(file)")
        let against = ["verify", name, "--against", clip.loader, "--size", "96x96", "--fps"]
        let right = try fixture.run(against + ["20"])
        #expect(right.code == 0, "\(name): \(right.text)")
        let wrong = try fixture.run(against + ["25"])
        #expect(wrong.code == 1, "\(name): \(wrong.text)")
        #expect(wrong.text.contains("the frame rate is 20 instead of 25; "), "\(name): \(wrong.text)")
    }

    @Test(.slow) func loadersThatJumpPass() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("oneloading --size 120x120 --fps 30", to: "one.mp4")
        let verdict = try fixture.verify("--looped", "one.mp4")
        #expect(
            verdict.code == 0 && verdict.files.first?.findings.first?.message.contains("oneloading") == true,
            "\(verdict)")
        try fixture.encode("oneloading --size 120x120 --fps 30 --duration 1.4", to: "cut.mp4")
        #expect(try fixture.verify("--looped", "cut.mp4").wrong == ["seam-jumps"])
    }

    @Test func ffmpegFrameHashesAreAccepted() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 25", to: "clip.mp4")
        try fixture.ffmpeg(["-i", "clip.mp4", "-f", "framehash", "hashes"])
        #expect(try fixture.verify("--frames-sha256", "hashes", "clip.mp4").code == 0)
        let text = String(decoding: try fixture.bytes("hashes"), as: UTF8.self)
        var lines = text.split(separator: "\n").map(String.init)
        let index = try #require(lines.lastIndex { !$0.hasPrefix("#") }) - 5
        lines[index] = String(lines[index].dropLast(64)) + String(repeating: "0", count: 64)
        try fixture.write(Array(lines.joined(separator: "\n").utf8), to: "other")
        let verdict = try fixture.verify("--frames-sha256", "other", "clip.mp4")
        #expect(verdict.wrong == ["frame-hash"] && verdict.files[0].findings[0].frame == 30, "\(verdict)")
        try fixture.write(Array("words".utf8), to: "bad")
        let bad = try fixture.run(["verify", "--frames-sha256", "bad", "clip.mp4"])
        #expect(bad.code == 65 && bad.errorLines.count == 1)
    }

    @Test(.slow) func exitCodesAndReports() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 25", to: "a.mp4")
        try fixture.ffmpeg([
            "-i", "a.mp4", "-c:v", "libx264", "-bsf:v", "h264_metadata=video_full_range_flag=0", "late.mp4",
        ])
        try fixture.write(Array(fixture.bytes("a.mp4").dropLast(200)), to: "cut&<.mp4")
        #expect(try fixture.run(["verify", "a.mp4"]).code == 0)
        let late = try fixture.run(["verify", "late.mp4"])
        #expect(late.text.contains("warning fast-start"), "\(late.text)")
        #expect(try fixture.run(["verify", "--strict", "late.mp4"]).code == 1)
        #expect(try fixture.run(["verify", "a.mp4", "cut&<.mp4"]).code == 65)
        let all = try fixture.run(["verify", "a.mp4", "cut&<.mp4", "none.mp4", "--junit", "report.xml"])
        #expect(
            all.code == 66 && all.errorLines == ["loadervid: none.mp4 does not exist; check the path"],
            "\(all.errorText)")
        let report = String(decoding: try fixture.bytes("report.xml"), as: UTF8.self)
        #expect(report.contains("tests=\"3\" failures=\"2\"") && report.contains("cut&amp;&lt;.mp4"), "\(report)")
        // Each kind of failure has its own name, which JSON uses too.
        for kind in ["badData", "missingInput"] { #expect(report.contains("type=\"\(kind)\""), "\(report)") }
        let json = try fixture.run(["verify", "--json", "a.mp4", "cut&<.mp4", "none.mp4"]).text
        let kinds = json.matches(of: /"kind" : "([a-zA-Z]+)"/).map { String($0.1) }
        #expect(kinds == ["badData", "missingInput"], "\(json)")
        // Reports must not overwrite inputs.
        let whole = try fixture.bytes("a.mp4")
        #expect(try fixture.run(["verify", "late.mp4", "a.mp4", "--junit", "./a.mp4"]).code == 64)
        #expect(try fixture.bytes("a.mp4") == whole)
        let usage = try fixture.run(["verify", "a.mp4", "--fps", "25"])
        #expect(usage.code == 64 && usage.errorText.contains("--against"))
        let unknown = try fixture.run(["verify", "a.mp4", "--against", "nope"])
        #expect(unknown.code == 64 && unknown.errorLines.count == 1, "\(unknown.errorText)")
        let file = try fixture.run(["verify", "a.mp4", "--against", "none.yaml"])
        #expect(
            file.code == 66 && file.errorText == "loadervid: preset none.yaml does not exist; check the path\n",
            "\(file.errorText)")
        #expect(unknown.errorText.contains("no preset 'nope', and there is no loader 'nope'"), "\(unknown.errorText)")
    }

    /// Data after the end of an MP4 is harmless. A missing end is not.
    @Test(.slow) func trailingBytesAreANote() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 25", to: "a.mp4")
        try fixture.ffmpeg(["-i", "a.mp4", "-c", "copy", "last.mp4"])
        for name in ["a.mp4", "last.mp4"] {
            let whole = try fixture.bytes(name)
            for more in [[0], Array("some words, and more".utf8), [UInt8](repeating: 0, count: 300)] {
                try fixture.write(whole + more, to: "more.mp4")
                let verdict = try fixture.verify("more.mp4")
                #expect(verdict.code == 0 && verdict.all.contains("trailing-bytes"), "\(name) \(more): \(verdict)")
            }
            // A truncated box is not trailing data.
            try fixture.write(whole + [0, 0, 1, 0] + Array("free".utf8), to: "cut.mp4")
            #expect(try fixture.verify("cut.mp4").code == 65)
        }
    }

    /// The sought keyframes are spread over the whole clip.
    @Test func seekingReachesTheEnd() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 25 --cycles 3", to: "a.mp4")
        try fixture.ffmpeg([
            "-i", "a.mp4", "-c:v", "libx264", "-g", "1", "-frames:v", "100", "-movflags", "+faststart", "keys.mp4",
        ])
        let outcome = try fixture.run(["verify", "keys.mp4"])
        // Every second of a hundred keyframes. The first 64 would omit a third of the clip.
        #expect(outcome.text.contains("50 of 100 keyframes verified by seeking"), "\(outcome.text)")
    }
}
