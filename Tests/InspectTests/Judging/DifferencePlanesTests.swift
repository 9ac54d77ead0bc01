import Testing

@testable import Inspect

@Suite struct DifferencePlanesTests {
    private func planes(width: Int, height: Int, _ color: (Int, Int) -> [UInt8]) -> DifferencePlanes {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes += color(x, y) + [255] } }
        return bytes.withUnsafeBufferPointer {
            DifferencePlanes($0.baseAddress!, stride: 4 * width, isBlueFirst: false, width: width, height: height)
        }
    }

    /// Sizes that are not even lose nothing at their right and lower edges.
    @Test(arguments: [(1, 1), (2, 2), (5, 3), (8, 7)])
    func planesOfOneColourAreFlat(width: Int, height: Int) {
        let red = planes(width: width, height: height) { _, _ in [255, 0, 0] }
        let gray = planes(width: width, height: height) { _, _ in [54, 54, 54] }
        #expect(red.values.count == red.layout.count)
        let distances = red.distances(to: gray)
        #expect(distances.count == width * height)
        #expect(distances.allSatisfy { abs($0 - distances[0]) < 0.01 && $0 > 50 }, "\(distances)")
        #expect(red.distances(to: red).allSatisfy { $0 == 0 })
    }

    /// Channels are read in both orders.
    @Test func blueAndRedAreTold() {
        let bytes: [UInt8] = [200, 100, 50, 255]
        let swapped: [UInt8] = [50, 100, 200, 255]
        let first = DifferencePlanes(bytes, stride: 4, isBlueFirst: false, width: 1, height: 1)
        let second = DifferencePlanes(swapped, stride: 4, isBlueFirst: true, width: 1, height: 1)
        #expect(first.values == second.values)
    }

    /// Sums over lists of any length are those of their values.
    @Test(arguments: [1, 7, 8, 9, 513, 1031]) func sumsHaveAllValues(count: Int) {
        let a = (0..<count).map { Float($0 % 7) }
        let b = (0..<count).map { Float($0 % 5) }
        let weights = (0..<count).map { Float($0 % 2) }
        let product = zip(a, b).reduce(0.0) { $0 + Double($1.0 * $1.1) }
        #expect(SampleSums.product(a, b) == product)
        let squares = zip(zip(a, b), weights).reduce(0.0) { sum, pair in
            let difference = Double((pair.0.0 - pair.0.1) * pair.1)
            return sum + difference * difference
        }
        #expect(SampleSums.squaredDifference(a, b, weights: weights) == squares)
    }

    /// All frames of usual recordings are judged, of long ones at a lower resolution.
    @Test func longRecordingsAreJudgedInFull() {
        #expect(JudgedView.resolution(area: 1_000_000, frames: 600) == (30_000, 1))
        #expect(JudgedView.resolution(area: 1_000_000, frames: 3600) == (10_000, 1))
        #expect(JudgedView.resolution(area: 7200, frames: 5000) == (7200, 1))
        #expect(JudgedView.resolution(area: 1_000_000, frames: 9000) == (8000, 2))
    }
}
