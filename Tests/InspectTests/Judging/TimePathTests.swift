import Foundation
import Testing

@testable import Inspect

/// Times of a dot that moves back and forth, so that each position occurs twice in a period of
/// 1.6 s.
@Suite struct TimePathTests {
    private let period = 1.6

    private func position(_ time: Double) -> Double { 100 * cos(2 * .pi * time / period) }

    /// Returns the times that a path finds for frames at 60 per second that show some times.
    private func found(_ shown: [Double]) -> [Double] {
        let count = 96
        let instants = (0..<count).map { position(period * Double($0) / Double(count)) }
        func square(_ value: Double) -> Double { value * value }
        let lengths = instants.indices.map { square(instants[$0] - instants[($0 + 1) % count]) }
        let matches = shown.map { time in
            TimePath.matches(
                instants.map { square($0 - position(time)) }, squaredLengths: lengths, period: period)
        }
        let times = shown.indices.map { Double($0) / 60 }
        return TimePath(times: times, expected: times, rate: 1, period: period).modelTimes(matches, noise: 0.5)
    }

    private func largestError(_ shown: [Double]) -> Double {
        zip(found(shown), shown).map { abs($0 - $1) }.max() ?? 0
    }

    /// Time runs on through the turns, by design and after missing frames.
    @Test func timeRunsOnThroughTurns() {
        #expect(largestError(shownTimes(160)) < 0.02)
        #expect(largestError(shownTimes(160) { $0 < 70 ? $0 : $0 + 4 }) < 0.02)
    }

    /// A standstill stops the time, and a jump ends it.
    @Test func standstillsStopTheTime() {
        #expect(largestError(shownTimes(160) { $0 < 20 || $0 >= 40 ? $0 : 20 }) < 0.02)
        // In a standstill of more than half a period, the time does not jump to the next period.
        #expect(largestError(shownTimes(160) { $0 < 20 || $0 >= 80 ? $0 : 20 }) < 0.02)
    }
}
