import Core

extension Viewport {
    /// Returns disjoint pixel rectangles that contain all pixels touched by rectangles in points.
    /// Their edges lie on a grid of 16 pixels or at the bitmap's edge.
    func pixels(covering rects: [Rect]) -> [PixelRect] { PixelRect.merged(rects.compactMap { cells(covering: $0) }) }

    private func cells(covering rect: Rect) -> PixelRect? {
        // Antialiased edges reach into the next pixel.
        let box = transform.bounds(of: rect).expanded(by: 1)
        func span(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
            let first = Int(min(max(low, 0), Double(limit)).rounded(.down)) / PixelRect.cell * PixelRect.cell
            let last = Int(min(max(high, 0), Double(limit)).rounded(.up))
            return first..<max(first, min(limit, (last + PixelRect.cell - 1) / PixelRect.cell * PixelRect.cell))
        }
        let columns = span(box.x, box.maxX, width)
        let rows = span(box.y, box.maxY, height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}

extension PixelRect {
    /// The cell size in pixels: that of a macroblock, and a multiple of chroma samples and vector
    /// lanes.
    static let cell = 16

    /// The maximum area of a union relative to its parts at which one rectangle is cheaper than
    /// two.
    private static let maxUnionRatio = 1.25

    /// Returns disjoint rectangles that contain the same pixels and possibly a few more.
    package static func merged(_ rects: [PixelRect]) -> [PixelRect] { joined(rects) { $0.shouldMerge($1) } }

    /// Returns the rectangles, with those that belong together replaced by their union.
    package static func joined(_ rects: [PixelRect], where shouldJoin: (PixelRect, PixelRect) -> Bool) -> [PixelRect] {
        var result: [PixelRect] = []
        for rect in rects {
            var box = rect
            // A new rectangle absorbs the existing ones that belong to it, until none is left.
            while let index = result.firstIndex(where: { shouldJoin($0, box) }) {
                box = box.union(result.remove(at: index))
            }
            result.append(box)
        }
        return result
    }

    private func shouldMerge(_ other: PixelRect) -> Bool {
        overlaps(other) || Double(union(other).area) <= Self.maxUnionRatio * Double(area + other.area)
    }
}
