import Core
import Foundation
import Media
import Render
import TestSupport
import Testing

/// A loader's clip with captions and a poster.
struct Lesson: ClipSource {
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

    /// A lesson of two cycles with holds, which become long frames or replays.
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

    /// The types of a clip's streams, without the data stream of chapters in MP4 and MOV.
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

    /// The video with audio, captions, chapters and a poster equals the video alone, with any
    /// number of jobs.
    @Test(.slow, arguments: Container.videos)
    func otherTracksDoNotChangeTheVideo(container: Container) throws {
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
        let poster = container.supportsPoster ? ["video1"] : []
        #expect(try kinds(paths[0]) == ["video0", "audio0", "subtitle0"] + poster)
        #expect(try kinds(plain) == ["video0"])
    }

    /// Packets of all streams are interleaved by time, so players need not seek.
    @Test(.slow, arguments: Container.videos)
    func packetsAreInterleavedByTime(container: Container) throws {
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
        // In MP4's timed text, samples are contiguous: two captions, and an empty sample before and
        // after them.
        guard ![.mkv, .webm].contains(container) else { return }
        let samples = try probe(path, "packet=codec_type,duration_time").filter { $0.hasPrefix("subtitle") }
        let durations = samples.map { $0.split(separator: ",").last.flatMap { Double($0) } ?? 0 }
        #expect(durations.count == 4 && durations.allSatisfy { $0 > 0 }, "\(samples)")
    }

    @Test(arguments: Container.videos)
    func postersEqualTheirFrames(container: Container) throws {
        let plan = try lesson(container)
        let path = directory.file("clip.\(container)")
        try render(plan, to: path)
        let png = try #require(try plan.poster())
        let drawn = try #require(PixelGrid(png: png))
        #expect((drawn.width, drawn.height) == (64, 32))
        let still = try plan.source.scenes(ofFrame: 40)[0].png(width: 64, height: 32)
        #expect(png == still)
        guard container.supportsPoster else {
            #expect(try kinds(path) == ["video0", "subtitle0"])
            return
        }
        let cover = directory.file("cover.png")
        let take = ["-v", "error", "-i", path, "-map", "0:v:1", "-c", "copy", "-frames:v", "1", "-f", "image2", cover]
        try run("ffmpeg", take)
        #expect(try bytes(of: cover) == png)
        // The default video stream is the clip, not the poster.
        let video = try DecodedVideo(path: path)
        #expect(video.times.count > 40 && video.parameters.codecName != "png")
    }

    @Test func unrequestedTracksAreNotWritten() throws {
        let path = directory.file("clip.mp4")
        try render(lesson(.mp4) { ($0.posterFrame, $1.hasCaptionTrack) = (nil, false) }, to: path)
        #expect(try kinds(path) == ["video0"])
    }

    @Test func invalidCaptionsAreRefused() throws {
        func refusal(_ captions: [Caption], language: String? = "eng", poster: Int? = nil) throws -> String {
            try #require(throws: LoadervidError.self) {
                _ = try lesson(.mp4) { lesson, _ in
                    (lesson.captions, lesson.captionLanguage, lesson.posterFrame) = (captions, language, poster)
                }
            }.description
        }
        let good = Caption("a", start: 1, end: 2)
        #expect(
            try refusal([good, Caption("b", start: Rational(19, 10), end: 3)]).hasPrefix("caption 2 from 1.9 to 3 s"))
        #expect(try refusal([Caption("b", start: 0, end: 600)]).contains("end within the clip's"))
        #expect(try refusal([Caption("b", start: 1, end: 1)]).contains("caption 1 from 1 to 1 s"))
        #expect(try refusal([Caption("b", start: Rational(0) - 1, end: 1)]).contains("caption 1"))
        #expect(try refusal([Caption(" \n", start: 0, end: 1)]).contains("the text is blank"))
        let long = Caption(String(repeating: "a", count: 4001), start: 0, end: 1)
        #expect(try refusal([long]).contains("maximum of 4000"))
        #expect(try refusal([good], language: "en").contains("three letters"))
        #expect(try refusal([good], poster: 100_000).contains("poster: frame 100000 is outside"))
    }

    @Test(.slow) func unsuitableAudioIsRefused() throws {
        let sound = directory.file("sound.m4a")
        try SoundFile.make("aac", sound, seconds: "90.25")
        func refusal(_ container: Container, _ path: String) throws -> LoadervidError {
            try #require(throws: LoadervidError.self) { _ = try lesson(container) { $1.audio = path } }
        }
        let length = Rational(try lesson(.mp4).frameCount) / 30
        let milliseconds = (length * 1000).rounded
        let long = try refusal(.mp4, sound)
        #expect(
            long.description
                == "audio \(sound): it lasts 90.250 s, longer than the clip's \(milliseconds / 1000)."
                + "\(String(milliseconds % 1000 + 1000).dropFirst()) s; shorten the audio or lengthen the clip")
        #expect(long.kind == .badData && long.subjects.first == .option("audio"))
        #expect(try refusal(.webm, sound).kind == .usage)
        #expect(try refusal(.mp4, directory.file("no.m4a")).kind == .missingInput)
        #expect(try refusal(.mp4, directory.path).kind == .badData)
        // The limit is exact to a millisecond.
        for (duration, fits) in [(milliseconds, true), (milliseconds + 1, false)] {
            try SoundFile.make("aac", sound, seconds: "\(Double(duration) / 1000)")
            let plan = try? lesson(.mp4) { $1.audio = sound }
            #expect((plan != nil) == fits, "\(duration) ms")
        }
    }

    /// A file that changes between planning and muxing is an error.
    @Test func audioThatChangesDuringTheWorkIsRefused() throws {
        let sound = directory.file("sound.m4a")
        try SoundFile.make("aac", sound)
        let plan = try lesson(.mp4) { $1.audio = sound }
        try SoundFile.make("aac", sound, seconds: "1")
        let error = try #require(throws: LoadervidError.self) { try render(plan, to: directory.file("clip.mp4")) }
        #expect(error.description == "audio \(sound) changed while it was read; try again")
        #expect(try directory.names() == ["sound.m4a"])
    }

    @Test(.slow) func longAudioIsMeasuredToItsEnd() throws {
        let sound = directory.file("sound.ogg")
        try SoundFile.make("libopus", sound, seconds: "200", ["-b:a", "8k"])
        let summary = try AudioSource(InputFile(path: sound)).summary()
        #expect(summary.end == 200 && summary.packetCount == 10_001)
    }

    // MARK: Sidecars

    private func written(_ plan: RenderPlan, _ path: String, overwrites: Bool = false) throws {
        let file = try OutputFile(path: path, overwrites: overwrites)
        try plan.add(plan.sidecars, to: file)
        _ = try RenderPipeline([plan], jobs: 2, memory: plentyOfMemory).run(to: .file(file))
    }

    @Test func sidecarsAppearWithTheClip() throws {
        let plan = try lesson(.mp4)
        let path = directory.file("a clip.v1.mp4")
        try written(plan, path)
        #expect(try directory.names() == ["a clip.v1.mp4", "a clip.v1.png", "a clip.v1.vtt"])
        let vtt = String(decoding: try bytes(of: directory.file("a clip.v1.vtt")), as: UTF8.self)
        #expect(vtt == WebVTT.text(of: plan.source.captions) && vtt.contains("&lt;again&gt;"))
        #expect(try bytes(of: directory.file("a clip.v1.png")) == plan.poster())
        #expect(throws: LoadervidError.self) { try written(plan, path) }
        try makeFile("old", at: directory.file("a clip.v1.vtt"))
        try written(plan, path, overwrites: true)
        #expect(try directory.names().count == 3)
        #expect(String(decoding: try bytes(of: directory.file("a clip.v1.vtt")), as: UTF8.self) == vtt)
    }

    @Test func existingSidecarsAreNotOverwrittenByDefault() throws {
        let plan = try lesson(.mp4)
        try makeFile("mine", at: directory.file("clip.png"))
        let error = try #require(throws: LoadervidError.self) { try written(plan, directory.file("clip.mp4")) }
        #expect(error.kind == .cannotCreate && error.description.contains("clip.png"))
        #expect(try directory.names() == ["clip.png"])
    }

    /// If one of the names cannot be taken, no new file appears and no existing one is replaced.
    @Test(arguments: [false, true])
    func eitherAllNamesAreTakenOrNone(overwrites: Bool) throws {
        let path = directory.file("clip.mp4")
        if overwrites { try makeFile("old captions", at: directory.file("clip.vtt")) }
        do {
            let file = try OutputFile(path: path, overwrites: overwrites)
            try file.addSidecar(ending: "vtt", Array("new captions".utf8))
            try file.addSidecar(ending: "png", Array("new poster".utf8))
            // A directory has the last name, and is never replaced.
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(throws: LoadervidError.self) { try file.commit() }
            #expect(!file.isCommitted)
        }
        #expect(try directory.names() == (overwrites ? ["clip.mp4", "clip.vtt"] : ["clip.mp4"]))
        if overwrites {
            #expect(String(decoding: try bytes(of: directory.file("clip.vtt")), as: UTF8.self) == "old captions")
        }
    }

    @Test func cancelledClipsLeaveNoSidecars() throws {
        let plan = try lesson(.mp4)
        do {
            let file = try OutputFile(path: directory.file("clip.mp4"), overwrites: false)
            #expect(try plan.add(plan.sidecars, to: file) == plan.sidecars)
            let cancellation = CancellationToken()
            cancellation.cancel()
            let pipeline = RenderPipeline([plan], jobs: 2, memory: plentyOfMemory, cancellation: cancellation)
            #expect(throws: LoadervidError.self) { try pipeline.run(to: .file(file)) }
        }
        #expect(try directory.names().isEmpty)
        let plain = try lesson(.mp4) { lesson, _ in (lesson.captions, lesson.posterFrame) = ([], nil) }
        let file = try OutputFile(path: directory.file("clip.mp4"), overwrites: false)
        #expect(try plain.add(Sidecar.allCases, to: file).isEmpty)
        let other = try OutputFile(path: directory.file("clip.vtt"), overwrites: false)
        #expect(throws: LoadervidError.self) { try plan.add([.captions], to: other) }
    }
}
