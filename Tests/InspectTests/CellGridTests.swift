import Core
import TestSupport
import Testing

@testable import Inspect

/// Connected cells of random areas, compared with a recursive search.
@Suite struct CellGridTests {
    /// An area of a grid.
    private struct Area {
        let grid: CellGrid
        let isInside: [Bool]

        /// An area of random cells. None is at the border if `hasBorder`.
        init(_ generator: inout SeededGenerator, hasBorder: Bool) {
            let grid = CellGrid(width: generator.int(3...14), height: generator.int(3...10))
            let density = generator.double(0.2...0.8)
            self.grid = grid
            isInside = (0..<grid.width * grid.height).map { cell in
                let (x, y) = (cell % grid.width, cell / grid.width)
                let isInner = (1..<grid.width - 1).contains(x) && (1..<grid.height - 1).contains(y)
                return generator.double(0...1) < density && (isInner || !hasBorder)
            }
        }

        /// Returns the cells next to one.
        func neighbors(_ cell: Int, diagonally: Bool) -> [Int] {
            let (x, y) = (cell % grid.width, cell / grid.width)
            return isInside.indices.filter { other in
                let dx = abs(other % grid.width - x)
                let dy = abs(other / grid.width - y)
                return isInside[other] && max(dx, dy) == 1 && (diagonally || dx + dy == 1)
            }
        }

        /// Adds a cell and all that are connected to it.
        func search(_ cell: Int, diagonally: Bool, _ found: inout Set<Int>) {
            guard found.insert(cell).inserted else { return }
            for next in neighbors(cell, diagonally: diagonally) { search(next, diagonally: diagonally, &found) }
        }

        /// Returns the number of steps from a cell to all that are connected to it.
        func distances(from first: Int, diagonally: Bool) -> [Int: Int] {
            var distances = [first: 0]
            var edge = [first]
            while !edge.isEmpty {
                let next = Set(edge.flatMap { neighbors($0, diagonally: diagonally) }).filter { distances[$0] == nil }
                let distance = 1 + (edge.first.flatMap { distances[$0] } ?? 0)
                for cell in next { distances[cell] = distance }
                edge = Array(next)
            }
            return distances
        }
    }

    @Test(arguments: [true, false]) func connectedCellsAreThoseOfARecursiveSearch(diagonally: Bool) {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<20 {
            let area = Area(&generator, hasBorder: !diagonally)
            var isOpen = area.isInside
            for first in area.isInside.indices where isOpen[first] {
                let take = { (cell: Int) -> Bool in
                    guard isOpen[cell] else { return false }
                    isOpen[cell] = false
                    return true
                }
                let cells =
                    diagonally
                    ? area.grid.connected(to: first, take: take) : area.grid.connectedByEdges(to: first, take: take)
                var expected: Set<Int> = []
                area.search(first, diagonally: diagonally, &expected)
                #expect(cells.first == first && cells.count == expected.count && Set(cells) == expected)
            }
            // Each cell is in one of the parts.
            #expect(!isOpen.contains(true))
        }
    }

    @Test(arguments: [true, false]) func nearestCellsComeFirst(diagonally: Bool) {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<10 {
            let area = Area(&generator, hasBorder: !diagonally)
            guard let first = area.isInside.firstIndex(of: true) else { continue }
            var isOpen = area.isInside
            let take = { (cell: Int) -> Bool in
                defer { isOpen[cell] = false }
                return isOpen[cell]
            }
            let cells =
                diagonally
                ? area.grid.connected(to: first, take: take) : area.grid.connectedByEdges(to: first, take: take)
            let known = area.distances(from: first, diagonally: diagonally)
            let distances = cells.compactMap { known[$0] }
            #expect(distances.count == cells.count && distances == distances.sorted())
        }
    }

    @Test func cellsAtTheBorderHaveNoNeighborsOnTheOtherSide() {
        let grid = CellGrid(width: 4, height: 3)
        // The last cell of a row and the first one of the next follow each other.
        var open: Set = [3, 4]
        #expect(grid.connected(to: 3) { open.remove($0) != nil } == [3])
        #expect(open == [4])
    }

    @Test func boxHasTheExtremeColumnsAndRows() {
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<100 {
            let grid = CellGrid(width: generator.int(1...30), height: generator.int(1...30))
            let box = PixelRect(
                x: generator.int(0...grid.width - 1), y: generator.int(0...grid.height - 1), width: 1, height: 1)
            #expect(grid.box(of: [box.y * grid.width + box.x]) == box)
            let cells = (0..<generator.int(1...12)).map { _ in generator.int(0...grid.width * grid.height - 1) }
            let boxes = cells.map { PixelRect(x: $0 % grid.width, y: $0 / grid.width, width: 1, height: 1) }
            #expect(grid.box(of: cells) == boxes.dropFirst().reduce(boxes[0]) { $0.union($1) })
        }
    }
}
