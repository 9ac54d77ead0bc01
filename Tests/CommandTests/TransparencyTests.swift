import Foundation
import TestSupport
import Testing

/// `--background transparent` alone makes a transparent clip.
@Suite struct TransparencyTests {
    @Test(
        .slow,
        arguments: [
            ("webm", "vp9", "yuv420p"), ("mkv", "vp9", "yuv420p"), ("mov", "prores", "yuva444p"),
            ("apng", "apng", "rgba"),
        ])
    func theContainerSelectsACodecWithAlpha(container: String, codec: String, format: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq", "--size", "64x64", "--duration", "0.2", "--background", "transparent", to: "clip.\(container)")
        let stream = try Probe(path).stream
        #expect(stream.codecName == codec && stream.pixFmt.hasPrefix(format), "\(stream)")
        let isMarked = stream.tags?.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" } ?? false
        #expect(isMarked == (codec == "vp9"))
        if codec == "prores" { #expect(stream.profile == "4444" && stream.codecTagString == "ap4h") }
        let decoder = codec == "vp9" ? ["-c:v", "libvpx-vp9"] : []
        let alphas = try decodedFrames(of: path, format: "rgba", input: decoder).map { frame in
            stride(from: 3, to: frame.count, by: 4).map { frame[$0] }
        }
        #expect(alphas.count == 12 && alphas.allSatisfy { $0.min() == 0 && $0.max() == 255 })
    }

    /// Decoding can start at every keyframe: each has alpha of its own.
    @Test(.slow, arguments: ["vp8", "vp9"]) func translucentClipsAreSeekable(codec: String) throws {
        let workspace = try CommandFixture()
        try workspace.encode(
            "qq", "--fps", "30", "--scale", "1", "--codec", codec, "--background", "transparent", to: "clip.webm")
        let outcome = try workspace.run(["verify", "clip.webm"])
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errorText)")
    }

    /// A file that draws its own background hides another one.
    @Test func hiddenBackgroundsAreNoted() throws {
        let workspace = try CommandFixture()
        try #require(try workspace.run(["encode", "jelly", "-o", "jelly.json"]).code == 0)
        let note = "--background has no effect"
        for line in ["still jelly.json --background navy -o a.png", "still jelly --background navy -o b.png"] {
            let outcome = try workspace.run(line.split(separator: " ").map(String.init))
            #expect(outcome.code == 0, "\(outcome.errorText)")
            #expect(outcome.errorText.contains(note) == line.contains("json"), "\(outcome.errorText)")
        }
    }

    /// On any colour, a transparent clip looks as if drawn on it. Edges are not darker, because
    /// transparent pixels have the colours of their neighbours instead of black.
    @Test(.slow, arguments: some(of: ["webm", "mov"], and: ["qq-mail", "jelly"], each: 3))
    func edgesHaveNoFringe(container: String, loader: String) throws {
        let workspace = try CommandFixture()
        let clip = ["--size", "240x240", "--fps", "10", "--cycles", "1", "--timing", "seamless"]
        func encode(_ background: String, _ options: String..., to name: String) throws -> String {
            let words = ["encode", loader] + clip + ["--background", background] + options
            try #require(try workspace.run(words + ["--progress", "none", "-o", name]).code == 0)
            return workspace.directory.file(name)
        }
        let decoder = container == "webm" ? ["-c:v", "libvpx-vp9"] : []
        let seen = try decodedFrames(
            of: encode("transparent", to: "clear.\(container)"), format: "rgba", input: decoder)
        let exact = try decodedFrames(of: encode("transparent", to: "clear.apng"), format: "rgba")
        #expect(seen.count == exact.count)
        for (name, color) in [("black", [0, 0, 0]), ("white", [255, 255, 255]), ("magenta", [255, 0, 255])] {
            let drawn = try decodedFrames(of: encode(name, to: "\(name).apng"))
            let error = SampleStatistics.compositingError(of: seen, over: color, drawn: drawn, exact: exact)
            let quality = 10 * log10(255 * 255 / (error.squares / Double(error.count)))
            let darker = error.darker / Double(error.edgeCount)
            #expect(quality >= 45, "\(quality) dB over \(name)")
            #expect(darker < 1, "edges are darker by \(darker) over \(name)")
        }
    }

    @Test(arguments: [
        ("clip.mp4", ""), ("clip.m4v", ""), ("clip.mov", "--codec h264"), ("clip.webm", "--pixel-format yuv420p"),
        ("clip.mkv", "--codec hevc"),
    ])
    func formatsWithoutAlphaAreRejectedWithAlternatives(name: String, options: String) throws {
        let workspace = try CommandFixture()
        let words = ["encode", "qq", "--size", "64x64", "--background", "transparent", "-o", name]
        let outcome = try workspace.run(words + options.split(separator: " ").map(String.init))
        expectRefusal(outcome, 64, ["needs alpha, which", ".webm, .mov, .avif, .webp or .apng"])
        #expect(try workspace.directory.names().isEmpty)
    }
}
