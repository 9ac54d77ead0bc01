import Foundation
import LoaderVideo
import TestSupport
import Testing

/// A loader that a user of the library might write: two dots that exchange positions.
private struct Swap: Loader {
    var width = 60.0
    var canvas: Size { Size(width, 30) }
    var period: Rational { 1 }

    func nodes(at time: Rational) -> [Node] {
        objects(at: time).map { .shape(Shape(.circle(center: $0.position, radius: $0.radius), fill: $0.color)) }
    }

    func objects(at time: Rational) -> [MovingObject] {
        let shift = 30 * time.double
        return [
            MovingObject("left", .white, at: Point(15 + shift, 15), radius: 6),
            MovingObject("right", Color(255, 0, 0), at: Point(45 - shift, 15), radius: 6),
        ]
    }

    var background: Color { Color(0, 0, 80) }
}

/// A source of ten plain frames, each brighter than the one before.
private struct Grounds: ClipSource {
    var frames = 10
    var repetition = Repetition()
    var isEmpty = false
    var size: Size { Size(20, 16) }
    var background: Color { Color(0, 0, 0) }
    var defaultScale: Rational { 2 }
    var frameCount: Int { frames }

    func scenes(ofFrame frame: Int) -> [Scene] {
        guard !isEmpty else { return [] }
        let level = 25 * frame
        return [Scene(size: size, background: Color(level, level, level), nodes: [])]
    }
}

@Suite struct ClipTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: some(of: ["mp4", "mov", "mkv", "m4v", "webm"], each: 2)) func ownLoadersBecomeFiles(suffix: String)
        async throws
    {
        let path = directory.file("swap.\(suffix)")
        let report = try await Clip(Swap(), slowmo: 2, frameRate: FrameRate(10)).write(to: path)
        #expect(report.frameCount == 20)
        let video = try DecodedVideo(path: path, rgba: true)
        #expect(video.times == (0..<20).map { Rational($0, 10) })
        #expect(video.bitmaps.allSatisfy { $0.width == 240 && $0.height == 120 })
        #expect(try directory.names() == ["swap.\(suffix)"])
    }

    /// Applies even if the image is cached from another clip and not opened again. Another clip may
    /// replace the image.
    @Test func filesThatAClipReadsAreNotReplaced() async throws {
        let path = directory.file("cover.gif")
        let other = try Clip(Swap(), frameRate: FrameRate(10), size: .pixels(width: 32, height: 16))
        try await other.write(to: path)
        let cover = try bytes(of: path)
        var loader = try LoaderRequest(id: "douyin")
        (loader.settings, loader.size) = (["cover=\(path)"], .pixels(width: 32, height: 32))
        let clip = try Clip(RenderRequest(loader: loader, container: .gif, frameRate: FrameRate(10)))
        for _ in 0..<2 {
            let error = await #expect(throws: LoadervidError.self) { try await clip.write(to: path, overwrites: true) }
            #expect(error?.kind == .usage && error?.description.contains("cover.gif") == true)
        }
        #expect(try bytes(of: path) == cover)
        try await other.write(to: path, overwrites: true)
        #expect(try directory.names() == ["cover.gif"])
    }

    @Test func otherClipSourcesBecomeFiles() async throws {
        let path = directory.file("grounds.mkv")
        var clip = Clip(Grounds(), frameRate: try #require(FrameRate(5)))
        clip.encoding.codec = "ffv1"
        try await clip.write(to: path)
        let video = try DecodedVideo(path: path, rgba: true)
        #expect(video.bitmaps.count == 10 && video.bitmaps.allSatisfy { $0.width == 40 && $0.height == 32 })
        let levels = video.bitmaps.map { Int($0.rgba[0]) }
        #expect(zip(levels, 0...).allSatisfy { abs($0 - 25 * $1) <= 2 }, "\(levels)")
    }

    /// The bytes of a clip do not depend on other clips that are written at the same time.
    @Test(.slow) func clipsCanBeWrittenConcurrently() async throws {
        let clips = try [1, 3].map { try Clip(Swap(), slowmo: Rational($0), annotations: AnnotationKind.all) }
        let paths = (0..<4).map { directory.file("\($0).mp4") }
        async let first = clips[0].write(to: paths[0])
        async let second = clips[1].write(to: paths[1], cores: 1)
        _ = try await (first, second)
        try await clips[0].write(to: paths[2], cores: 1)
        try await clips[1].write(to: paths[3])
        #expect(try bytes(of: paths[0]) == bytes(of: paths[2]) && bytes(of: paths[1]) == bytes(of: paths[3]))
    }

    @Test func cancelledTasksLeaveNoFiles() async throws {
        var request = RenderRequest(
            loader: LoaderRequest(LoaderDefinition(Swap())), container: .mp4, frameRate: FrameRate(60))
        request.extent = .duration(100_000)
        request.timing = .exact
        request.loader.size = .pixels(width: 640, height: 480)
        request.usesRepetition = false
        let writing = try Clip(request).writing(to: directory.file("endless.mp4"))
        let task = Task { try await writing.run() }
        // The first progress report shows that rendering has started.
        for await progress in writing.progress where progress.encodedFrames > 0 { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try directory.names().isEmpty)
        let late = Task { [directory] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await Clip(Swap()).write(to: directory.file("late.mp4"))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try directory.names().isEmpty)
    }

    @Test func filesAreAlsoNamedByURL() async throws {
        let reports = Locked<[ClipProgress]>([])
        let url = URL(filePath: directory.file("swap 1.mp4"))
        let report = try await Clip(Swap()).write(to: url) { report in reports.withLock { $0.append(report) } }
        #expect(try DecodedVideo(path: directory.file("swap 1.mp4")).times.count == report.frameCount)
        #expect(reports.withLock { $0.last?.fraction } == 1)
        let other = try #require(URL(string: "https://example.com/swap.mp4"))
        let error = await #expect(throws: LoadervidError.self) { try await Clip(Swap()).write(to: other) }
        #expect(error?.kind == .usage)
    }

    @Test(.slow) func progressNeverDecreases() async throws {
        let writing = try Clip(Swap(), slowmo: 8).writing(to: directory.file("long.webm"))
        let task = Task { try await writing.run() }
        var reports: [ClipProgress] = []
        for await progress in writing.progress { reports.append(progress) }
        let report = try await task.value
        #expect(reports.map(\.encodedFrames) == reports.map(\.encodedFrames).sorted())
        #expect(reports.last?.fraction == 1 && reports.last?.frameCount == report.encodedFrames)
    }

    /// Invalid properties of a custom source are reported in one line.
    @Test(arguments: [
        Grounds(frames: 0), Grounds(frames: -3), Grounds(frames: 20_000_000), Grounds(isEmpty: true),
        Grounds(repetition: Repetition(cycleFrames: 0)), Grounds(repetition: Repetition(stills: [4..<8, 2..<4])),
        Grounds(repetition: Repetition(cycleFrames: 5, stills: [2..<7])),
    ])
    private func clipSourcesAreValidated(subject: Grounds) async throws {
        let clip = Clip(subject, frameRate: try #require(FrameRate(5)))
        let error = await #expect(throws: LoadervidError.self) { try await clip.write(to: directory.file("a.mp4")) }
        #expect(error.map { !$0.description.contains("\n") } ?? false)
        #expect(try directory.names().isEmpty)
    }

    @Test func errorsAreOneLine() async throws {
        func refusal(_ body: () async throws -> Void) async -> LoadervidError? {
            await #expect(throws: LoadervidError.self) { try await body() }
        }
        let suffix = await refusal { try await Clip(Swap()).write(to: directory.file("swap.avi")) }
        #expect(suffix?.kind == .usage && suffix?.description.contains(".webm") == true)
        let slow = await refusal { _ = try Clip(Swap(), slowmo: 0) }
        #expect(slow?.kind == .usage && slow?.description.contains("0.05...1000") == true)
        var wide = Swap()
        wide.width = .infinity
        let canvas = await refusal { [wide] in _ = try Clip(wide) }
        #expect(canvas?.kind == .badData && canvas?.description.contains("canvas") == true)
        let path = directory.file("there.mp4")
        try await Clip(Swap(), frameRate: FrameRate(5)).write(to: path)
        let there = await refusal { try await Clip(Swap(), frameRate: FrameRate(5)).write(to: path) }
        #expect(there?.kind == .cannotCreate)
        try await Clip(Swap(), frameRate: FrameRate(5)).write(to: path, overwrites: true)
    }
}
