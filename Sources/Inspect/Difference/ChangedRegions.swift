import Core

/// An area of a frame that differs from the other clip's.
struct ChangedRegion: Sendable, Hashable {
    /// Its bounds in pixels.
    var box: PixelRect
    /// The sum of the differences of its blocks, in codes.
    var weight: Double
}

/// A map of changed blocks, which joins them into connected regions.
struct RegionMap {
    /// The maximum number of regions of a pair of frames.
    private static let maxCount = 8
    /// The side of a tile in cells. Regions whose tiles touch are one.
    private static let tileCells = 2

    private let columns: Int
    private let rows: Int
    private let cells: CellSums
    private var weights: [Float]

    init(_ cells: CellSums) {
        self.cells = cells
        columns = (cells.columns + Self.tileCells - 1) / Self.tileCells
        rows = (cells.rows + Self.tileCells - 1) / Self.tileCells
        weights = Array(repeating: 0, count: columns * rows)
    }

    /// Adds a block of cells that differs.
    mutating func add(_ block: PixelRect, weight: Float) {
        let share = weight / Float(max(1, block.area))
        for y in block.y..<min(block.maxY, cells.rows) {
            for x in block.x..<min(block.maxX, cells.columns) {
                weights[y / Self.tileCells * columns + x / Self.tileCells] += share
            }
        }
    }

    /// Returns the largest regions in descending order of weight. Clears the map.
    mutating func regions() -> [ChangedRegion] {
        var regions: [ChangedRegion] = []
        for index in weights.indices where weights[index] > 0 { regions.append(takeRegion(from: index)) }
        regions.sort { ($0.weight, $1.box.y, $1.box.x) > ($1.weight, $0.box.y, $0.box.x) }
        return Array(regions.prefix(Self.maxCount))
    }

    /// Returns the region of the tiles that are connected to one tile, and clears their weights.
    private mutating func takeRegion(from first: Int) -> ChangedRegion {
        let grid = CellGrid(width: columns, height: rows)
        var weight = 0.0
        let members = grid.connected(to: first) { tile in
            guard weights[tile] > 0 else { return false }
            weight += Double(weights[tile])
            weights[tile] = 0
            return true
        }
        let tiles = grid.box(of: members)
        let side = Self.tileCells * CellSums.side
        let box = PixelRect(
            x: tiles.x * side, y: tiles.y * side, width: min(cells.width, tiles.maxX * side) - tiles.x * side,
            height: min(cells.height, tiles.maxY * side) - tiles.y * side)
        return ChangedRegion(box: box, weight: weight)
    }
}
