import Core
import TestSupport
import Testing

@testable import Inspect

/// Motion that others hide, rests, noise, and periods of clips without repeated frames.
@Suite struct CoveredMotionTests {
    private static let frame = 1.0 / 60
    private static let easeInOut = Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    private static func samples(_ frames: some Sequence<Int>, _ value: (Double) -> Double) -> ValueSamples {
        let times = frames.map { Double($0) * frame }
        return ValueSamples(times: times, values: times.map(value))
    }

    private static func curve(_ samples: ValueSamples, tolerance: Double = 0.14) -> KeyframeCurve {
        CurveFitter(tolerance: tolerance, frame: frame).curve(samples)
    }

    @Test func motionGoesOnWhereItIsHidden() {
        let linear = Self.curve(Self.samples(Array(0..<20) + Array(32..<60)) { 4 * $0 / Self.frame })
        #expect(linear.keys.count == 2 && linear.keys[0].easing == .linear)
    }

    @Test func restOnTheWayIsARest() {
        func value(_ time: Double) -> Double {
            time < 0.24 ? 180 - 250 * time : time < 0.72 ? 120 : max(60, 120 - 250 * (time - 0.72))
        }
        let frames = Array(0..<9) + Array(21..<40) + Array(50..<58)
        let curve = Self.curve(Self.samples(frames, value))
        #expect(curve.keys.allSatisfy { $0.easing == .linear })
        #expect(curve.keys.count == 4)
    }

    /// An arc vanishes at one angle and appears at another.
    @Test func invisibleValuesMayJump() {
        let samples = Self.samples(Array(0..<30) + Array(31..<60)) { 4 * $0 + ($0 < 0.5 ? 6 : 6.467) }
        var fitter = CurveFitter(tolerance: 0.012, frame: Self.frame)
        #expect(!fitter.curve(samples).keys.contains { $0.easing.isHold })
        fitter.breaks = [0.5]
        let curve = fitter.curve(samples)
        #expect(curve.keys.contains { $0.easing.isHold })
        #expect(
            abs(curve.value(at: 29 * Self.frame) - 7.933) < 0.02
                && abs(curve.value(at: 31 * Self.frame) - 8.534) < 0.02)
    }

    /// Half of the time the object rests, and encoders repeat what rests.
    @Test func restingSamplesTellNothingAboutNoise() {
        var generator = SeededGenerator(seed: 3)
        let samples = Self.samples(0..<72) { time in
            guard time < 0.6 else { return 52 }
            let share = time < 0.3 ? Self.easeInOut.value(at: time / 0.3) : 1 - Self.easeInOut.value(at: time / 0.3 - 1)
            return 52 + 31 * share + Double.random(in: -0.28...0.28, using: &generator)
        }
        let curve = Self.curve(samples, tolerance: 0.28)
        #expect(curve.keys.count <= 4)
        #expect(curve.keys.prefix(2).allSatisfy { $0.easing == Self.easeInOut })
    }

    /// A GIF without the frames of a rest: 40 frames of 0.02 s, then one of 0.2 s.
    @Test func periodCountsTimeInsteadOfFrames() throws {
        var signatures = FrameSignatures()
        var times: [Double] = []
        for cycle in 0..<3 {
            for frame in 0..<41 {
                var pixels = [UInt8](repeating: 255, count: 4 * 48 * 48)
                let x = frame < 20 ? frame : 40 - frame
                for row in 10..<30 { for column in x..<x + 10 { pixels[4 * (row * 48 + column)] = 0 } }
                pixels.withUnsafeBufferPointer { signatures.add($0, width: 48, height: 48) }
                times.append(Double(cycle) + Double(frame) * 0.02)
            }
        }
        let steady = signatures.atConstantRate(times, until: 3)
        let period = try #require(steady.signatures.period())
        #expect(abs(period * steady.step - 1) < 0.01)
    }

    /// Squares that appear one after the other and fade, each up to a frame early or late.
    @Test func periodAllowsJumpsAFrameEarlyOrLate() {
        var generator = SeededGenerator(seed: 7)
        var signatures = FrameSignatures()
        let late = (0..<48).map { _ in generator.int(0...1) }
        for frame in 0..<120 {
            var pixels = [UInt8](repeating: 255, count: 4 * 48 * 48)
            for square in 0..<8 {
                let turns = (frame + 24 - 3 * square) / 24
                let age = (frame + 24 - 3 * square) % 24
                let isLate = age == 0 && late[(turns * 8 + square) % 48] == 1
                let value = UInt8(isLate ? 220 : 40 + age * 180 / 24)
                let (x, y) = (6 + 20 * (square % 2), 2 + 11 * (square / 2))
                for row in y..<y + 10 { for column in x..<x + 10 { pixels[4 * (row * 48 + column)] = value } }
            }
            pixels.withUnsafeBufferPointer { signatures.add($0, width: 48, height: 48) }
        }
        #expect(signatures.period().map { abs($0 - 24) < 0.1 } == true)
    }

    @Test func maskedCurveIsZeroElsewhere() {
        let faded = KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: 0, easing: .linear), CurveKeyframe(time: 2, value: 1, easing: .linear),
        ])
        for curve in [faded, KeyframeCurve(constant: 0.8)] {
            let masked = curve.masked(from: 0.5, to: 1.5, until: 2)
            #expect(masked.value(at: 0.4) == 0 && masked.value(at: 1.6) == 0)
            for time in [0.5, 0.9, 1.4] { #expect(abs(masked.value(at: time) - curve.value(at: time)) < 1e-6) }
        }
    }
}
