import Core

/// A band of rows that are drawn together, on a fixed grid.
///
/// Cairo's output for an outline depends on the rows that it draws: it computes the coverage of a
/// row with whole edges but samples that of a row in which an edge is cut off, and it draws the
/// first node on an empty surface with another operator, which rounds differently. Drawing always
/// happens in whole bands, so a band looks the same whether it is drawn alone or with all others.
struct Band {
    /// The height of a band in rows: a whole number of cells, so that damage never touches more
    /// bands than necessary.
    static let height = 8 * PixelRect.cell

    /// Extra rows drawn above and below. Where an outline is cut off, Cairo rounds the coverage of
    /// that row differently.
    static let margin = 2

    /// The index from the top.
    let index: Int

    /// The bitmap row at the top of the surface that the band is drawn on.
    var origin: Int { index * Band.height - Band.margin }

    /// The height of a surface with room for a band and its margins.
    static let surfaceHeight = height + 2 * margin

    /// Returns the indices of the bands that a box touches.
    static func indices(of box: PixelRect) -> Range<Int> { box.y / height..<(box.maxY + height - 1) / height }

    /// Returns the part of a box within the band; nil if there is none.
    func part(of box: PixelRect) -> PixelRect? {
        let (top, bottom) = (max(box.y, index * Band.height), min(box.maxY, (index + 1) * Band.height))
        return top < bottom ? PixelRect(x: box.x, y: top, width: box.width, height: bottom - top) : nil
    }
}
