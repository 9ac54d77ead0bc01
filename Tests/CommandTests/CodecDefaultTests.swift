import TestSupport
import Testing

/// Clips of codecs without a short name, as an independent decoder reads them.
@Suite struct CodecDefaultTests {
    private func encode(_ arguments: String) throws -> CommandFixture {
        let fixture = try CommandFixture()
        let words = "encode \(arguments) --progress none".split(separator: " ").map(String.init)
        let outcome = try fixture.run(words)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return fixture
    }

    /// The codec's first pixel format with alpha is the default of translucent clips.
    @Test(arguments: ["qtrle mov", "png mov", "ffv1 mkv"])
    func losslessCodecsKeepAlpha(codecAndContainer: String) throws {
        let words = codecAndContainer.split(separator: " ")
        let name = "a.\(words[1])"
        let fixture = try encode("qq-mail --size 64x32 --fps 5 --background transparent --codec \(words[0]) -o \(name)")
        let path = fixture.directory.file(name)
        let alpha = ["-vf", "alphaextract", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
        let pixels = try run("ffmpeg", ["-v", "error", "-i", path] + alpha).output
        #expect(pixels.contains(0) && pixels.contains { $0 > 100 })
    }

    /// Decoders convert Motion JPEG from BT.601 and ignore the container's declaration.
    @Test func motionJPEGHasTheRightColors() throws {
        let fixture = try encode("qq-mail --size 128x64 --fps 5 --background #ff5050 --codec mjpeg -o a.mkv")
        let path = fixture.directory.file("a.mkv")
        let frame = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        let pixel = try run("ffmpeg", ["-v", "error", "-i", path] + frame).output.prefix(3).map(Int.init)
        #expect(zip(pixel, [255, 80, 80]).allSatisfy { abs($0 - $1) <= 4 }, "\(pixel)")
    }

    /// Half-transparent backgrounds do not indicate premultiplied colours.
    @Test(.slow, arguments: ["apng", "webm", "mov"]) func translucentBackgroundsAreRight(format: String) throws {
        let fixture = try encode("jelly --scale 1 --fps 5 --background #ff000080 -o a.\(format)")
        let outcome = try fixture.run(["verify", "a.\(format)", "--alpha"])
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    /// Annotations are opaque, which a note says.
    @Test func opaqueAnnotationsAreNoted() throws {
        let fixture = try CommandFixture()
        let outcome = try fixture.run([
            "still", "qq-mail", "--annotate", "clock", "--background", "transparent", "-o", "a.png",
        ])
        #expect(outcome.errorText.contains("note: the frames are opaque"), "\(outcome.errorText)")
    }
}
