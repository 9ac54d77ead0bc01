import Foundation
import TestSupport
import Testing

/// Codec tags in containers are those of the ffmpeg command. `scripts/compare-tags` compares all
/// pairs.
@Suite struct CodecTagTests {
    @Test(
        .slow,
        arguments: [
            "prores_ks yuva444p10le mov", "prores_ks yuv422p10le mov", "prores_ks yuv444p10le mkv",
            "prores yuv444p10le mov",
            "mjpeg yuvj420p mov", "mjpeg yuvj420p mp4", "png rgba mov", "ffv1 yuv420p mkv", "mpeg4 yuv420p mp4",
            "mpeg4 yuv420p mov", "libx264 yuv420p mov", "libx264 yuv420p mkv", "libvpx-vp9 yuv420p mp4",
            "libvpx yuv420p webm", "qtrle rgb24 mov", "rawvideo yuv420p mkv",
            "magicyuv gbrp mov",
        ])
    func tagsMatchFFmpeg(pair: String) throws {
        let words = pair.split(separator: " ").map(String.init)
        let (encoder, pixels, container) = (words[0], words[1], words[2])
        let workspace = try CommandFixture()
        let size = "96x48"
        let ours = ["encode", "qq-mail", "--size", size, "--fps", "20", "--duration", "0.1"]
        let made = try workspace.run(
            ours + ["--codec", encoder, "--pixel-format", pixels, "--progress", "none", "-o", "ours.\(container)"])
        try #require(made.code == 0, "\(made.errorText)")
        let input = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=\(size):r=20:d=0.1", "-c:v", encoder]
        try run(
            "ffmpeg", input + ["-pix_fmt", pixels, "-strict", "experimental", "theirs.\(container)"],
            directory: workspace.directory)
        let (mine, other) = (try Entry(workspace, "ours.\(container)"), try Entry(workspace, "theirs.\(container)"))
        #expect(mine == other)
    }

    /// Apple's players play HEVC with this tag only.
    @Test(arguments: ["mp4", "mov"]) func hevcIsTaggedForApple(container: String) throws {
        let workspace = try CommandFixture()
        let name = "clip.\(container)"
        try workspace.encode("qq-mail", "--size", "96x48", "--duration", "0.1", "--codec", "hevc", to: name)
        #expect(try Entry(workspace, name).codecTagString == "hvc1")
    }

    /// Smaller frames, which crash x265, are refused.
    @Test(arguments: ["64x28", "62x64"]) func smallestHEVCIsDecoded(size: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("qq", "--size", size, "--duration", "0.2", "--codec", "hevc", to: "a.mp4")
        #expect(try DecodedVideo(path: path).samples.count == 12)
    }

    /// The codec as described by the container.
    private struct Entry: Decodable, Equatable {
        private struct Streams: Decodable { var streams: [Entry] }

        var codecTagString: String
        var codecName: String
        var profile: String?
        var pixFmt: String

        init(_ workspace: CommandFixture, _ name: String) throws {
            let outcome = try run(
                "ffprobe", ["-v", "error", "-show_streams", "-of", "json", name], directory: workspace.directory)
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            self = try #require(decoder.decode(Streams.self, from: Data(outcome.output)).streams.first)
        }
    }
}
