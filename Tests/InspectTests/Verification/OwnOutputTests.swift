import Foundation
import TestSupport
import Testing

/// `verify` finds no fault in what `encode` writes with the same options.
@Suite struct OwnOutputTests {
    /// Lossless frames with alpha are compared as their format stores them.
    @Test(.slow, arguments: some(of: ["", " --pixel-format yuva444p", " --pixel-format bgra"], each: 2))
    func alphaOfFFV1IsExpected(format: String) throws {
        let fixture = try VerificationFixture()
        let options = "qq --size 120x120 --fps 10 --background transparent --codec ffv1" + format
        try fixture.encode(options, to: "a.mkv")
        let words = options.split(separator: " ").map(String.init)
        let right = try fixture.run(["verify", "a.mkv", "--against"] + words)
        #expect(right.code == 0 && right.text.contains("frames compared"), "\(right.text)\(right.errorText)")
        // A change of the alpha alone is reported.
        try fixture.ffmpeg([
            "-i", "a.mkv", "-vf", "format=yuva444p,lut=a=val*0.9", "-pix_fmt", "yuva420p", "-c:v", "ffv1", "b.mkv",
        ])
        let wrong = try fixture.run(["verify", "b.mkv", "--against"] + words)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    /// The decoder of QuickTime Animation marks every frame as a keyframe, the container only some.
    @Test func onlyKeyframesOfTheContainerAreSought() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq --size 120x120 --fps 30 --codec qtrle", to: "a.mov")
        let outcome = try fixture.run(["verify", "a.mov"])
        let counts = try #require(outcome.text.firstMatch(of: /(\d+) of (\d+) keyframes verified/), "\(outcome.text)")
        #expect(outcome.code == 0 && counts.1 == counts.2, "\(outcome.text)")
    }

    /// The delays of GIF are rounded to hundredths of a second, even at uncommon frame rates.
    @Test(arguments: ["23", "29"]) func delaysOfUncommonRatesAreRounded(rate: String) throws {
        let fixture = try VerificationFixture()
        let options = "qq --size 32x32 --cycles 3 --fps \(rate)"
        try fixture.encode(options, to: "a.gif")
        let words = options.split(separator: " ").map(String.init)
        let outcome = try fixture.run(["verify", "a.gif", "--against"] + words)
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    /// A still image has no duration, so it is never too long.
    @Test func aStillAVIFHasNoDuration() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq --scale 1 --duration 1/60", to: "a.avif")
        let words = ["--against", "qq", "--scale", "1", "--duration", "1/60"]
        let right = try fixture.run(["verify", "a.avif"] + words)
        #expect(right.code == 0 && right.text.contains("1 frame, ") && !right.text.contains("1 s"), "\(right.text)")
        let wrong = try fixture.run(["verify", "a.avif"] + words + ["--from", "0.5"])
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    /// FFmpeg may not read the alpha of a still AVIF. Such a file does not count as opaque.
    @Test func alphaOfAStillAVIFIsNotMissing() throws {
        let fixture = try VerificationFixture()
        let still = try fixture.run(["still", "qq", "--scale", "1", "--background", "transparent", "-o", "a.avif"])
        try #require(still.code == 0, "\(still.errorText)")
        try fixture.encode("qq --scale 1 --duration 1/60", to: "opaque.avif")
        let outcome = try fixture.verify("a.avif", "--alpha")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.all.contains("alpha-unread") || outcome.files.first?.alpha?.isUsed == true, "\(outcome)")
        #expect(try fixture.verify("opaque.avif", "--alpha").wrong == ["alpha-missing"])
    }

    /// OneLoading jumps at its restart, also if only the drawn part of its canvas is shown.
    @Test(.slow, arguments: some(of: ["--scale 2", "--scale 1", "--background transparent"], each: 2))
    func aTrimmedLoaderMayJumpByDesign(options: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode("oneloading --trim --fps 20 \(options)", to: "a.webp")
        let verdict = try fixture.verify("a.webp")
        #expect(verdict.code == 0 && verdict.all.contains("seam-jumps"), "\(verdict)")
        // A clip of a part of the cycle does not jump by design.
        try fixture.encode("oneloading --trim --fps 20 \(options) --duration 0.7", to: "b.webp")
        #expect(try fixture.verify("b.webp").code == 1)
    }

    /// A file that was made smaller for a limit is compared with the loader at its own size or
    /// frame rate.
    @Test(.slow, arguments: ["webm 5kB", "gif 6kB", "apng 12kB"])
    func settingsLoweredForALimitAreExpected(formatAndLimit: String) throws {
        let words = formatAndLimit.split(separator: " ").map(String.init)
        let fixture = try VerificationFixture()
        let name = "a.\(words[0])"
        let options = ["qq-mail", "--scale", "2", "--max-bytes", words[1]]
        try fixture.encode(options.joined(separator: " "), to: name)
        let right = try fixture.run(["verify", name, "--against"] + options)
        #expect(right.code == 0 && right.text.contains("note expected-plan"), "\(right.text)")
        // The content must still be right, and the file below the limit.
        let wrong = try fixture.run(["verify", name, "--against"] + options + ["--set", "radius=9"])
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
        try fixture.encode("qq-mail --scale 2", to: "large.\(words[0])")
        let large = try fixture.run(["verify", "large.\(words[0])", "--against"] + options)
        #expect(large.code == 1 && large.text.contains("expected-bytes"), "\(large.text)")
    }

    /// A batch gives all formats of a clip one timing, which is not the default of ProRes.
    @Test(.slow) func theTimingOfABatchIsExpected() throws {
        let fixture = try VerificationFixture()
        let preset =
            "clips:\n  - {loader: qq, size: 240x240, fps: 10, outputs: [mp4, {format: mov, codec: prores}]}\n"
        try fixture.write(Array(preset.utf8), to: "p.yaml")
        let made = try fixture.run(["batch", "p.yaml", "-o", "out", "--verify", "--progress", "none"])
        try #require(made.code == 0, "\(made.text) \(made.errorText)")
        let options = ["--against", "qq", "--size", "240x240", "--fps", "10", "--codec", "prores"]
        let right = try fixture.run(["verify", "out/p/qq.mov"] + options)
        #expect(right.code == 0 && right.text.contains("--timing seamless"), "\(right.text)")
        let wrong = try fixture.run(["verify", "out/p/qq.mov", "--timing", "exact"] + options)
        #expect(wrong.code == 1, "\(wrong.text)")
    }

    /// The message names the format of the file and what to pass instead.
    @Test func stillImagesAreRefused() throws {
        let fixture = try VerificationFixture()
        try #require(try fixture.run(["still", "jelly", "--size", "48x32", "-o", "a.png"]).code == 0)
        let outcome = try fixture.run(["verify", "a.png"])
        #expect(outcome.code == 65 && outcome.errorText.contains("still PNG"), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("frames/%04d.png"), "\(outcome.errorText)")
        try #require(try fixture.run(["still", "jelly", "--size", "48x32", "-o", "a.tif"]).code == 0)
        let tiff = try fixture.run(["verify", "a.tif"])
        #expect(tiff.code == 65 && tiff.errorText.contains("its format is TIFF; use MP4"), "\(tiff.errorText)")
    }

    @Test func bytesOfVectorsAreCompared() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("jelly --size 48x32", to: "a.svg")
        let right = try fixture.run(["verify", "a.svg", "--against", "jelly", "--size", "48x32"])
        #expect(right.code == 0 && right.text.contains("bytes compared"), "\(right.text)")
    }
}
