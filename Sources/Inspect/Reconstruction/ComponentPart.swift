import Core

/// A connected part of one colour of a foreground component.
struct ComponentPart {
    /// The box of its pixels with a margin of two pixels, in pixels of the view.
    let box: PixelRect
    /// True for the pixels of the box that belong to the part.
    private let isMember: [Bool]

    /// The maximum number of parts of one colour. More are a texture, such as text or a
    /// checkerboard, and would take seconds per frame.
    static let maxCount = 64
    /// The minimum area in pixels of the view; smaller parts are blurred chroma.
    private static let minArea = 12

    /// Returns the parts with a label; nil if there are more than `maxCount`.
    ///
    /// - Parameter labels: the labels of the pixels of a component's box, whose outermost two
    ///   pixels belong to no part.
    static func parts(of label: Int, _ labels: [Int8], in box: PixelRect) -> [ComponentPart]? {
        let grid = CellGrid(width: box.width, height: box.height)
        var isLeft = labels.map { Int($0) == label }
        var parts: [ComponentPart] = []
        for first in isLeft.indices where isLeft[first] {
            let cells = grid.connectedByEdges(to: first) { cell in
                guard isLeft[cell] else { return false }
                isLeft[cell] = false
                return true
            }
            guard cells.count >= minArea else { continue }
            guard parts.count < maxCount else { return nil }
            parts.append(ComponentPart(cells, in: box))
        }
        return parts
    }

    /// Creates the part with these cells of the component's box.
    private init(_ cells: [Int], in whole: PixelRect) {
        let bounds = CellGrid(width: whole.width, height: whole.height).box(of: cells).expanded(by: 2)
        var flags = [Bool](repeating: false, count: bounds.area)
        for cell in cells {
            let (x, y) = (cell % whole.width - bounds.x, cell / whole.width - bounds.y)
            flags[y * bounds.width + x] = true
        }
        box = PixelRect(x: whole.x + bounds.x, y: whole.y + bounds.y, width: bounds.width, height: bounds.height)
        isMember = flags
    }

    /// Returns true if an inner pixel of the box, or one of its eight neighbours, belongs to the
    /// part.
    func isNear(_ cell: Int) -> Bool {
        if isMember[cell] { return true }
        for dy in -1...1 {
            for dx in -1...1 where isMember[cell + dy * box.width + dx] { return true }
        }
        return false
    }
}
