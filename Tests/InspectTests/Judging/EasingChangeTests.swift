import Animations
import Core
import Testing

@testable import Inspect

@Suite struct EasingChangeTests {
    /// A loader with phases of one and two seconds.
    private struct TwoPhases: Loader {
        let id = "two"
        let canvas = Size(60, 60)
        let period: Rational = 3

        var phaseDurations: [(name: LocalizedText, duration: Rational)] { [("first", 1), ("second", 2)] }

        func nodes(at time: Rational) -> [Node] { [] }
    }

    private func change(_ from: String, _ to: String) throws -> EasingChange {
        try #require(EasingChange.all.first { $0.from == from && $0.to == to })
    }

    /// `easeIn` has 0.315 of its progress at the middle, so a linear design is late by the rest.
    @Test func linearMotionIsLateByTheOtherProgress() throws {
        let easeIn = try change("linear", "easeIn")
        let progress = TimingFunction.easeIn(0.5)
        #expect(abs(easeIn.delay(at: 0.5, in: TwoPhases()) - (0.5 - progress)) < 1e-6)
        #expect(abs(easeIn.delay(at: 3 + 2, in: TwoPhases()) - 2 * (0.5 - progress)) < 1e-6)
        #expect(abs(easeIn.delay(at: 1, in: TwoPhases())) < 1e-6)
    }

    /// The time that the design shows has the progress of the other function.
    @Test func designedFunctionsAreInverted() throws {
        let change = try change("easeInEaseOut", "default")
        let shown = 0.3 - change.delay(at: 0.3, in: TwoPhases())
        #expect(abs(TimingFunction.easeInEaseOut(shown) - TimingFunction.default(0.3)) < 1e-5)
    }

    /// The last instant of a reversed phase is shown first, and no instant of another phase.
    @Test func reversedPhasesShowTheirOtherEnd() {
        func delay(_ time: Double, _ phase: Int) -> Double {
            ElementEdit.delay(at: time, in: TwoPhases(), reversing: phase)
        }
        #expect(abs(delay(0.25, 0) - (0.25 - 0.75)) < 1e-9)
        #expect(abs(delay(3 + 1.5, 1) - (0.5 - 1.5)) < 1e-9)
        #expect(delay(1.5, 0) == 0)
        #expect(delay(0, 0) > -1)
    }

    @Test func allPairsOfNamedFunctionsAreKnown() {
        let count = TimingFunction.named.count
        #expect(EasingChange.all.count == count * (count - 1))
    }
}
