import Core

/// The mean differences of squares of 16 to 64 pixels, up to the last complete cell at the right
/// and lower edge. Reusable; not thread-safe.
final class AreaMeans {
    private let cells: CellSums
    /// The number of complete tiles of 16x16 pixels in a row and a column.
    private let columns: Int
    private let rows: Int
    /// The sums of the tiles' differences.
    private var tiles: [SIMD4<Float>]

    /// The side of a tile in cells.
    private static let tileCells = 4

    init(_ cells: CellSums) {
        self.cells = cells
        columns = cells.width / (Self.tileCells * CellSums.side)
        rows = cells.height / (Self.tileCells * CellSums.side)
        tiles = Array(repeating: .zero, count: columns * rows)
    }

    /// Returns the limits that flat squares violate if there is no noise.
    func violations(_ flatness: Flatness) -> [PairMeasure.Area] {
        sumTiles()
        var result: [PairMeasure.Area] = []
        for (index, limit) in DifferenceLimits.areas.enumerated() {
            let candidates = squares(limit).filter { $0.codes > limit.codes / 2 }.sorted { $0.codes > $1.codes }
            guard let largest = candidates.first(where: { $0.codes > limit.codes && flatness.isFlat($0.box) })
            else { continue }
            var map = RegionMap(cells)
            for square in candidates where square.codes > largest.codes / 2 && flatness.isFlat(square.box) {
                map.add(square.box, weight: Float(square.codes))
            }
            result.append(PairMeasure.Area(limit: index, codes: largest.codes, regions: map.regions()))
        }
        return result
    }

    private func sumTiles() {
        let side = Self.tileCells
        for index in tiles.indices { tiles[index] = .zero }
        for row in 0..<rows * side {
            let span = cells.spans[row].clamped(to: 0..<columns * side)
            for channel in 0..<4 {
                let sums = cells.channels[channel] + row * cells.columns
                for column in span { tiles[row / side * columns + column / side][channel] += Float(sums[column]) }
            }
        }
    }

    /// Returns the mean differences of all squares of a size that overlap by half, and their bounds
    /// in cells.
    private func squares(_ limit: DifferenceLimits.AreaLimit) -> [(box: PixelRect, codes: Double)] {
        let count = limit.side / (Self.tileCells * CellSums.side)
        guard rows >= count, columns >= count else { return [] }
        // The last squares reach the edge, so they can overlap by more.
        func starts(_ last: Int) -> [Int] { Array(stride(from: 0, to: last, by: max(1, count / 2))) + [last] }
        let side = count * Self.tileCells
        var result: [(box: PixelRect, codes: Double)] = []
        func add(_ sum: SIMD4<Float>, _ column: Int, _ row: Int) {
            guard sum != .zero else { return }
            let means = cells.transform.applied(to: sum / Float(limit.side * limit.side))
            let codes = (0..<4).reduce(Float(0)) { max($0, abs(means[$1])) }
            result.append((PixelRect(x: column, y: row, width: side, height: side), Double(codes)))
        }
        for row in starts(rows - count) {
            for column in starts(columns - count) {
                var sum = SIMD4<Float>.zero
                for y in row..<row + count {
                    for x in column..<column + count { sum += tiles[y * columns + x] }
                }
                add(sum, column * Self.tileCells, row * Self.tileCells)
            }
        }
        // Cells beyond the last complete tile belong to squares that end at the edge.
        let lastColumn = cells.width / CellSums.side - side
        let lastRow = cells.height / CellSums.side - side
        let rowStarts = starts(rows - count).map { $0 * Self.tileCells }
        let columnStarts = starts(columns - count).map { $0 * Self.tileCells }
        if lastColumn > (columns - count) * Self.tileCells {
            for row in rowStarts { add(cells.sum(lastColumn, row, side: side), lastColumn, row) }
        }
        if lastRow > (rows - count) * Self.tileCells {
            for column in columnStarts + [lastColumn] { add(cells.sum(column, lastRow, side: side), column, lastRow) }
        }
        return result
    }
}
