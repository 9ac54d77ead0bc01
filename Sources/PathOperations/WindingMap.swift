import Scene

/// How often contours go around points, clockwise ones counted positive, with y growing downwards.
struct WindingMap {
    private struct Edge {
        var start: Point
        var end: Point
    }

    /// The edges that reach into each of the strips that the height is cut into.
    private var strips: [[Edge]] = []
    private var top = 0.0
    private var height = 0.0

    init(_ contours: [Contour]) {
        let points = contours.flatMap(\.points)
        guard !points.isEmpty else { return }
        let box = Box(points)
        (top, height) = (box.low.y, box.high.y - box.low.y)
        // So many that both the strips' edges and the edges' strips stay few.
        strips = Array(repeating: [], count: max(1, Int(Double(points.count).squareRoot())))
        for contour in contours {
            for (index, start) in contour.points.enumerated() {
                let end = contour.points[(index + 1) % contour.points.count]
                guard start.y != end.y else { continue }
                for strip in strip(at: min(start.y, end.y))...strip(at: max(start.y, end.y)) {
                    strips[strip].append(Edge(start: start, end: end))
                }
            }
        }
    }

    private func strip(at y: Double) -> Int {
        guard height > 0 else { return 0 }
        return min(max(Int((y - top) / height * Double(strips.count)), 0), strips.count - 1)
    }

    /// The winding number at a point: over all edges that a ray to the left crosses, 1 for each that goes up and -1 for each
    /// that goes down.
    func winding(at point: Point) -> Int {
        guard !strips.isEmpty, point.y >= top, point.y <= top + height else { return 0 }
        var count = 0
        for edge in strips[strip(at: point.y)] {
            let (a, b) = (edge.start, edge.end)
            guard (a.y <= point.y) != (b.y <= point.y) else { continue }
            let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
            // An edge that goes down has the points to its right, seen with y growing downwards, where this is negative.
            if b.y > a.y, side < 0 { count -= 1 }
            if b.y < a.y, side > 0 { count += 1 }
        }
        return count
    }
}
