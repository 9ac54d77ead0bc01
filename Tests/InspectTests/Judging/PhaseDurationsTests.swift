import Animations
import Core
import Testing

@testable import Inspect

/// Durations of the drop's phases: rest, pull, hold, release, rest.
@Suite struct PhaseDurationsTests {
    private let loader: any Loader

    init() throws {
        loader = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == "qq-pull" }).make()
    }

    /// Returns frames of two cycles at 60 per second. Only those in a motion tell the time.
    ///
    /// - Parameters:
    ///   - factors: the factor of each phase's duration.
    ///   - error: the error of the time that a frame shows, in seconds, at a part of its phase.
    private func samples(
        _ factors: [Double], error: (Double) -> Double = { _ in 0 }, sensitivity: (Double) -> Double = { _ in 1 }
    ) -> [PhaseDurations.Sample] {
        let durations = zip(loader.phases, factors).map { $0.duration.double * $1 }
        let cycle = durations.reduce(0, +)
        return (0..<Int(2 * cycle * 60)).compactMap { index in
            let time = Double(index) / 60
            let turns = (time / cycle).rounded(.down)
            var rest = time - turns * cycle
            var phase = 0
            while phase < durations.count - 1, rest >= durations[phase] {
                rest -= durations[phase]
                phase += 1
            }
            guard phase == 1 || phase == 3 else { return nil }
            let (start, part) = (loader.phases[phase].start.double, rest / durations[phase])
            let shown = turns * loader.period.double + start + rest / factors[phase] + error(part)
            return PhaseDurations.Sample(time: time, shown: shown, sensitivity: sensitivity(part), stretch: 0)
        }
    }

    private func changes(_ samples: [PhaseDurations.Sample]) -> [Int: Double] {
        let changed = PhaseDurations(samples, loader, JudgeOptions()).changedPhases
        return Dictionary(uniqueKeysWithValues: changed.map { ($0.phase.index, 1 / $0.rate) })
    }

    /// A phase is measured whether anything moves in it or not.
    @Test(arguments: [(1, 1.25), (2, 1.6), (3, 0.7)]) func onePhaseIsMeasured(phase: Int, factor: Double) {
        var factors = [1.0, 1, 1, 1, 1]
        factors[phase] = factor
        let found = changes(samples(factors))
        #expect(Array(found.keys) == [phase])
        #expect(abs((found[phase] ?? 0) - factor) < 0.01, "\(found)")
    }

    /// Frames at the slow ends of a motion show wrong times, which do not lengthen the rests.
    @Test func slowEndsCountLittle() {
        let wrong = samples(
            [1, 1.25, 1, 1, 1], error: { $0 > 0.9 ? -0.05 : $0 < 0.1 ? 0.05 : 0 },
            sensitivity: { $0 > 0.9 || $0 < 0.1 ? 0.001 : 1 })
        let found = changes(wrong)
        #expect(Array(found.keys) == [1] && abs((found[1] ?? 0) - 1.25) < 0.01, "\(found)")
    }

    @Test func twoPhasesAreMeasured() {
        let found = changes(samples([1, 1.2, 1, 1.4, 1]))
        #expect(Set(found.keys) == [1, 3], "\(found)")
        #expect(abs((found[1] ?? 0) - 1.2) < 0.01 && abs((found[3] ?? 0) - 1.4) < 0.01, "\(found)")
    }

    /// Another speed changes all phases, so no two of them explain it.
    @Test func anotherSpeedIsNotAPhaseDuration() {
        let speed = samples([1.1, 1.1, 1.1, 1.1, 1.1])
        let durations = PhaseDurations(speed, loader, JudgeOptions())
        #expect(durations.residual(durations.changedPhases, at: 1) > 2 * durations.residual([], at: 1 / 1.1))
        #expect(changes(samples([1, 1, 1, 1, 1])).isEmpty)
    }
}
