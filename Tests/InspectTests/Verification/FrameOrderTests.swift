import TestSupport
import Testing

/// Clips with regular timestamps whose frames are missing, swapped or torn.
@Suite struct FrameOrderTests {
    static let tags = [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]

    /// Encodes frames that a filter has changed, at 60 frames per second.
    private func make(_ filter: String, in fixture: VerificationFixture) throws -> Verdict {
        try fixture.ffmpeg(
            ["-i", "source.mkv", "-filter_complex", filter + ",setpts=N/60/TB,fps=60,scale=out_color_matrix=bt709"]
                + ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] + Self.tags
                + ["clip.mp4"])
        return try fixture.verify("clip.mp4")
    }

    @Test(.slow) func faultsInMotionAreFound() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 240x120 --fps 60 --codec ffv1 --pixel-format bgra", to: "source.mkv")
        let right = try make("null", in: fixture)
        #expect(right.code == 0, "\(right)")
        for count in 1...3 {
            let verdict = try make("select='not(between(n,19,\(18 + count)))'", in: fixture)
            #expect(verdict.code == 1 && verdict.wrong.contains("picture-missing"), "\(count): \(verdict)")
            #expect(verdict.files.first?.findings.first { $0.id == "picture-missing" }?.frame == 18, "\(verdict)")
        }
        let order = (0..<86).map { $0 == 20 ? 21 : $0 == 21 ? 20 : $0 }.map { "\($0)" }.joined(separator: " ")
        let swapped = try make("shuffleframes='\(order)'", in: fixture)
        #expect(swapped.code == 1 && swapped.wrong.contains("picture-swapped"), "\(swapped)")
        let next = "trim=start_frame=1,setpts=PTS-STARTPTS,crop=iw:ih/2:0:ih/2"
        let torn = try make(
            "settb=1/60,setpts=N,split[a][b];[b]\(next)[c];[a][c]overlay=0:H/2:enable='eq(n,20)'", in: fixture)
        #expect(torn.code == 1 && torn.wrong.contains("picture-torn"), "\(torn)")
    }

    /// The texts and panels of annotations change at their own times.
    @Test(.slow) func annotationsAreNotFaults() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("jelly --size 640x480 --fps 30 --annotate all", to: "clip.mp4")
        let verdict = try fixture.verify("clip.mp4")
        #expect(verdict.code == 0, "\(verdict)")
    }

    /// FFmpeg's decoder finds unknown tags in the frames of its own encoder.
    @Test func framesMayBeTIFF() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 96x48 --fps 10 --codec tiff", to: "clip.mov")
        let verdict = try fixture.verify("clip.mov")
        #expect(verdict.code == 0, "\(verdict)")
    }

    /// Names that appear, a line that moves by whole pixels, and frames that VP9 encodes with more
    /// and fewer bits in turn look as if frames were missing.
    @Test(
        .slow,
        arguments: [
            "qq-mail --annotate phases,timeline,labels --size 480x360 --fps 30",
            "preloader --annotate phases,timeline,labels --size 480x360 --fps 30",
            "douyin --size 120x120 --fps 50 --codec vp9",
        ])
    func unevenChangesAreNotFaults(options: String) throws {
        let fixture = try VerificationFixture()
        let name = options.contains("vp9") ? "clip.webm" : "clip.mp4"
        try fixture.encode(options, to: name)
        let verdict = try fixture.verify(name)
        #expect(verdict.code == 0 && !verdict.wrong.contains("picture-missing"), "\(verdict)")
    }

    /// A square moves evenly, and many frames are missing or repeat the previous one.
    @Test(.slow) func longFaultsOfEvenMotionAreFound() throws {
        let fixture = try VerificationFixture()
        let white = "color=white:size=320x120:rate=60:duration=2"
        let red = "color=red:size=24x24:rate=60:duration=2"
        try fixture.ffmpeg(
            ["-f", "lavfi", "-i", white, "-f", "lavfi", "-i", red, "-filter_complex", "overlay=x='10+2*n':y=40"]
                + ["-c:v", "ffv1", "source.mkv"])
        #expect(try make("null", in: fixture).code == 0)
        let missing = try make("select='not(between(n,50,57))'", in: fixture)
        #expect(missing.code == 1 && missing.wrong.contains("picture-missing"), "\(missing)")
        let four = try make("select='not(between(n,50,53))'", in: fixture)
        #expect(four.code == 1 && "\(four)".contains("about "), "\(four)")
        let order = (0..<120).map { (50...58).contains($0) ? 49 : $0 }.map { "\($0)" }.joined(separator: " ")
        let frozen = try make("shuffleframes='\(order)'", in: fixture)
        #expect(frozen.code == 1 && frozen.wrong.contains("picture-frozen"), "\(frozen)")
    }

    /// A ring of dots, each of which moves by about its own width, so that two steps change hardly
    /// more pixels than one.
    @Test(.slow) func missingFramesOfSmallDotsAreFound() throws {
        let fixture = try VerificationFixture()
        let angle = "(2*PI*N/104)"
        let dots = (0..<6).map { number in
            let phase = "(\(angle)+2*PI*\(number)/6)"
            return "lt(hypot(X-80-55*cos\(phase),Y-80-55*sin\(phase)),3)"
        }
        let filter = "geq=lum='235-200*min(1,\(dots.joined(separator: "+")))':cb=128:cr=128"
        try fixture.ffmpeg(
            ["-f", "lavfi", "-i", "color=white:size=160x160:rate=60:duration=1.5", "-vf", filter]
                + ["-c:v", "ffv1", "source.mkv"])
        #expect(try make("null", in: fixture).code == 0)
        let verdict = try make("select='not(eq(n,40))'", in: fixture)
        #expect(verdict.code == 1 && verdict.wrong == ["picture-missing"], "\(verdict)")
    }

    /// At ten frames per second, a ball that turns back looks like frames in the wrong order.
    @Test(.slow) func coarseMotionIsNotAWrongOrder() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 240x120 --fps 10 --cycles 2", to: "clip.gif")
        let verdict = try fixture.verify("--strict", "clip.gif")
        #expect(verdict.code == 0 && !verdict.all.contains("picture-swapped"), "\(verdict)")
    }

    /// The lower part of a frame is that of the frame two later.
    @Test(.slow) func partsOfFartherFramesAreFound() throws {
        let fixture = try VerificationFixture()
        let options = "qq-mail --size 240x120 --fps 60"
        try fixture.encode(options + " --codec ffv1 --pixel-format bgra", to: "source.mkv")
        let later = "trim=start_frame=2,setpts=PTS-STARTPTS,crop=iw:ih/2:0:ih/2"
        let torn = try make(
            "settb=1/60,setpts=N,split[a][b];[b]\(later)[c];[a][c]overlay=0:H/2:enable='eq(n,33)'", in: fixture)
        #expect(torn.code == 1 && torn.wrong.contains("picture-torn"), "\(torn)")
    }

    /// Frames of a variable rate are shown longer at many points.
    @Test func variableRatesAreNotFaults() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 240x120 --fps 60 --codec ffv1 --pixel-format bgra", to: "source.mkv")
        try fixture.ffmpeg(
            ["-i", "source.mkv", "-vf", "select='not(eq(mod(n,7),2)+eq(mod(n,7),5))',scale=out_color_matrix=bt709"]
                + ["-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] + Self.tags
                + ["clip.mp4"])
        let verdict = try fixture.verify("clip.mp4")
        #expect(verdict.code == 0, "\(verdict)")
    }
}

extension FrameOrderTests {
    /// A built-in loader tells long faults from its own pauses and jumps.
    @Test(
        .slow,
        arguments: some(
            of: [
                ("iqiyi --size 120x120", "loop=loop=6:size=1:start=14", "picture-frozen"),
                ("qq-mail --size 240x120", "select='not(between(n,19,26))'", "picture-missing"),
                ("qq --size 120x120", "select='not(between(n,19,24))'", "picture-missing"),
            ], each: 2))
    func longFaultsOfLoadersAreFound(loader: String, filter: String, id: String) throws {
        try expectFault(id, in: "\(loader) --fps 30", changedBy: filter + ",setpts=N/30/TB", crf: 20)
    }

    /// Faults of a frame or two in loaders, also in slow motion, whose frames are nearer to each
    /// other than the instants with which they are compared. "fps" repeats the frame before a gap.
    @Test(
        .slow,
        arguments: some(
            of: [
                ("iqiyi --size 120x120 --fps 30", "select='not(eq(n,12))',fps=30", "picture-frozen"),
                ("oneloading --size 120x120 --fps 60", "select='not(eq(n,50))',fps=60", "picture-frozen"),
                (
                    "qq-mail --size 240x120 --fps 60 --slowmo 4",
                    "select='not(between(n,100,101))',setpts=N/60/TB", "picture-missing"
                ),
                (
                    "iqiyi --size 120x120 --fps 60 --slowmo 4", "select='not(between(n,70,71))',setpts=N/60/TB",
                    "picture-missing"
                ),
                (
                    "qq --size 1280x720 --slowmo 4", "select='not(between(n,211,216))',setpts=N/60/TB",
                    "picture-missing"
                ),
            ], each: 2))
    func shortFaultsOfLoadersAreFound(loader: String, filter: String, id: String) throws {
        try expectFault(id, in: loader, changedBy: filter, crf: 18)
    }

    private func expectFault(_ id: String, in loader: String, changedBy filter: String, crf: Int) throws {
        let fixture = try VerificationFixture()
        try fixture.encode("\(loader) --codec ffv1 --pixel-format bgra", to: "source.mkv")
        try fixture.ffmpeg(
            ["-i", "source.mkv", "-vf", filter + ",scale=out_color_matrix=bt709", "-c:v", "libx264"]
                + ["-crf", "\(crf)", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] + Self.tags + ["clip.mp4"])
        let verdict = try fixture.verify("clip.mp4")
        #expect(verdict.code == 1 && verdict.wrong.contains(id), "\(verdict)")
    }

    /// The preloader pauses and jumps by design, which looks like missing frames.
    @Test(.slow, arguments: some(of: ["25", "50", "30"], each: 2))
    func pausesOfLoadersAreNotFaults(rate: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(
            "preloader --size 200x200 --cycles 2 --fps \(rate) --codec ffv1 --pixel-format bgra", to: "source.mkv")
        try fixture.ffmpeg(
            ["-i", "source.mkv", "-vf", "scale=out_color_matrix=bt709", "-c:v", "libx264", "-crf", "23", "-pix_fmt"]
                + ["yuv420p", "-movflags", "+faststart"] + Self.tags + ["clip.mp4"])
        let verdict = try fixture.verify("clip.mp4")
        #expect(verdict.code == 0, "\(verdict)")
    }

    /// The drops of these loaders change their shape at once, and fast parts of others differ from
    /// all instants with which frames are compared.
    @Test(
        .slow,
        arguments: some(
            of: [
                "qq --slowmo 4 --size 240x240", "preloader --slowmo 4 --size 240x240",
                "jelly --slowmo 2 --size 480x480", "qq-pull --slowmo 3 --size 960x540",
                "qq --slowmo 5 --size 320x568", "qq --slowmo 3 --size 960x540",
            ], each: 3))
    func slowMotionOfLoadersIsNotAFault(options: String) throws {
        let fixture = try VerificationFixture()
        let name = options.hasPrefix("jelly") ? "clip.gif" : options.contains("568") ? "clip.webm" : "clip.mp4"
        try fixture.encode(options, to: name)
        let verdict = try fixture.verify(name)
        #expect(verdict.code == 0, "\(verdict)")
    }
}
