import TestSupport
import Testing

/// Files whose headers contradict their contents.
@Suite struct HeaderTests {
    private static let clip = "qq-mail --size 64x32 --fps 25"

    /// Doubles the duration in a box of version 0, `offset` bytes after its code.
    private func doubled(_ bytes: [UInt8], _ code: String, at offset: Int) throws -> [UInt8] {
        let name = Array(code.utf8)
        let start = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == name }) + offset
        let value = 2 * bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        var bytes = bytes
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        return bytes
    }

    @Test(arguments: ["mp4", "mov"]) func wrongDurationsAreFound(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        let name = "clip.\(fileExtension)"
        try fixture.encode(Self.clip, to: name)
        let whole = try fixture.bytes(name)
        for (code, offset) in [("mvhd", 20), ("tkhd", 24), ("mdhd", 20)] {
            try fixture.write(doubled(whole, code, at: offset), to: "wrong.\(fileExtension)")
            let verdict = try fixture.verify("wrong.\(fileExtension)")
            #expect(verdict.code != 0 && verdict.wrong.contains("header-duration"), "\(code): \(verdict)")
        }
    }

    @Test(arguments: ["mp4", "mkv"]) func soundThatIsTooLongIsFound(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.\(fileExtension)")
        for (seconds, isWrong) in [("1.44", false), ("4", true)] {
            let sound = ["-f", "lavfi", "-i", "sine=duration=\(seconds)"]
            let name = "sound.\(fileExtension)"
            try fixture.ffmpeg(
                ["-i", "clip.\(fileExtension)"] + sound
                    + ["-c:v", "copy", "-c:a", "aac", "-movflags", "+faststart", name])
            let verdict = try fixture.verify(name)
            #expect(verdict.wrong.contains("audio-length") == isWrong, "\(seconds): \(verdict)")
            #expect((verdict.code == 1) == isWrong, "\(seconds): \(verdict)")
        }
    }

    @Test func pixelsThatAreNotSquareAreAnError() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.ffmpeg(["-i", "clip.mp4", "-c", "copy", "-aspect", "4:1", "-movflags", "+faststart", "wide.mp4"])
        let verdict = try fixture.verify("wide.mp4")
        #expect(verdict.code == 1 && verdict.wrong == ["pixel-aspect"], "\(verdict)")
    }

    @Test func invalidGIFDataIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.gif")
        #expect(try fixture.verify("clip.gif").code == 0)
        let whole = try fixture.bytes("clip.gif")
        var narrow = whole
        narrow[6] -= 2
        try fixture.write(narrow, to: "narrow.gif")
        #expect(try fixture.verify("narrow.gif").wrong.contains("gif-invalid"))
        // The code size of the last image, which follows its control block.
        let marker = try #require(Self.lastImage(in: whole))
        let table = whole[marker + 9] & 0x80 == 0 ? 0 : 3 << (Int(whole[marker + 9] & 7) + 1)
        var sized = whole
        sized[marker + 10 + table] = 12
        try fixture.write(sized, to: "sized.gif")
        let sizedCode = try fixture.run(["verify", "sized.gif"]).code
        #expect(sizedCode != 0, "\(sizedCode)")
    }

    /// Returns the offset of the last image of a GIF.
    private static func lastImage(in bytes: [UInt8]) -> Int? {
        let control: [UInt8] = [0x21, 0xF9, 4]
        var found: Int?
        for offset in 8..<bytes.count - 10 where bytes[offset] == 0x2C {
            let before = Array(bytes[offset - 8..<offset - 5])
            if before == control { found = offset }
        }
        return found
    }

    /// Players seek to keyframes of open groups, too.
    @Test func openGroupsAreSeekable() throws {
        let fixture = try VerificationFixture()
        let video = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=3"]
        let options = ["-pix_fmt", "yuv420p", "-bf", "3", "-g", "12", "-x264-params", "open-gop=1:scenecut=0"]
        for name in ["open.mp4", "open.mkv"] {
            try fixture.ffmpeg(video + ["-c:v", "libx264"] + options + [name])
            let verdict = try fixture.verify(name)
            #expect(!verdict.all.contains("not-seekable"), "\(name): \(verdict)")
        }
    }
}
