import Core

/// The visible pixels of an object on a canvas.
struct ObjectInk {
    /// The minimum alpha of a visible pixel, out of 255.
    private static let minAlpha = 8
    /// The minimum alpha of an opaque pixel, out of 255.
    private static let minOpaqueAlpha = 250
    /// The largest difference of a component between an uncovered pixel and the whole drawing.
    private static let maxDifference = 12
    /// The distance in pixels over which the end of a line is centred on a thin shape.
    private static let reach = 3

    private let own: CanvasBitmap
    private let whole: CanvasBitmap
    /// The minimum alpha of a pixel that counts: half of the largest, to exclude soft edges.
    private let threshold: Int
    /// The largest alpha of a pixel, 0...255.
    private let maxAlpha: Int
    private let columns: Range<Int>
    private let rows: Range<Int>

    /// The visible pixels of an object within a part of the canvas.
    ///
    /// - Parameters:
    ///   - own: the object alone.
    ///   - whole: everything that is drawn.
    ///   - part: the part of the canvas that counts, in points.
    init(_ own: CanvasBitmap, among whole: CanvasBitmap, in part: Rect) {
        self.own = own
        self.whole = whole
        func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
            let first = min(count, max(0, Int((start * own.scale).rounded(.up))))
            return first..<max(first, min(count, Int(end * own.scale)))
        }
        columns = range(part.x, part.maxX, own.width)
        rows = range(part.y, part.maxY, own.height)
        var highest = 0
        for y in rows { for x in columns { highest = max(highest, Int(own.alpha(x, y))) } }
        threshold = max(Self.minAlpha, (highest + 1) / 2)
        maxAlpha = highest
    }

    /// True if the object has no visible pixel.
    var isEmpty: Bool { maxAlpha < Self.minAlpha }

    /// True if the object hides what lies behind it.
    var isOpaque: Bool { maxAlpha >= Self.minOpaqueAlpha }

    /// Returns true if nothing seems to cover the object at a pixel.
    private func isInk(_ x: Int, _ y: Int) -> Bool {
        Int(own.alpha(x, y)) >= threshold && whole.shows(own, x, y, tolerance: Self.maxDifference)
    }

    /// The share of the object's pixels that nothing seems to cover, 0...1; 0 for an object without
    /// pixels.
    var visibleShare: Double {
        var count = 0
        var visible = 0
        for y in rows {
            for x in columns where Int(own.alpha(x, y)) >= threshold {
                count += 1
                if isInk(x, y) { visible += 1 }
            }
        }
        return count == 0 ? 0 : Double(visible) / Double(count)
    }

    /// Returns the visible point of the object nearest to a point, both in points of the canvas;
    /// nil if all of the object is covered. The result lies inside thin shapes rather than at their
    /// edges.
    func nearest(to point: Point) -> Point? {
        let target = point * own.scale
        var best: (x: Int, y: Int, distance: Double)?
        for y in rows {
            for x in columns {
                let (dx, dy) = (Double(x) + 0.5 - target.x, Double(y) + 0.5 - target.y)
                let distance = dx * dx + dy * dy
                if distance < best?.distance ?? .infinity, isInk(x, y) { best = (x, y, distance) }
            }
        }
        return best.map { centered($0.x, $0.y) * (1 / own.scale) }
    }

    /// Returns the mean position of the visible pixels around one, or its own if the mean is not
    /// visible.
    private func centered(_ x: Int, _ y: Int) -> Point {
        var sum = Point.zero
        var weight = 0.0
        for row in max(rows.lowerBound, y - Self.reach)..<min(rows.upperBound, y + Self.reach + 1) {
            for column in max(columns.lowerBound, x - Self.reach)..<min(columns.upperBound, x + Self.reach + 1)
            where isInk(column, row) {
                let alpha = Double(own.alpha(column, row))
                sum = sum + Point(Double(column) + 0.5, Double(row) + 0.5) * alpha
                weight += alpha
            }
        }
        let mean = sum * (1 / weight)
        let isVisible = columns.contains(Int(mean.x)) && rows.contains(Int(mean.y)) && isInk(Int(mean.x), Int(mean.y))
        return isVisible ? mean : Point(Double(x) + 0.5, Double(y) + 0.5)
    }
}
