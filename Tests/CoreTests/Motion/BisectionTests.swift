import Core
import TestSupport
import Testing

@Suite struct BisectionTests {
    @Test func partitionPointIsTheFirstNumberForWhichTheConditionIsFalse() {
        for lower in [0, 1, 7, 1 << 40] {
            for count in 0...20 {
                let range = lower..<lower + count
                for first in lower...lower + count {
                    #expect(range.partitionPoint { $0 < first } == first, "\(first) in \(range)")
                }
            }
        }
    }

    @Test func partitionPointAsksOnlyForNumbersOfTheRangeAndFewOfThem() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let lower = generator.int(0...1000)
            let range = lower..<lower + generator.int(0...1_000_000)
            let first = generator.int(range.lowerBound...range.upperBound)
            var asked: [Int] = []
            let found = range.partitionPoint { number in
                asked.append(number)
                return number < first
            }
            #expect(found == first && asked.allSatisfy(range.contains))
            // Each call halves the range, of up to 2^20 numbers.
            #expect(asked.count <= 20 && Set(asked).count == asked.count)
        }
    }
}
