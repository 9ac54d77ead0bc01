import Foundation
import TestSupport
import Testing

/// AVIF files, read by ffprobe and ffmpeg. ffmpeg shows the stream of alpha as a second video.
@Suite struct AVIFTests {
    private static let clip = [
        "encode", "jelly", "--size", "81x60", "--fps", "10", "--progress", "none", "--speed", "8",
    ]

    private func encode(_ workspace: CommandFixture, _ options: String..., to name: String) throws -> String {
        let outcome = try workspace.run(Self.clip + options + ["-o", name])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return workspace.directory.file(name)
    }

    private func frames(_ path: String, stream: Int, format: String) throws -> [UInt8] {
        let flags = ["-pix_fmt", format, "-sws_flags", "accurate_rnd+full_chroma_int", "-f", "rawvideo", "-"]
        return try TestSupport.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:\(stream)"] + flags).output
    }

    /// Colour and alpha are those of the lossless animation, for any number of jobs.
    @Test(.slow) func animationsHaveAlpha() throws {
        let workspace = try CommandFixture()
        let options = ["--duration", "1", "--background", "transparent", "--gop", "0.5"]
        var files: [[UInt8]] = []
        for jobs in ["1", "2"] {
            let outcome = try workspace.run(Self.clip + options + ["--jobs", jobs, "-o", "\(jobs).avif"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            files.append(try bytes(of: workspace.directory.file("\(jobs).avif")))
        }
        #expect(files[0] == files[1])
        let path = workspace.directory.file("1.avif")
        let found = try Probe(path, frames: false, streamCount: 2).streams
        #expect(found.map(\.codecName) == ["av1", "av1"] && found.map(\.pixFmt) == ["yuv444p", "gray"])
        #expect(found.allSatisfy { $0.width == 81 && $0.height == 60 && $0.nbFrames == "10" })
        #expect(found[1].colorRange == "pc")
        let png = try workspace.run(
            [
                "encode", "jelly", "--size", "81x60", "--fps", "10", "--duration", "1", "--background", "transparent",
                "-o",
                "f/%d.png",
            ])
        try #require(png.code == 0, "\(png.errorText)")
        let alpha = try frames(path, stream: 1, format: "gray")
        let color = try frames(path, stream: 0, format: "rgb24")
        let size = 81 * 60
        try #require(alpha.count == 10 * size && color.count == 30 * size)
        for frame in 0..<10 {
            let pixels = try decodedFrames(of: workspace.directory.file("f/\(frame).png"), format: "rgba")[0]
            var error = 0.0
            for pixel in 0..<size {
                let opacity = Double(pixels[4 * pixel + 3])
                error += abs(opacity - Double(alpha[frame * size + pixel]))
                for channel in 0..<3 {
                    let difference =
                        Double(pixels[4 * pixel + channel]) - Double(color[3 * (frame * size + pixel) + channel])
                    error += abs(difference) * opacity / 255
                }
            }
            #expect(error / Double(4 * size) < 2, "frame \(frame)")
        }
    }

    /// A still image has no motion to compare with a clip's, in any format.
    @Test(arguments: ["avif", "webp"]) func stillsAreNotComparedWithClips(format: String) throws {
        let workspace = try CommandFixture()
        try #require(
            try workspace.run(["still", "jelly", "--size", "81x60", "--at", "1", "-o", "a.\(format)"]).code == 0)
        #expect(try workspace.run(["verify", "a.\(format)"]).code == 0)
        expectRefusal(
            try workspace.run(["verify", "a.\(format)", "--against", "jelly", "--fps", "10"]), 65,
            ["a.\(format) is a still image", "60 frames"])
    }

    /// `verify` and `diff` see the alpha, which is a stream of its own.
    @Test(.slow) func alphaIsJudged() throws {
        let workspace = try CommandFixture()
        let transparent = ["--duration", "1", "--background", "transparent"]
        for (name, options) in [
            ("a", transparent), ("b", transparent + ["--quality", "24"]), ("c", ["--duration", "1"]),
        ] {
            try #require(try workspace.run(Self.clip + options + ["-o", "\(name).avif"]).code == 0)
        }
        let expected = ["--against", "jelly", "--size", "81x60", "--fps", "10", "--duration", "1"]
        let right = try workspace.run(["verify", "a.avif", "--alpha"] + expected + ["--background", "transparent"])
        #expect(right.code == 0 && right.text.contains("yuv444p and alpha"), "\(right.text)")
        let opaque = try workspace.run(["verify", "c.avif"] + expected + ["--background", "transparent"])
        #expect(opaque.code == 1 && opaque.text.contains("alpha-missing"), "\(opaque.text)")
        let wrong = try workspace.run(["verify", "a.avif"] + expected)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
        let same = try workspace.run(["diff", "a.avif", "b.avif"])
        #expect(same.code == 0, "\(same.text)")
        let other = try workspace.run(["diff", "a.avif", "c.avif"])
        #expect(other.code == 1, "\(other.text)")
    }

    /// A clip of one frame is a still image, with the item that its decoders look for.
    @Test func oneFrameIsAStill() throws {
        let workspace = try CommandFixture()
        let path = try encode(workspace, "--duration", "0.1", to: "a.avif")
        let file = try bytes(of: path)
        #expect(Array(file[8..<12]) == Array("avif".utf8))
        #expect(String(decoding: file, as: UTF8.self).contains("av01"))
        let moving = try bytes(of: encode(workspace, "--duration", "0.3", to: "b.avif"))
        #expect(Array(moving[8..<12]) == Array("avis".utf8))
    }

    @Test func unsuitableSettingsAreRefused() throws {
        let workspace = try CommandFixture()
        for (options, reason) in [
            ("--loop 2 -o a.avif", "loop"), ("--codec h264 -o a.avif", "codec"),
            ("--format avif -o -", "standard output"),
            ("--chapters -o a.avif", "chapters"),
        ] {
            let words = ["encode", "qq"] + options.split(separator: " ").map(String.init)
            expectRefusal(try workspace.run(words), 64, [reason])
        }
        #expect(try workspace.directory.names().isEmpty)
    }
}
