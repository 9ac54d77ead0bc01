import Core

extension BoundingBox {
    /// The bounding box of at least one point.
    init(_ points: [Point]) {
        self.init(points[0])
        for point in points.dropFirst() { add(point) }
    }

    /// The bounding box of a line segment.
    init(_ start: Point, _ end: Point) {
        self.init(start)
        add(end)
    }

    /// The smaller of width and height.
    var smallerSide: Double { min(high.x - low.x, high.y - low.y) }

    /// Calls `body` with the indices of every two boxes that touch, until it returns false. Sweeps
    /// from left to right.
    ///
    /// Returns false if `body` did, or if more than `remainingPairs` pairs would have to be
    /// compared. Subtracts the pairs that were compared.
    static func forEachTouchingPair(of boxes: [BoundingBox], remainingPairs: inout Int, _ body: (Int, Int) -> Bool)
        -> Bool
    {
        let order = boxes.indices.sorted { (boxes[$0].low.x, $0) < (boxes[$1].low.x, $1) }
        var open: [Int] = []
        for index in order {
            let box = boxes[index]
            remainingPairs -= open.count
            guard remainingPairs >= 0 else { return false }
            // Boxes that end to the left of this one also end to the left of all following ones.
            open.removeAll { boxes[$0].high.x < box.low.x }
            for other in open where boxes[other].low.y <= box.high.y && box.low.y <= boxes[other].high.y {
                guard body(min(index, other), max(index, other)) else { return false }
            }
            open.append(index)
        }
        return true
    }
}

struct Edges {
    private var starts: [Point] = []
    private var ends: [Point] = []
    /// The index of the next edge of the contour.
    private var following: [Int] = []

    /// The maximum number of pairs of edges to compare, which takes a few hundredths of a second.
    private static let maxPairs = 20_000_000

    init(_ contours: [PathContour]) {
        for contour in contours {
            let first = starts.count
            let count = contour.points.count
            for (index, point) in contour.points.enumerated() {
                starts.append(point)
                ends.append(contour.points[(index + 1) % count])
                following.append(first + (index + 1) % count)
            }
        }
    }

    /// Returns the number of edge pairs that intersect or overlap, not counting neighbours that
    /// share only a corner. Returns nil above `limit`, or if counting exceeds the budget.
    func intersections(limit: Int, budget: WorkBudget) -> Int? {
        let boxes = zip(starts, ends).map { BoundingBox($0, $1) }
        let affordable = min(limit, budget.affordableIntersections)
        return budget.comparing(atMost: Self.maxPairs) { remainingPairs in
            var count = 0
            let isDone = BoundingBox.forEachTouchingPair(of: boxes, remainingPairs: &remainingPairs) { i, j in
                if intersect(i, j) { count += 1 }
                return count <= affordable
            }
            if count > affordable, affordable < limit { budget.exhaust() }
            return isDone ? count : nil
        }
    }

    private func intersect(_ i: Int, _ j: Int) -> Bool {
        let a = starts[i]
        let b = ends[i]
        let c = starts[j]
        let d = ends[j]
        if following[i] == j || following[j] == i {
            // Neighbours share a corner. They overlap if the second runs back along the first.
            return Edges.side(of: d, a, b) == 0 && Edges.side(of: c, a, b) == 0
                && (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y) < 0
        }
        return Edges.side(of: c, a, b) * Edges.side(of: d, a, b) <= 0
            && Edges.side(of: a, c, d) * Edges.side(of: b, c, d) <= 0
    }

    /// Returns the side of the line from `a` to `b` that a point lies on: -1, 0 or 1.
    private static func side(of point: Point, _ a: Point, _ b: Point) -> Int {
        let product = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
        return product > 0 ? 1 : product < 0 ? -1 : 0
    }
}
