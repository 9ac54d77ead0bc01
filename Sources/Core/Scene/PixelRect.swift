/// A rectangle aligned to pixels.
package struct PixelRect: Sendable, Hashable {
    /// The leftmost column.
    package var x: Int
    /// The topmost row.
    package var y: Int
    /// The number of columns; never negative.
    package var width: Int
    /// The number of rows; never negative.
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The column after the last one.
    package var maxX: Int { x + width }
    /// The row after the last one.
    package var maxY: Int { y + height }
    /// The number of pixels.
    package var area: Int { width * height }

    /// Returns the bounding box of both rectangles.
    package func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns true if the rectangles share a pixel.
    package func overlaps(_ other: PixelRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}
