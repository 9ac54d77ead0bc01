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
        var isLeft = labels.map { Int($0) == label }
        var parts: [ComponentPart] = []
        for first in isLeft.indices where isLeft[first] {
            var cells = [first]
            var position = 0
            isLeft[first] = false
            while position < cells.count {
                let cell = cells[position]
                position += 1
                for next in [cell - 1, cell + 1, cell - box.width, cell + box.width] where isLeft[next] {
                    isLeft[next] = false
                    cells.append(next)
                }
            }
            guard cells.count >= minArea else { continue }
            guard parts.count < maxCount else { return nil }
            parts.append(ComponentPart(cells, in: box))
        }
        return parts
    }

    /// Creates the part with these cells of the component's box.
    private init(_ cells: [Int], in whole: PixelRect) {
        var left = Int.max
        var right = 0
        var top = Int.max
        var bottom = 0
        for cell in cells {
            left = min(left, cell % whole.width)
            right = max(right, cell % whole.width)
            top = min(top, cell / whole.width)
            bottom = max(bottom, cell / whole.width)
        }
        let width = right - left + 5
        let height = bottom - top + 5
        var flags = [Bool](repeating: false, count: width * height)
        for cell in cells {
            let (x, y) = (cell % whole.width - left + 2, cell / whole.width - top + 2)
            flags[y * width + x] = true
        }
        box = PixelRect(x: whole.x + left - 2, y: whole.y + top - 2, width: width, height: height)
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
