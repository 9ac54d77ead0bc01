import Core
import Testing

@testable import Inspect

@Suite struct LocalDifferencesTests {
    private static let side = 96
    private let mask = [Float](repeating: 1, count: side * side)

    /// Stripes 12 pixels wide.
    private let stripes = (0..<side * side).map { Float($0 % side / 12 % 2 == 0 ? 0 : 120) }

    /// Differences near the edges of the stripes, as an encoder leaves them.
    private let blurred = (0..<side * side).map { Float($0 % side % 12 < 2 ? 18 : 0) }

    @Test func differencesAtAllEdgesAreOfTheEncoder() {
        var differences = LocalDifferences(width: Self.side)
        differences.add(blurred, covers: stripes, mask)
        #expect(differences.unexplained == nil)
    }

    @Test func differencesInOnePartAreFound() throws {
        var changed = blurred
        for y in 40..<56 {
            for x in 16..<22 { changed[y * Self.side + x] = 90 }
        }
        var differences = LocalDifferences(width: Self.side)
        differences.add(changed, covers: stripes, mask)
        let position = try #require(differences.unexplained).position
        #expect(abs(position.x - 19) < 8 && abs(position.y - 48) < 10, "\(position)")
    }

    /// With few edges, the usual difference is unknown.
    @Test func framesWithFewEdgesHaveNone() {
        let few = stripes.indices.map { $0 / Self.side < 24 ? stripes[$0] : 0 }
        var changed = blurred
        for y in 2..<18 {
            for x in 16..<22 { changed[y * Self.side + x] = 90 }
        }
        var differences = LocalDifferences(width: Self.side)
        differences.add(changed, covers: few, mask)
        #expect(differences.unexplained == nil)
    }
}
