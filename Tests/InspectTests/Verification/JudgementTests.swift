import TestSupport
import Testing

/// Clips compared with loaders whose parameters differ a little.
@Suite struct JudgementTests {
    private static let clip = "qq-mail --size 240x120 --fps 30 --duration 0.8"
    private static let tags = [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]

    /// Returns the result of `verify` against the loader with other parameters.
    private func verify(
        _ name: String, of clip: String = clip, _ settings: [String] = [], in fixture: VerificationFixture
    ) throws -> Outcome {
        let options = clip.split(separator: " ").map(String.init)
        return try fixture.run(["verify", name, "--against"] + options + settings.flatMap { ["--set", $0] })
    }

    @Test(.slow) func slightlyWrongParametersAreFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        try fixture.encode(Self.clip, to: "clip.gif")
        for name in ["clip.mp4", "clip.gif"] {
            let right = try verify(name, [], in: fixture)
            #expect(right.code == 0, "\(name): \(right.text)")
            for (setting, words) in [
                ("red=#ff3030", "CIEDE2000"), ("green=#00e000", "CIEDE2000"), ("opacity=0.7", "CIEDE2000"),
                ("radius=5.5", "outlines lie"), ("strokeWidth=1.5", "outlines lie"), ("offset=33", "error"),
            ] {
                let wrong = try verify(name, [setting], in: fixture)
                #expect(wrong.code == 1, "\(name) \(setting): \(wrong.text)")
                #expect(wrong.text.contains("expected-picture"), "\(name) \(setting): \(wrong.text)")
                #expect(wrong.text.contains(words), "\(name) \(setting): \(wrong.text)")
            }
        }
    }

    /// A part of an object, one of several objects, and a line without a flat area.
    @Test(.slow) func localDifferencesAreFound() throws {
        let fixture = try VerificationFixture()
        for (clip, setting, words) in [
            ("iqiyi --size 240x240 --fps 30", "triangleRadius=19", "outlines lie"),
            ("qq --size 240x240 --fps 30", "offset=32", "edges are displaced"),
            ("oneloading --size 240x240 --fps 30", "color=#e00000", "the colour of lines is"),
        ] {
            try fixture.encode("\(clip) --force", to: "clip.mp4")
            let right = try verify("clip.mp4", of: clip, in: fixture)
            #expect(right.code == 0, "\(clip): \(right.text)")
            let wrong = try verify("clip.mp4", of: clip, [setting], in: fixture)
            #expect(wrong.code == 1 && wrong.text.contains(words), "\(setting): \(wrong.text)")
        }
    }

    /// A colour that is a little different over its whole area, at medium quality.
    @Test(.slow) func nearColorsAreFound() throws {
        let fixture = try VerificationFixture()
        let clip = "iqiyi --size 160x160 --fps 25 --duration 0.6"
        for (setting, code) in [("color=#40a83b", Int32(0)), ("color=#4eb046", 1)] {
            try fixture.encode("\(clip) --set \(setting) --quality 28 --force", to: "a.mp4")
            let outcome = try verify("a.mp4", of: clip, in: fixture)
            #expect(outcome.code == code && outcome.text.contains("CIEDE2000") == (code == 1), "\(outcome.text)")
        }
    }

    /// Noise may make a frame look more like the next one where hardly anything moves.
    @Test(.slow) func invisibleDifferencesAreNotAnotherFrame() throws {
        let fixture = try VerificationFixture()
        let clip = "jelly --size 201x133 --background transparent --fps 12"
        try fixture.encode(clip, to: "a.avif")
        let outcome = try verify("a.avif", of: clip, in: fixture)
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    /// The edges of the balls are a small part of all.
    @Test(.slow) func sizesOfSmallObjectsAreFound() throws {
        let fixture = try VerificationFixture()
        let clip = "qq --size 200x200 --fps 25 --duration 1.44"
        for (setting, code) in [("radius=6", Int32(0)), ("radius=6.4", 1)] {
            try fixture.encode("\(clip) --set \(setting)", to: "\(setting).webm")
            let outcome = try verify("\(setting).webm", of: clip, in: fixture)
            #expect(outcome.code == code && outcome.text.contains("outlines lie") == (code == 1), "\(outcome.text)")
        }
    }

    /// The last frame shows the middle of the cycle, where the drop is narrow. The drop is as wide
    /// as a block of the grid, and overlaps four of them.
    @Test func frameOfAnotherTimeIsFound() throws {
        let fixture = try VerificationFixture()
        let clip = "qq --size 120x120 --fps 25"
        try fixture.encode(clip, to: "clip.mp4")
        let exchange = "[0]trim=end_frame=71[a];[0]trim=start_frame=36:end_frame=37,setpts=PTS-STARTPTS[b];[a][b]concat"
        try fixture.ffmpeg(
            ["-i", "clip.mp4", "-filter_complex", exchange, "-c:v", "libx264", "-crf", "18"] + Self.tags + ["wrong.mp4"]
        )
        #expect(try verify("clip.mp4", of: clip, in: fixture).code == 0)
        let wrong = try verify("wrong.mp4", of: clip, in: fixture)
        #expect(wrong.code == 1 && wrong.text.contains("the mean of a block differs"), "\(wrong.text)")
    }

    /// Encoding errors have no common direction, however large they are.
    @Test func lowQualityIsNotAFault() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "clip.mp4")
        let encoders: [(String, [String])] = [
            ("h264.mp4", ["-c:v", "libx264", "-crf", "36"]),
            ("vp9.webm", ["-c:v", "libvpx-vp9", "-crf", "45", "-b:v", "0", "-cpu-used", "8"]),
        ]
        for (name, options) in encoders {
            try fixture.ffmpeg(["-i", "clip.mp4"] + options + Self.tags + [name])
            let outcome = try verify(name, [], in: fixture)
            #expect(outcome.code == 0, "\(name): \(outcome.text)")
        }
    }
}
