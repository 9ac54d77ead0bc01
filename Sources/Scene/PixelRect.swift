/// A rectangle of whole pixels.
public struct PixelRect: Sendable, Hashable {
    /// Left column.
    public var x: Int
    /// Upper row.
    public var y: Int
    /// Columns; never negative.
    public var width: Int
    /// Rows; never negative.
    public var height: Int

    /// A rectangle from its upper left pixel and its extent.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The column after the last.
    public var maxX: Int { x + width }
    /// The row after the last.
    public var maxY: Int { y + height }
    /// How many pixels it has.
    public var area: Int { width * height }

    /// The smallest rectangle that holds both.
    public func union(_ other: PixelRect) -> PixelRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Whether they share a pixel.
    public func overlaps(_ other: PixelRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }
}
