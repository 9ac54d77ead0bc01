import Core
import TestSupport
import Testing

/// The control points as documented by Apple and repeated in the loaders' description.
private let documented: [(name: String, points: [Double])] = [
    ("linear", [0, 0, 1, 1]), ("easeIn", [0.42, 0, 1, 1]), ("easeOut", [0, 0, 0.58, 1]),
    ("easeInEaseOut", [0.42, 0, 0.58, 1]), ("default", [0.25, 0.1, 0.25, 1]),
]

@Suite struct TimingFunctionTests {
    private func function(_ name: String) throws -> TimingFunction {
        try #require(TimingFunction.named.first { $0.name == name }).function
    }

    /// One coordinate of the curve in Bernstein form.
    private func coordinate(_ a: Double, _ b: Double, _ s: Double) -> Double {
        3 * a * s * pow(1 - s, 2) + 3 * b * s * s * (1 - s) + pow(s, 3)
    }

    @Test(arguments: documented.map(\.name)) func namedCurvesMatchTheirBezier(name: String) throws {
        let points = try #require(documented.first { $0.name == name }).points
        let function = try function(name)
        #expect(function.name == name)
        for step in 0...1000 {
            let s = Double(step) / 1000
            let (x, y) = (coordinate(points[0], points[2], s), coordinate(points[1], points[3], s))
            #expect(abs(function(x) - y) < 1e-9)
        }
    }

    /// Solving in fewer steps must not change a bit, which frames would show.
    @Test func curvesAreSolvedLikeByBisection() {
        func bezier(_ p1: Double, _ p2: Double, _ s: Double) -> Double {
            let u = 1 - s
            return 3 * u * u * s * p1 + 3 * u * s * s * p2 + s * s * s
        }
        func bisected(_ x1: Double, _ x2: Double, _ x: Double) -> Double {
            var (low, high) = (0.0, 1.0)
            while true {
                let middle = (low + high) / 2
                guard middle > low, middle < high else { return middle }
                if bezier(x1, x2, middle) < x { low = middle } else { high = middle }
            }
        }
        var generator = SeededGenerator(seed: 9)
        let special = [(1.0, 0.0), (0, 1), (0, 0), (1, 1), (0.42, 0.58), (0.999, 0.001), (0.333, 0.833)]
        let random = (0..<200).map { _ in (generator.double(0...1), generator.double(0...1)) }
        for (x1, x2) in special + random {
            let function = TimingFunction(x1, 0.2, x2, 0.7)
            let times = (0..<50).map { _ in generator.double(0...1) } + [1e-12, 1e-300, 0.5, 0.25, 1 - 1e-12]
            for x in times {
                #expect(function(x) == bezier(0.2, 0.7, bisected(x1, x2, x)), "\(x1) \(x2) at \(x)")
            }
        }
    }

    @Test func everyCurveMatchesItsBezier() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<60 {
            let (x1, x2) = (generator.double(0.02...0.98), generator.double(0.02...0.98))
            let (y1, y2) = (generator.double(-1...2), generator.double(-1...2))
            let function = TimingFunction(x1, y1, x2, y2)
            #expect(function.name == nil)
            for _ in 0..<40 {
                let s = generator.double(0...1)
                #expect(abs(function(coordinate(x1, x2, s)) - coordinate(y1, y2, s)) < 1e-6)
            }
        }
    }

    /// Newton's method on the power form, as browsers solve it.
    private func newton(_ p: [Double], _ x: Double) -> Double {
        let (c, b) = (3 * p[0], 3 * (p[2] - p[0]) - 3 * p[0])
        let a = 1 - c - b
        var s = x
        for _ in 0..<100 {
            let slope = (3 * a * s + 2 * b) * s + c
            if abs(slope) < 1e-12 { break }
            s = min(1, max(0, s - (((a * s + b) * s + c) * s - x) / slope))
        }
        return coordinate(p[1], p[3], s)
    }

    @Test(arguments: documented.map(\.name)) func agreesWithNewtonsMethod(name: String) throws {
        let points = try #require(documented.first { $0.name == name }).points
        let function = try function(name)
        for step in 1..<500 {
            let x = Double(step) / 500
            #expect(abs(function(x) - newton(points, x)) < 1e-9)
        }
    }

    @Test(arguments: documented.map(\.name)) func isMonotonicFromZeroToOne(name: String) throws {
        let function = try function(name)
        let values = (0...5000).map { function(Double($0) / 5000) }
        #expect(values.first == 0 && values.last == 1)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        #expect(function(-0.5) == 0 && function(1.5) == 1)
    }

    @Test func easeInEaseOutIsSymmetric() {
        for step in 0...1000 {
            let x = Double(step) / 1000
            #expect(abs(TimingFunction.easeInEaseOut(x) + TimingFunction.easeInEaseOut(1 - x) - 1) < 1e-12)
            #expect(abs(TimingFunction.easeIn(x) + TimingFunction.easeOut(1 - x) - 1) < 1e-9)
        }
        #expect(abs(TimingFunction.easeInEaseOut(0.5) - 0.5) < 1e-15)
        #expect(abs(TimingFunction.default(0.5) - 0.802_403_387_6) < 1e-9)
    }

    @Test func linearIsExact() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let x = generator.double(0...1)
            #expect(TimingFunction.linear(x) == x)
        }
    }

    @Test func interpolationAndClamping() {
        #expect(lerp(2, 6, 0.25) == 3 && lerp(2, 6, -1) == -2 && lerp(6, 2, 2) == -2)
        #expect(clamp01(-0.1) == 0 && clamp01(0.3) == 0.3 && clamp01(7) == 1)
    }
}

@Suite struct KeyframeTrackTests {
    private let track = KeyframeTrack(keyTimes: [0, 0.25, 0.5, 1], values: [10, 20, 0, 4])

    @Test(arguments: [(-1, 10), (0, 10), (0.125, 15), (0.25, 20), (0.3, 16), (0.5, 0), (0.75, 2), (1, 4), (9, 4)])
    func passesThroughItsKeyframes(time: Double, value: Double) {
        #expect(abs(track.value(at: time) - value) < 1e-12)
    }

    @Test func everyIntervalUsesItsTimingFunction() {
        let eased = KeyframeTrack(keyTimes: [0, 2, 4], values: [0, 10, 0], timingFunctions: [.easeIn, .linear])
        for step in 0..<100 {
            let fraction = Double(step) / 100
            #expect(eased.value(at: 2 * fraction) == 10 * TimingFunction.easeIn(fraction))
            #expect(abs(eased.value(at: 2 + 2 * fraction) - 10 * (1 - fraction)) < 1e-12)
        }
    }

    @Test func twoKeyframesAtOnceAreAStep() {
        let step = KeyframeTrack(keyTimes: [0, 1, 1, 2], values: [0, 0, 5, 5])
        #expect(step.value(at: 0.999_999) == 0 && step.value(at: 1) == 5 && step.value(at: 1.5) == 5)
        #expect(KeyframeTrack(keyTimes: [3], values: [7]).value(at: 0) == 7)
        #expect(KeyframeTrack(keyTimes: [3], values: [7]).value(at: 4) == 7)
    }

    @Test func repeatingAnimationsWrapExactly() {
        let timing = MediaTiming(duration: Rational(3, 7), beginTime: Rational(1, 3))
        #expect(timing.fraction(at: Rational(1, 3)) == .zero)
        #expect(timing.fraction(at: Rational(1, 3) + Rational(3, 14)) == Rational(1, 2))
        #expect(timing.fraction(at: .zero) == Rational(2, 9), "it has always been running")
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<200 {
            let time = Rational(Int128(generator.int(-9999...9999)), 1001)
            let fraction = timing.fraction(at: time)
            #expect(fraction >= 0 && fraction < 1)
            #expect(timing.fraction(at: time + Rational(3, 7) * Rational(generator.int(-50...50))) == fraction)
        }
    }
}
