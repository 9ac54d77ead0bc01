// Changes that no missing frames explain.
extension FrameOrderCheck {
    /// The side in samples of the cells in which changes are compared.
    private static let cellSide = 8
    /// The number of cells around a change in which other changes belong to the same object.
    private static let reach = 2
    /// The difference in codes above which a sample may have changed. It is below
    /// `FrameDelta.minVisibleDifference`, because slow objects change less.
    private static let minDifference = 6
    /// The part of the visible change far from all objects that move before or after the gap, from
    /// which the change is another one, such as a title that appears.
    private static let minDistantPart = 0.1

    /// Returns true if much of the change after the frame at an index is far from all changes
    /// before and after it. Across missing frames, an object only leaves the place where it moved
    /// before, and arrives where it moves afterwards.
    func isDistantChange(_ index: Int) -> Bool {
        let gap = (recent[index].pixels, recent[index + 1].pixels)
        let columns = (gap.0.width + Self.cellSide - 1) / Self.cellSide
        let rows = (gap.0.height + Self.cellSide - 1) / Self.cellSide
        var isNear = [Bool](repeating: false, count: columns * rows)
        for first in [index - 2, index - 1, index + 1, index + 2] {
            let changes = Self.changes(recent[first].pixels, recent[first + 1].pixels, above: Self.minDifference)
            for cell in changes.indices where changes[cell] > 0 {
                let (row, column) = (cell / columns, cell % columns)
                for y in max(0, row - Self.reach)...min(rows - 1, row + Self.reach) {
                    for x in max(0, column - Self.reach)...min(columns - 1, column + Self.reach) {
                        isNear[y * columns + x] = true
                    }
                }
            }
        }
        let changes = Self.changes(gap.0, gap.1, above: FrameDelta.minVisibleDifference)
        let distant = zip(changes, isNear).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
        return Double(distant) > Self.minDistantPart * Double(changes.reduce(0, +))
    }

    /// Returns the sum of the differences above a limit in each cell.
    private static func changes(_ a: Pixels, _ b: Pixels, above limit: Int) -> [Int] {
        let columns = (a.width + cellSide - 1) / cellSide
        let rows = (a.height + cellSide - 1) / cellSide
        var sums = [Int](repeating: 0, count: columns * rows)
        guard a.bytes.count == b.bytes.count else { return sums }
        for index in a.bytes.indices {
            let difference = abs(Int(a.bytes[index]) - Int(b.bytes[index]))
            guard difference > limit else { continue }
            let (x, y) = (index / 4 % a.width, index / 4 / a.width)
            sums[y / cellSide * columns + x / cellSide] += difference
        }
        return sums
    }
}
