import Core
import Media
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

    /// A frame of 8 x 8 pixels of limited BT.601, as untagged video is.
    private func planes(luma: UInt8, blue: UInt8, red: UInt8) throws -> DifferencePlanes {
        let frame = try VideoFrame(width: 8, height: 8, format: .yuv420p)
        for (index, code) in [luma, blue, red].enumerated() {
            let plane = try #require(frame.plane(index))
            for row in 0..<(index == 0 ? 8 : 4) {
                for column in 0..<(index == 0 ? 8 : 4) { plane.data[row * plane.stride + column] = code }
            }
        }
        let layout = PlaneLayout(width: 4, height: 4)
        let part = PixelRect(x: 1, y: 1, width: 6, height: 6)
        return DifferencePlanes(try #require(PlanarSamples(frame, part: part, layout)), layout)
    }

    /// Planar video gives the same planes as its RGB image.
    @Test(arguments: [
        ([81, 90, 240], [255, 0, 0]), ([145, 54, 34], [0, 255, 0]), ([235, 128, 128], [255, 255, 255]),
    ])
    func planarVideoIsReadLikeRGB(codes: [UInt8], color: [UInt8]) throws {
        let recorded = try planes(luma: codes[0], blue: codes[1], red: codes[2])
        let drawn = planes(width: 4, height: 4) { _, _ in color }
        #expect(recorded.distances(to: drawn).allSatisfy { $0 < 3 }, "\(recorded.distances(to: drawn))")
    }

    /// White beside a red line keeps the red that 4:2:0 spreads to it, although RGB has none.
    @Test func whiteKeepsItsChroma() throws {
        let white = try planes(luma: 235, blue: 128, red: 128)
        let reddish = try planes(luma: 235, blue: 128, red: 150)
        #expect(reddish.distances(to: white).allSatisfy { $0 > 10 })
    }
}
