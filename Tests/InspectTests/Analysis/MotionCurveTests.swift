import Core
import Testing

@testable import Inspect

/// Keyframes from measured values.
@Suite struct MotionCurveTests {
    private static let easeInOut = Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    private static let frame = 1.0 / 60

    /// A value that goes from 10 to 50 and back in a second, later than its clip by a lag.
    private static func swing(_ time: Double, lag: Double) -> Double {
        let phase = (time - lag) - (time - lag).rounded(.down)
        let share = phase < 0.5 ? easeInOut.value(at: 2 * phase) : 1 - easeInOut.value(at: 2 * phase - 1)
        return 10 + 40 * share
    }

    private static func samples(count: Int, _ value: (Double) -> Double) -> ValueSamples {
        let times = (0..<count).map { Double($0) * frame }
        return ValueSamples(times: times, values: times.map(value))
    }

    // At frames: a period is cut at a frame, which stays a keyframe.
    @Test(arguments: [0.0, 0.2, 0.5])
    func motionThatBeginsAnywhereIsWhole(lag: Double) throws {
        let all = Self.samples(count: 132) { Self.swing($0, lag: lag) }
        let periodic = try #require(
            PeriodicSamples(all, period: 1, frame: Self.frame, tolerance: 0.1, accumulates: false))
        let fitted = CurveFitter(tolerance: 0.1, frame: Self.frame).curve(periodic.samples)
        let curve = periodic.repeated(fitted)
        #expect(curve.keys.dropLast().allSatisfy { $0.easing == Self.easeInOut })
        #expect(abs(curve.range.lowerBound - 10) < 0.05 && abs(curve.range.upperBound - 50) < 0.05)
        for index in 0..<60 {
            let time = Double(index) * Self.frame
            #expect(abs(curve.value(at: time) - Self.swing(time, lag: lag)) < 0.1)
        }
    }

    @Test func valuesThatDoNotRepeatAreNotFolded() {
        let all = Self.samples(count: 132) { $0 * $0 * 30 }
        #expect(PeriodicSamples(all, period: 1, frame: Self.frame, tolerance: 0.1, accumulates: false) == nil)
    }

    @Test func anglesGrowWithEachPeriod() throws {
        let all = Self.samples(count: 132) { 0.2 + $0 * .pi / 6 }
        let periodic = try #require(
            PeriodicSamples(all, period: 1, frame: Self.frame, tolerance: 0.01, accumulates: true))
        #expect(abs(periodic.growth - .pi / 6) < 1e-6)
    }

    /// A parabola that touches zero is lost while it is below 2.
    @Test func invisibleValuesContinueTheVisibleOnes() throws {
        let visible = Self.samples(count: 121) { 50 * ($0 - 1) * ($0 - 1) }
        let kept = zip(visible.times, visible.values).filter { $0.1 > 2 }
        let samples = ValueSamples(times: kept.map(\.0), values: kept.map(\.1))
        let before = try #require(samples.times.last { $0 < 1 })
        let after = try #require(samples.times.first { $0 > 1 })
        let gap = try #require(FadingGap(samples, after: before, before: after))
        for (time, value) in zip(visible.times, visible.values) where value <= 2 {
            #expect(abs(gap.value(at: time) - value) < 0.25)
        }
    }

    @Test func lumaDecidesCoverage() {
        let blurredChroma = Channels(-20, 6, 0)
        let shade = Channels(-20, -20, -20)
        let line = Channels(-205, -205, -205).lumaWeighted
        #expect(abs(blurredChroma.dot(line)) * 10 < abs(shade.dot(line)))
    }
}
