import Foundation
import Media
import Motion
import Pipeline
import Scene
import TestSupport
import Testing

/// A loader's clip that says something and has a picture that stands for it.
struct Lesson: Subject {
    let clip: LoaderClip
    var captions: [Caption] = []
    var captionLanguage: String? = "eng"
    var posterFrame: Int?

    init(_ request: RenderRequest) throws { clip = try LoaderClip(request) }

    var size: Size { clip.size }
    var background: Color { clip.background }
    var defaultScale: Rational { clip.defaultScale }
    var frameCount: Int { clip.frameCount }
    var repetition: Repetition { clip.repetition }
    var chapters: [Chapter] { clip.chapters }
    func scenes(ofFrame frame: Int) -> [Scene] { clip.scenes(ofFrame: frame) }
}

@Suite struct TrackTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A lesson of two cycles with holds, which are long frames or played again.
    private func lesson(
        _ container: Container, _ change: (inout Lesson, inout EncodingRequest) -> Void = { _, _ in }
    ) throws -> RenderPlan {
        let request = try request("qq-mail", container, fps: "30") {
            ($0.extent, $0.hold, $0.hasChapters, $0.keyFrameInterval) = (
                .cycles(2), Rational(3, 10), true, Rational(1, 2)
            )
            $0.hasLongFrames = true
        }
        var (lesson, encoding) = (try Lesson(request), request.encoding)
        lesson.captions = [
            Caption("Three balls", start: Rational(1, 10), end: 1), Caption("三个小球\n<again>", start: 1, end: 3),
        ]
        lesson.posterFrame = 40
        change(&lesson, &encoding)
        return try RenderPlan(lesson, size: .pixels(width: 64, height: 32), encoding)
    }

    /// The kinds of a clip's streams; in MP4 and MOV chapters have one of their own, of data.
    private func kinds(_ path: String) throws -> [String] {
        let lines = try probe(path, "stream=codec_type:stream_disposition=attached_pic")
        return lines.map { $0.replacing(",", with: "") }.filter { $0 != "data0" }
    }

    private func probe(_ path: String, _ entries: String) throws -> [String] {
        try run("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path]).lines.filter {
            !$0.isEmpty
        }
    }

    private func hash(_ path: String) throws -> String {
        try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy", "-copyts", "-f", "framehash", "-"]
        ).text
    }

    /// Pictures, sound, captions, chapters and poster at once: the pictures are as they are alone, whatever the jobs.
    @Test(arguments: Container.videos)
    func tracksDoNotDisturbThePictures(container: Container) throws {
        let sound = directory.file("sound." + (container == .webm ? "webm" : "m4a"))
        try SoundFile.make(container == .webm ? "libopus" : "aac", sound)
        let plan = try lesson(container) { $1.audio = sound }
        let alone = try lesson(container) {
            ($0.captions, $0.posterFrame) = ([], nil)
            $1.hasCaptionTrack = false
        }
        let paths = try [1, 2, 5].map { jobs in
            let path = directory.file("\(jobs).\(container)")
            try render(plan, to: path, jobs: jobs)
            return path
        }
        #expect(try Set(paths.map { try bytes(of: $0) }).count == 1)
        let plain = directory.file("plain.\(container)")
        try render(alone, to: plain)
        #expect(try hash(paths[0]) == hash(plain))
        #expect(try SoundFile.hash(paths[0]) == SoundFile.hash(sound))
        #expect(try probe(paths[0], "format=duration") == probe(plain, "format=duration"))
        #expect(try probe(paths[0], "chapter=start_time,end_time") == probe(plain, "chapter=start_time,end_time"))
        let poster = container.holdsPoster ? ["video1"] : []
        #expect(try kinds(paths[0]) == ["video0", "audio0", "subtitle0"] + poster)
        #expect(try kinds(plain) == ["video0"])
    }

    /// What is muxed lies in the file in the order in which it is shown, so that players need not look far ahead.
    @Test(arguments: Container.videos)
    func packetsLieInOrderOfTime(container: Container) throws {
        let path = directory.file("clip.\(container)")
        let sound = directory.file("sound." + (container == .webm ? "webm" : "m4a"))
        try SoundFile.make(container == .webm ? "libopus" : "aac", sound)
        try render(lesson(container) { ($1.audio, $1.hasLongFrames, $0.posterFrame) = (sound, false, nil) }, to: path)
        let all = try probe(path, "packet=codec_type,dts_time,pos").filter { !$0.hasPrefix("data") }
        let lines = all.map { $0.split(separator: ",").compactMap { Double($0) } }
        let packets = lines.filter { $0.count == 2 }.sorted { $0[1] < $1[1] }
        #expect(packets.count > 100)
        var (latest, late) = (-1.0, [[Double]]())
        for packet in packets {
            if packet[0] < latest - 0.1 { late.append(packet) }
            latest = max(latest, packet[0])
        }
        #expect(late.isEmpty)
        // In timed text one sample begins where the one before ends: two captions, and silence before and after them.
        guard ![.mkv, .webm].contains(container) else { return }
        let samples = try probe(path, "packet=codec_type,duration_time").filter { $0.hasPrefix("subtitle") }
        let durations = samples.map { $0.split(separator: ",").last.flatMap { Double($0) } ?? 0 }
        #expect(durations.count == 4 && durations.allSatisfy { $0 > 0 }, "\(samples)")
    }

    @Test(arguments: Container.videos)
    func aPosterIsTheFrameAsItIs(container: Container) throws {
        let plan = try lesson(container)
        let path = directory.file("clip.\(container)")
        try render(plan, to: path)
        let png = try #require(try plan.poster())
        let drawn = try #require(PixelGrid(png: png))
        #expect((drawn.width, drawn.height) == (64, 32))
        let still = try plan.subject.scenes(ofFrame: 40)[0].png(width: 64, height: 32)
        #expect(png == still)
        guard container.holdsPoster else {
            #expect(try kinds(path) == ["video0", "subtitle0"])
            return
        }
        let cover = directory.file("cover.png")
        let take = ["-v", "error", "-i", path, "-map", "0:v:1", "-c", "copy", "-frames:v", "1", "-f", "image2", cover]
        try run("ffmpeg", take)
        #expect(try bytes(of: cover) == png)
        // Who asks for the best video stream has the moving one.
        let video = try DecodedVideo(path: path)
        #expect(video.times.count > 40 && video.parameters.codecName != "png")
    }

    @Test func noTrackIsWrittenUnlessWanted() throws {
        let path = directory.file("clip.mp4")
        try render(lesson(.mp4) { ($0.posterFrame, $1.hasCaptionTrack) = (nil, false) }, to: path)
        #expect(try kinds(path) == ["video0"])
    }

    @Test func captionsThatCannotBeAreRefused() throws {
        func refusal(_ captions: [Caption], language: String? = "eng", poster: Int? = nil) throws -> String {
            try #require(throws: RenderError.self) {
                _ = try lesson(.mp4) { lesson, _ in
                    (lesson.captions, lesson.captionLanguage, lesson.posterFrame) = (captions, language, poster)
                }
            }.description
        }
        let good = Caption("a", start: 1, end: 2)
        #expect(
            try refusal([good, Caption("b", start: Rational(19, 10), end: 3)]).hasPrefix("caption 2 from 1.9 to 3 s"))
        #expect(try refusal([Caption("b", start: 0, end: 600)]).contains("within the clip's"))
        #expect(try refusal([Caption("b", start: 1, end: 1)]).contains("caption 1 from 1 to 1 s"))
        #expect(try refusal([Caption("b", start: Rational(0) - 1, end: 1)]).contains("caption 1"))
        #expect(try refusal([Caption(" \n", start: 0, end: 1)]).contains("1...4000 characters"))
        #expect(try refusal([good], language: "en").contains("three letters"))
        #expect(try refusal([good], poster: 100_000).contains("a poster of frame 100000"))
    }

    @Test func soundThatDoesNotFitIsRefused() throws {
        let sound = directory.file("sound.m4a")
        try SoundFile.make("aac", sound, seconds: "90.25")
        func refusal(_ container: Container, _ path: String) throws -> RenderError {
            try #require(throws: RenderError.self) { _ = try lesson(container) { $1.audio = path } }
        }
        let length = Rational(try lesson(.mp4).frameCount) / 30
        let thousandths = (length * 1000).rounded
        let long = try refusal(.mp4, sound)
        #expect(
            long.description
                == "audio \(sound) lasts 90.250 s and the clip \(thousandths / 1000)."
                + "\(String(thousandths % 1000 + 1000).dropFirst()) s: shorten it, or make the clip longer")
        #expect(long.kind == .badData && long.about.first == .option("audio"))
        #expect(try refusal(.webm, sound).kind == .usage)
        #expect(try refusal(.mp4, directory.file("no.m4a")).kind == .missingInput)
        #expect(try refusal(.mp4, directory.path).kind == .badData)
        // To the millisecond it may be as long as the clip.
        for (seconds, fits) in [(thousandths, true), (thousandths + 1, false)] {
            try SoundFile.make("aac", sound, seconds: "\(Double(seconds) / 1000)")
            let plan = try? lesson(.mp4) { $1.audio = sound }
            #expect((plan != nil) == fits, "\(seconds)")
        }
    }

    /// A file that is another when it is muxed does not become a clip.
    @Test func soundThatChangesMeanwhileIsRefused() throws {
        let sound = directory.file("sound.m4a")
        try SoundFile.make("aac", sound)
        let plan = try lesson(.mp4) { $1.audio = sound }
        try SoundFile.make("aac", sound, seconds: "1")
        let error = try #require(throws: RenderError.self) { try render(plan, to: directory.file("clip.mp4")) }
        #expect(error.description == "audio \(sound) changed while it was read: try again")
        #expect(try directory.names() == ["sound.m4a"])
    }

    @Test func longSoundIsMeasuredToItsEnd() throws {
        let sound = directory.file("sound.ogg")
        try SoundFile.make("libopus", sound, seconds: "200", ["-b:a", "8k"])
        let summary = try AudioSource(InputFile(path: sound)).summary()
        #expect(summary.end == 200 && summary.packetCount == 10_001)
    }

    // MARK: Files beside

    private func written(_ plan: RenderPlan, _ path: String, overwrites: Bool = false) throws {
        let file = try OutputFile(path: path, overwrites: overwrites)
        try plan.add(ClipCompanion.allCases, to: file)
        _ = try RenderPipeline([plan], jobs: 2, memory: plentyOfMemory).run(to: .file(file))
    }

    @Test func filesBesideComeWithTheClip() throws {
        let plan = try lesson(.mp4)
        let path = directory.file("a clip.v1.mp4")
        try written(plan, path)
        #expect(try directory.names() == ["a clip.v1.mp4", "a clip.v1.png", "a clip.v1.vtt"])
        let vtt = String(decoding: try bytes(of: directory.file("a clip.v1.vtt")), as: UTF8.self)
        #expect(vtt == WebVTT.text(of: plan.subject.captions) && vtt.contains("&lt;again&gt;"))
        #expect(try bytes(of: directory.file("a clip.v1.png")) == plan.poster())
        #expect(throws: RenderError.self) { try written(plan, path) }
        try makeFile("old", at: directory.file("a clip.v1.vtt"))
        try written(plan, path, overwrites: true)
        #expect(try directory.names().count == 3)
        #expect(String(decoding: try bytes(of: directory.file("a clip.v1.vtt")), as: UTF8.self) == vtt)
    }

    @Test func nothingBesideIsOverwrittenUnasked() throws {
        let plan = try lesson(.mp4)
        try makeFile("mine", at: directory.file("clip.png"))
        let error = try #require(throws: RenderError.self) { try written(plan, directory.file("clip.mp4")) }
        #expect(error.kind == .cannotCreate && error.description.contains("clip.png"))
        #expect(try directory.names() == ["clip.png"])
    }

    /// If one of the names cannot be had, none changes hands: neither new ones nor those that were there.
    @Test(arguments: [false, true])
    func allNamesAreTakenOrNone(overwrites: Bool) throws {
        let path = directory.file("clip.mp4")
        if overwrites { try makeFile("old captions", at: directory.file("clip.vtt")) }
        do {
            let file = try OutputFile(path: path, overwrites: overwrites)
            try file.addCompanion(ending: "vtt", Array("new captions".utf8))
            try file.addCompanion(ending: "png", Array("new poster".utf8))
            // The last name goes to a folder, which nothing replaces.
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: RenderError.self) { try file.commit() }
            #expect(!file.isCommitted)
        }
        #expect(try directory.names() == (overwrites ? ["clip.mp4", "clip.vtt"] : ["clip.mp4"]))
        if overwrites {
            #expect(String(decoding: try bytes(of: directory.file("clip.vtt")), as: UTF8.self) == "old captions")
        }
    }

    @Test func anAbandonedClipLeavesNothingBeside() throws {
        let plan = try lesson(.mp4)
        do {
            let file = try OutputFile(path: directory.file("clip.mp4"), overwrites: false)
            #expect(try plan.add(ClipCompanion.allCases, to: file) == ClipCompanion.allCases)
            let cancellation = CancellationToken()
            cancellation.cancel()
            let pipeline = RenderPipeline([plan], jobs: 2, memory: plentyOfMemory, cancellation: cancellation)
            #expect(throws: RenderError.self) { try pipeline.run(to: .file(file)) }
        }
        #expect(try directory.names().isEmpty)
        let plain = try lesson(.mp4) { lesson, _ in (lesson.captions, lesson.posterFrame) = ([], nil) }
        let file = try OutputFile(path: directory.file("clip.mp4"), overwrites: false)
        #expect(try plain.add(ClipCompanion.allCases, to: file).isEmpty)
        let other = try OutputFile(path: directory.file("clip.vtt"), overwrites: false)
        #expect(throws: RenderError.self) { try plan.add([.captions], to: other) }
    }
}
