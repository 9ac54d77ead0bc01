import Core
import Foundation
import Media
import TestSupport
import Testing

@testable import Render

/// The quality steps and the search among them.
@Suite struct LadderTests {
    /// Simulated file sizes of the steps of a ladder, further from the expected sizes than any that
    /// were measured.
    private struct Sizes {
        let expected: [Double]
        let bytes: [Int]

        init(_ random: inout SeededGenerator) {
            var (expected, size): ([Double], Double) = ([0], log(Double(random.int(20_000...20_000_000))))
            let header = Double(random.int(100...2000))
            var bytes = [Int(exp(size) + header)]
            // Each part of a ladder, such as quality or rate, has an error of its own.
            for _ in 0..<random.int(1...4) {
                let error = Double(random.int(50...180)) / 100
                for _ in 0..<random.int(4...30) {
                    let change = Double(random.int(20...90)) / 1000
                    expected.append(expected[expected.count - 1] - change)
                    size -= change * error
                    bytes.append(Int(exp(size) + header))
                }
            }
            (self.expected, self.bytes) = (expected, bytes)
        }
    }

    /// The search ends within its trials with a file that fits, if there is one, and fills most of
    /// the limit.
    @Test func searchesFillTheLimitInFewTrials() throws {
        var random = SeededGenerator(seed: 16)
        var (trials, wellFilled) = (0, 0)
        let count = 2000
        for number in 0..<count {
            let sizes = Sizes(&random)
            let least = sizes.bytes[sizes.bytes.count - 1]
            let limit = random.int(least...max(least, sizes.bytes[0] - 1))
            guard limit < sizes.bytes[0] else { continue }
            var search = LadderSearch(expected: sizes.expected, limit: limit, first: sizes.bytes[0])
            var (used, tried) = (1, [0])
            while let index = search.next(trialsLeft: FileSizeFitter.maxTrials - used) {
                used += 1
                try #require(used <= FileSizeFitter.maxTrials && !tried.contains(index), "\(number)")
                tried.append(index)
                search.record(index, bytes: sizes.bytes[index])
            }
            let found = try #require(search.found, "\(number): \(tried) of \(sizes.bytes), limit \(limit)")
            #expect(sizes.bytes[found] <= limit && tried.contains(found), "\(number)")
            let isFull = Double(sizes.bytes[found]) >= LadderSearch.sufficientShare * Double(limit)
            // The file fills the limit, or the previous step is too large.
            if isFull || sizes.bytes[found - 1] > limit { wellFilled += 1 }
            trials += used
        }
        #expect(wellFilled > count * 95 / 100, "\(wellFilled) of \(count)")
        #expect(Double(trials) / Double(count) < 4, "\(trials) trials of \(count) clips")
    }

    /// The size of a clip whose rendering ended early is an estimate, which may be far too large.
    @Test func searchesFillTheLimitAfterAWrongEstimate() throws {
        var random = SeededGenerator(seed: 5)
        var (wellFilled, count) = (0, 0)
        for number in 0..<2000 {
            let sizes = Sizes(&random)
            let least = sizes.bytes[sizes.bytes.count - 1]
            let limit = random.int(least...max(least, sizes.bytes[0] - 1))
            guard limit < sizes.bytes[0] else { continue }
            count += 1
            let estimate = sizes.bytes[0] * random.int(100...300) / 100
            var search = LadderSearch(expected: sizes.expected, limit: limit, first: estimate)
            var used = 1
            while let index = search.next(trialsLeft: FileSizeFitter.maxTrials - used) {
                used += 1
                search.record(index, bytes: sizes.bytes[index])
            }
            let found = try #require(search.found, "\(number)")
            let isFull = Double(sizes.bytes[found]) >= LadderSearch.sufficientShare * Double(limit)
            if isFull || sizes.bytes[found - 1] > limit { wellFilled += 1 }
        }
        #expect(wellFilled > count * 98 / 100, "\(wellFilled) of \(count)")
    }

    /// If even the last step is too large, the search stops after one trial.
    @Test func whatCannotFitIsTriedOnce() {
        var search = LadderSearch(expected: [0, -0.1, -0.2, -0.3], limit: 10, first: 100_000)
        #expect(search.next(trialsLeft: 5) == 3)
        search.record(3, bytes: 50_000)
        #expect(search.next(trialsLeft: 4) == nil && search.found == nil)
    }

    /// Steps are cumulative, and the frames of lower rates all last equally long.
    @Test(arguments: [
        ("mp4", "60"), ("webm", "30"), ("gif", "25"), ("gif", "50"), ("gif", "30"), ("apng", "60"),
        ("webp", "30000/1001"),
        ("apng", "10"),
    ])
    func stepsAreInOrder(_ container: String, _ rate: String) throws {
        let container = try #require(Container(rawValue: container))
        let plan = try RenderPlan(
            request("qq-mail", container, fps: rate) { $0.loader.size = .pixels(width: 320, height: 160) })
        let steps = QualityLadder(plan).steps
        #expect(steps.count > 20 && steps[0].step.isNone)
        #expect(Set(steps.map(\.step)).count == steps.count)
        for (one, next) in zip(steps, steps.dropFirst()) {
            #expect(next.expected < one.expected, "\(one) \(next)")
            // No step leaves more than about a sixth of the limit unused.
            #expect(next.expected > one.expected - 0.17, "\(one) \(next)")
            #expect(QualityStep(texts: next.step.texts) == next.step)
        }
        for rate in Set(steps.compactMap(\.step.frameRate)) {
            let ticks = Rational(container == .gif ? 100 : 1000) / rate.framesPerSecond
            #expect(ticks.denominator == 1 && rate.framesPerSecond >= 12, "\(rate)")
        }
        #expect(steps.contains { $0.step.frameRate != nil } == (container.isAnimatedImage && rate != "10"))
        #expect(QualityLadder(plan, keepsQuality: true).steps.allSatisfy { $0.step.quality == nil })
        for rung in steps.dropFirst() { _ = try plan.making(rung.step) }
    }
}
