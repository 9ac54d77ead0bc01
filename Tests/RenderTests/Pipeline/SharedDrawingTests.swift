import Animations
import Core
import Foundation
import Media
import TestSupport
import Testing

@testable import Render

/// Pipelines that encode the same frames for several files, and pipelines that share cores.
@Suite struct SharedDrawingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func plans(_ id: String, cycles: Int = 2) throws -> [RenderPlan] {
        // libx264 is told the quality of some frames; the encoders before and after it would use
        // that too if it leaked into the shared frames.
        let kinds: [(Container, codec: String, format: String?, speed: String?)] = [
            (.mkv, "h264", nil, "superfast"), (.mp4, "h264", nil, nil), (.mkv, "h264", nil, "superfast"),
            (.webm, "vp9", nil, nil), (.mkv, "h264", "yuv444p", nil), (.mkv, "vp8", nil, nil),
        ]
        return try kinds.map { container, codec, format, speed in
            try RenderPlan(
                request(id, container) {
                    ($0.codec, $0.pixelFormat, $0.extent) = (codec, format, .cycles(cycles))
                    $0.speed = speed
                    ($0.keyFrameInterval, $0.loader.size) = (Rational(1, 2), .pixels(width: 96, height: 64))
                })
        }
    }

    /// Vector graphics come first and do not count, so the progress never falls.
    @Test func vectorsBesideFramesDoNotCount() throws {
        let formats: [ClipFormat] = [.vector(.svg), .container(.mp4)]
        let plans = try formats.map { format in try RenderPlan(request { $0.encoding.format = format }) }
        let running = Locked<RenderPipeline?>(nil)
        let shares = Locked<[Double]>([])
        let token = CancellationToken {
            let pipeline = running.withLock { $0 }
            shares.withLock { $0.append(pipeline?.progress.share ?? 0) }
            return false
        }
        let pipeline = RenderPipeline(plans, jobs: 1, memory: plentyOfMemory, cancellation: token)
        running.withLock { $0 = pipeline }
        _ = try pipeline.run(
            to: ["a.svg", "a.mp4"].map { .file(try OutputFile(path: directory.file($0), overwrites: false)) })
        running.withLock { $0 = nil }
        #expect(pipeline.progress.share == 1 && shares.withLock { $0 == $0.sorted() })
    }

    @Test(.slow, arguments: ["qq-mail", "douyin", "iqiyi"])
    func sharedDrawingDoesNotChangeFiles(id: String) throws {
        let plans = try plans(id)
        let paths = plans.indices.map { directory.file("together-\($0)") }
        let pipeline = RenderPipeline(plans, jobs: 2, memory: plentyOfMemory, cores: ResourceSemaphore(2))
        let reports = try pipeline.run(
            to: paths.map { .file(try OutputFile(path: $0, overwrites: false)) })
        #expect(pipeline.progress.framesEncoded == plans[0].framesToEncode)
        for (index, plan) in plans.enumerated() {
            let alone = directory.file("alone-\(index)")
            try render(plan, to: alone)
            #expect(try bytes(of: paths[index]) == bytes(of: alone))
            #expect(try reports[index].byteCount == bytes(of: alone).count)
        }
    }

    /// A pipeline that does not share its cores draws ahead.
    @Test(.slow) func sharedDrawingAheadDoesNotChangeFiles() throws {
        let plans = try plans("douyin", cycles: 1)
        let paths = plans.indices.map { directory.file("ahead-\($0)") }
        let pipeline = RenderPipeline(plans, jobs: 16, memory: plentyOfMemory)
        _ = try pipeline.run(to: paths.map { .file(try OutputFile(path: $0, overwrites: false)) })
        for (index, plan) in plans.enumerated() {
            try render(plan, to: directory.file("alone-\(index)"), jobs: 1)
            #expect(try bytes(of: paths[index]) == bytes(of: directory.file("alone-\(index)")))
        }
    }

    @Test func sharedCoresDoNotChangeFiles() throws {
        let plans = try plans("qq", cycles: 1)
        let cores = ResourceSemaphore(2)
        let failures = Locked(0)
        DispatchQueue.concurrentPerform(iterations: plans.count) { index in
            let pipeline = RenderPipeline([plans[index]], jobs: 2, memory: plentyOfMemory, cores: cores)
            let path = directory.file("shared-\(index)")
            do { _ = try pipeline.run(to: .file(try OutputFile(path: path, overwrites: false))) } catch {
                failures.withLock { $0 += 1 }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        for (index, plan) in plans.enumerated() {
            try render(plan, to: directory.file("alone-\(index)"))
            #expect(try bytes(of: directory.file("shared-\(index)")) == bytes(of: directory.file("alone-\(index)")))
        }
    }

    /// The semaphore never hands out more cores than it has, and serves every demand.
    @Test(arguments: 0..<6) func coresAreNeverOverdrawn(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...4, using: &random)
        let demands = (0..<40).map { _ in Int.random(in: 1...6, using: &random) }
        let cores = ResourceSemaphore(count)
        let usage = Locked((now: 0, peak: 0, turns: 0))
        DispatchQueue.concurrentPerform(iterations: demands.count) { index in
            let held = min(demands[index], count)
            cores.acquire(demands[index])
            usage.withLock {
                $0.now += held
                $0.peak = max($0.peak, $0.now)
            }
            usleep(200)
            usage.withLock {
                $0.now -= held
                $0.turns += 1
            }
            cores.release(demands[index])
        }
        let result = usage.withLock { $0 }
        #expect(result.now == 0)
        #expect(result.peak <= count)
        #expect(result.turns == demands.count)
    }
}
