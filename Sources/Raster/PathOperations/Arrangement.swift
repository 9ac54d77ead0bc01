import Core

/// The arrangement of contours in the plane, which gives the outline of selected areas between
/// them.
///
/// All contours are split at their intersections, and the areas between them are found. A point
/// inside each area gives the winding number of every operand, and the areas that satisfy a
/// predicate are merged. Contours may therefore intersect themselves and run in either direction,
/// unlike polygons of GEOS.
struct Arrangement {
    /// The spacing of the grid to which results are snapped.
    let grid: Double
    /// The work that may still be done.
    let budget: WorkBudget

    /// The maximum number of edges of contours that touch directly or through others.
    private static let maxEdges = 20_000
    /// The maximum number of intersections, which determine the work: about one second.
    private static let maxIntersections = 50_000
    /// The maximum number of pairs of contours to compare.
    private static let maxPairs = 50_000_000

    /// Returns outer contours clockwise and holes anticlockwise, so that the nonzero rule fills the
    /// areas for which `isWanted` is true. Returns nil if the work exceeds a limit or GEOS fails.
    ///
    /// Contours that neither touch others nor intersect themselves keep their sources.
    ///
    /// - Parameter isWanted: a predicate that receives the winding number of each operand.
    func outline(of contours: [PathContour], where isWanted: ((Int) -> Int) -> Bool) -> [PathContour]? {
        guard let clusters = clusters(of: contours) else { return nil }
        var result: [PathContour] = []
        for cluster in clusters {
            guard let part = outline(ofCluster: cluster, where: isWanted) else { return nil }
            result += part
        }
        return result
    }

    /// Groups contours whose bounding boxes touch, in the order of each group's first contour.
    private func clusters(of contours: [PathContour]) -> [[PathContour]]? {
        var roots = Array(contours.indices)
        func root(of index: Int) -> Int {
            var index = index
            while roots[index] != index {
                roots[index] = roots[roots[index]]
                index = roots[index]
            }
            return index
        }
        let boxes = contours.map { BoundingBox($0.points) }
        let isDone: Void? = budget.comparing(atMost: Self.maxPairs) { remainingPairs in
            let isDone = BoundingBox.forEachTouchingPair(of: boxes, remainingPairs: &remainingPairs) { i, j in
                let a = root(of: i)
                let b = root(of: j)
                roots[max(a, b)] = min(a, b)
                return true
            }
            return isDone ? () : nil
        }
        guard isDone != nil else { return nil }
        let groups = Dictionary(grouping: contours.indices) { root(of: $0) }
        return groups.sorted { $0.key < $1.key }.map { group in group.value.map { contours[$0] } }
    }

    private func outline(ofCluster contours: [PathContour], where isWanted: ((Int) -> Int) -> Bool) -> [PathContour]? {
        let edges = contours.reduce(0) { $0 + $1.points.count }
        guard edges <= Self.maxEdges,
            let intersections = Edges(contours).intersections(limit: Self.maxIntersections, budget: budget)
        else { return nil }
        budget.spend(intersections: intersections)
        budget.spend(edges: edges)
        guard !budget.isExhausted else { return nil }
        if contours.count == 1, intersections == 0 {
            let contour = contours[0]
            let area = contours[0].signedArea
            let isInside = area != 0 && isWanted { $0 == contour.operand ? (area > 0 ? 1 : -1) : 0 }
            return isInside ? [contour.clockwise] : []
        }
        let maps = Dictionary(grouping: contours, by: \.operand).mapValues { WindingMap($0) }
        return rings(between: contours.map(\.points)) { point in
            isWanted { maps[$0]?.winding(at: point) ?? 0 }
        }
    }

    private func rings(between contours: [[Point]], where isWanted: (Point) -> Bool) -> [PathContour]? {
        guard let context = GEOSContext(),
            let faces = Geometry.lines(closing: contours, in: context)?.noded(grid: grid)?.faces
        else { return nil }
        var boundary = Boundary()
        for face in faces {
            guard let point = face.innerPoint else { return nil }
            guard isWanted(point) else { continue }
            guard let rings = face.rings else { return nil }
            for (index, ring) in rings.enumerated() {
                let contour = PathContour(operand: 0, points: ring).clockwise
                boundary.add(index == 0 ? contour.points : contour.points.reversed())
            }
        }
        // Splitting snaps corners to the grid, which leaves redundant corners and steps as small as
        // the grid.
        let loops = boundary.loops.map { $0.thinned(within: 2 * grid) }
        return loops.filter { $0.count > 2 }.map { PathContour(operand: 0, points: $0) }
    }
}
