import Core

/// A band of rows that are drawn together, on a surface of their own.
///
/// Cairo's output for an outline depends on the rows that it draws: it computes the coverage of a
/// row with whole edges but samples that of a row in which an edge is cut off, and it draws the
/// first node on an empty surface with another operator, which rounds differently. So a band is
/// drawn with a margin, on a surface that is never declared empty.
///
/// Images, gradients, text and effects have positions that are rounded relative to the surface. If
/// a scene has any, its bands lie on a fixed grid, so a band looks the same whether it is drawn
/// alone or with all others. Colours alone look the same on any rows.
struct Band {
    /// The height of a band of the grid in rows: a whole number of cells, so that damage never
    /// touches more bands than necessary.
    static let height = 8 * PixelRect.cell

    /// The maximum height of a band off the grid: most shapes are drawn at once, and the surface is
    /// still small.
    private static let maxHeight = 4 * height

    /// Extra rows drawn above and below. Where an outline is cut off, Cairo rounds the coverage of
    /// that row differently.
    static let margin = 2

    /// The rows of the bitmap.
    let rows: Range<Int>

    private init(_ rows: Range<Int>) { self.rows = rows }

    /// A band of the grid, by its index from the top.
    init(index: Int) { self.init(index * Band.height..<(index + 1) * Band.height) }

    /// The bitmap row at the top of the surface that the band is drawn on.
    var origin: Int { rows.lowerBound - Band.margin }

    /// The number of rows that are drawn.
    var drawnHeight: Int { rows.count + 2 * Band.margin }

    /// The height of a surface with room for any band and its margins.
    static let surfaceHeight = maxHeight + 2 * margin

    /// Returns the indices of the bands of the grid that contain rows of the band.
    var gridIndices: Range<Int> {
        rows.lowerBound / Band.height..<(rows.upperBound + Band.height - 1) / Band.height
    }

    /// Returns the bands of the grid that boxes touch, from the top.
    static func onGrid(_ boxes: [PixelRect]) -> [Band] {
        Set(boxes.flatMap { Band($0.y..<$0.maxY).gridIndices }).sorted().map(Band.init(index:))
    }

    /// Returns bands with no other rows than those of boxes, from the top.
    static func fitting(_ boxes: [PixelRect]) -> [Band] {
        var spans: [Range<Int>] = []
        for box in boxes.sorted(by: { $0.y < $1.y }) {
            if let last = spans.last, box.y <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, box.maxY)
            } else {
                spans.append(box.y..<box.maxY)
            }
        }
        return spans.flatMap { span in
            stride(from: span.lowerBound, to: span.upperBound, by: maxHeight).map {
                Band($0..<min($0 + maxHeight, span.upperBound))
            }
        }
    }

    /// Returns the part of a box within the band; nil if there is none.
    func part(of box: PixelRect) -> PixelRect? {
        let top = max(box.y, rows.lowerBound)
        let bottom = min(box.maxY, rows.upperBound)
        return top < bottom ? PixelRect(x: box.x, y: top, width: box.width, height: bottom - top) : nil
    }
}
