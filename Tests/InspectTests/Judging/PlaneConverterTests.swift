import Core
import Testing

@testable import Inspect

@Suite struct PlaneConverterTests {
    /// A bitmap that changes in rectangles has the planes of a new one, to the bit.
    @Test(arguments: [(1, 1), (2, 3), (7, 5), (16, 16), (33, 20)])
    func changedPartsAreConverted(width: Int, height: Int) {
        var random = Int32(width * 100 + height)
        func next(_ limit: Int) -> Int {
            random = random &* 1_103_515_245 &+ 12345
            return Int(UInt32(bitPattern: random) >> 8) % limit
        }
        var bytes = (0..<4 * width * height).map { _ in UInt8(next(256)) }
        var converter = PlaneConverter(PlaneLayout(width: width, height: height))
        func planes(_ changed: [PixelRect]) -> DifferencePlanes {
            bytes.withUnsafeBufferPointer {
                converter.planes($0.baseAddress!, stride: 4 * width, isBlueFirst: true, changed: changed)
            }
        }
        _ = planes([PixelRect(x: 0, y: 0, width: width, height: height)])
        for _ in 0..<20 {
            let changed = (0..<next(3)).map { _ in
                let x = next(width)
                let y = next(height)
                return PixelRect(x: x, y: y, width: 1 + next(width - x), height: 1 + next(height - y))
            }
            for part in changed {
                for y in part.y..<part.maxY {
                    for index in 4 * (y * width + part.x)..<4 * (y * width + part.maxX) {
                        bytes[index] = UInt8(next(256))
                    }
                }
            }
            let new = DifferencePlanes(bytes, isBlueFirst: true, width: width, height: height)
            #expect(planes(changed).values == new.values)
        }
    }
}

@Suite struct SparseSamplesTests {
    /// Products with and of samples that are mostly zero are those of all values, to the bit.
    @Test(arguments: [1, 9, 512, 1031, 5000]) func productsAreThoseOfAllValues(count: Int) {
        let before = (0..<count).map { Float($0 % 13) / 7 }
        let weights = (0..<count).map { Float($0 % 3 == 0 ? 0 : 1) }
        func changed(_ part: Range<Int>, by step: Float) -> [Float] {
            before.indices.map { before[$0] + (part.contains($0) ? step * Float($0 % 5) : 0) }
        }
        let first = changed(count / 3..<count, by: 0.3)
        let parts = [0..<0, 0..<count, count / 2..<count / 2 + 1, 0..<count / 4, 2 * count / 3..<count]
        for part in parts {
            let second = changed(part, by: 0.7)
            let left = SparseSamples(first, minus: before, weights: weights, factor: 2)
            let right = SparseSamples(second, minus: before, weights: weights, factor: 2)
            func dense(_ values: [Float]) -> [Float] {
                SampleSums.difference(values, before, weights: weights).map { 2 * $0 }
            }
            #expect(left.product(dense(second)) == SampleSums.product(dense(first), dense(second)))
            #expect(left.product(right) == SampleSums.product(dense(first), dense(second)))
        }
    }
}
