import Core

/// The boundary of adjacent faces, without the edges that two of them share. GEOS's union of a
/// coverage rejects some faces as overlapping that are not, and its general union takes many times
/// as long.
struct Boundary {
    private struct Edge: Hashable {
        var start: Point
        var end: Point
    }

    private var edges: Set<Edge> = []

    /// Adds the ring of a face. All rings must have their face on the same side.
    mutating func add(_ ring: [Point]) {
        for (index, start) in ring.enumerated() {
            let end = ring[(index + 1) % ring.count]
            // The neighbouring face's ring runs in the opposite direction.
            if edges.remove(Edge(start: end, end: start)) == nil { edges.insert(Edge(start: start, end: end)) }
        }
    }

    /// The edges as simple loops. The loops and their order depend only on the edges.
    var loops: [[Point]] {
        let edges = edges.sorted {
            ($0.start.x, $0.start.y, $0.end.x, $0.end.y) < ($1.start.x, $1.start.y, $1.end.x, $1.end.y)
        }
        // As many edges end at a point as begin there. Edges that begin there are adjacent in this
        // order.
        var unused: [Point: Range<Int>] = [:]
        for (index, edge) in edges.enumerated() {
            unused[edge.start] = (unused[edge.start]?.lowerBound ?? index)..<index + 1
        }
        var loops: [[Point]] = []
        var trail: [Point] = []
        var positions: [Point: Int] = [:]
        for edge in edges {
            var point = edge.start
            while let range = unused[point], let index = range.first {
                unused[point] = range.dropFirst()
                positions[point] = trail.count
                trail.append(point)
                point = edges[index].end
                // The points between two visits of a point are a loop of their own.
                guard let position = positions[point] else { continue }
                loops.append(Array(trail[position...]))
                for passed in trail[position...] { positions[passed] = nil }
                trail.removeSubrange(position...)
            }
        }
        return loops
    }
}

extension [Point] {
    /// Returns the loop without corners within `tolerance` of the line between their neighbours. It
    /// begins at its leftmost point, which is always a corner.
    func thinned(within tolerance: Double) -> [Point] {
        guard let first = indices.min(by: { (self[$0].x, self[$0].y) < (self[$1].x, self[$1].y) }) else { return [] }
        let loop = self[first...] + self[..<first] + self[first...first]
        var result = [Point]()
        var anchor = loop.startIndex
        while anchor < loop.endIndex - 1 {
            result.append(loop[anchor])
            var next = anchor + 1
            // Bounds the work, at the cost of an occasional extra corner.
            while next + 1 < Swift.min(loop.endIndex, anchor + 100),
                loop[anchor + 1...next].allSatisfy({
                    $0.distance(toLineFrom: loop[anchor], to: loop[next + 1]) < tolerance
                })
            {
                next += 1
            }
            anchor = next
        }
        return result
    }
}

extension Point {
    /// Returns the distance to the line segment between two points.
    fileprivate func distance(toLineFrom start: Point, to end: Point) -> Double {
        let side = end - start
        let offset = self - start
        let square = side.x * side.x + side.y * side.y
        guard square > 0 else { return offset.distance(to: .zero) }
        return offset.distance(to: side * min(max((side.x * offset.x + side.y * offset.y) / square, 0), 1))
    }
}
