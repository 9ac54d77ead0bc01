// Large changes from one frame to the next that are not caused by missing frames, such as a title
// that appears.
extension FrameOrderCheck {
    /// The side in samples of the cells in which changes are compared.
    private static let cellSide = 8
    /// The distance in cells up to which two changes may belong to the same object.
    private static let reach = 2
    /// The difference in codes above which a sample counts as changed before and after a gap. It is
    /// below `FrameDelta.minVisibleDifference`, because slow objects change less.
    private static let minDifference = 6
    /// The share of the visible change that must be far from all motion before and after the gap
    /// for the change to be something else, such as a title that appears.
    private static let minDistantPart = 0.1
    /// The maximum ratio between the changes before and after a gap in cells with even motion.
    private static let maxEvenRatio = 1.5
    /// The maximum ratio of the change across a gap to those around it in cells that move on as
    /// before.
    private static let maxSteadyGrowth = 1.25
    /// The minimum ratio of the change across three steps, the gap and one on each side, to a
    /// single step. Only in cells above it does the change grow with the time, so that missing
    /// frames would show: where an object moves by more than its width, it does not.
    private static let minGrowthOverThreeSteps = 2.2
    /// The share of the motion that must go on as before for the change to be something else. In
    /// 100 clips with missing frames it is up to 0.011; in slow motion, where a liquid drop
    /// suddenly changes its shape, it is 0.138 to 0.98.
    private static let minSteadyPart = 0.06

    /// The maximum sum of a larger step and its smaller neighbours, relative to that of as many
    /// steps around them. With a missing frame in even motion, it is 1.33.
    private static let maxBalancedSum = 1.08

    /// Returns true if missing frames do not explain the change after the frame at an index.
    func isOtherChange(_ index: Int) -> Bool {
        isDistantChange(index) || hasSteadyPart(index) || isBalanced(index)
    }

    /// Returns true if the change after the frame at an index is partly far from all changes before
    /// and after it. Across missing frames, an object only leaves the area where it moved before,
    /// and arrives where it moves afterwards.
    private func isDistantChange(_ index: Int) -> Bool {
        let grid = grid
        var isNear = [Bool](repeating: false, count: grid.width * grid.height)
        for first in [index - 2, index - 1, index + 1, index + 2] {
            let changes = changes(from: first, to: first + 1, above: Self.minDifference)
            for cell in changes.indices where changes[cell].sum > 0 {
                for near in grid.cells(around: cell, within: Self.reach) { isNear[near] = true }
            }
        }
        let changes = changes(from: index, to: index + 1, above: FrameDelta.minVisibleDifference)
        let distant = zip(changes, isNear).reduce(0) { $0 + ($1.1 ? 0 : $1.0.sum) }
        return Double(distant) > Self.minDistantPart * Double(changes.reduce(0) { $0 + $1.sum })
    }

    /// Returns true if a part of the motion goes on as before across the step after the frame at an
    /// index. Across missing frames, everything that moves slowly jumps.
    private func hasSteadyPart(_ index: Int) -> Bool {
        let before = changes(from: index - 1, to: index, above: Self.minDifference)
        let gap = changes(from: index, to: index + 1, above: Self.minDifference)
        let after = changes(from: index + 1, to: index + 2, above: Self.minDifference)
        let across = changes(from: index - 1, to: index + 2, above: Self.minDifference)
        var (steady, total) = (0.0, 0.0)
        for cell in gap.indices {
            let (earlier, later) = (Double(before[cell].sum), Double(after[cell].sum))
            let usual = (earlier + later) / 2
            total += usual
            guard usual > 0, max(earlier, later) <= Self.maxEvenRatio * min(earlier, later),
                // Otherwise one edge of an object leaves the cell, and another one arrives.
                (before[cell].rise > 0) == (after[cell].rise > 0),
                Double(gap[cell].sum) <= Self.maxSteadyGrowth * usual,
                Double(across[cell].sum) >= Self.minGrowthOverThreeSteps * usual
            else { continue }
            steady += usual
        }
        return steady > Self.minSteadyPart * total
    }

    /// Returns true if the three steps around a gap together change no more than the three before
    /// and the three after them. An encoder that spends few bits on a frame makes one step larger
    /// and its neighbours smaller. Missing frames make all three together larger.
    private func isBalanced(_ index: Int) -> Bool {
        func sum(_ first: Int) -> Double { (first..<first + 3).reduce(0) { $0 + step($1).mean } }
        guard sum(index - 1) <= Self.maxBalancedSum * (sum(index - 4) + sum(index + 2)) / 2 else { return false }
        let across = delta(index - 1, index + 2)
        let first = delta(index - 4, index - 1)
        let second = delta(index + 2, index + 5)
        return across.mean <= (first.mean * second.mean).squareRoot()
            && across.travel <= (first.travel * second.travel).squareRoot()
    }

    /// The grid of the cells in which changes are compared.
    private var grid: CellGrid {
        let pixels = recent[0].pixels
        return CellGrid(
            width: (pixels.width + Self.cellSide - 1) / Self.cellSide,
            height: (pixels.height + Self.cellSide - 1) / Self.cellSide)
    }

    /// The differences of the samples of a cell between two frames.
    private struct CellChange {
        /// The sum of the absolute differences.
        var sum = 0
        /// The sum of the signed differences, positive if the samples become larger.
        var rise = 0
    }

    /// Returns the differences above a limit between two frames of the window in each cell.
    private func changes(from first: Int, to second: Int, above limit: Int) -> [CellChange] {
        let grid = grid
        let (a, b) = (recent[first].pixels, recent[second].pixels)
        var cells = [CellChange](repeating: CellChange(), count: grid.width * grid.height)
        guard a.bytes.count == b.bytes.count else { return cells }
        for position in a.bytes.indices {
            let difference = Int(b.bytes[position]) - Int(a.bytes[position])
            guard abs(difference) > limit else { continue }
            let (x, y) = (position / 4 % a.width, position / 4 / a.width)
            let cell = y / Self.cellSide * grid.width + x / Self.cellSide
            cells[cell].sum += abs(difference)
            cells[cell].rise += difference
        }
        return cells
    }
}
