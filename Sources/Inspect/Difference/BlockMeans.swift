import Core

/// The mean differences of blocks of 8x8 pixels at every cell. Reusable; not thread-safe.
final class BlockMeans {
    private let cells: CellSums
    /// The largest difference of a channel's mean in the block that begins at a cell, in codes.
    private let means: UnsafeMutablePointer<Float>
    private let line: UnsafeMutablePointer<Float>
    /// The blocks of each row that may differ.
    private var spans: [Range<Int>]

    init(_ cells: CellSums) {
        self.cells = cells
        means = .allocate(capacity: cells.columns * cells.rows)
        line = .allocate(capacity: cells.columns + 1)
        line.initialize(repeating: 0, count: cells.columns + 1)
        spans = Array(repeating: 0..<0, count: cells.rows)
    }

    deinit {
        means.deallocate()
        line.deallocate()
    }

    /// Computes the means.
    func measure() {
        for row in 0..<cells.rows {
            let below = min(row + 1, cells.rows - 1)
            let first = cells.spans[row]
            let second = cells.spans[below]
            let ranges = [first, second].filter { !$0.isEmpty }
            guard let left = ranges.map(\.lowerBound).min(), let right = ranges.map(\.upperBound).max() else {
                spans[row] = 0..<0
                continue
            }
            // A block includes the cell to the right of its first one.
            let span = max(0, left - 1)..<right
            spans[row] = span
            (means + row * cells.columns + span.lowerBound).initialize(repeating: 0, count: span.count)
            for output in cells.transform.rows { measure(row, below, output) }
        }
    }

    private func measure(_ row: Int, _ below: Int, _ output: SIMD4<Float>) {
        let columns = cells.columns
        let span = spans[row]
        for column in span.lowerBound...span.upperBound { line[column] = 0 }
        for channel in 0..<4 where output[channel] != 0 {
            // A block has 64 pixels.
            let factor = output[channel] / 64
            let upper = cells.channels[channel] + row * columns
            let lower = cells.channels[channel] + below * columns
            for column in span { line[column] += factor * Float(upper[column] &+ lower[column]) }
        }
        // Beyond the edge the last cell repeats.
        if span.upperBound == columns { line[columns] = line[columns - 1] }
        let target = means + row * columns
        for column in span {
            let mean = abs(line[column] + line[column + 1])
            target[column] = target[column] > mean ? target[column] : mean
        }
    }

    /// The largest difference of the blocks whose corner is a multiple of 8 pixels.
    var largest: Double {
        var largest: Float = 0
        for row in stride(from: 0, to: cells.rows, by: 2) {
            let target = means + row * cells.columns
            for column in spans[row] where column % 2 == 0 { largest = max(largest, target[column]) }
        }
        return Double(largest)
    }

    /// True if one of those blocks differs by more than `DifferenceLimits.block`, and a square of
    /// 16x16 pixels around it by more than `DifferenceLimits.aroundBlock`.
    var hasChange: Bool {
        for row in stride(from: 0, to: cells.rows, by: 2) {
            let target = means + row * cells.columns
            for column in spans[row] where column % 2 == 0 && target[column] > Float(DifferenceLimits.block) {
                if largestAround(column, row) > Float(DifferenceLimits.aroundBlock) { return true }
            }
        }
        return false
    }

    /// Returns the largest difference of the squares of 16x16 pixels that include a block.
    private func largestAround(_ column: Int, _ row: Int) -> Float {
        var largest: Float = 0
        for top in max(0, row - 2)...row {
            for left in max(0, column - 2)...column {
                let means = cells.transform.applied(to: cells.sum(left, top, side: 4) / 256)
                largest = max(largest, max(means.max(), -means.min()))
            }
        }
        return largest
    }

    /// Returns true if a block at any cell differs by more than a spot may.
    func hasSpot(_ flatness: Flatness) -> Bool {
        for row in 0..<cells.rows {
            let target = means + row * cells.columns
            for column in spans[row] where target[column] > Float(DifferenceLimits.flatSpot) {
                if target[column] > Float(DifferenceLimits.spot) || flatness.isFlat(cells.block(column, row)) {
                    return true
                }
            }
        }
        return false
    }

    /// Returns the largest difference of a flat block in codes; 0 if it is below
    /// `DifferenceLimits.minFlatBlock`.
    func largestFlat(_ flatness: Flatness) -> Double {
        var largest = DifferenceLimits.minFlatBlock
        for row in 0..<cells.rows {
            let target = means + row * cells.columns
            for column in spans[row] where target[column] > largest {
                if flatness.isFlat(cells.block(column, row)) { largest = target[column] }
            }
        }
        return largest > DifferenceLimits.minFlatBlock ? Double(largest) : 0
    }

    /// Returns the connected areas of blocks that differ by more than a threshold.
    func regions(above threshold: Float) -> [ChangedRegion] {
        var map = RegionMap(cells)
        for row in 0..<cells.rows {
            let target = means + row * cells.columns
            for column in spans[row] where target[column] > threshold {
                map.add(cells.block(column, row), weight: target[column])
            }
        }
        return map.regions()
    }
}
