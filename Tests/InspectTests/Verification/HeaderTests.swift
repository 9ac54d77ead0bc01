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

    @Test(.slow, arguments: ["mp4", "mov"]) func wrongDurationsAreFound(_ fileExtension: String) throws {
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

    @Test(.slow, arguments: ["mp4", "mkv"]) func soundThatIsTooLongIsFound(_ fileExtension: String) throws {
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

    /// Sound counts up to its end, also if it begins late.
    @Test(.slow, arguments: ["mp4", "mkv"]) func soundMayBeginLate(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        for (start, seconds, isWrong) in [("0.9", "0.5", false), ("1", "2", true)] {
            let name = "late.\(fileExtension)"
            try fixture.ffmpeg(
                ["-i", "clip.mp4", "-itsoffset", start, "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-map", "0:v"]
                    + ["-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-movflags", "+faststart", name])
            let verdict = try fixture.verify(name)
            #expect(verdict.wrong.contains("audio-length") == isWrong, "\(start): \(verdict)")
        }
    }

    /// Frames that begin late end late, too.
    @Test(.slow, arguments: ["mp4", "mkv"]) func framesMayBeginLate(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip + " --duration 2", to: "clip.mp4")
        for (seconds, isWrong) in [("3", false), ("2", true)] {
            let name = "late.\(fileExtension)"
            try fixture.ffmpeg(
                ["-itsoffset", "1", "-i", "clip.mp4", "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-map", "0:v"]
                    + ["-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-movflags", "+faststart", name])
            let verdict = try fixture.verify(name)
            #expect(verdict.all.contains("audio-length") == isWrong, "\(seconds): \(verdict)")
        }
    }

    @Test func editsThatAreLongerThanTheirTrackAreFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        // Twice the time scale halves the track, but neither its edit list nor the movie.
        try fixture.write(doubled(fixture.bytes("clip.mp4"), "mdhd", at: 16), to: "fast.mp4")
        let verdict = try fixture.verify("fast.mp4")
        #expect(verdict.code == 1 && verdict.wrong.contains("header-duration"), "\(verdict)")
    }

    @Test func soundOfTransportStreamsIsMeasured() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.ffmpeg(
            ["-i", "clip.mp4", "-f", "lavfi", "-i", "sine=duration=4", "-c:v", "copy", "-c:a", "mp2", "long.ts"])
        #expect(try fixture.verify("long.ts").wrong == ["audio-length"])
    }

    /// FLV counts its duration from 0, not from the first frame.
    @Test func containersWithoutEditListsAreComplete() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.ffmpeg(["-i", "clip.mp4", "-c:v", "libx264", "-bf", "3", "clip.flv"])
        let verdict = try fixture.verify("clip.flv")
        #expect(!verdict.wrong.contains("truncated"), "\(verdict)")
    }

    @Test func undeclaredColoursOfIntermediateCodecsAreAWarning() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        for (name, codec, code) in [("clip.avi", "ffv1", 0), ("clip.mkv", "libx264", 1)] {
            let source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1"]
            try fixture.ffmpeg(source + ["-c:v", codec, "-pix_fmt", "yuv420p", name])
            let verdict = try fixture.verify(name)
            #expect(verdict.code == code && verdict.all.contains("color-missing"), "\(name): \(verdict)")
        }
    }

    @Test func pixelsThatAreNotSquareAreAnError() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.ffmpeg(["-i", "clip.mp4", "-c", "copy", "-aspect", "4:1", "-movflags", "+faststart", "wide.mp4"])
        let verdict = try fixture.verify("wide.mp4")
        #expect(verdict.code == 1 && verdict.wrong == ["pixel-aspect"], "\(verdict)")
    }

    @Test func rotationInTheMetadataIsNoticed() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.write(Self.turned(fixture.bytes("clip.mp4")), to: "turned.mp4")
        let verdict = try fixture.verify("turned.mp4")
        #expect(verdict.code == 1 && verdict.wrong == ["rotated"], "\(verdict)")
        let difference = try fixture.run(["diff", "clip.mp4", "turned.mp4"])
        #expect(difference.code == 1 && difference.text.contains("by 0° and of the second by 90°"), "\(difference)")
        let comparison = try fixture.run(["compare", "turned.mp4", "--as", "qq-mail"])
        #expect(comparison.code == 65 && comparison.errorText.contains("rotated by 90°"), "\(comparison)")
    }

    /// Returns an MP4 whose track players rotate by 90 degrees: the matrix of its header (tkhd) is
    /// a rotation instead of the identity.
    private static func turned(_ bytes: [UInt8]) throws -> [UInt8] {
        let (one, minusOne, zero): ([UInt8], [UInt8], [UInt8]) = ([0, 1, 0, 0], [255, 255, 0, 0], [0, 0, 0, 0])
        let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
        let identity = one + zero + zero + zero + one
        let matrix = try #require(bytes[header.upperBound...].firstRange(of: identity))
        var result = bytes
        result.replaceSubrange(matrix, with: zero + one + zero + minusOne + zero)
        return result
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

    @Test func invalidWebPIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.webp")
        #expect(try fixture.verify("clip.webp").code == 0)
        var undeclared = try fixture.bytes("clip.webp")
        // The flag of an animation in the header.
        undeclared[20] &= ~2
        try fixture.write(undeclared, to: "undeclared.webp")
        #expect(try fixture.verify("undeclared.webp").wrong == ["webp-invalid"])
    }

    @Test func invalidAPNGIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.apng")
        let whole = try fixture.bytes("clip.apng")
        #expect(try fixture.verify("clip.apng").code == 0)
        // Fewer frames than there are, another sequence number, and an unknown disposal.
        for (type, offset, value) in [("acTL", 3, UInt8(9)), ("fdAT", 3, 99), ("fcTL", 24, 7)] {
            try fixture.write(Self.changed(whole, type, at: offset, to: value), to: "wrong.apng")
            let verdict = try fixture.verify("wrong.apng")
            #expect(verdict.wrong.contains("apng-invalid"), "\(type): \(verdict)")
        }
    }

    /// Returns a PNG with another byte in the last chunk of a type, and the chunk's new checksum.
    private static func changed(_ bytes: [UInt8], _ type: String, at index: Int, to value: UInt8) -> [UInt8] {
        let name = Array(type.utf8)
        var bytes = bytes
        guard let start = bytes.indices.dropLast(4).last(where: { Array(bytes[$0..<$0 + 4]) == name }) else {
            return bytes
        }
        let length = bytes[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
        bytes[start + 4 + index] = value
        var checksum = UInt32.max
        for byte in bytes[start..<start + 4 + length] {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 0 ? checksum >> 1 : 0xEDB8_8320 ^ checksum >> 1 }
        }
        for byte in 0..<4 {
            bytes[start + 4 + length + byte] = UInt8(truncatingIfNeeded: ~checksum >> (24 - 8 * UInt32(byte)))
        }
        return bytes
    }
}
