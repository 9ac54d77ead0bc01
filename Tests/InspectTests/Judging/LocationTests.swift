import Animations
import Core
import Testing

@testable import Inspect

@Suite struct LocationTests {
    /// An evenly fading area has nothing that could correlate but rounding errors.
    @Test func evenActivityDoesNotCorrelate() throws {
        let side = 28
        let template = (0..<side * side).map { Float(20 + ($0 % side) % 5) }
        func correlation(_ map: [Float]) -> Float {
            LoaderLocator.correlation(map, side, 0, 0, template, side, side, within: (0..<side, 0..<side))
        }
        let even = template.indices.map { Float(97.3) + Float($0 % 7) * 1e-2 }
        #expect(correlation(even) == 0)
        #expect(correlation(template) > 0.99)
    }

    /// The cap of differences is above that of every frame, whatever all frames have in common.
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
