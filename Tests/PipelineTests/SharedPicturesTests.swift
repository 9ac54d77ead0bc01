import Foundation
import Media
import Motion
import Platform
import TestSupport
import Testing

@testable import Pipeline
import Timing

/// Several files from one drawing, and several pipelines on one machine.
@Suite struct SharedPicturesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func plans(_ id: String, cycles: Int = 2) throws -> [RenderPlan] {
        // Encoders on both sides of libx264 that heed what it is told of a picture's quality.
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

    @Test(arguments: ["qq-mail", "douyin", "iqiyi"])
    func filesDrawnTogetherAreThoseDrawnAlone(id: String) throws {
        let plans = try plans(id)
        let paths = plans.indices.map { directory.file("together-\($0)") }
        let pipeline = RenderPipeline(plans, jobs: 2, memory: plentyOfMemory, cores: CoreBudget(2))
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

    /// Where nobody shares the cores, they draw ahead.
    @Test func filesDrawnAheadTogetherAreThoseDrawnAlone() throws {
        let plans = try plans("douyin", cycles: 1)
        let paths = plans.indices.map { directory.file("ahead-\($0)") }
        let pipeline = RenderPipeline(plans, jobs: 16, memory: plentyOfMemory)
        _ = try pipeline.run(to: paths.map { .file(try OutputFile(path: $0, overwrites: false)) })
        for (index, plan) in plans.enumerated() {
            try render(plan, to: directory.file("alone-\(index)"), jobs: 1)
            #expect(try bytes(of: paths[index]) == bytes(of: directory.file("alone-\(index)")))
        }
    }

    @Test func pipelinesShareCoresAndGiveTheSameBytes() throws {
        let plans = try plans("qq", cycles: 1)
        let cores = CoreBudget(2)
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

    /// Whoever takes however many, in any order: never more than there are, and everybody gets their turn.
    @Test(arguments: 0..<6) func coresAreNeverOverdrawn(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...4, using: &random)
        let wishes = (0..<40).map { _ in Int.random(in: 1...6, using: &random) }
        let cores = CoreBudget(count)
        let busy = Locked((now: 0, most: 0, turns: 0))
        DispatchQueue.concurrentPerform(iterations: wishes.count) { index in
            let held = min(wishes[index], count)
            cores.take(wishes[index])
            busy.withLock {
                $0.now += held
                $0.most = max($0.most, $0.now)
            }
            usleep(200)
            busy.withLock {
                $0.now -= held
                $0.turns += 1
            }
            cores.giveBack(wishes[index])
        }
        let result = busy.withLock { $0 }
        #expect(result.now == 0)
        #expect(result.most <= count)
        #expect(result.turns == wishes.count)
    }
}
