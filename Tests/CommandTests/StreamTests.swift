import Foundation
import TestSupport
import Testing

/// Clips by file name and codec, with the expected codec and tag in ffprobe.
private let kinds: [(name: String, codec: String?, expected: String, tag: String?)] = [
    ("a.mp4", nil, "h264", "avc1"), ("a.mov", nil, "h264", "avc1"), ("a.mkv", nil, "h264", nil),
    ("a.webm", nil, "vp9", nil), ("b.mp4", "hevc", "hevc", "hvc1"), ("b.mkv", "hevc", "hevc", nil),
    ("c.mp4", "vp9", "vp9", nil), ("d.webm", "vp8", "vp8", nil), ("e.webm", "av1", "av1", nil),
    ("e.mp4", "av1", "av1", nil),
]

@Suite struct StreamTests {
    @Test(.slow, arguments: kinds.indices)
    func streamsAreTagged(index: Int) throws {
        let kind = kinds[index]
        let workspace = try CommandFixture()
        let codec = kind.codec.map { ["--codec", $0] } ?? []
        let outcome = try workspace.run(
            ["encode", "preloader", "--size", "64x64", "--duration", "0.5", "--gop", "0.25", "-o", kind.name] + codec)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let path = workspace.directory.file(kind.name)
        let probe = try Probe(path)
        let stream = probe.stream
        #expect(stream.codecName == kind.expected)
        if let tag = kind.tag { #expect(stream.codecTagString == tag) }
        #expect((stream.width, stream.height, stream.pixFmt) == (64, 64, "yuv420p"))
        #expect(stream.colorRange == "tv")
        // VP8 supports BT.601 only.
        #expect(stream.colorSpace == (kind.codec == "vp8" ? "bt470bg" : "bt709"))
        #expect(stream.colorTransfer == "bt709")
        #expect(stream.colorPrimaries == "bt709")
        #expect([nil, "1:1"].contains(stream.sampleAspectRatio))
        #expect(probe.frames?.count == 30)
        let tags = (stream.tags ?? [:]).merging(probe.format.tags ?? [:]) { $1 }
        #expect(!tags.keys.contains { $0.lowercased() == "creation_time" }, "\(tags)")
        try expectNoNames(in: path)
    }

    /// Library versions in the file would make its bytes depend on more than the request.
    private func expectNoNames(in path: String) throws {
        let text = String(decoding: try bytes(of: path), as: Unicode.ASCII.self)
        for word in ["Lavf5", "Lavf6", "Lavc5", "Lavc6", "x264 - core", "x265 (build", "SVT-AV1"] {
            #expect(!text.contains(word), "\(word) in \(path)")
        }
    }

    @Test(arguments: ["mp4", "mov"])
    func theIndexComesFirst(container: String) throws {
        let clip = try CommandFixture().bytesOfClip("qq-mail", "--scale", "1", to: "clip.\(container)")
        let boxes = boxNames(of: clip)
        let (moov, mdat) = (try #require(boxes.firstIndex(of: "moov")), try #require(boxes.firstIndex(of: "mdat")))
        #expect(moov < mdat, "\(boxes)")
    }

    private func boxNames(of bytes: [UInt8]) -> [String] {
        var names: [String] = []
        var position = 0
        while position + 8 <= bytes.count {
            names.append(String(decoding: bytes[position + 4..<position + 8], as: UTF8.self))
            position += max(8, bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) })
        }
        return names
    }

    @Test func keyframesHaveTheRequestedInterval() throws {
        // 90 frames are one and a half intervals of 2 s; they are split evenly between two workers.
        for (gop, interval) in [("0.1", 3), ("0.5", 15), ("2", 45)] {
            let workspace = try CommandFixture()
            let path = try workspace.encode(
                "qq", "--size", "32x32", "--fps", "30", "--duration", "3", "--gop", gop, to: "clip.mp4")
            let frames = try #require(try Probe(path).frames)
            let keys = frames.indices.filter { frames[$0].keyFrame == 1 }
            #expect(keys == Array(stride(from: 0, to: 90, by: interval)))
        }
    }

    @Test func alphaSurvivesInWebM() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq-mail", "--scale", "2", "--duration", "0.2", "--background", "#0080ff40", "--pixel-format", "yuva420p",
            to: "clip.webm")
        #expect(try Probe(path).stream.tags?["ALPHA_MODE"] == "1" || Probe(path).stream.tags?["alpha_mode"] == "1")
        let frames = try decodedFrames(of: path, format: "rgba", input: ["-c:v", "libvpx-vp9"])
        #expect(frames.count == 12)
        for frame in frames {
            let corner = frame[..<4].map(Int.init)
            #expect(zip(corner, [0, 0x80, 0xff, 0x40]).allSatisfy { abs($0 - $1) <= 8 }, "\(corner)")
        }
    }
}

extension CommandFixture {
    /// Encodes a clip and returns its bytes.
    func bytesOfClip(_ arguments: String..., to name: String) throws -> [UInt8] {
        let outcome = try run(["encode"] + arguments + ["-o", name])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        return try bytes(of: directory.file(name))
    }
}
