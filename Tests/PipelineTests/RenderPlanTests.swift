import Media
import Motion
import Scene
import SlowMotion
import TestSupport
import Testing

@testable import Pipeline

@Suite struct RenderPlanTests {
    /// Requests of every shape: cycles and durations, seamless and exact, short and long groups of pictures.
    private static func randomPlan(seed: Int) throws -> (plan: RenderPlan, interval: Int) {
        var random = SeededGenerator(seed: seed)
        let gop = Rational(.random(in: 5...300, using: &random), 100)
        let fps = ["24", "25", "30000/1001", "60", "12.5"].randomElement(using: &random) ?? "60"
        let plan = try RenderPlan(
            request("qq-mail", fps: fps) {
                $0.keyFrameInterval = gop
                $0.slowmo = Rational(.random(in: 1...40, using: &random), 4)
                $0.timing = [nil, .exact, .seamless].randomElement(using: &random) ?? nil
                $0.extent =
                    Bool.random(using: &random)
                    ? .cycles(.random(in: 1...6, using: &random))
                    : .duration(Rational(.random(in: 5...900, using: &random), 30))
            })
        let frames = gop * plan.encoder.frameRate.framesPerSecond
        return (plan, max(1, Int((2 * frames.numerator + frames.denominator) / (2 * frames.denominator))))
    }

    @Test(arguments: 0..<80)
    func segmentsCoverEveryFrameOnce(seed: Int) throws {
        let (plan, interval) = try Self.randomPlan(seed: seed)
        var next = 0
        for (index, segment) in plan.segments.enumerated() {
            #expect(segment.index == index)
            #expect(segment.firstFrame == next)
            #expect((1...interval).contains(segment.frameCount))
            // Only the last one may be shorter: none reorders more than the first.
            if index < plan.segments.count - 1 { #expect(segment.frameCount == interval) }
            next += segment.frameCount
        }
        #expect(next == plan.cycleFrames)
        #expect(plan.cycleFrames * plan.cycles == plan.timeMap.frameCount)
        #expect(plan.encoder.keyFrameInterval == interval)
    }

    @Test(arguments: 0..<80)
    func whatIsPlayedCoversTheClipInOrder(seed: Int) throws {
        let (plan, _) = try Self.randomPlan(seed: seed)
        var next = 0
        for position in 0..<plan.playCount {
            let played = plan.played(at: position)
            #expect(played.firstFrame == next)
            for offset in [0, played.segment.frameCount - 1] {
                let time = plan.timeMap.modelTime(ofFrame: played.firstFrame + offset)
                #expect(plan.scenes(ofFrame: offset, in: played.segment) == [plan.stage.scene(at: time)])
            }
            next += played.segment.frameCount
        }
        #expect(next == plan.timeMap.frameCount)
        try expectWorkToMatch(plan)
    }

    @Test func cyclesAreEncodedOnce() throws {
        let once = try RenderPlan(request())
        let often = try RenderPlan(request { $0.extent = .cycles(100) })
        #expect(often.cycles == 100)
        #expect(often.segments == once.segments)
        #expect(often.framesToEncode == once.framesToEncode)
        #expect(often.timeMap.frameCount == 8600)
        let exact = try RenderPlan(
            request {
                ($0.extent, $0.timing) = (.cycles(100), .exact)
            })
        #expect((exact.cycles, exact.framesToEncode) == (1, 8640))
    }

    /// A cycle with more packets than may be kept is played again from new encodings, in the right order.
    @Test func cyclesBeyondTheBudgetAreEncodedAgain() throws {
        let plan = try RenderPlan(
            request {
                $0.loader.size = .pixels(width: 8192, height: 8192)
                ($0.extent, $0.slowmo, $0.keyFrameInterval) = (.cycles(3), 4, Rational(1, 2))
            })
        #expect(plan.cycles == 3)
        #expect((1..<plan.segments.count).contains(plan.replayedSegments))
        let kept = plan.segments.prefix(plan.replayedSegments).reduce(0) { $0 + $1.frameCount }
        #expect(kept * (8192 * 8192 / 50) <= 256 << 20)
        #expect(plan.framesToEncode == plan.timeMap.frameCount - 2 * kept)
        try expectWorkToMatch(plan)
    }

    /// What workers encode, in their order, is what the output plays and has not kept, in its order.
    private func expectWorkToMatch(_ plan: RenderPlan) throws {
        let fresh = (0..<plan.playCount).map { plan.played(at: $0) }.filter { !$0.isReplay }.map(\.segment)
        #expect((0..<plan.workCount).map { plan.work($0) } == fresh)
        #expect(fresh.reduce(0) { $0 + $1.frameCount } == plan.framesToEncode)
    }

    @Test func workersAreBoundedByJobsMemoryAndWork() throws {
        let plan = try RenderPlan(
            request {
                ($0.extent, $0.keyFrameInterval) = (.duration(10), Rational(1, 2))
            })
        #expect(plan.workCount == 20)
        #expect([1, 2, 7, 20, 64].map { plan.workers(jobs: $0, memory: plentyOfMemory) } == [1, 2, 7, 20, 20])
        #expect(plan.workers(jobs: 8, memory: 3 * plan.bytesPerWorker) == 3)
        #expect(plan.workers(jobs: 8, memory: 3 * plan.bytesPerWorker - 1) == 2)
        #expect(plan.workers(jobs: 8, memory: 0) == 1)
        #expect(plan.bytesPerWorker > 32 * 16 * 4)
        let threaded = try RenderPlan(request { $0.codec = "av1" })
        #expect(threaded.workers(jobs: 8, memory: plentyOfMemory) == 1)
    }

    /// What shapes bytes must not depend on the machine.
    @Test func threadsFollowFromThePictureAlone() throws {
        let small = try RenderPlan(request { $0.loader.size = .pixels(width: 1920, height: 1080) })
        let large = try RenderPlan(request { $0.loader.size = .pixels(width: 3840, height: 2160) })
        #expect(small.encoder.threads == 1)
        #expect(large.encoder.threads == 2)
        let long = try RenderPlan(
            request {
                ($0.loader.size, $0.extent) = (.pixels(width: 3840, height: 2160), .duration(60))
            })
        #expect(long.workers(jobs: 8, memory: 1 << 50) == 4)
    }

    @Test func containersHaveTheirCodecs() throws {
        for (container, encoder) in [
            (Container.mp4, "libx264"), (.mov, "libx264"), (.mkv, "libx264"), (.webm, "libvpx-vp9"),
        ] {
            let plan = try RenderPlan(request("iqiyi", container))
            #expect(plan.encoder.encoder == encoder)
            #expect(plan.encoder.pixelFormat == .yuv420p)
        }
    }

    @Test func qualityAndSpeedReachTheEncoder() throws {
        let standard = try RenderPlan(request()).encoder.options
        #expect((standard["crf"], standard["preset"]) == ("18", "medium"))
        let vp9 = try RenderPlan(
            request("qq-mail", .webm) {
                ($0.quality, $0.speed) = ("20", "5")
            }
        ).encoder.options
        #expect((vp9["crf"], vp9["cpu-used"]) == ("20", "5"))
    }
}
