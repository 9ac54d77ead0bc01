// Changes that missing frames do not explain.
extension FrameOrderCheck {
    /// The side in samples of the cells in which changes are compared.
    private static let cellSide = 8
    /// The distance in cells up to which two changes may belong to the same object.
    private static let reach = 2
    /// The difference in codes above which a sample may have changed. It is below
    /// `FrameDelta.minVisibleDifference`, because slow objects change less.
    private static let minDifference = 6
    /// The share of the visible change that must be far from all motion before and after the gap
    /// for the change to be something else, such as a title that appears.
    private static let minDistantPart = 0.1

    /// Returns true if the change after the frame at an index is partly far from all changes before
    /// and after it. Across missing frames, an object only leaves the place where it moved before,
    /// and arrives where it moves afterwards.
    func isDistantChange(_ index: Int) -> Bool {
        let pixels = recent[index].pixels
        let grid = CellGrid(
            width: (pixels.width + Self.cellSide - 1) / Self.cellSide,
            height: (pixels.height + Self.cellSide - 1) / Self.cellSide)
        var isNear = [Bool](repeating: false, count: grid.width * grid.height)
        for first in [index - 2, index - 1, index + 1, index + 2] {
            let changes = changes(after: first, above: Self.minDifference, in: grid)
            for cell in changes.indices where changes[cell] > 0 {
                for near in grid.cells(around: cell, within: Self.reach) { isNear[near] = true }
            }
        }
        let changes = changes(after: index, above: FrameDelta.minVisibleDifference, in: grid)
        let distant = zip(changes, isNear).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
        return Double(distant) > Self.minDistantPart * Double(changes.reduce(0, +))
    }

    /// Returns the sum in each cell of the differences above a limit between the frame at an index
    /// and the next one.
    private func changes(after index: Int, above limit: Int, in grid: CellGrid) -> [Int] {
        let (a, b) = (recent[index].pixels, recent[index + 1].pixels)
        var sums = [Int](repeating: 0, count: grid.width * grid.height)
        guard a.bytes.count == b.bytes.count else { return sums }
        for position in a.bytes.indices {
            let difference = abs(Int(a.bytes[position]) - Int(b.bytes[position]))
            guard difference > limit else { continue }
            let (x, y) = (position / 4 % a.width, position / 4 / a.width)
            sums[y / Self.cellSide * grid.width + x / Self.cellSide] += difference
        }
        return sums
    }
}
