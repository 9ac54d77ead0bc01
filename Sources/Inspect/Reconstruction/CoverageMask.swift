import Core

/// The cells of a grid that shapes cover.
struct CoverageMask {
    static let seen: UInt8 = 1
    static let drawn: UInt8 = 2
    /// Drawn with too little contrast to be found for certain.
    static let faint: UInt8 = 4

    private(set) var cells: [UInt8]
    private let region: Rect
    private let step: Double
    private let width: Int
    private let height: Int

    init(_ region: Rect, step: Double) {
        self.region = region
        self.step = step
        width = Int(region.width / step) + 1
        height = Int(region.height / step) + 1
        cells = [UInt8](repeating: 0, count: width * height)
    }

    func position(of cell: Int) -> Point {
        Point(region.x, region.y) + Point(Double(cell % width), Double(cell / width)) * step
    }

    /// Sets a bit of the cells inside polygons, by the even-odd rule.
    mutating func fill(_ polygons: [[Point]], _ bit: UInt8) {
        guard let box = Rect(enclosing: polygons.flatMap { $0 }) else { return }
        let rows = max(0, Int((box.y - region.y) / step))...max(0, Int((box.maxY - region.y) / step) + 1)
        for row in rows where row < height {
            let y = region.y + Double(row) * step
            var crossings: [Double] = []
            for polygon in polygons {
                var last = polygon[polygon.count - 1]
                for point in polygon {
                    if (last.y <= y) != (point.y <= y) {
                        crossings.append(last.x + (point.x - last.x) * (y - last.y) / (point.y - last.y))
                    }
                    last = point
                }
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let first = max(0, Int(((crossings[pair] - region.x) / step).rounded(.up)))
                let end = min(width - 1, Int(((crossings[pair + 1] - region.x) / step).rounded(.down)))
                for column in stride(from: first, through: end, by: 1) { cells[row * width + column] |= bit }
            }
        }
    }
}
