import Foundation
import TestSupport
import Testing

/// Profiles, bit depths and further options of encoders, read by ffprobe.
@Suite struct EncoderFeatureTests {
    private static let clip = ["encode", "qq", "--size", "256x128", "--fps", "10", "--duration", "0.5"]

    private func encode(_ workspace: CommandFixture, _ options: [String], to output: String) throws -> Outcome {
        try workspace.run(Self.clip + options + ["--progress", "none", "-o", output])
    }

    @Test(
        .slow,
        arguments: some(
            of: [
                "prores proxy apco Proxy", "prores lt apcs LT", "prores standard apcn Standard",
                "prores hq apch HQ", "prores 4444 ap4h 4444", "prores 4444xq ap4x XQ", "prores xq ap4x XQ",
                "dnxhd dnxhr_lb AVdh DNXHR LB", "dnxhd dnxhr_sq AVdh DNXHR SQ", "dnxhd dnxhr_hq AVdh DNXHR HQ",
                "dnxhd dnxhr_hqx AVdh DNXHR HQX", "dnxhd dnxhr_444 AVdh DNXHR 444",
            ], each: 2))
    func profilesHaveNames(profile: String) throws {
        let words = profile.split(separator: " ", maxSplits: 3).map(String.init)
        let workspace = try CommandFixture()
        let outcome = try encode(workspace, ["--codec", words[0], "--profile", words[1]], to: "a.mov")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.text.contains("exact timing"))
        let stream = try Probe(workspace.directory.file("a.mov")).stream
        #expect(stream.codecTagString == words[2] && stream.profile == words[3], "\(stream)")
    }

    /// White is 255 in the grey of images, and 235 in that of video.
    @Test(arguments: [("png", 255), ("tiff", 255), ("qtrle", 255), ("ffv1", 235)])
    func greyImagesHaveFullRange(codec: String, white: UInt8) throws {
        let workspace = try CommandFixture()
        let options = ["--codec", codec, "--pixel-format", "gray", "--background", "white"]
        let name = codec == "ffv1" ? "a.mkv" : "a.mov"
        let outcome = try encode(workspace, options, to: name)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let path = workspace.directory.file(name)
        let flags = ["-pix_fmt", "gray", "-f", "rawvideo", "-"]
        #expect(try run("ffmpeg", ["-v", "error", "-i", path] + flags).output.first == white)
        guard ["png", "ffv1"].contains(codec) else { return }
        let judged = try workspace.run(["verify", name, "--against"] + Self.clip.dropFirst() + options[4...])
        #expect(judged.code == 0, "\(judged.text)")
    }

    /// Two options that exclude each other are refused in an output, as in a clip.
    @Test func outputsHaveOnePixelFormat() throws {
        let workspace = try CommandFixture()
        try workspace.preset(
            "clips: [{loader: qq, outputs: [{format: mp4, pixel-format: yuv420p, bit-depth: 10}]}]\n")
        let outcome = try workspace.run(["presets", "validate", "p.yaml"])
        let message = "p.yaml:1:69: 'pixel-format' and 'bit-depth' cannot be combined"
        #expect(outcome.code == 65 && outcome.errorText.hasPrefix(message), "\(outcome.errorText)")
    }

    /// Smaller profiles give smaller files.
    @Test func profilesSetTheBitrate() throws {
        let workspace = try CommandFixture()
        let sizes = try ["proxy", "lt", "standard", "hq"].map { profile in
            try #require(
                try encode(workspace, ["--codec", "prores", "--profile", profile], to: "\(profile).mov").code == 0)
            return try bytes(of: workspace.directory.file("\(profile).mov")).count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 4, "\(sizes)")
    }

    @Test(
        .slow,
        arguments: [
            "h264 mp4 yuv420p10le", "hevc mp4 yuv420p10le", "vp9 webm yuv420p10le", "av1 webm yuv420p10le",
            "prores mov yuv422p10le",
        ])
    func bitDepthSelectsThePixelFormat(formats: String) throws {
        let words = formats.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let outcome = try encode(workspace, ["--codec", words[0], "--bit-depth", "10"], to: "a.\(words[1])")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try Probe(workspace.directory.file("a.\(words[1])")).stream.pixFmt == words[2])
    }

    @Test(arguments: [
        ("--codec prores --profile high", "proxy, lt"), ("--codec dnxhd --profile dnxhr_hx", "did you mean"),
        ("--codec h264 --profile high", "encoder-option profile=high"),
        ("--codec prores --profile hq --background transparent", "needs alpha, which"),
        ("--codec prores --profile hq --pixel-format yuv444p10le", "in the profile hq"),
        ("--codec h264 --bit-depth 10 --pixel-format yuv420p", "cannot be combined"),
        ("--codec dnxhd --profile dnxhr_hq --bit-depth 10", "bit-depth"),
        ("--codec prores --encoder-option vendr=abcd", "did you mean 'vendor'"),
        ("--codec h264 --encoder-option g=5", "use --gop"), ("--codec h264 --encoder-option threads=5", "use --jobs"),
        ("--codec h264 --encoder-option tune", "key=value"), ("--codec h264 --encoder-option =1", "key=value"),
        ("--codec dnxhd --size 128x64", "256x120"), ("--codec h264 --profile 4444", "use --codec prores"),
        ("--codec h264 --encoder-option crf=30", "use --quality"),
        ("--codec h264 --encoder-option flags=0", "reserved"),
        ("--codec h264 --encoder-option aspect=2", "reserved"),
        ("--codec h264 --encoder-option qp=3", "use --quality"),
        ("--codec av1 --format mp4 --encoder-option qp=3", "use --quality"),
        ("--codec prores --encoder-option profile=2", "use --profile"),
        ("--codec vp9 --format webm --encoder-option lossless=1", "use --quality 0"),
        // Values are checked before anything is drawn, so the encoder itself prints nothing.
        ("--codec h264 --encoder-option tune=foo", "does not take 'foo'; use film, animation"),
        ("--codec h264 --encoder-option profile=foo", "use baseline, main"),
        ("--codec h264 --encoder-option bf=x", "bf does not take 'x'; use a number"),
        ("--codec h264 --encoder-option b-pyramid=foo", "use none, strict, normal"),
        ("--codec h264 --encoder-option aq-mode=foo", "use none, variance"),
        ("--codec prores --encoder-option mbs_per_slice=99", "use 1...8"),
        // FFmpeg has these options for all encoders, and these encoders ignore them.
        ("--codec vp9 --format webm --encoder-option bf=99", "libvpx-vp9 ignores bf"),
        ("--codec prores --encoder-option bf=2", "prores_ks ignores bf"),
        ("--codec av1 --format mp4 --encoder-option trellis=2", "libsvtav1 ignores trellis"),
        ("--codec av1 --format mp4 --encoder-option qmin=9", "libsvtav1 ignores qmin"),
        ("--codec jpeg2000 --encoder-option bf=2", "jpeg2000 ignores bf"),
        ("--codec h264 --encoder-option b=3M", "libx264 ignores b; use --quality"),
        ("--format gif --encoder-option gifflags=0", "gif files are written without an encoder"),
        // Their libraries limit these values without a message.
        ("--codec h264 --encoder-option bf=99", "bf does not take '99'; use 0...16"),
        ("--codec h264 --encoder-option aq-strength=9", "use 0...3"),
        ("--codec h264 --encoder-option b-bias=-100", "use -90...100"),
        ("--codec h264 --encoder-option x264-params=aq_strength=9", "use 0...3"),
        ("--codec hevc --encoder-option refs=99", "use 1...16"),
        ("--codec h264 --encoder-option x264-params=bframes=99", "bframes in x264-params does not take '99'; use 0"),
        // Only the encoder's library knows these values.
        ("--codec h264 --encoder-option x264-params=nosuch=1", "Error parsing option 'nosuch = 1'"),
        ("--codec h264 --encoder-option x264-params=me=foo", "Error parsing option 'me = foo'"),
        ("--codec hevc --encoder-option x265-params=nosuch=1", "Unknown option: nosuch"),
        ("--codec hevc --encoder-option x265-params=ctu=17", "libx265 refuses x265-params=ctu=17"),
        ("--codec hevc --encoder-option tune=foo", "libx265 refuses tune=foo"),
        ("--format avif --bit-depth 10", "avif is written in yuv444p"),
        // Presets may come from strangers, so no option may name a file or a pass.
        ("--codec h264 --encoder-option stats=kept", "names a file"),
        ("--codec h264 --encoder-option x264-params=aq-mode=0:pass=1:stats=kept", "names a file"),
        ("--codec h264 --encoder-option x264-params=dump-yuv=kept", "names a file"),
        ("--codec h264 --encoder-option x264-params='st'ats=kept", "a quote"),
        ("--codec h264 --encoder-option x264opts=cqmfile=kept", "names a file"),
        ("--codec hevc --encoder-option x265-params=csv=kept", "names a file"),
        ("--codec hevc --encoder-option x265-params=recon-y4m-exec=kept", "names a file"),
        // Parameters of the libraries that another option sets.
        ("--codec h264 --encoder-option x264-params=aq-mode=0:crf=45", "use --quality"),
        ("--codec h264 --encoder-option x264-params=fullrange=on", "use --pixel-format"),
        ("--codec h264 --encoder-option x264-params=deblock=1:1", "values have no colon"),
        ("--codec h264 --encoder-option bf=1 --encoder-option bf=2", "bf is given twice"),
        ("--codec h264 --encoder-option bf=", "bf has no value"),
        ("--format png-sequence --encoder-option pred=mixed", "png files are written without an encoder"),
    ])
    func unsuitableSettingsAreRefused(options: String, reason: String) throws {
        let workspace = try CommandFixture()
        let size = options.contains("--size") ? [] : ["--size", "256x128"]
        let words = ["encode", "qq"] + size + options.split(separator: " ").map(String.init)
        let output = options.contains("png-sequence") ? "a/%d.png" : "a.mov"
        expectRefusal(try workspace.run(words + ["-o", output]), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// The profile of DNxHR follows from the pixel format.
    @Test func formatsSelectTheirProfile() throws {
        let workspace = try CommandFixture()
        let size = ["encode", "qq", "--size", "256x128", "--fps", "10", "--duration", "0.2", "--codec", "dnxhd"]
        for (options, profile) in [
            (["--bit-depth", "10"], "DNXHR HQX"), (["--pixel-format", "yuv444p10le"], "DNXHR 444"), ([], "DNXHR HQ"),
        ] {
            let outcome = try workspace.run(size + options + ["--force", "-o", "a.mov"])
            try #require(outcome.code == 0, "\(options): \(outcome.errorText)")
            let found = try workspace.shell("ffprobe -v error -show_entries stream=profile -of csv=p=0 a.mov")
            #expect(found.text.split(separator: "\n").first.map(String.init) == profile, "\(options): \(found.text)")
        }
    }

    /// Valid values of all types pass the check.
    @Test(arguments: [
        "tune=animation,zerolatency", "b-pyramid=strict", "aq-mode=variance", "qcomp=0.7", "profile=high",
        "x264-params=log=0:aq-mode=3:rc_lookahead=20", "x265-params=log-level=0:input-csp=i420",
    ])
    func validValuesAreTaken(option: String) throws {
        let workspace = try CommandFixture()
        let codec = option.hasPrefix("x265") ? "hevc" : "h264"
        let outcome = try encode(workspace, ["--codec", codec, "--encoder-option", option], to: "a.mp4")
        #expect(outcome.code == 0, "\(outcome.errorText)")
    }

    /// `verify` compares the profile with the expected one.
    @Test(.slow, arguments: ["prores lt hq hq", "prores xq 4444 4444", "dnxhd dnxhr_sq dnxhr_lb dnxhr_lb"])
    func verifyChecksTheProfile(profiles: String) throws {
        let words = profiles.split(separator: " ", maxSplits: 3).map(String.init)
        let workspace = try CommandFixture()
        let options = ["--size", "256x128", "--fps", "10", "--duration", "0.5", "--codec", words[0], "--profile"]
        try #require(try workspace.run(["encode", "qq"] + options + [words[2], "-o", "a.mov"]).code == 0)
        let verify = ["verify", "a.mov", "--against", "qq"] + options
        let right = try workspace.run(verify + [words[2]])
        #expect(right.code == 0, "\(right.text)")
        let wrong = try workspace.run(verify + [words[1]])
        let reason = "expected-profile: the profile is \(words[3]) instead of"
        #expect(wrong.code == 1 && wrong.text.contains(reason), "\(wrong.text)")
    }

    /// Options of the encoder reach it, several times or separated by commas, and parameters of its
    /// library are added to those that loadervid sets.
    @Test func encoderOptionsReachTheEncoder() throws {
        let workspace = try CommandFixture()
        func encode(_ options: String..., to name: String) throws -> [UInt8] {
            let outcome = try self.encode(workspace, options, to: name)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return try bytes(of: workspace.directory.file(name))
        }
        let plain = try encode(to: "a.mp4")
        let tuned = try encode(
            "--encoder-option", "bf=0", "--encoder-option", "deblock=2,2", "--encoder-option", "x264-params=aq-mode=0",
            to: "b.mp4")
        #expect(plain != tuned)
        #expect(try encode("--encoder-option", "x264-params=aq-mode=0,bf=0,deblock=2,2", to: "c.mp4") == tuned)
        let frames = try Probe(workspace.directory.file("b.mp4")).frames ?? []
        #expect(frames.count == 5)
    }

    /// A changed option makes a clip of a batch stale.
    @Test func batchesRecordTheSettings() throws {
        let workspace = try CommandFixture()
        func batch(_ options: String) throws -> [String: String] {
            try workspace.preset(
                """
                defaults: {fps: 10, size: 256x128, duration: 0.5}
                clips: [{loader: qq, name: q, outputs: [{format: mov, \(options)}]}]

                """)
            return try workspace.batch("p.yaml", "-o", "out").results
        }
        #expect(try batch("codec: prores, profile: lt")["q.mov"] == "made: new")
        #expect(try batch("codec: prores, profile: lt")["q.mov"]?.hasPrefix("up") == true)
        #expect(try batch("codec: prores, profile: hq")["q.mov"]?.contains("profile: lt → hq") == true)
        #expect(
            try batch("codec: prores, profile: hq, encoder-option: mbs_per_slice=4")["q.mov"]?
                .contains("encoder-option") == true)
        #expect(try batch("codec: prores, timecode: '01:00:00:00'")["q.mov"]?.contains("timecode") == true)
    }
}
