import Core
import Foundation
import Testing

@testable import Inspect

/// Objects with one motion, which share timing functions, and values that repeat but for errors.
@Suite struct CommonMotionTests {
    private static let period = 1.2
    private static let frame = 1.0 / 60
    private static let easeInOut = Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// Nearly the same, as errors of the measurement make it.
    private static let free = Easing(x1: 0.45, y1: 0.02, x2: 0.58, y2: 0.98)

    private static var builder: ObjectBuilder {
        let times = (0..<180).map { Double($0) * frame }
        return ObjectBuilder(
            background: Channels(repeating: 255), times: times, duration: period, pixel: 1, isPeriodic: true)
    }

    private static var motion: CommonMotion {
        CommonMotion(
            builder: builder, period: period,
            comparison: MotionComparison(duration: period, frame: frame, isLoop: true))
    }

    /// A dot that moves from 80 to 60 and back, beginning after a delay.
    private static func dot(_ delay: Double, _ easing: Easing, height: Double = 20) -> ReconstructedObject {
        var object = ReconstructedObject(resting: .circle, size: Size(12, 12))
        object.area = 113
        object.y = KeyframeCurve(
            keys: (-4...4).map { half in
                CurveKeyframe(
                    time: delay + Double(half) * period / 2, value: half % 2 == 0 ? 80 : 80 - height, easing: easing)
            })
        return object
    }

    @Test func objectsOfOneMotionShareTheSimplestTimingFunction() {
        let objects = [Self.dot(0, Self.free), Self.dot(0.1, Self.easeInOut), Self.dot(0.2, Self.free)]
        let unified = Self.motion.unified(objects)
        for (index, object) in unified.enumerated() {
            #expect(object.y.keys.allSatisfy { $0.easing == Self.easeInOut }, "\(object.y)")
            let wanted = Self.dot(0.1 * Double(index), Self.easeInOut).y
            for step in 0..<72 {
                let time = Double(step) * Self.frame
                #expect(abs(object.y.value(at: time) - wanted.value(at: time)) < 0.5)
            }
        }
    }

    @Test func otherMotionsKeepTheirTimingFunctions() {
        let hard = Easing(x1: 0.9, y1: 0, x2: 0.1, y2: 1)
        for other in [Self.dot(0.1, hard), Self.dot(0.1, Self.free, height: 40)] {
            let unified = Self.motion.unified([Self.dot(0, Self.easeInOut), other])
            #expect(unified[1].y == other.y)
        }
    }

    /// One of four values at a time of the period is an error.
    @Test func medianOfPeriodsCountsWhereOneIsWrong() throws {
        let times = (0..<288).map { Double($0) * Self.frame }
        var values = times.map { 50 + 20 * sin(2 * .pi * $0 / Self.period) }
        values[90] += 40
        let folded = try #require(
            PeriodicSamples(
                ValueSamples(times: times, values: values), period: Self.period, frame: Self.frame, tolerance: 0.5,
                accumulates: false))
        for (time, value) in zip(folded.samples.times, folded.samples.values) {
            #expect(abs(value - 50 - 20 * sin(2 * .pi * time / Self.period)) < 0.01)
        }
    }

    // MARK: Sides

    /// A bar that grows from its left side, whose measured centre has errors.
    @Test func centreFollowsASizeIfASideRests() {
        var bar = ReconstructedObject(resting: .rectangle, size: Size(10, 12))
        bar.width = KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: 10, easing: Self.easeInOut),
            CurveKeyframe(time: Self.period, value: 110, easing: .linear),
        ])
        bar.x = KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: 25, easing: .linear), CurveKeyframe(time: 0.6, value: 51, easing: .linear),
            CurveKeyframe(time: Self.period, value: 75, easing: .linear),
        ])
        func poses(_ center: (Double) -> Double) -> [ShapePose] {
            (0..<72).map { index in
                let width = bar.width.value(at: Double(index) * Self.frame)
                return ShapePose(
                    frame: index, center: Point(center(width) + 0.2 * sin(Double(index * index)), 50), width: width,
                    height: 12)
            }
        }
        var anchored = bar
        Self.builder.anchorSides(&anchored, poses { 20 + $0 / 2 })
        #expect(anchored.x.keys.map(\.easing) == bar.width.keys.map(\.easing))
        #expect(abs(anchored.x.value(at: 0.3) - 20 - bar.width.value(at: 0.3) / 2) < 0.3)
        var free = bar
        Self.builder.anchorSides(&free, poses { 20 + $0 / 4 })
        #expect(free.x == bar.x)
    }

    // MARK: JSON

    @Test func unknownValuesAreNull() throws {
        let clip = Reconstruction(
            width: 64, height: 64, frameRate: 60, duration: 2, period: nil, isLoop: false,
            background: Color(255, 255, 255), objects: [Self.dot(0, Self.easeInOut)], gaps: [])
        let data = try JSONEncoder().encode(MotionReport(clip))
        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let shapes = try #require(report["shapes"] as? [[String: Any]])
        #expect(report["period"] is NSNull)
        #expect(shapes.first?["group"] is NSNull)
    }
}
