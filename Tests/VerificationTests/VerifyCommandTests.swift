import Foundation
import TestSupport
import Testing

/// `verify` as users meet it.
@Suite struct VerifyCommandTests {
    @Test(arguments: ["mp4", "mov", "mkv", "webm"]) func ownClipsAreRight(_ ending: String) throws {
        let bench = try Bench()
        for (loader, frames, options) in [("qq-mail", 29, ""), ("jelly", 120, "--static vfr"), ("iqiyi", 24, "")] {
            let name = "\(loader).\(ending)"
            try bench.encode("\(loader) --size 96x96 --fps 20 \(options)", to: name)
            let verdict = try bench.verify("--looped", "--strict", name)
            let file = try #require(verdict.files.first)
            #expect(verdict.code == 0 && verdict.wrong.isEmpty, "\(name): \(verdict)")
            #expect(file.rate == 20 && abs((file.duration ?? 0) - Double(frames) / 20) < 0.0015, "\(name): \(file)")
            let against = try bench.run(["verify", name, "--against", loader, "--size", "96x96", "--fps", "20"])
            #expect(against.code == 0, "\(name): \(against.text)")
            let wrong = try bench.run(["verify", name, "--against", loader, "--size", "96x96", "--fps", "25"])
            #expect(wrong.code == 1 && wrong.text.contains("expected-"), "\(name): \(wrong.text)")
        }
    }

    @Test func aJumpOfTheLoaderItselfIsNoFault() throws {
        let bench = try Bench()
        try bench.encode("oneloading --size 120x120 --fps 30", to: "one.mp4")
        let verdict = try bench.verify("--looped", "one.mp4")
        #expect(
            verdict.code == 0 && verdict.files.first?.findings.first?.message.contains("oneloading") == true,
            "\(verdict)")
        try bench.encode("oneloading --size 120x120 --fps 30 --duration 1.4", to: "cut.mp4")
        #expect(try bench.verify("--looped", "cut.mp4").wrong == ["seam-jumps"])
    }

    @Test func hashesOfFFmpegAreTaken() throws {
        let bench = try Bench()
        try bench.encode("qq-mail --size 64x32 --fps 25", to: "clip.mp4")
        try bench.ffmpeg(["-i", "clip.mp4", "-f", "framehash", "hashes"])
        #expect(try bench.verify("--frames-sha256", "hashes", "clip.mp4").code == 0)
        let text = String(decoding: try bench.bytes("hashes"), as: UTF8.self)
        var lines = text.split(separator: "\n").map(String.init)
        let place = try #require(lines.lastIndex { !$0.hasPrefix("#") }) - 5
        lines[place] = String(lines[place].dropLast(64)) + String(repeating: "0", count: 64)
        try bench.write(Array(lines.joined(separator: "\n").utf8), to: "other")
        let verdict = try bench.verify("--frames-sha256", "other", "clip.mp4")
        #expect(verdict.wrong == ["frame-hash"] && verdict.files[0].findings[0].frame == 30, "\(verdict)")
        try bench.write(Array("words".utf8), to: "bad")
        let bad = try bench.run(["verify", "--frames-sha256", "bad", "clip.mp4"])
        #expect(bad.code == 65 && bad.errorLines.count == 1)
    }

    @Test func exitCodesAndReports() throws {
        let bench = try Bench()
        try bench.encode("qq-mail --size 64x32 --fps 25", to: "a.mp4")
        try bench.ffmpeg([
            "-i", "a.mp4", "-c:v", "libx264", "-bsf:v", "h264_metadata=video_full_range_flag=0", "late.mp4",
        ])
        try bench.write(Array(bench.bytes("a.mp4").dropLast(200)), to: "cut&<.mp4")
        #expect(try bench.run(["verify", "a.mp4"]).code == 0)
        let late = try bench.run(["verify", "late.mp4"])
        #expect(late.text.contains("warning fast-start"), "\(late.text)")
        #expect(try bench.run(["verify", "--strict", "late.mp4"]).code == 1)
        #expect(try bench.run(["verify", "a.mp4", "cut&<.mp4"]).code == 65)
        let all = try bench.run(["verify", "a.mp4", "cut&<.mp4", "none.mp4", "--junit", "report.xml"])
        #expect(all.code == 66 && all.errorLines == ["loadervid: none.mp4: there is no such file"], "\(all.errorText)")
        let report = String(decoding: try bench.bytes("report.xml"), as: UTF8.self)
        #expect(report.contains("tests=\"3\" failures=\"2\"") && report.contains("cut&amp;&lt;.mp4"), "\(report)")
        // Nothing that is read is overwritten.
        let whole = try bench.bytes("a.mp4")
        #expect(try bench.run(["verify", "late.mp4", "a.mp4", "--junit", "./a.mp4"]).code == 64)
        #expect(try bench.bytes("a.mp4") == whole)
        let usage = try bench.run(["verify", "a.mp4", "--fps", "25"])
        #expect(usage.code == 64 && usage.errorText.contains("--against"))
        let unknown = try bench.run(["verify", "a.mp4", "--against", "nope"])
        #expect(unknown.code == 64 && unknown.errorLines.count == 1, "\(unknown.errorText)")
        #expect(unknown.errorText.contains("no preset 'nope', and there is no loader 'nope'"), "\(unknown.errorText)")
    }

    /// What others put behind an MP4's end harms nobody; what is missing of it does.
    @Test func bytesBehindTheEndAreANote() throws {
        let bench = try Bench()
        try bench.encode("qq-mail --size 64x32 --fps 25", to: "a.mp4")
        try bench.ffmpeg(["-i", "a.mp4", "-c", "copy", "last.mp4"])
        for name in ["a.mp4", "last.mp4"] {
            let whole = try bench.bytes(name)
            for more in [[0], Array("some words, and more".utf8), [UInt8](repeating: 0, count: 300)] {
                try bench.write(whole + more, to: "more.mp4")
                let verdict = try bench.verify("more.mp4")
                #expect(verdict.code == 0 && verdict.all.contains("trailing-bytes"), "\(name) \(more): \(verdict)")
            }
            // A box that is cut off is no such thing.
            try bench.write(whole + [0, 0, 1, 0] + Array("free".utf8), to: "cut.mp4")
            #expect(try bench.verify("cut.mp4").code == 65)
        }
    }

    /// Key frames up to the end are gone to, however many there are.
    @Test func seekingReachesTheEnd() throws {
        let bench = try Bench()
        try bench.encode("qq-mail --size 64x32 --fps 25 --cycles 3", to: "a.mp4")
        try bench.ffmpeg([
            "-i", "a.mp4", "-c:v", "libx264", "-g", "1", "-frames:v", "100", "-movflags", "+faststart", "keys.mp4",
        ])
        let outcome = try bench.run(["verify", "keys.mp4"])
        // Every second of a hundred; the first 64 would leave out a third.
        #expect(outcome.text.contains("50 of 100 key frames gone to"), "\(outcome.text)")
    }
}
