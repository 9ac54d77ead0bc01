import Core
import TestSupport
import Testing

@Suite struct SpringTests {
    @Test func startsAtItsStartAndEndsAtItsTarget() {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<200 {
            let spring = Spring(duration: generator.double(0.1...5), dampingRatio: generator.double(0.05...0.95))
            let start = generator.double(-300...300)
            let target = generator.double(-300...300)
            func value(_ time: Double) -> Double { spring.value(from: start, to: target, at: time) }
            #expect(value(0) == start && value(-1) == start)
            #expect(value(spring.duration) == target && value(spring.duration + 3) == target)
            // Without initial velocity the value leaves its start along a parabola.
            #expect(abs(value(spring.duration * 1e-6) - start) < 1e-5 * abs(target - start))
            #expect(spring.value(from: target, to: target, at: spring.duration / 3) == target)
        }
    }

    @Test func matchesTheClosedForm() {
        // The jelly's spring: one second, damping ratio one half.
        let spring = Spring(duration: 1, dampingRatio: 0.5)
        let w = log(1000.0) / 0.5
        let wd = w * 0.75.squareRoot()
        for step in 1..<1000 {
            let t = Double(step) / 1000
            let expected = 94 + (214 - 94) * exp(-0.5 * w * t) * (cos(wd * t) + 0.5 * w / wd * sin(wd * t))
            #expect(abs(spring.value(from: 214, to: 94, at: t) - expected) < 1e-10)
        }
    }

    @Test func satisfiesTheDampedSpringEquation() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<50 {
            let duration = generator.double(0.5...3)
            let ratio = generator.double(0.2...0.9)
            let spring = Spring(duration: duration, dampingRatio: ratio)
            let w = log(1000.0) / (ratio * duration)
            let h = duration * 1e-4
            for _ in 0..<10 {
                let t = generator.double(0.05...0.9) * duration
                func value(_ t: Double) -> Double { spring.value(from: 1, to: 0, at: t) }
                let velocity = (value(t + h) - value(t - h)) / (2 * h)
                let acceleration = (value(t + h) - 2 * value(t) + value(t - h)) / (h * h)
                let residue = acceleration + 2 * ratio * w * velocity + w * w * value(t)
                #expect(abs(residue) < 1e-3 * w * w, "x'' + 2 z w x' + w^2 x = 0")
            }
        }
    }

    @Test func staysWithinItsEnvelopeAndOvershootsOnce() {
        let spring = Spring(duration: 1, dampingRatio: 0.5)
        let values = (0...1000).map { spring.value(from: 1, to: 0, at: Double($0) / 1000) }
        for (step, value) in values.enumerated() {
            let envelope = exp(-log(1000.0) * Double(step) / 1000) / 0.75.squareRoot()
            #expect(abs(value) <= envelope + 1e-12)
        }
        // The first overshoot of a spring with this damping is exp(-pi z / sqrt(1 - z^2)).
        let overshoot = exp(-.pi * 0.5 / 0.75.squareRoot())
        #expect(abs((values.min() ?? 0) + overshoot) < 1e-4)
    }
}
