import Animations
import Core
import TestSupport
import Testing

/// The boundaries of phases with different durations.
private let boundaries: [Rational] = [0, Rational(1, 4), Rational(3, 5), Rational(11, 10), Rational(36, 25)]
private let period = Rational(36, 25)

private func style(slowmo: Rational = 1, hold: Rational = 0, ramp: Rational = 1, stepped: Bool = false)
    -> Timeline.Style
{
    var style = Timeline.Style(slowmo: slowmo)
    (style.hold, style.ramp, style.isStepped) = (hold, ramp, stepped)
    return style
}

private func timeline(_ style: Timeline.Style, over range: Range<Rational> = 0..<period) -> Timeline {
    Timeline(range, boundaries: boundaries, style: style)
}

@Suite struct TimelineTests {
    @Test(arguments: [Rational(1), Rational(4), Rational(73, 10), Rational(1, 2)])
    func evenSlowMotionIsLinear(slowmo: Rational) {
        let line = timeline(style(slowmo: slowmo))
        #expect(line.duration == period * slowmo)
        for k in 0..<100 {
            let time = Rational(Int128(k), 7)
            #expect(line.modelTime(at: time) == (time / slowmo).modulo(period))
        }
    }

    @Test func holdsStopTimeOnlyAtBoundaries() {
        let hold = Rational(1, 3)
        let line = timeline(style(slowmo: 2, hold: hold))
        #expect(line.duration == period * 2 + hold * 4)
        #expect(line.boundaries.map(\.model) == Array(boundaries.dropLast()))
        for (index, boundary) in line.boundaries.enumerated() {
            #expect(boundary.output == boundary.model * 2 + hold * Rational(index))
            for part in 0...3 {
                #expect(line.modelTime(at: boundary.output + hold * Rational(Int128(part), 3)) == boundary.model)
            }
            let after = boundary.output + hold + Rational(1, 100)
            #expect(line.modelTime(at: after) == boundary.model + Rational(1, 200))
        }
    }

    @Test(arguments: [(Rational(2), Rational(1)), (Rational(5), Rational(4)), (Rational(100), Rational(1, 2))])
    func rampsAreSmoothAndReachBothSpeeds(ramp: Rational, slowmo: Rational) {
        let line = timeline(style(slowmo: slowmo, ramp: ramp))
        // In each phase, 3/4 of the model time are eased, at the mean of both speeds.
        let eased = period * Rational(3, 4) * slowmo * 2 / (1 + 1 / ramp)
        #expect(line.duration == eased + period * Rational(1, 4) * slowmo)
        let (count, full) = (4000, 1 / slowmo.double)
        let tick = line.duration / Rational(count)
        let times = (0...count).map { $0 == count ? period.double : line.modelTime(at: tick * Rational($0)).double }
        let speeds = zip(times.dropFirst(), times).map { ($0 - $1) / tick.double }
        #expect(speeds.allSatisfy { $0 > full / ramp.double * 0.99 && $0 < full * 1.01 })
        #expect(abs(speeds.min() ?? 0 - full / ramp.double) < full * 0.01 + full / ramp.double)
        #expect(abs((speeds.max() ?? 0) - full) < full * 0.01)
        // The acceleration is continuous, including the transition from one pass to the next.
        let cyclic = speeds + speeds.prefix(2)
        let slopes = zip(cyclic.dropFirst(), cyclic).map { ($0 - $1) / tick.double }
        let steepest = slopes.map(abs).max() ?? 0
        let jumps = zip(slopes.dropFirst(), slopes).map { abs($0 - $1) }
        #expect((jumps.max() ?? 0) < steepest * 0.05)
    }

    @Test func rampsAreSlowestAtBoundaries() {
        let line = timeline(style(ramp: 10))
        let tick = Rational(1, 1000)
        for boundary in line.boundaries.dropFirst() {
            let speed = (line.modelTime(at: boundary.output + tick) - boundary.model).double / tick.double
            #expect(abs(speed - 0.1) < 0.01)
            #expect(abs((line.modelTime(at: boundary.output) - boundary.model).double) < 1e-8)
        }
    }

    @Test func steppingShowsBoundariesOnly() {
        let line = timeline(style(hold: Rational(3, 2), stepped: true))
        #expect(line.duration == Rational(6))
        let shown = (0..<600).map { line.modelTime(at: Rational(Int128($0), 100)) }
        #expect(Set(shown) == Set(boundaries.dropLast()))
        #expect(shown == shown.sorted())
    }

    @Test func cutsStartAndEndAtTheirRange() {
        let range = Rational(2, 5)..<Rational(1)
        let line = timeline(style(slowmo: 3, hold: 1), over: range)
        #expect(line.modelTime(at: 0) == range.lowerBound)
        #expect(line.boundaries.map(\.model) == [Rational(3, 5)])
        #expect(line.duration == Rational(28, 10))
        let times = (0..<2800).map { line.modelTime(at: Rational(Int128($0), 1000)) }
        #expect(times == times.sorted())
        #expect(times.allSatisfy(range.contains))
        #expect(line.modelTime(at: line.duration) == range.lowerBound)
    }

    @Test(arguments: 0..<40)
    func modelTimeNeverDecreases(seed: Int) {
        var random = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int128>) -> Rational { Rational(.random(in: range, using: &random), 60) }
        let line = timeline(style(slowmo: number(6...600), hold: number(0...120), ramp: number(60...3000)))
        let times = (0..<997).map { line.modelTime(at: line.duration * Rational(Int128($0), 997)) }
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0 >= .zero && $0 < period })
    }
}

@Suite struct ClipOverTimelineTests {
    @Test func seamlessCyclesRepeatAndScaleBoundaries() throws {
        let rate = try #require(FrameRate(60))
        let line = timeline(style(slowmo: Rational(7, 3), hold: Rational(1, 7), ramp: 3))
        let map = TimeMap(line, frameRate: rate, extent: .cycles(3))
        let m = try #require(map.cycleFrames)
        #expect(map.frameCount == 3 * m)
        for frame in 0..<m { #expect(map.modelTime(ofFrame: frame) == map.modelTime(ofFrame: frame + 2 * m)) }
        #expect(map.boundaries.count == 12)
        for (index, boundary) in map.boundaries.enumerated() {
            // The first frame at or after the boundary shows the boundary or a later time; the
            // frame before does not.
            let frame = -(Rational.zero - boundary.output * 60).floor
            let (after, before) = (map.modelTime(ofFrame: frame), map.modelTime(ofFrame: max(0, frame - 1)))
            #expect(after.double >= boundary.model.double - 1e-8, "boundary \(index)")
            if frame % m > 0, boundary.output * 60 != Rational(frame) {
                #expect(before < boundary.model || boundary.model == .zero)
            }
        }
    }

    @Test func shutterTimesFollowTheFrameTime() throws {
        let rate = try #require(FrameRate(30))
        let map = TimeMap(period: period, frameRate: rate, slowmo: 2, extent: .cycles(1), timing: .exact)
        let times = map.modelTimes(ofFrame: 5, shutter: Rational(1, 2), count: 16)
        #expect(times.count == 16)
        #expect(times.first == map.modelTime(ofFrame: 5))
        for (index, time) in times.enumerated() {
            #expect(time == (Rational(5, 30) + Rational(Int128(index), 960)) / 2)
        }
    }

    @Test(arguments: [Rational(4), Rational(5, 2), Rational(1, 2)])
    func normalSpeedMakesWholePassesPerCycle(slowmo: Rational) throws {
        let rate = try #require(FrameRate(60))
        let map = TimeMap(period: period, frameRate: rate, slowmo: slowmo, extent: .cycles(2))
        let m = try #require(map.cycleFrames)
        #expect(map.normalTime(ofFrame: 0) == .zero)
        #expect(map.normalTime(ofFrame: m) == .zero)
        let passes = max(1, slowmo.rounded)
        #expect(map.normalTime(ofFrame: 1) == (period * Rational(passes) / Rational(m)).modulo(period))
        #expect(map.normalSpeed == Rational(passes) / slowmo)
    }
}
