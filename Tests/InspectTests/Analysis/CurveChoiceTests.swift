import Core
import Foundation
import Testing

@testable import Inspect

/// The choice of timing functions for measured values with errors.
@Suite struct CurveChoiceTests {
    private static let easeInOut = Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    private static let easeOut = Easing(x1: 0, y1: 0, x2: 0.58, y2: 1)
    private static let frame = 1.0 / 60

    /// An error of a measurement with a standard deviation of about 0.7 `size`.
    private static func error(_ index: Int, _ size: Double) -> Double {
        size * sin(Double(index) * Double(index) * 17.3 + 1)
    }

    private static func samples(count: Int, error size: Double, _ value: (Double) -> Double) -> ValueSamples {
        let times = (0..<count).map { Double($0) * frame }
        return ValueSamples(times: times, values: times.indices.map { value(times[$0]) + error($0, size) })
    }

    private static func curve(
        _ all: ValueSamples, period: Double, tolerance: Double, breaks: [Double] = []
    ) throws -> KeyframeCurve {
        let folded = try #require(
            PeriodicSamples(
                all, period: period, frame: frame, tolerance: tolerance, accumulates: false, breaks: breaks))
        var fitter = CurveFitter(tolerance: tolerance, frame: frame)
        fitter.repeatedNoise = folded.noise
        fitter.breaks = breaks.map(folded.folded)
        fitter.reach = folded.unseen
        return folded.repeated(fitter.curve(folded.samples, cycle: folded.cycle))
    }

    private static func share(_ time: Double, _ period: Double) -> Double {
        time / period - (time / period).rounded(.down)
    }

    /// The timing functions between keyframes of clearly different values.
    private static func moving(_ curve: KeyframeCurve) -> [Easing] {
        zip(curve.keys, curve.keys.dropFirst()).filter { abs($0.value - $1.value) > 1 && !$0.easing.isHold }
            .map(\.0.easing)
    }

    /// A bar grows and shrinks in 0.48 s, not at frames, and then rests.
    @Test(arguments: [0.02, 0.1, 0.2]) func errorsDoNotChangeTheTimingFunction(size: Double) throws {
        let all = Self.samples(count: 150, error: size) { time in
            let phase = Self.share(time - 0.03, 1.2)
            guard phase < 0.4 else { return 20 }
            let share = phase < 0.2 ? phase / 0.2 : (0.4 - phase) / 0.2
            return 20 + 70 * (phase < 0.2 ? Self.easeInOut.value(at: share) : 1 - Self.easeInOut.value(at: 1 - share))
        }
        let curve = try Self.curve(all, period: 1.2, tolerance: 0.2)
        #expect(Self.moving(curve).count >= 2)
        #expect(Self.moving(curve).allSatisfy { $0 == Self.easeInOut }, "\(curve)")
        #expect(abs(curve.range.upperBound - 90) < 0.5)
    }

    /// A ring grows with ease-out, fades, is invisible for a quarter of the period, and restarts.
    @Test func sizeGrowsWhileItIsInvisible() throws {
        let all = Self.samples(count: 150, error: 0.05) { 120 * Self.easeOut.value(at: Self.share($0, 1.25)) }
        let isVisible = all.times.map { (0.02...0.78).contains(Self.share($0, 1.25)) }
        let kept = all.times.indices.filter { isVisible[$0] }
        let seen = ValueSamples(times: kept.map { all.times[$0] }, values: kept.map { all.values[$0] })
        let hidden = all.times.indices.filter { !isVisible[$0] }.map { all.times[$0] }
        let curve = try Self.curve(seen, period: 1.25, tolerance: 0.28, breaks: hidden)
        #expect(!Self.moving(curve).isEmpty)
        #expect(Self.moving(curve).allSatisfy { $0 == Self.easeOut }, "\(curve)")
        #expect(abs(curve.range.upperBound - 120) < 2)
    }

    /// A long motion ends in a rest that is shorter than its slow end may be.
    @Test func shortRestStaysWithinTheSamples() {
        let samples = ValueSamples(
            times: (0..<64).map { Double($0) * Self.frame }, values: (0..<64).map { Double(min($0, 58)) })
        let refinement = CurveRefinement(
            fit: EasingFit(tolerance: 0.1, noise: 0.03), samples: samples, frame: Self.frame)
        let pieces = refinement.plateauPieces([0, 63])
        #expect(!pieces.isEmpty && pieces.allSatisfy { $0.0 < $0.1 && $0.1 <= samples.times[63] })
    }

    @Test func otherCommonTimingFunctionsKeepTheirNumbers() throws {
        let all = Self.samples(count: 150, error: 0.1) { time in
            let phase = Self.share(time, 1)
            let easing = Easing(x1: 0.4, y1: 0, x2: 0.2, y2: 1)
            return 50 + 30 * (phase < 0.5 ? easing.value(at: 2 * phase) : 1 - easing.value(at: 2 * phase - 1))
        }
        let curve = try Self.curve(all, period: 1, tolerance: 0.14)
        #expect(Self.moving(curve).allSatisfy { $0.name == "cubic-bezier(0.4, 0, 0.2, 1)" }, "\(curve)")
    }

    /// A value of 110 vanishes, and one of 3 appears: nothing falls to zero in between.
    @Test func aRestartIsNotAFadeToZero() throws {
        let times = (0..<40).map { Double($0) * Self.frame }
        let grown = ValueSamples(
            times: times.filter { $0 < 0.25 || $0 > 0.4 },
            values: times.filter { $0 < 0.25 || $0 > 0.4 }.map { $0 < 0.25 ? 80 + 120 * $0 : 120 * ($0 - 0.39) })
        let before = try #require(grown.times.last { $0 < 0.3 })
        let after = try #require(grown.times.first { $0 > 0.3 })
        #expect(try #require(FadingGap(grown, after: before, before: after)).isRestart)
    }
}
