import Scene

/// The boundary of faces that lie side by side: edges that two of them share are gone. (GEOS's union of a coverage refuses some
/// faces as overlapping that are not, and its general union takes many times as long.)
struct Boundary {
    private struct Edge: Hashable {
        var start: Point
        var end: Point
    }

    private var edges: Set<Edge> = []

    /// Adds a ring around a face, which has the face on the same side as all others.
    mutating func add(_ ring: [Point]) {
        for (index, start) in ring.enumerated() {
            let end = ring[(index + 1) % ring.count]
            // The neighbour's ring runs the other way.
            if edges.remove(Edge(start: end, end: start)) == nil { edges.insert(Edge(start: start, end: end)) }
        }
    }

    /// The edges as loops that touch themselves nowhere. They and their order depend on the edges alone.
    var loops: [[Point]] {
        let edges = edges.sorted {
            ($0.start.x, $0.start.y, $0.end.x, $0.end.y) < ($1.start.x, $1.start.y, $1.end.x, $1.end.y)
        }
        // As many edges end at a point as begin there, which are neighbours in this order.
        var unused: [Point: Range<Int>] = [:]
        for (index, edge) in edges.enumerated() {
            unused[edge.start] = (unused[edge.start]?.lowerBound ?? index)..<index + 1
        }
        var (loops, trail, places): ([[Point]], [Point], [Point: Int]) = ([], [], [:])
        for edge in edges {
            var point = edge.start
            while let range = unused[point], let index = range.first {
                unused[point] = range.dropFirst()
                places[point] = trail.count
                trail.append(point)
                point = edges[index].end
                // Whatever lies between two visits of a point is a loop of its own.
                guard let place = places[point] else { continue }
                loops.append(Array(trail[place...]))
                for passed in trail[place...] { places[passed] = nil }
                trail.removeSubrange(place...)
            }
        }
        return loops
    }
}

extension [Point] {
    /// A loop without corners that are nearer than `tolerance` to the line between those around; it begins at its leftmost one,
    /// which is a corner in any case.
    func thinned(within tolerance: Double) -> [Point] {
        guard let first = indices.min(by: { (self[$0].x, self[$0].y) < (self[$1].x, self[$1].y) }) else { return [] }
        let loop = self[first...] + self[..<first] + self[first...first]
        var (result, anchor) = ([Point](), loop.startIndex)
        while anchor < loop.endIndex - 1 {
            result.append(loop[anchor])
            var next = anchor + 1
            // A bound on the work, which costs a corner now and then.
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
    /// The distance from the nearest point of a straight line between two points.
    fileprivate func distance(toLineFrom start: Point, to end: Point) -> Double {
        let (side, way) = (end - start, self - start)
        let square = side.x * side.x + side.y * side.y
        guard square > 0 else { return way.distance(to: .zero) }
        return way.distance(to: side * min(max((side.x * way.x + side.y * way.y) / square, 0), 1))
    }
}
