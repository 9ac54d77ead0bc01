import Core

/// The edges of contours, grouped by horizontal slabs, to find the winding number at a point. With
/// the y axis down, clockwise contours count as positive.
struct WindingMap {
    private struct Edge {
        var start: Point
        var end: Point
    }

    /// The edges that reach into each horizontal slab of the bounding box.
    private var slabs: [[Edge]] = []
    private var top = 0.0
    private var height = 0.0

    init(_ contours: [PathContour]) {
        let points = contours.flatMap(\.points)
        guard !points.isEmpty else { return }
        let box = BoundingBox(points)
        top = box.low.y
        height = box.high.y - box.low.y
        // The square root balances the edges per slab and the slabs per edge.
        slabs = Array(repeating: [], count: max(1, Int(Double(points.count).squareRoot())))
        for contour in contours {
            for (index, start) in contour.points.enumerated() {
                let end = contour.points[(index + 1) % contour.points.count]
                guard start.y != end.y else { continue }
                for slab in slab(at: min(start.y, end.y))...slab(at: max(start.y, end.y)) {
                    slabs[slab].append(Edge(start: start, end: end))
                }
            }
        }
    }

    private func slab(at y: Double) -> Int {
        guard height > 0 else { return 0 }
        return min(max(Int((y - top) / height * Double(slabs.count)), 0), slabs.count - 1)
    }

    /// Returns the winding number at a point: the sum over all edges that a ray to the left
    /// crosses, 1 for each that goes up and -1 for each that goes down.
    func winding(at point: Point) -> Int {
        guard !slabs.isEmpty, point.y >= top, point.y <= top + height else { return 0 }
        var count = 0
        for edge in slabs[slab(at: point.y)] {
            let a = edge.start
            let b = edge.end
            guard (a.y <= point.y) != (b.y <= point.y) else { continue }
            let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
            // With the y axis down, an edge that goes down has points to its right where `side` is
            // negative.
            if b.y > a.y, side < 0 { count -= 1 }
            if b.y < a.y, side > 0 { count += 1 }
        }
        return count
    }
}
