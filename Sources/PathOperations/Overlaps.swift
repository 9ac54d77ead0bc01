import Scene

/// The smallest upright rectangle around some points.
struct Box {
    private(set) var low: Point
    private(set) var high: Point

    /// What holds the points, of which there is at least one.
    init(_ points: [Point]) {
        (low, high) = (points[0], points[0])
        for point in points.dropFirst() { add(point) }
    }

    /// What holds a straight line.
    init(_ start: Point, _ end: Point) {
        low = Point(min(start.x, end.x), min(start.y, end.y))
        high = Point(max(start.x, end.x), max(start.y, end.y))
    }

    /// Width or height, whichever is less.
    var smallerSide: Double { min(high.x - low.x, high.y - low.y) }

    private mutating func add(_ point: Point) {
        low = Point(min(low.x, point.x), min(low.y, point.y))
        high = Point(max(high.x, point.x), max(high.y, point.y))
    }

    /// Calls `body` with the places of every two boxes that touch, by a sweep from left to right, until it says no.
    ///
    /// Returns false if it said so, or if more than `budget` pairs would have to be looked at, from which what was looked at is
    /// subtracted.
    static func forEachTouch(of boxes: [Box], budget: inout Int, _ body: (Int, Int) -> Bool) -> Bool {
        let order = boxes.indices.sorted { (boxes[$0].low.x, $0) < (boxes[$1].low.x, $1) }
        var open: [Int] = []
        for index in order {
            let box = boxes[index]
            budget -= open.count
            guard budget >= 0 else { return false }
            // Those that end to the left of this one end to the left of all that follow, too.
            open.removeAll { boxes[$0].high.x < box.low.x }
            for other in open where boxes[other].low.y <= box.high.y && box.low.y <= boxes[other].high.y {
                guard body(min(index, other), max(index, other)) else { return false }
            }
            open.append(index)
        }
        return true
    }
}

/// The edges of contours.
struct Edges {
    private var starts: [Point] = []
    private var ends: [Point] = []
    /// The place of the edge that follows in the contour.
    private var following: [Int] = []

    /// How many pairs of edges are looked at before they count as too many: a few hundredths of a second.
    private static let budget = 20_000_000

    init(_ contours: [Contour]) {
        for contour in contours {
            let (first, count) = (starts.count, contour.points.count)
            for (index, point) in contour.points.enumerated() {
                starts.append(point)
                ends.append(contour.points[(index + 1) % count])
                following.append(first + (index + 1) % count)
            }
        }
    }

    /// How often edges meet others than their neighbours, or lie on a neighbour; nil if it is more often than `limit` or cannot
    /// be counted soon.
    func meetings(limit: Int, _ effort: PathEffort) -> Int? {
        let boxes = zip(starts, ends).map { Box($0, $1) }
        let affordable = min(limit, effort.meetings)
        return effort.looking(atMost: Self.budget) { budget in
            var count = 0
            let isDone = Box.forEachTouch(of: boxes, budget: &budget) { i, j in
                if meet(i, j) { count += 1 }
                return count <= affordable
            }
            if count > affordable, affordable < limit { effort.giveUp() }
            return isDone ? count : nil
        }
    }

    private func meet(_ i: Int, _ j: Int) -> Bool {
        let (a, b, c, d) = (starts[i], ends[i], starts[j], ends[j])
        if following[i] == j || following[j] == i {
            // Neighbours share a corner, and more where the second goes back over the first.
            return Edges.side(of: d, a, b) == 0 && Edges.side(of: c, a, b) == 0
                && (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y) < 0
        }
        return Edges.side(of: c, a, b) * Edges.side(of: d, a, b) <= 0
            && Edges.side(of: a, c, d) * Edges.side(of: b, c, d) <= 0
    }

    /// On which side of the line from `a` to `b` a point lies: -1, 0 or 1.
    private static func side(of point: Point, _ a: Point, _ b: Point) -> Int {
        let product = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
        return product > 0 ? 1 : product < 0 ? -1 : 0
    }
}
