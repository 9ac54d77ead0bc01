import Scene

extension Viewport {
    /// Pixels, as disjoint rectangles, that hold everything within rectangles in points. Edges lie on a grid of 16
    /// pixels or at the picture's edge.
    func pixels(covering rects: [Rect]) -> [PixelRect] { PixelRect.merged(rects.compactMap { cells(covering: $0) }) }

    private func cells(covering rect: Rect) -> PixelRect? {
        // Soft edges reach into the next pixel.
        let box = transform.bounds(of: rect).expanded(by: 1)
        func span(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
            let first = Int(min(max(low, 0), Double(limit)).rounded(.down)) / PixelRect.cell * PixelRect.cell
            let last = Int(min(max(high, 0), Double(limit)).rounded(.up))
            return first..<max(first, min(limit, (last + PixelRect.cell - 1) / PixelRect.cell * PixelRect.cell))
        }
        let (columns, rows) = (span(box.x, box.maxX, width), span(box.y, box.maxY, height))
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}

extension PixelRect {
    /// Pixels come in cells of this size: macroblocks, and whole groups of chroma samples and vector lanes.
    static let cell = 16

    /// A union that is larger than its parts by no more than this is better than two rectangles.
    private static let tolerableWaste = 1.25

    /// Disjoint rectangles that hold the same pixels, and perhaps a few more.
    package static func merged(_ rects: [PixelRect]) -> [PixelRect] {
        var result: [PixelRect] = []
        for rect in rects {
            var box = rect
            // What a new rectangle meets joins it, until it meets nothing more.
            while let index = result.firstIndex(where: { $0.belongsTo(box) }) {
                box = box.union(result.remove(at: index))
            }
            result.append(box)
        }
        return result
    }

    private func belongsTo(_ other: PixelRect) -> Bool {
        overlaps(other) || Double(union(other).area) <= Self.tolerableWaste * Double(area + other.area)
    }
}
