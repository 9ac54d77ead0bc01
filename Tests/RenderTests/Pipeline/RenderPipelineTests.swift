import Animations
import Core
import Foundation
import Media
import Raster
import TestSupport
import Testing

@testable import Render

@Suite struct RenderPipelineTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: [("qq-mail", Container.mp4), ("iqiyi", .webm), ("jelly", .mkv), ("douyin", .mov)])
    func clipsMatchTheirPlans(id: String, container: Container) throws {
        let plan = try RenderPlan(
            request(id, container, fps: "30") {
                ($0.extent, $0.keyFrameInterval, $0.loader.size) = (.cycles(2), 1, .pixels(width: 48, height: 32))
            })
        let path = directory.file("clip")
        let pipeline = RenderPipeline([plan], jobs: 3, memory: plentyOfMemory)
        let report = try pipeline.run(to: .file(try OutputFile(path: path, overwrites: false)))
        #expect(report.frameCount == plan.frameCount)
        #expect(report.encodedFrames == plan.framesToEncode)
        #expect(pipeline.progress.framesEncoded == plan.framesToEncode)
        #expect(report.byteCount == (try bytes(of: path).count))
        #expect(report.seconds > 0)
        #expect(try directory.names() == ["clip"])
        let video = try DecodedVideo(path: path)
        #expect(video.times.count == plan.frameCount)
        #expect(video.samples[..<plan.cycleFrames] == video.samples[plan.cycleFrames...])
    }

    @Test(arguments: ["h264", "vp9"])
    func bytesDoNotDependOnJobs(codec: String) throws {
        let plan = try RenderPlan(
            request("qq", .mkv) {
                ($0.codec, $0.extent, $0.keyFrameInterval) = (codec, .duration(1), Rational(1, 10))
            })
        let files = try [1, 2, 5].map { jobs in
            try render(plan, to: directory.file("\(jobs)"), jobs: jobs)
            return try bytes(of: directory.file("\(jobs)"))
        }
        #expect(Set(files).count == 1)
    }

    /// A clip of one segment is drawn ahead if there is a spare core.
    @Test(
        .slow,
        arguments: some(of: ["qq-mail", "preloader", "jelly", "oneloading"], and: ["h264", "vp9", "av1"], each: 5))
    func bytesDoNotDependOnDrawingAhead(id: String, codec: String) throws {
        for (index, (blur, hasLongFrames)) in [(Rational(0), false), (Rational(1, 2), true), (0, true)].enumerated() {
            let plan = try RenderPlan(
                request(id, .mkv) {
                    ($0.loader.size, $0.codec) = (.pixels(width: 96, height: 64), codec)
                    ($0.extent, $0.motionBlur, $0.hasLongFrames) = (.duration(1), blur, hasLongFrames)
                })
            #expect(plan.schedule.workCount == 1)
            let files = try [1, 2, 5].map { jobs in
                try render(plan, to: directory.file("\(index)-\(jobs)"), jobs: jobs)
                return try bytes(of: directory.file("\(index)-\(jobs)"))
            }
            #expect(Set(files).count == 1)
        }
    }

    /// Frames that are drawn ahead must not change while they are encoded, and must include earlier
    /// changes.
    @Test func drawingAheadDoesNotChangeFrames() throws {
        let plan = try RenderPlan(
            request("douyin", .mkv) { ($0.loader.size, $0.extent) = (.pixels(width: 160, height: 160), .duration(1)) })
        let segment = plan.segments[0]
        let renderers = try [false, true].map { try FrameRenderer(plan, kinds: [plan.encoder], drawsAhead: $0) }
        // The second segment is ended early, and the third must not be affected by it.
        for count in [segment.frameCount, 5, 40] {
            for renderer in renderers { renderer.begin(segment) }
            for frame in 0..<count {
                let sets = try renderers.map { try $0.fetch() }
                if frame % 7 == 0 { usleep(3000) }
                #expect(sets[0].frames[0].samples == sets[1].frames[0].samples, "frame \(frame)")
                #expect(frame == 0 || sets[0].changes == sets[1].changes)
            }
            for renderer in renderers { renderer.end() }
        }
    }

    /// A fully transparent frame is written too, instead of leaving memory uninitialized.
    @Test(arguments: [false, true])
    func transparentFramesAreComplete(drawsAhead: Bool) throws {
        let background = try #require(Color(css: "#0000"))
        let plan = try RenderPlan(
            request("iqiyi", .webm) {
                ($0.loader.size, $0.loader.background) = (.pixels(width: 64, height: 64), background)
                ($0.codec, $0.pixelFormat, $0.extent) = ("vp9", "yuva420p", .duration(1))
            })
        let renderer = try FrameRenderer(plan, kinds: [plan.encoder], drawsAhead: drawsAhead)
        let rasterizer = try Rasterizer(width: 64, height: 64)
        let converter = try PixelConverter(width: 64, height: 64, to: plan.encoder.pixelFormat)
        let whole = try VideoFrame(width: 64, height: 64, format: plan.encoder.pixelFormat)
        renderer.begin(plan.segments[0])
        for frame in 0..<8 {
            try rasterizer.draw(plan.source.scenes(ofFrame: frame)[0])
            try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: whole)
            let made = try renderer.fetch().frames[0]
            #expect(made.samples == whole.samples, "frame \(frame)")
            // Transparent pixels have the colours of the drawing next to them.
            #expect((0..<64).allSatisfy { made.plane(3)!.data[$0] == 0 && made.plane(0)!.data[$0] > 16 })
        }
        renderer.end()
    }

    /// A segment encoder redraws only what changed since its last segment, which must not change
    /// the result.
    @Test(arguments: ["h264", "vp9", "hevc"], [false, true])
    func segmentsDoNotDependOnEarlierOnes(codec: String, drawsAhead: Bool) throws {
        let plan = try RenderPlan(
            request("qq-pull", .mkv) {
                ($0.codec, $0.keyFrameInterval) = (codec, Rational(1, 2))
                $0.loader.size = .pixels(width: 64, height: 32)
            })
        func packets(_ tools: SegmentEncoder, _ index: Int) throws -> [[UInt8]] {
            let encoded = try tools.encode(
                plan.segments[index], progress: RenderProgress(), profile: RenderProfile()
            ) {}
            return encoded[0].packets.map { Array($0.bytes) }
        }
        let tools = try SegmentEncoder([plan], drawsAhead: drawsAhead)
        let first = try [0, 1, 2].map { try packets(tools, $0) }
        #expect(try packets(tools, 1) == first[1])
        #expect(try packets(tools, 0) == first[0])
        #expect(try packets(SegmentEncoder([plan], drawsAhead: !drawsAhead), 2) == first[2])
        #expect(first[1] != first[2])
    }

    @Test(.slow, arguments: [1, 2])
    func cancellationIsFastAndLeavesNoFiles(jobs: Int) throws {
        let plan = try RenderPlan(endlessRequest())
        let token = CancellationToken()
        let pipeline = RenderPipeline([plan], jobs: jobs, memory: plentyOfMemory, cancellation: token)
        let asked = Locked(Date.distantPast)
        DispatchQueue(label: "impatience").async {
            try? wait { pipeline.progress.framesEncoded > 10 }
            asked.withLock { $0 = Date() }
            token.cancel()
        }
        let error = try #require(throws: LoadervidError.self) {
            try pipeline.run(to: .file(try OutputFile(path: directory.file("clip"), overwrites: false)))
        }
        #expect(error.kind == .interrupted)
        #expect(Date().timeIntervalSince(asked.withLock { $0 }) < 1.5)
        #expect(try directory.names().isEmpty)
    }

    @Test func cancellationStopsReplays() throws {
        let plan = try RenderPlan(
            request("oneloading", .mkv, fps: "1") {
                $0.extent = .cycles(4_000_000)
            })
        let token = CancellationToken()
        let asked = Locked(Date.distantFuture)
        // A new thread, because on a busy machine those of queues start late, and the clock runs
        // from the request.
        Thread.detachNewThread {
            usleep(300_000)
            asked.withLock { $0 = Date() }
            token.cancel()
        }
        let error = try #require(throws: LoadervidError.self) {
            try render(plan, to: directory.file("clip"), cancellation: token)
        }
        #expect(error.kind == .interrupted)
        #expect(Date().timeIntervalSince(asked.withLock { $0 }) < 2)
        #expect(try directory.names().isEmpty)
    }

    @Test func cancellationBeforeTheStartKeepsTheOldFile() throws {
        let token = CancellationToken()
        token.cancel()
        try makeFile("old", at: directory.file("clip"))
        let plan = try RenderPlan(request())
        #expect(throws: LoadervidError(.interrupted, "interrupted before the output was complete")) {
            try render(plan, to: directory.file("clip"), overwrites: true, cancellation: token)
        }
        #expect(try directory.names() == ["clip"])
        #expect(try bytes(of: directory.file("clip")) == Array("old".utf8))
    }

    /// The error names the encoder that does not open, not the workers that stopped because of it.
    @Test(.enabled(if: CodecProfile.find("h264_nvenc")?.problem() != nil, "all encoders open here"))
    func encodersThatDoNotOpenAreReported() throws {
        let plan = try RenderPlan(
            request {
                ($0.codec, $0.extent, $0.loader.size) = ("h264_nvenc", .duration(20), .pixels(width: 256, height: 256))
            })
        let error = try #require(throws: LoadervidError.self) { try render(plan, to: directory.file("clip"), jobs: 4) }
        #expect(error.kind == .unavailable)
        #expect(error.description.contains("h264_nvenc"))
        #expect(try directory.names().isEmpty)
    }

    /// The disk becomes full during rendering, simulated by redirecting the temporary's descriptor
    /// to `/dev/full`.
    @Test(arguments: [Container.mp4, .mkv])
    func fullDisksAreReported(container: Container) throws {
        let plan = try RenderPlan(
            request("qq", container) {
                ($0.loader.size, $0.extent, $0.timing) = (.pixels(width: 240, height: 240), .duration(1000), .exact)
                // Long enough for the disk to be full before the end, however late the thread runs.
                ($0.quality, $0.speed, $0.usesRepetition) = ("1", "ultrafast", false)
            })
        let pipeline = RenderPipeline([plan], jobs: 2, memory: plentyOfMemory)
        func run() throws {
            let file = try OutputFile(path: directory.file("clip"), overwrites: false)
            let descriptor = try descriptor(of: file.temporaryPath)
            let path = file.temporaryPath
            // A new thread, because on a busy machine those of queues may start after the clip's
            // end.
            Thread.detachNewThread {
                try? wait { (try? bytes(of: path).count) ?? 0 > 0 }
                let full = open("/dev/full", O_RDWR | O_CLOEXEC)
                dup2(full, descriptor)
                close(full)
            }
            _ = try pipeline.run(to: .file(file))
        }
        let error = try #require(throws: LoadervidError.self) { try run() }
        #expect(error.kind == .inputOutput)
        #expect(error.description.contains("No space left on device"))
        #expect(pipeline.progress.framesEncoded < plan.framesToEncode)
        #expect(try directory.names().isEmpty)
    }

    private func descriptor(of path: String) throws -> Int32 {
        var (wanted, status) = (stat(), stat())
        try #require(stat(path, &wanted) == 0)
        let descriptor = (Int32(3)..<4096).first { number in
            fstat(number, &status) == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino
        }
        return try #require(descriptor)
    }
}
