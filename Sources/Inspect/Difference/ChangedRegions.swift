import Core

/// An area of a frame that differs from the other clip's.
struct ChangedRegion: Sendable, Hashable {
    /// Its bounds in pixels.
    var box: PixelRect
    /// The sum of the differences of its blocks, in codes.
    var weight: Double
}

/// Joins changed blocks into connected regions.
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
        var members = [first]
        var weight = Double(weights[first])
        weights[first] = 0
        var left = columns
        var right = 0
        var top = rows
        var bottom = 0
        var position = 0
        while position < members.count {
            let (x, y) = (members[position] % columns, members[position] / columns)
            position += 1
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = max(bottom, y)
            for neighbourY in max(0, y - 1)...min(rows - 1, y + 1) {
                for neighbourX in max(0, x - 1)...min(columns - 1, x + 1) {
                    let neighbour = neighbourY * columns + neighbourX
                    guard weights[neighbour] > 0 else { continue }
                    weight += Double(weights[neighbour])
                    weights[neighbour] = 0
                    members.append(neighbour)
                }
            }
        }
        let side = Self.tileCells * CellSums.side
        let box = PixelRect(
            x: left * side, y: top * side, width: min(cells.width, (right + 1) * side) - left * side,
            height: min(cells.height, (bottom + 1) * side) - top * side)
        return ChangedRegion(box: box, weight: weight)
    }
}
