import Animations
import Core
import TestSupport
import Testing

/// A clip's settings as integers, so that the expected values do not depend on the project's
/// arithmetic.
private struct Settings: Sendable, CustomTestStringConvertible {
    var period: (Int128, Int128)
    var slowmo: (Int128, Int128)
    var rate: (Int128, Int128)

    static let rates: [(Int128, Int128)] = [
        (60, 1), (24, 1), (25, 1), (30, 1), (120, 1), (1, 10), (1000, 1), (24000, 1001), (30000, 1001), (60000, 1001),
        (25, 2),
    ]

    init(seed: Int) {
        var random = SeededGenerator(seed: seed)
        period = (.random(in: 1...1000, using: &random), .random(in: 1...300, using: &random))
        slowmo = (.random(in: 1...500, using: &random), .random(in: 1...20, using: &random))
        rate = Self.rates.randomElement(using: &random) ?? (60, 1)
    }

    var frameRate: FrameRate { get throws { try #require(FrameRate(Rational(rate.0, rate.1))) } }

    /// Returns the number of frames in `cycles` cycles, with halves rounded up.
    func frames(cycles: Int128) -> Int {
        let (top, bottom) = (period.0 * slowmo.0 * rate.0 * cycles, period.1 * slowmo.1 * rate.1)
        return max(1, Int((2 * top + bottom) / (2 * bottom)))
    }

    func map(_ extent: TimeMap.Extent, _ timing: TimeMap.Timing? = nil) throws -> TimeMap {
        TimeMap(
            period: Rational(period.0, period.1), frameRate: try frameRate, slowmo: Rational(slowmo.0, slowmo.1),
            extent: extent, timing: timing)
    }

    var testDescription: String { "period \(period), slowmo \(slowmo), rate \(rate)" }
}

/// Returns true if a fraction has this value, by cross multiplication.
private func equal(_ value: Rational, _ numerator: Int128, _ denominator: Int128) -> Bool {
    value.numerator * denominator == numerator * value.denominator
}

private let someFrames = [0, 1, 2, 7, 99, 1000, 54_321]

@Suite struct TimeMapTests {
    @Test(arguments: (0..<60).map(Settings.init))
    private func seamlessCyclesShowTheSameInstants(_ settings: Settings) throws {
        let m = settings.frames(cycles: 1)
        for (cycles, timing) in [(1, nil), (5, nil), (3, TimeMap.Timing.seamless)] {
            let map = try settings.map(.cycles(cycles), timing)
            #expect(map.cycleFrames == m)
            #expect(map.frameCount == cycles * m)
            for frame in someFrames + [m - 1, m, m + 1, 2 * m] {
                let expected = Int128(frame % m) * settings.period.0
                #expect(equal(map.modelTime(ofFrame: frame), expected, settings.period.1 * Int128(m)), "frame \(frame)")
            }
        }
    }

    @Test(arguments: (100..<160).map(Settings.init))
    private func exactTimingDoesNotAccumulateErrors(_ settings: Settings) throws {
        for (cycles, extent) in [(1, TimeMap.Extent.cycles(1)), (7, .cycles(7))] {
            let map = try settings.map(extent, .exact)
            #expect(map.cycleFrames == nil)
            #expect(map.frameCount == settings.frames(cycles: Int128(cycles)))
            #expect(map.speedChange == 1)
            for frame in someFrames {
                let (top, bottom) = (settings.rate.1 * settings.slowmo.1, settings.rate.0 * settings.slowmo.0)
                // k / (fps x slowmo), minus whole periods.
                let periods = Int128(frame) * top * settings.period.1 / (bottom * settings.period.0)
                let shown = map.modelTime(ofFrame: frame) + Rational(periods * settings.period.0, settings.period.1)
                #expect(equal(shown, Int128(frame) * top, bottom), "frame \(frame)")
            }
        }
    }

    @Test(arguments: (200..<260).map(Settings.init))
    private func durationsAreRoundedToFrames(_ settings: Settings) throws {
        var random = SeededGenerator(seed: Int(settings.period.0))
        let (top, bottom) = (Int128.random(in: 1...4000, using: &random), Int128.random(in: 1...1001, using: &random))
        let (frames, unit) = (top * settings.rate.0, bottom * settings.rate.1)
        let exact = try settings.map(.duration(Rational(top, bottom)))
        #expect(exact.frameCount == Int((2 * frames + unit) / (2 * unit)))
        #expect(exact.cycleFrames == nil)
        let seamless = try settings.map(.duration(Rational(top, bottom)), .seamless)
        #expect(seamless.frameCount == exact.frameCount)
        #expect(seamless.cycleFrames == settings.frames(cycles: 1))
    }

    @Test(arguments: (300..<340).map(Settings.init))
    private func speedChangeIsTheRatioOfTheFittedCycle(_ settings: Settings) throws {
        let m = Int128(settings.frames(cycles: 1))
        let change = try settings.map(.cycles(3)).speedChange
        let (top, bottom) = (
            settings.period.0 * settings.slowmo.0 * settings.rate.0,
            settings.period.1 * settings.slowmo.1 * settings.rate.1
        )
        #expect(equal(change, top, bottom * m))
        if m > 1 { #expect(abs(change.double - 1) <= 0.5 / Double(m) + 1e-12) }
    }

    @Test func cyclesHaveAtLeastOneFrame() throws {
        let rate = try #require(FrameRate(1))
        let map = TimeMap(period: Rational(1, 100), frameRate: rate, slowmo: 1, extent: .cycles(4))
        #expect(map.cycleFrames == 1)
        #expect(map.frameCount == 4)
        #expect(map.modelTime(ofFrame: 3) == .zero)
        let exact = TimeMap(period: Rational(1, 100), frameRate: rate, slowmo: 1, extent: .cycles(4), timing: .exact)
        #expect(exact.frameCount == 1)
        #expect(TimeMap(period: 1, frameRate: rate, slowmo: 1, extent: .duration(Rational(49, 100))).frameCount == 0)
    }

    /// At 60 frames per second, the 86.4 frames of a cycle of `qq-mail` are rounded to 86.
    @Test func threeBallsAtSixtyFramesPerSecond() throws {
        let rate = try #require(FrameRate(60))
        let map = TimeMap(period: Rational(36, 25), frameRate: rate, slowmo: 1, extent: .cycles(100))
        #expect(map.frameCount == 8600)
        #expect(map.speedChange == Rational(864, 860))
        #expect(map.modelTime(ofFrame: 8599) == Rational(85 * 144, 86 * 100))
    }
}
