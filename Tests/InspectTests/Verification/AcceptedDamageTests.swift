import TestSupport
import Testing

/// Damaged data that decoders take for frames.
@Suite struct AcceptedDamageTests {
    private static let formats = [
        "vp9": "webm", "vp8": "webm", "av1": "mp4", "hevc": "mp4", "ffv1": "mkv",
    ]

    /// Bytes in the middle of a file are changed. The whole file is right, also in a container
    /// with start codes.
    @Test(.slow, arguments: some(of: ["vp9", "vp8", "av1", "hevc", "ffv1"], each: 2))
    func changedBytesAreFound(codec: String) throws {
        let fixture = try VerificationFixture()
        let name = "clip.\(try #require(Self.formats[codec]))"
        try fixture.encode("douyin --size 240x240 --fps 30 --codec \(codec)", to: name)
        #expect(try fixture.verify(name).code == 0)
        let whole = try fixture.bytes(name)
        let middle = whole.count / 2
        // Only some damaged frames of HEVC need more data than they have.
        for length in codec == "hevc" ? [200] : [20, 200] {
            let damaged = whole.enumerated().map { (middle..<middle + length).contains($0) ? ~$1 : $1 }
            try fixture.write(damaged, to: "damaged-" + name)
            let verdict = try fixture.verify("damaged-" + name)
            #expect(verdict.code == 65 && !verdict.wrong.isDisjoint(with: ["damaged", "truncated"]), "\(verdict)")
        }
        guard codec == "hevc" else { return }
        try fixture.ffmpeg(["-i", name, "-c", "copy", "clip.ts"])
        #expect(try fixture.verify("clip.ts").code == 0)
    }

    /// No later keyframe shows that the strict decoder knows the profile. The first frame cannot be
    /// read.
    @Test(.slow) func damageOfTheOnlyKeyframeIsFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("douyin --size 240x240 --fps 30 --codec ffv1 --pixel-format bgra", to: "source.mkv")
        let options = "-vf scale=out_color_matrix=bt709 -c:v libvpx-vp9 -b:v 0 -crf 24 -g 999 -pix_fmt yuv420p"
        try fixture.ffmpeg(
            ["-i", "source.mkv"] + options.split(separator: " ").map(String.init) + FrameOrderTests.tags
                + ["clip.webm"])
        #expect(try fixture.verify("clip.webm").code == 0)
        let whole = try fixture.bytes("clip.webm")
        // The first bytes of a keyframe that is shown, of profile 0.
        let header: [UInt8] = [0x82, 0x49, 0x83, 0x42]
        let start = try #require(whole.indices.first { whole[$0...].starts(with: header) })
        let damaged = whole.enumerated().map { (start + 200..<start + 220).contains($0) ? ~$1 : $1 }
        try fixture.write(damaged, to: "damaged.webm")
        let verdict = try fixture.verify("damaged.webm")
        #expect(verdict.code == 65 && verdict.wrong.contains("unreadable"), "\(verdict)")
        #expect(verdict.errors.first?.contains("the frame is damaged") == true)
    }
}
