import Core
import Media

/// A test for areas that are flat in at least one of two frames.
///
/// Encoders change the mean of an area far more at edges and texture than in flat areas, so small
/// differences only count where one of the frames is flat.
struct Flatness {
    let expected: [SamplePlane]
    let actual: [SamplePlane]

    /// The mean range of the samples around a cell, in codes, below which an area is flat. A code
    /// of dithering or rounding is flat, the slightest edge is not.
    private static let maxMeanRange = 2

    /// Returns true if an area of cells is flat.
    func isFlat(_ box: PixelRect) -> Bool {
        let limit = Self.maxMeanRange * box.area
        var sum = 0
        for row in box.y..<box.maxY {
            for column in box.x..<box.maxX {
                sum += min(Self.range(expected, column, row), Self.range(actual, column, row))
                if sum >= limit { return false }
            }
        }
        return true
    }

    private static func range(_ planes: [SamplePlane], _ column: Int, _ row: Int) -> Int {
        planes.reduce(0) { max($0, $1.range(aroundCell: column, row)) }
    }
}
