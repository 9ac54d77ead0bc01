import TestSupport
import Testing

/// Faults of other programs' clips, and properties of such clips that are not faults.
@Suite struct EncodedFaultTests {
    private static let clip = "qq-mail --size 240x120 --fps 25"
    private static let tags = FrameOrderTests.tags
    private static let h264 = ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]

    /// Full range that is declared as limited changes the contrast in players.
    @Test func undeclaredFullRangeIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip + " --codec ffv1 --pixel-format bgra", to: "source.mkv")
        for (range, code) in [("tv", Int32(0)), ("pc", 1)] {
            try fixture.ffmpeg(
                ["-i", "source.mkv", "-vf", "scale=out_color_matrix=bt709:out_range=\(range),setparams=range=tv"]
                    + Self.h264 + Self.tags + ["-movflags", "+faststart", "clip.mp4"])
            let verdict = try fixture.verify("clip.mp4")
            #expect(verdict.code == code, "\(range): \(verdict)")
            #expect(verdict.wrong.contains("color-conflict") == (range == "pc"), "\(range): \(verdict)")
        }
    }

    /// AVIF usually has full range, as other images do.
    @Test func fullRangeIsUsualInAVIF() throws {
        let fixture = try VerificationFixture()
        try fixture.ffmpeg(
            ["-f", "lavfi", "-i", "color=red:size=64x48:rate=10:duration=0.5"]
                + ["-vf", "scale=out_color_matrix=bt709:out_range=pc", "-c:v", "libaom-av1", "-cpu-used", "8"]
                + ["-pix_fmt", "yuv420p"] + Self.tags.dropLast() + ["pc", "clip.avif"])
        #expect(try !fixture.verify("clip.avif").all.contains("color-unusual"))
    }

    /// A matrix that mirrors is not a rotation.
    @Test func mirroredFramesAreFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        let bytes = try fixture.bytes("clip.mp4")
        let (one, minusOne, zero): ([UInt8], [UInt8], [UInt8]) = ([0, 1, 0, 0], [255, 255, 0, 0], [0, 0, 0, 0])
        let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
        let identity = one + zero + zero + zero + one
        let matrix = try #require(bytes[header.upperBound...].firstRange(of: identity))
        let cases = [(minusOne, one, "players mirror it;"), (one, minusOne, "mirror it and rotate it by 180°")]
        for (x, y, words) in cases {
            var mirrored = bytes
            mirrored.replaceSubrange(matrix, with: x + zero + zero + zero + y)
            try fixture.write(mirrored, to: "mirrored.mp4")
            let verdict = try fixture.verify("mirrored.mp4")
            #expect(verdict.code == 1 && verdict.wrong == ["rotated"], "\(verdict)")
            let message = verdict.files.first?.findings.first { $0.id == "rotated" }?.message ?? ""
            #expect(message.contains(words), "\(message)")
        }
    }

    /// MPEG-TS declares the pixel aspect ratio in its frames only. A cut file ends within a packet.
    @Test func faultsOfTransportStreamsAreFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        for (aspect, code) in [("1", Int32(0)), ("16/11", 1)] {
            try fixture.ffmpeg(["-i", "clip.mp4", "-vf", "setsar=\(aspect)"] + Self.h264 + Self.tags + ["clip.ts"])
            let verdict = try fixture.verify("clip.ts")
            #expect(verdict.code == code && verdict.wrong == (code == 0 ? [] : ["pixel-aspect"]), "\(verdict)")
        }
        try fixture.write(Array(try fixture.bytes("clip.ts").dropLast(100)), to: "cut.ts")
        #expect(try fixture.verify("cut.ts").wrong.contains("truncated"))
    }

    @Test func cutY4MFilesAreFound() throws {
        let fixture = try VerificationFixture()
        for format in ["yuv420p", "yuv444p10le", "gray"] {
            try fixture.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc=size=65x49:rate=25:duration=0.4", "-pix_fmt", format, "-strict", "-1"]
                    + ["clip.y4m"])
            #expect(try !fixture.verify("clip.y4m").wrong.contains("truncated"), "\(format)")
            try fixture.write(Array(try fixture.bytes("clip.y4m").dropLast(10)), to: "cut.y4m")
            #expect(try fixture.verify("cut.y4m").wrong.contains("truncated"), "\(format)")
            try fixture.write(try fixture.bytes("clip.y4m") + Array("FRA".utf8), to: "cut.y4m")
            #expect(try fixture.verify("cut.y4m").wrong.contains("truncated"), "\(format)")
        }
    }

    /// AVI numbers its frames, and FFmpeg tells no time for the last of those that were reordered.
    @Test func reorderedFramesOfAVIHaveTimes() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.ffmpeg(["-i", "clip.mp4", "-c:v", "mpeg4", "-q:v", "3", "-bf", "2", "clip.avi"])
        let verdict = try fixture.verify("clip.avi")
        #expect(verdict.code == 0, "\(verdict)")
    }
}
