import Foundation
import TestSupport
import Testing

/// Frames without compression for other encoders.
@Suite struct RawVideoTests {
    private static let clip = "qq-mail --size 64x32 --fps 30000/1001 --duration 1"

    /// FFmpeg reads a Y4M pipe with the size, the frame rate and the pixels of the clip. Nothing
    /// else is on standard output.
    @Test(.slow, arguments: ["yuv420p", "yuv444p", "yuv420p10le", "gray"])
    func y4mPipesDecode(format: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.shell(
            """
            "$LOADERVID" encode \(Self.clip) --format y4m --pixel-format \(format) -o - | cat > piped.y4m
            "$LOADERVID" encode \(Self.clip) --pixel-format \(format) -o file.y4m >/dev/null
            "$LOADERVID" encode \(Self.clip) --codec ffv1 --pixel-format \(format) -o file.mkv >/dev/null
            """)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let piped = workspace.directory.file("piped.y4m")
        #expect(try bytes(of: piped) == bytes(of: workspace.directory.file("file.y4m")))
        let probe = try Probe(piped)
        #expect(probe.stream.pixFmt == format && probe.stream.rFrameRate == "30000/1001")
        #expect((probe.stream.width, probe.stream.height, probe.frames?.count) == (64, 32, 30))
        func raw(_ path: String) throws -> [UInt8] {
            try TestSupport.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"]).output
        }
        #expect(try raw(piped) == raw(workspace.directory.file("file.mkv")))
    }

    @Test func rawVideoHasNoHeader() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.shell(
            """
            "$LOADERVID" encode \(Self.clip) --format rawvideo --pixel-format rgba --background transparent -o - \
            --progress plain > a.raw
            """)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        // The file does not say how to read it, so the summary does.
        #expect(outcome.errorText.contains("64x32, rawvideo rgba, "), "\(outcome.errorText)")
        let frames = try bytes(of: workspace.directory.file("a.raw"))
        #expect(frames.count == 30 * 64 * 32 * 4)
        #expect(try encodedFirstFrame(workspace) == Array(frames[..<(64 * 32 * 4)]))
    }

    /// QuickTime has names for a few formats only, and FFmpeg writes others under a wrong one.
    @Test func quickTimeHasOnlyFormatsThatItCanName() throws {
        let workspace = try CommandFixture()
        func run(_ words: String) throws -> Outcome {
            let line = "encode qq --size 32x32 --fps 5 --duration 0.2 --codec rawvideo --progress none -o \(words)"
            return try workspace.run(line.split(separator: " ").map(String.init))
        }
        for (words, format) in [("a.mov", "uyvy422"), ("b.mov --background transparent", "argb")] {
            #expect(try run(words).code == 0)
            #expect(try Probe(workspace.directory.file(String(words.prefix(5)))).stream.pixFmt == format)
        }
        expectRefusal(
            try run("c.mov --pixel-format yuv420p"), 64,
            ["--pixel-format: rawvideo does not support 'yuv420p' in mov; use uyvy422, yuyv422, "])
        #expect(try run("c.mkv --pixel-format yuv420p").code == 0)
    }

    private func encodedFirstFrame(_ workspace: CommandFixture) throws -> [UInt8] {
        let words = ["still", "qq-mail", "--size", "64x32", "--at", "0", "--background", "transparent", "-o", "s.png"]
        try #require(try workspace.run(words).code == 0)
        return try decodedFrames(of: workspace.directory.file("s.png"), format: "rgba")[0]
    }

    @Test func alphaNeedsRawVideo() throws {
        let workspace = try CommandFixture()
        expectRefusal(
            try workspace.run(["encode", "qq", "--background", "transparent", "-o", "a.y4m"]), 64,
            ["transparent needs alpha"])
        expectRefusal(
            try workspace.run(["encode", "qq", "--pixel-format", "rgba", "-o", "a.y4m"]), 64, ["yuv420p"])
    }

    /// A reader that stops early gives one line and no signal.
    @Test func closedReadersEndQuietly() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.shell(
            """
            { "$LOADERVID" encode qq --scale 2 --duration 5000 --format y4m -o - --progress none; echo $? >code; } \
            | head -c 30000 >/dev/null
            """)
        #expect(outcome.errorLines.count == 1)
        #expect(try bytes(of: workspace.directory.file("code")) == Array("74\n".utf8))
    }
}
