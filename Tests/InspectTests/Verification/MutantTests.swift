import Foundation
import TestSupport
import Testing

/// Clips with a single fault, and correct ones.
@Suite struct MutantTests {
    private static let clip = "qq-mail --size 120x60 --fps 25"
    private static let frameCount = 36

    /// Encodes the correct frames losslessly.
    private func source(_ fixture: VerificationFixture, _ options: String = "") throws {
        try fixture.encode("\(Self.clip) --codec ffv1 --pixel-format bgra \(options)", to: "source.mkv")
    }

    private func make(_ format: Format, _ filter: String, in fixture: VerificationFixture, _ name: String? = nil) throws
        -> String
    {
        let name = name ?? format.name
        try fixture.ffmpeg(
            ["-i", "source.mkv", "-filter_complex", filter + format.filter, "-fps_mode", "passthrough"]
                + format.options + [name])
        return name
    }

    /// A frame that is shown for two intervals is too little to be out of place where few pixels
    /// move, but the clip skips a frame there.
    @Test(.slow) func aGapInSlowMotionIsFoundAgainstTheLoader() throws {
        let fixture = try VerificationFixture()
        let clip = ["--scale", "2", "--fps", "60"]
        try fixture.encode("oneloading \(clip.joined(separator: " "))", to: "whole.mp4")
        let format = Format.mp4
        try fixture.ffmpeg(
            ["-i", "whole.mp4", "-vf", "select='not(eq(n,60))'\(format.filter)", "-fps_mode", "vfr"] + format.options
                + ["gap.mp4"])
        let outcome = try fixture.run(["verify", "gap.mp4", "--against", "oneloading", "--json"] + clip)
        #expect(outcome.code == 1 && outcome.text.contains("time-gap"), "\(outcome.text)")
    }

    /// Filters that change the seam, and the expected findings.
    private static let mutants: [(filter: String, ids: Set<String>)] = [
        ("null", []),
        ("trim=end_frame=\(frameCount - 1)", ["seam-dropped"]),
        ("tpad=stop_mode=clone:stop=1", ["seam-doubled"]),
        ("drawbox=enable='eq(n,\(frameCount - 1))':t=fill:c=white", ["seam-blank"]),
        (
            "split[x][y];[x][y]freezeframes=first=\(frameCount - 1):last=\(frameCount - 1):replace=17",
            ["seam-jumps"]
        ),
        ("trim=end_frame=25", ["seam-jumps", "seam-dropped"]),
    ]

    @Test(.slow, arguments: some(of: Array(mutants.indices), and: Format.allCases, each: 3))
    func faultySeamsAreFoundAndCorrectOnesAreNot(_ index: Int, _ format: Format) throws {
        let (filter, ids) = Self.mutants[index]
        let fixture = try VerificationFixture()
        try source(fixture)
        let name = try make(format, filter, in: fixture)
        let verdict = try fixture.verify(format.isAnimatedImage ? "--alpha" : "--looped", name)
        let wrong = verdict.wrong.subtracting(["alpha-missing"])
        #expect(ids.isEmpty ? wrong.isEmpty : !wrong.isDisjoint(with: ids), "\(format) \(filter): \(verdict)")
        let compared = try fixture.verify(name, "--against", "qq-mail", "--size", "120x60", "--fps", "25")
        #expect(compared.code == (ids.isEmpty ? 0 : 1), "\(format) \(filter): \(compared)")
    }

    @Test(.slow) func seamsOfVideosAreNotes() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("\(Self.clip) --duration 1", to: "clip.mp4")
        let verdict = try fixture.verify("clip.mp4")
        #expect(verdict.code == 0 && verdict.all == ["seam-jumps"], "\(verdict)")
        #expect(try fixture.verify("clip.mp4", "--looped").code == 1)
    }

    @Test(.slow, arguments: some(of: Format.allCases, and: [0.1, 0.4, 0.75, 0.97, 1], each: 3))
    func truncatedFilesAreBadData(_ format: Format, _ share: Double) throws {
        let fixture = try VerificationFixture()
        try source(fixture)
        let bytes = try fixture.bytes(make(format, "null", in: fixture))
        try fixture.write(Array(bytes.prefix(Int(share * Double(bytes.count)) - 1)), to: "cut")
        let outcome = try fixture.run(["verify", "cut"])
        #expect(outcome.code == 65 && outcome.errorLines.count <= 1, "\(format) \(share): \(outcome.errorText)")
    }

    @Test func missingColorTagsAreFound() throws {
        let fixture = try VerificationFixture()
        try source(fixture)
        for name in ["clip.mp4", "clip.webm"] {
            try fixture.ffmpeg(["-i", "source.mkv", "-pix_fmt", "yuv420p", "-movflags", "+faststart", name])
            let verdict = try fixture.verify(name)
            #expect(verdict.code == 1 && verdict.wrong == ["color-missing"], "\(verdict)")
        }
        try fixture.encode(Self.clip, to: "tagged.mp4")
        try fixture.ffmpeg(
            [
                "-i", "tagged.mp4", "-c", "copy", "-bsf:v", "h264_metadata=matrix_coefficients=6", "-movflags",
                "+faststart", "two.mp4",
            ])
        #expect(try fixture.verify("two.mp4").wrong == ["color-conflict"])
    }

    /// Newer versions of FFmpeg undo the effect of their own premultiply filter, hence the
    /// expression.
    private static let premultiply =
        "format=rgba,geq=" + "rgb".map { "\($0)='\($0)(X,Y)*alpha(X,Y)/255'" }.joined(separator: ":")
        + ":a='alpha(X,Y)'"

    @Test(.slow) func lostOrPremultipliedAlphaIsFound() throws {
        let fixture = try VerificationFixture()
        try source(fixture, "--background transparent")
        for format in [Format.apng, .webp, .gif] {
            let right = try make(format, "null", in: fixture)
            let verdict = try fixture.verify("--alpha", right)
            #expect(verdict.code == 0 && verdict.files.first?.alpha?.isUsed == true, "\(format): \(verdict)")
            if format != .gif { #expect(verdict.files.first?.alpha?.kind == "straight", "\(format)") }
            let lost = try make(format, "geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a=255", in: fixture)
            #expect(try fixture.verify("--alpha", lost).wrong == ["alpha-missing"], "\(format)")
            guard format != .gif else { continue }
            let dark = try make(format, Self.premultiply, in: fixture)
            #expect(try fixture.verify(dark).wrong == ["alpha-premultiplied"], "\(format)")
        }
        let webm = "\(Self.clip) --background transparent --pixel-format yuva420p"
        try fixture.encode(webm, to: "alpha.webm")
        #expect(try fixture.verify("--alpha", "alpha.webm").code == 0)
        try fixture.ffmpeg(["-i", "alpha.webm", "-c", "copy", "-metadata:s:v", "alpha_mode=", "unmarked.webm"])
        #expect(try fixture.verify("unmarked.webm").wrong == ["alpha-unmarked"])
    }

    /// Delays of a GIF's frames in hundredths of a second, and the expected findings.
    private static let delays: [(name: String, delay: @Sendable (Int) -> Int, ids: Set<String>)] = [
        ("usual", { _ in 4 }, []), ("thirds", { [3, 3, 4][$0 % 3] }, []),
        ("none", { _ in 0 }, ["delay-short"]), ("one", { _ in 1 }, ["delay-short"]),
        ("one of none", { $0 == 9 ? 0 : 4 }, ["delay-short"]),
        ("one and a half", { $0 == 9 ? 6 : 4 }, ["time-uneven"]),
        ("threefold", { $0 == 9 ? 12 : 4 }, ["picture-doubled"]),
        ("the last threefold", { $0 == frameCount - 1 ? 12 : 4 }, ["seam-doubled"]),
    ]

    @Test(.slow, arguments: delays.indices) func wrongDelaysAreFound(_ index: Int) throws {
        let (name, delay, ids) = Self.delays[index]
        let fixture = try VerificationFixture()
        try source(fixture)
        var bytes = try fixture.bytes(make(.gif, "null", in: fixture))
        var count = 0
        for offset in 0..<bytes.count - 8
        where Array(bytes[offset..<offset + 3]) == [0x21, 0xF9, 4] && bytes[offset + 7] == 0 {
            bytes[offset + 4] = UInt8(delay(count))
            count += 1
        }
        try #require(count == Self.frameCount)
        try fixture.write(bytes, to: "delays.gif")
        let verdict = try fixture.verify("delays.gif")
        #expect(ids.isEmpty ? verdict.code == 0 : !verdict.wrong.isDisjoint(with: ids), "\(name): \(verdict)")
    }
}
