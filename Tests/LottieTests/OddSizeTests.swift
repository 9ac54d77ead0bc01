import Foundation
import Media
import TestSupport
import Testing

/// Animations with odd sides, like many published ones.
@Suite struct OddSizeTests {
    private func fixture() throws -> LottieCommandFixture {
        let moving = disc(["k": [["t": 0, "s": [20, 20], "h": 1], ["t": 5, "s": [60, 70], "h": 1]], "a": 1])
        return try LottieCommandFixture(lottie(moving, solid("#0c0", 301, 225), size: (301, 225)))
    }

    @Test(
        .slow,
        arguments: [
            ("mp4", 302, 226), ("mov", 302, 226), ("webm", 302, 226), ("mkv", 302, 226), ("gif", 301, 225),
            ("apng", 301, 225),
            ("webp", 301, 225),
        ])
    func formatsPadOddSizesIfNecessary(format: String, width: Int, height: Int) throws {
        let fixture = try fixture()
        let outcome = try fixture.runSuccessfully("encode", "film.json", "-o", "a.\(format)")
        let isPadded = width != 301
        #expect(outcome.text.contains(" \(width)x\(height), "))
        #expect(
            outcome.errorText.contains(
                "a.\(format): note: 301x225 pixels are padded to 302x226 with the background: yuv420p takes even sides")
                == isPadded, "\(outcome.errorText)")
        let checked = try fixture.run("verify", "a.\(format)", "--against", "film.json")
        #expect(checked.code == 0, "\(checked.text) \(checked.errorText)")
    }

    /// The content is neither scaled nor moved: it equals a still of the animation's own size, with
    /// an added column and row of background.
    @Test func paddingDoesNotMoveTheContent() throws {
        let fixture = try fixture()
        try fixture.runSuccessfully("encode", "film.json", "--quality", "1", "--pixel-format", "yuv420p", "-o", "a.mp4")
        let video = try DecodedVideo(path: fixture.directory.file("a.mp4"), rgba: true)
        try fixture.runSuccessfully("still", "film.json", "--at", "0", "--scale", "1", "-o", "a.png")
        let still = try #require(PixelGrid(png: bytes(of: fixture.directory.file("a.png"))))
        let bitmap = video.bitmaps[0]
        #expect((bitmap.width, bitmap.height) == (302, 226) && (still.width, still.height) == (301, 225))
        var differing = 0
        for y in 0..<225 {
            // The last column and row share their chroma with the padding.
            for x in 0..<300 where y < 224 {
                let (found, expected) = (bitmap.color(x, y), still[x, y])
                let green = abs(found[1] - expected.green)
                if green > 40 { differing += 1 }
            }
        }
        #expect(differing == 0)
        for y in 0..<226 { #expect(bitmap.color(301, y)[0] > 150, "\(bitmap.color(301, y))") }
    }

    @Test func oddSizesOfAnyLoaderArePadded() throws {
        let fixture = try fixture()
        let outcome = try fixture.runSuccessfully("encode", "qq-mail", "--scale", "1.025", "-o", "a.mp4")
        #expect(outcome.text.contains(" 124x62, ") && outcome.errorText.contains("123x62 pixels are padded to 124x62"))
        let refused = try fixture.run("encode", "film.json", "--size", "301x225", "-o", "b.mp4")
        expectRefusal(refused, 64, "301x225 is not possible in yuv420p, which needs even sides; use 302x226")
    }

    /// Batches render, record and verify the same frames for every format of a clip.
    @Test func batchesRecordAndVerifyPaddedClips() throws {
        let fixture = try fixture()
        try makeFile(
            "clips: [{loader: film.json, fps: 10, outputs: [gif, mp4, webm, {format: mkv, pixel-format: yuv444p}]}]\n",
            at: fixture.directory.file("p.yaml"))
        let batch = ["batch", "p.yaml", "--verify", "--json-report", "r.json", "--progress", "none"]
        let made = try Subprocess(builtProgram, batch, directory: fixture.directory).wait()
        #expect(made.code == 0, "\(made.errorText)")
        #expect(made.errorText.contains("p/film.mp4: note: 301x225 pixels are padded to 302x226"))
        #expect(!made.errorText.contains("p/film.gif"))
        let report = String(decoding: try bytes(of: fixture.directory.file("r.json")), as: UTF8.self)
        #expect(report.contains("301x225 pixels are padded to 302x226"))
        #expect(try fixture.run("batch", "p.yaml", "--check", "--verify", "--progress", "none").code == 0)
        for (name, size) in [("gif", "301x225"), ("mp4", "302x226"), ("webm", "302x226"), ("mkv", "301x225")] {
            let file = "out/p/film.\(name)"
            let checked = try fixture.run("verify", file, "--against", "p.yaml")
            #expect(checked.code == 0, "\(size) \(checked.text) \(checked.errorText)")
        }
    }
}
