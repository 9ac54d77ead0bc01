import Core

/// A grid of cells, such as pixels or tiles, with indices that count row by row.
struct CellGrid {
    let width: Int
    let height: Int

    /// Returns a cell of an area and those connected to it, including diagonally, nearest first.
    ///
    /// - Parameter take: returns true for a cell of the area at the first call, and false later.
    // Inlined so that no closure is called for each cell.
    @inline(__always)
    func connected(to first: Int, take: (Int) -> Bool) -> [Int] {
        var cells = [first]
        _ = take(first)
        var position = 0
        while position < cells.count {
            let (x, y) = (cells[position] % width, cells[position] / width)
            position += 1
            for ny in max(0, y - 1)...min(height - 1, y + 1) {
                for nx in max(0, x - 1)...min(width - 1, x + 1) where take(ny * width + nx) {
                    cells.append(ny * width + nx)
                }
            }
        }
        return cells
    }

    /// Returns a cell of an area and those connected to it by edges, nearest first. None may be at
    /// the border of the grid.
    ///
    /// - Parameter take: as in `connected(to:take:)`.
    @inline(__always)
    func connectedByEdges(to first: Int, take: (Int) -> Bool) -> [Int] {
        var cells = [first]
        _ = take(first)
        var position = 0
        while position < cells.count {
            let cell = cells[position]
            position += 1
            for next in [cell - 1, cell + 1, cell - width, cell + width] where take(next) { cells.append(next) }
        }
        return cells
    }

    /// Returns the cells at most `distance` columns and rows away from a cell, and the cell itself.
    func cells(around cell: Int, within distance: Int) -> [Int] {
        let (x, y) = (cell % width, cell / width)
        return (max(0, y - distance)...min(height - 1, y + distance)).flatMap { y in
            (max(0, x - distance)...min(width - 1, x + distance)).map { y * width + $0 }
        }
    }

    /// Returns the bounding box of cells, of which there must be at least one.
    func box(of cells: [Int]) -> PixelRect {
        var left = Int.max
        var right = 0
        var top = Int.max
        var bottom = 0
        for cell in cells {
            let (x, y) = (cell % width, cell / width)
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = max(bottom, y)
        }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}
