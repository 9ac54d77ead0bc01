import Scene

/// Rows of a picture that are drawn together, on a fixed grid.
///
/// What Cairo makes of an outline depends on the rows that it is asked for: it computes the coverage of a row with whole
/// edges and samples that of one where an edge is cut off, and it draws the first thing on an empty layer by another
/// operator than the second, which rounds otherwise. So nothing is ever drawn by itself: a band looks the same whether all
/// bands of a picture are drawn or this one alone.
struct Band {
    /// Rows of a band; whole cells, so that what changed never needs more bands than it must.
    static let height = 8 * PixelRect.cell

    /// How many rows above and below are drawn too: where an outline is cut, Cairo rounds that row's coverage otherwise.
    static let margin = 2

    /// Its number from the top.
    let number: Int

    /// The picture's row that is the first of the surface it is drawn on.
    var origin: Int { number * Band.height - Band.margin }

    /// Rows of a surface with room for a band.
    static let surfaceHeight = height + 2 * margin

    /// The bands that hold a box.
    static func numbers(of box: PixelRect) -> Range<Int> { box.y / height..<(box.maxY + height - 1) / height }

    /// What of a box lies in it; nil if nothing does.
    func part(of box: PixelRect) -> PixelRect? {
        let (top, bottom) = (max(box.y, number * Band.height), min(box.maxY, (number + 1) * Band.height))
        return top < bottom ? PixelRect(x: box.x, y: top, width: box.width, height: bottom - top) : nil
    }
}
