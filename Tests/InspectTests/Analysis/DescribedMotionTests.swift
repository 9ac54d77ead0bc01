import Core
import Testing

@testable import Inspect

/// The words for motions, and curves made from others.
@Suite struct DescribedMotionTests {
    private static let easeInOut = Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    private static let frame = 1.0 / 60

    private static func curve(_ keys: [(Double, Double)], _ easing: Easing = .linear) -> KeyframeCurve {
        KeyframeCurve(keys: keys.map { CurveKeyframe(time: $0.0, value: $0.1, easing: easing) })
    }

    /// Returns an object on a circle, with an angle for each share of the period, in seconds.
    private static func object(_ angle: (Double) -> Double) -> ReconstructedObject {
        var object = ReconstructedObject(resting: .circle, size: Size(12, 12))
        let times = (0...60).map { Double($0) * frame }
        object.x = curve(times.map { ($0, 100 + 40 * cos(angle($0))) })
        object.y = curve(times.map { ($0, 100 + 40 * sin(angle($0))) })
        return object
    }

    @Test func timingFunctionOfAnOrbitIsThatOfItsAngle() {
        let steady = MotionDescription(
            Self.object { 2 * .pi * $0 + 0.3 }, duration: 1, step: Self.frame, isPeriodic: true)
        #expect(steady.easings == ["linear"])
        let swing = MotionDescription(
            Self.object { time in
                let share = time < 0.5 ? Self.easeInOut.value(at: 2 * time) : Self.easeInOut.value(at: 2 - 2 * time)
                return 0.5 + 2 * share
            }, duration: 1, step: Self.frame, isPeriodic: true)
        #expect(swing.easings == ["ease-in-out"])
    }

    /// The keyframes before 0 and after the period belong to other repetitions.
    @Test func rangesAreThoseOfOnePeriod() {
        let turn = Self.curve([(-0.75, 0), (0.25, 360), (1.25, 720)])
        #expect(turn.range(until: 1) == 270...630)
        var object = ReconstructedObject(resting: .circle, size: Size(12, 12))
        object.red = Self.curve([(-0.5, 0), (0.5, 1)])
        #expect(object.color == Color(red: 0.5, green: 0, blue: 0))
    }

    /// The ends of an arc with a timing function each: their difference has none.
    @Test func differencesOfTimingFunctionsHaveKeyframes() {
        let end = Self.curve([(0, 1), (0.5, 5), (1, 7)], Self.easeInOut)
        let start = Self.curve([(0, 0), (0.3, 0), (1, 6)], Easing(x1: 0.5, y1: 0, x2: 0.5, y2: 1))
        let difference = end.minus(start, tolerance: 0.01)
        for index in 0...200 {
            let time = Double(index) / 200
            #expect(abs(difference.value(at: time) - end.value(at: time) + start.value(at: time)) < 0.02)
        }
        #expect(end.minus(end, tolerance: 0.01).keys.count == 3)
    }

    /// A value that changes its speed but not its direction, with errors of the measurement.
    @Test func changesOfSpeedAreLinear() throws {
        let corners = [(0.0, 60.0), (0.6, 15), (1.2, 219), (1.8, 60)]
        let truth = Self.curve(corners)
        let times = (0..<260).map { Double($0) * Self.frame }
        let all = ValueSamples(
            times: times,
            values: times.indices.map { index in
                let phase = times[index] - (times[index] / 1.8).rounded(.down) * 1.8
                return truth.value(at: phase) + 0.7 * sin(Double(index * index) * 17.3)
            })
        let folded = try #require(
            PeriodicSamples(all, period: 1.8, frame: Self.frame, tolerance: 3, accumulates: false))
        var fitter = CurveFitter(tolerance: 3, frame: Self.frame)
        fitter.repeatedNoise = folded.noise
        let curve = folded.repeated(fitter.curve(folded.samples, cycle: folded.cycle))
        #expect(curve.keys.allSatisfy { $0.easing == .linear }, "\(curve)")
        #expect(corners.allSatisfy { abs(curve.value(at: $0.0) - $0.1) < 5 })
    }
}
