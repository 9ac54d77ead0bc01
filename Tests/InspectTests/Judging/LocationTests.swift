import Animations
import Core
import Testing

@testable import Inspect

@Suite struct LocationTests {
    /// In an evenly fading area, only rounding errors could correlate.
    @Test func evenActivityDoesNotCorrelate() throws {
        let side = 28
        let template = (0..<side * side).map { Float(20 + ($0 % side) % 5) }
        let model = ActivityTemplate(values: template, width: side, height: side)
        func correlation(_ map: [Float]) -> Float {
            ActivityMap(map, columns: side).correlation(model, x: 0, y: 0)
        }
        let even = template.indices.map { Float(97.3) + Float($0 % 7) * 1e-2 }
        #expect(correlation(even) == 0)
        #expect(correlation(template) > 0.99)
    }

    /// The position in large cells leads to that in small ones, and better positions hide others
    /// near them.
    @Test func coarsePositionsAreThoseOfTheActivity() throws {
        let (side, columns) = (12, 96)
        let values = (0..<side * side).map { Float(($0 % side) * ($0 / side) % 7 * 10) }
        let template = ActivityTemplate(values: values, width: side, height: side)
        var map = [Float](repeating: 0, count: columns * columns)
        for y in 0..<side { for x in 0..<side { map[(40 + y) * columns + 24 + x] = values[y * side + x] } }
        let whole = ActivityTemplate(values: map, width: columns, height: columns)
        for factor in [1, 2, 4] {
            let reduced = whole.reduced(by: factor)
            let peaks = ActivityMap(reduced.values, columns: reduced.width)
                .peaks(template.reduced(by: factor), limit: 3)
            let best = try #require(peaks.first)
            #expect((best.x, best.y) == (24 / factor, 40 / factor) && best.score > 0.99)
            #expect(peaks.dropFirst().allSatisfy { max(abs($0.x - best.x), abs($0.y - best.y)) > 2 })
        }
    }

    /// Cells count if their centres lie inside the recording.
    @Test func cellsOutsideDoNotCount() {
        func weights(_ x: Double, _ y: Double) -> [Float] {
            CoarseTiming.cellWeights(frame: (40, 20), corner: Point(x, y), cellSize: 10, columns: 4, rows: 2)
        }
        func row(_ columns: [Float]) -> [Float] { columns.flatMap { [$0, $0, $0] } }
        #expect(weights(0, 0) == row([1, 1, 1, 1, 1, 1, 1, 1]))
        #expect(weights(-20, 10) == row([0, 0, 1, 1, 0, 0, 0, 0]))
        #expect(weights(-5, -5) == row([1, 1, 1, 1, 1, 1, 1, 1]), "the first centres are at 0")
        #expect(weights(5, 5) == row([1, 1, 1, 0, 0, 0, 0, 0]), "the last centres are at the width and height")
    }

    /// The cap of differences is above that of every frame, even if all frames share a large
    /// difference.
    @Test(arguments: [0.0, 1000]) func timesAreFoundAtAnInexactPosition(common: Double) {
        // Motion around a circle, recorded from a third of the period on.
        let count = 24
        let table = (0..<count).map { frame in
            (0..<count).map { index -> Double in
                let angle = 2 * Double.pi * Double(index - frame - 8) / Double(count)
                return common + 100 * (1 - cos(angle))
            }
        }
        let times = (0..<count).map { 1.2 * Double($0) / Double(count) }
        let line = CoarseTiming(table: table, times: times, period: 1.2).best(speed: 1)
        #expect(abs(line.start - 0.4) < 1e-9)
    }
}
