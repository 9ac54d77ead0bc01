import Animations
import Core
import Media
import TestSupport
import Testing

@testable import Render

@Suite struct RenderPlanTests {
    /// A plan with random settings: cycles and durations, seamless and exact timing, short and long
    /// groups of pictures.
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
    func keyframeIntervalsAreAtMostTheRequestedOne(seed: Int) throws {
        let (plan, interval) = try Self.randomPlan(seed: seed)
        for (index, segment) in plan.segments.enumerated() {
            #expect(segment.index == index)
            #expect((1...interval).contains(segment.frameCount))
        }
        #expect(plan.encoder.keyFrameInterval == interval)
    }

    @Test(arguments: 0..<80)
    func schedulesCoverTheClipInOrder(seed: Int) throws { try expectComplete(Self.randomPlan(seed: seed).plan) }

    @Test func cyclesAreEncodedOnce() throws {
        let once = try RenderPlan(request())
        let often = try RenderPlan(request { $0.extent = .cycles(100) })
        #expect(often.cycleFrames == 86)
        #expect(often.segments == once.segments)
        #expect(often.framesToEncode == once.framesToEncode)
        #expect(often.frameCount == 8600)
    }

    /// The period of 1.44 s has 86.4 frames, so five periods have the first whole number of frames.
    @Test(arguments: [600, 432, 433, 864, 1200, 4321, 431])
    func exactTimingRepeatsAfterWholeFrames(frames: Int) throws {
        let plan = try RenderPlan(request { $0.extent = .duration(Rational(Int128(frames), 60)) })
        #expect(plan.cycleFrames == min(432, frames))
        #expect((min(frames, 432)...min(frames, 432 + 120)).contains(plan.framesToEncode))
        try expectComplete(plan)
        let whole = try RenderPlan(
            request { ($0.extent, $0.usesRepetition) = (.duration(Rational(Int128(frames), 60)), false) })
        #expect(whole.framesToEncode == frames)
        try expectComplete(whole)
    }

    /// The frames of long holds are encoded once, and every frame has its correct position.
    @Test(arguments: 0..<60)
    func holdsAreEncodedOnce(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let hold = Rational(.random(in: 1...40, using: &random), 4)
        let plan = try RenderPlan(
            request(["qq-mail", "preloader", "jelly"].randomElement(using: &random) ?? "qq", fps: "30") {
                ($0.hold, $0.isStepped) = (hold, Bool.random(using: &random))
                $0.slowmo = Rational(.random(in: 1...12, using: &random), 4)
                $0.motionBlur = Bool.random(using: &random) ? .zero : Rational(1, 2)
                $0.extent = Bool.random(using: &random) ? .cycles(.random(in: 1...3, using: &random)) : .duration(20)
            })
        try expectComplete(plan)
        if hold > 6 { #expect(plan.framesToEncode * 3 < plan.frameCount * 2) }
    }

    /// If not all packets of a cycle may be kept, the others are encoded again, in the right order.
    @Test func cyclesBeyondTheBudgetAreEncodedAgain() throws {
        let plan = try RenderPlan(
            request {
                $0.loader.size = .pixels(width: 8192, height: 8192)
                ($0.extent, $0.slowmo, $0.keyFrameInterval) = (.cycles(3), 4, Rational(1, 2))
            })
        let kept = plan.frameCount - plan.framesToEncode
        #expect(kept > 0)
        #expect(kept / 2 * (8192 * 8192 / 50) <= 256 << 20)
        try expectComplete(plan)
    }

    /// Expects every frame at its position, and that workers encode exactly the segments that the
    /// output does not replay, in its order.
    private func expectComplete(_ plan: RenderPlan) throws {
        let clip = try #require(plan.source as? LoaderClip)
        var next = 0
        var encoded: Set<Int> = []
        var fresh: [Segment] = []
        for position in 0..<plan.playCount {
            let play = plan.schedule.segment(at: position)
            #expect(play.firstFrame == next)
            for offset in Set([0, 1, play.segment.frameCount / 2, play.segment.frameCount - 1])
            where offset < play.segment.frameCount {
                let time = clip.timeMap.modelTime(ofFrame: play.firstFrame + offset)
                #expect(plan.scenes(ofFrame: offset, in: play.segment).first == clip.renderer.scene(at: time))
            }
            // A replayed segment was encoded and kept before.
            #expect(!play.isReplay || play.isKept && encoded.contains(play.segment.index))
            encoded.insert(play.segment.index)
            if !play.isReplay { fresh.append(play.segment) }
            next += play.segment.frameCount
        }
        #expect(next == plan.frameCount)
        #expect((0..<plan.schedule.workCount).map { plan.schedule.work($0) } == fresh)
        #expect(fresh.reduce(0) { $0 + $1.frameCount } == plan.framesToEncode)
    }

    @Test func workersAreBoundedByJobsMemoryAndWork() throws {
        let plan = try RenderPlan(
            request {
                ($0.extent, $0.keyFrameInterval, $0.usesRepetition) = (.duration(10), Rational(1, 2), false)
            })
        #expect(plan.schedule.workCount == 20)
        #expect([1, 2, 7, 20, 64].map { plan.workers(jobs: $0, memory: plentyOfMemory) } == [1, 2, 7, 20, 20])
        #expect(plan.workers(jobs: 8, memory: 3 * plan.bytesPerWorker) == 3)
        #expect(plan.workers(jobs: 8, memory: 3 * plan.bytesPerWorker - 1) == 2)
        #expect(plan.workers(jobs: 8, memory: 0) == 1)
        #expect(plan.bytesPerWorker > 32 * 16 * 4)
        let threaded = try RenderPlan(request { $0.codec = "av1" })
        #expect(threaded.workers(jobs: 8, memory: plentyOfMemory) == 1)
    }

    /// Settings that change the bytes must not depend on the machine.
    @Test func encoderThreadsDependOnTheFrameSizeAlone() throws {
        let small = try RenderPlan(
            request { ($0.loader.size, $0.extent) = (.pixels(width: 1920, height: 1080), .duration(7)) })
        let large = try RenderPlan(request { $0.loader.size = .pixels(width: 3840, height: 2160) })
        #expect(small.encoder.threads == 1)
        #expect(large.encoder.threads == 2)
        // The last two segments are made equal unless they are nearly equal.
        for (frames, lengths) in [
            (120, [120]), (121, [60, 61]), (173, [86, 87]), (209, [104, 105]), (210, [120, 90]), (240, [120, 120]),
            (250, [120, 120, 10]), (310, [120, 120, 35, 35]), (400, [120, 120, 80, 80]),
        ] {
            let schedule = SegmentSchedule(frameCount: frames, interval: 120)
            #expect(schedule.segments.map(\.frameCount) == lengths, "\(frames)")
        }
        let alone = try RenderPlan(request())
        #expect(alone.schedule.workCount == 1 && alone.encoder.threads == 2 && alone.coresPerWorker == 1)
        #expect(try RenderPlan(request { $0.codec = "vp9" }).encoder.threads == 1)
        let long = try RenderPlan(
            request {
                ($0.loader.size, $0.extent) = (.pixels(width: 3840, height: 2160), .duration(60))
            })
        #expect(long.workers(jobs: 8, memory: 1 << 50) == 4)
    }

    @Test func containersHaveDefaultCodecs() throws {
        for (container, encoder) in [
            (Container.mp4, "libx264"), (.mov, "libx264"), (.mkv, "libx264"), (.webm, "libvpx-vp9"),
        ] {
            let plan = try RenderPlan(request("iqiyi", container))
            #expect(plan.encoder.encoder == encoder)
            #expect(plan.encoder.pixelFormat == .yuv420p)
        }
    }

    @Test func qualityAndSpeedReachTheEncoder() throws {
        let defaults = try RenderPlan(request()).encoder.options
        #expect((defaults["crf"], defaults["preset"]) == ("18", "medium"))
        let vp9 = try RenderPlan(
            request("qq-mail", .webm) {
                ($0.quality, $0.speed) = ("20", "5")
            }
        ).encoder.options
        #expect((vp9["crf"], vp9["cpu-used"]) == ("20", "5"))
    }
}
