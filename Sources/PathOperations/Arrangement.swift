import Scene

/// The outline of those areas between contours that one wants.
///
/// All contours are cut where they meet, the areas between them are found, a point inside each tells how often every operand
/// goes around it, and the areas that are wanted are put together. So contours may cross themselves and wind either way,
/// which polygons of GEOS must not.
struct Arrangement {
    /// The distance between the coordinates of results.
    let grid: Double
    /// What all of it may still take.
    let effort: PathEffort

    /// Contours that touch each other, directly or by others, may have so many edges.
    private static let edgeLimit = 20_000
    /// And so many meetings of edges, from which all work follows: about a second's.
    private static let meetingLimit = 50_000
    /// So many pairs of contours are looked at.
    private static let pairBudget = 50_000_000

    /// Outer contours clockwise and holes anticlockwise, so that the nonzero rule fills the areas for which `isWanted` is true;
    /// nil if that is too much work or if GEOS cannot.
    ///
    /// Contours that nothing touches and that do not meet themselves keep their sources.
    ///
    /// - Parameter isWanted: is asked with the winding number of each operand.
    func outline(of contours: [Contour], where isWanted: ((Int) -> Int) -> Bool) -> [Contour]? {
        guard let clusters = clusters(of: contours) else { return nil }
        var result: [Contour] = []
        for cluster in clusters {
            guard let part = outline(ofCluster: cluster, where: isWanted) else { return nil }
            result += part
        }
        return result
    }

    /// Contours by whose boxes touch, in the order of the first of each.
    private func clusters(of contours: [Contour]) -> [[Contour]]? {
        var roots = Array(contours.indices)
        func root(of index: Int) -> Int {
            var index = index
            while roots[index] != index {
                roots[index] = roots[roots[index]]
                index = roots[index]
            }
            return index
        }
        let boxes = contours.map { Box($0.points) }
        let isDone: Void? = effort.looking(atMost: Self.pairBudget) { budget in
            let isDone = Box.forEachTouch(of: boxes, budget: &budget) { i, j in
                let (a, b) = (root(of: i), root(of: j))
                roots[max(a, b)] = min(a, b)
                return true
            }
            return isDone ? () : nil
        }
        guard isDone != nil else { return nil }
        let groups = Dictionary(grouping: contours.indices) { root(of: $0) }
        return groups.sorted { $0.key < $1.key }.map { group in group.value.map { contours[$0] } }
    }

    private func outline(ofCluster contours: [Contour], where isWanted: ((Int) -> Int) -> Bool) -> [Contour]? {
        let edges = contours.reduce(0) { $0 + $1.points.count }
        guard edges <= Self.edgeLimit, let meetings = Edges(contours).meetings(limit: Self.meetingLimit, effort)
        else { return nil }
        effort.spend(meetings: meetings)
        effort.spend(edges: edges)
        guard !effort.isSpent else { return nil }
        if contours.count == 1, meetings == 0 {
            let (contour, area) = (contours[0], contours[0].signedArea)
            let isInside = area != 0 && isWanted { $0 == contour.operand ? (area > 0 ? 1 : -1) : 0 }
            return isInside ? [contour.clockwise] : []
        }
        let maps = Dictionary(grouping: contours, by: \.operand).mapValues { WindingMap($0) }
        return rings(between: contours.map(\.points)) { point in
            isWanted { maps[$0]?.winding(at: point) ?? 0 }
        }
    }

    private func rings(between contours: [[Point]], where isWanted: (Point) -> Bool) -> [Contour]? {
        guard let context = GEOSContext(),
            let faces = Geometry.lines(closing: contours, in: context)?.noded(grid: grid)?.faces
        else { return nil }
        var boundary = Boundary()
        for face in faces {
            guard let point = face.innerPoint else { return nil }
            guard isWanted(point) else { continue }
            guard let rings = face.rings else { return nil }
            for (index, ring) in rings.enumerated() {
                let contour = Contour(operand: 0, points: ring).clockwise
                boundary.add(index == 0 ? contour.points : contour.points.reversed())
            }
        }
        // Cutting moves corners to the grid, and leaves some that are no longer needed, and steps as small as the grid.
        let loops = boundary.loops.map { $0.thinned(within: 2 * grid) }
        return loops.filter { $0.count > 2 }.map { Contour(operand: 0, points: $0) }
    }
}
