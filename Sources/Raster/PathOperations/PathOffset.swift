import Core

extension Path {
    /// Returns the area that the path encloses, grown or shrunk on all sides: After Effects' Offset
    /// Paths.
    ///
    /// The path is filled by the nonzero rule. Closed subpaths grow by `amount`, or shrink if it is
    /// negative, until nothing is left. Open subpaths become the outline of a line of twice that
    /// width, with round ends for round joins and flat ends otherwise; a negative amount leaves
    /// nothing of them. As with ``combining(_:by:flatness:budget:)``, the result consists of
    /// polygons, outer ones clockwise, and the path is returned unchanged if the result cannot be
    /// computed.
    ///
    /// - Parameters:
    ///   - amount: the distance in points.
    ///   - join: the shape of convex corners. Curves stay curves.
    ///   - miterLimit: the maximum distance of a miter's tip from its corner, as a multiple of
    ///     `amount`; at most 1000. Sharper corners are bevelled.
    ///   - flatness: the maximum distance of polygons from curves in points; at least 1e-7 of the
    ///     largest coordinate.
    ///   - budget: the work that this and other operations may do together.
    package func offset(
        by amount: Double, join: Stroke.Join, miterLimit: Double, flatness: Double, budget: WorkBudget = WorkBudget()
    ) -> Path {
        // Small enough to tell the edges of curves from the corners of polygons.
        let maxTurn = Double.pi / 40
        guard amount != 0, amount.isFinite,
            let flattening = Flattening([self], reach: amount, flatness: flatness, maxTurn: maxTurn)
        else { return self }
        let arrangement = Arrangement(grid: flattening.grid, budget: budget)
        let contours = flattening.contours(of: self)
        guard let inside = arrangement.outline(of: contours.filter(\.isClosed), where: { $0(0) != 0 })
        else { return self }
        let offsetter = OutlineOffsetter(
            flattening: flattening, amount: amount, join: join,
            miterLimit: min(miterLimit, OutlineOffsetter.maxMiterLimit))
        // Contours too narrow to survive are dropped, since all their edges would intersect.
        let surviving = inside.filter { $0.signedArea < 0 || -2 * amount < BoundingBox($0.points).smallerSide }
        var moved = surviving.map { offsetter.closedOutline($0.points) }
        if amount > 0 { moved += contours.filter { !$0.isClosed }.map { offsetter.openOutline($0.points) } }
        let outline = arrangement.outline(of: moved.filter { $0.points.count > 2 }) { $0(0) > 0 }
        return outline.map { Path($0) } ?? self
    }
}

/// The outward offset of the edges of outlines, so that points with a positive winding number form
/// the grown area.
///
/// An area grows by rectangles on its edges and by pieces that fill the gaps between them at
/// corners. The sum of the outlines of all these and of the area is the moved outline, since edges
/// that two pieces share run in both directions and cancel. Where rectangles overlap at a corner
/// instead, each returns to the corner separately. The winding number of the moved outline at a
/// point is therefore 1 if the area contains the point, plus 1 for each piece that does. When an
/// area shrinks, pieces are subtracted instead: the winding number is 1 at points of the area that
/// are in no piece, and at most 0 elsewhere.
private struct OutlineOffsetter {
    let flattening: Flattening
    let amount: Double
    let join: Stroke.Join
    let miterLimit: Double

    /// The maximum miter limit. Longer miters would end far away from everything else.
    static let maxMiterLimit = 1000.0

    /// Returns a moved closed outline; outlines are clockwise around areas and anticlockwise around
    /// holes.
    func closedOutline(_ points: [Point]) -> PathContour {
        var result: [Point] = []
        let count = points.count
        for index in 0..<count {
            let before = points[(index + count - 1) % count]
            let after = points[(index + 1) % count]
            addCorner(at: points[index], from: before, to: after, into: &result)
        }
        return PathContour(operand: 0, points: result.withoutRepetitions)
    }

    /// Returns the outline of an open line: one side forwards and the other backwards. Its ends are
    /// round for round joins and flat otherwise.
    func openOutline(_ points: [Point]) -> PathContour {
        var result: [Point] = []
        for line in [points, points.reversed()] {
            result.append(line[0] + normal(line[0], line[1]) * amount)
            for index in 1..<line.count - 1 {
                addCorner(at: line[index], from: line[index - 1], to: line[index + 1], into: &result)
            }
            let end = line[line.count - 1]
            let last = normal(line[line.count - 2], line[line.count - 1])
            result.append(end + last * amount)
            if join == .round { addArc(around: end, from: last, turn: .pi, into: &result) }
        }
        return PathContour(operand: 0, points: result.withoutRepetitions)
    }

    /// Returns the outward unit normal of an edge.
    private func normal(_ start: Point, _ end: Point) -> Point {
        let length = start.distance(to: end)
        return Point((end.y - start.y) / length, (start.x - end.x) / length)
    }

    private func addCorner(at corner: Point, from before: Point, to after: Point, into result: inout [Point]) {
        let first = normal(before, corner)
        let second = normal(corner, after)
        let cosine = first.x * second.x + first.y * second.y
        let turn = atan2(first.x * second.y - first.y * second.x, cosine)
        let start = corner + first * amount
        let end = corner + second * amount
        if turn * amount < 0 {
            // The path back to the corner winds once more around the overlap of both rectangles. It
            // can be left out if the overlap is less than half of either edge, so that two overlaps
            // of one rectangle are disjoint.
            let overlap = abs(amount) * tan(abs(turn) / 2)
            let isShort = 2 * overlap <= min(corner.distance(to: before), corner.distance(to: after))
            result += isShort ? [corner + (first + second) * (amount / (1 + cosine))] : [start, corner, end]
            return
        }
        result.append(start)
        if join == .round || abs(turn) <= 2 * flattening.maxTurn {
            addArc(around: corner, from: first, turn: turn, into: &result)
        } else if join == .miter, miterLimit > 0, miterLimit * miterLimit * (1 + cosine) >= 2 {
            result.append(corner + (first + second) * (amount / (1 + cosine)))
        }
        result.append(end)
    }

    /// Adds the corners of an arc between its ends. The arc begins in a direction from its centre.
    private func addArc(around center: Point, from direction: Point, turn: Double, into result: inout [Point]) {
        let angle = atan2(direction.y * amount, direction.x * amount)
        let arc = ArcPolygon.corners(
            center: center, radius: abs(amount), from: angle, to: angle + turn, tolerance: flattening.flatness)
        result += arc.dropFirst().dropLast()
    }
}

extension [Point] {
    /// The points without repetitions, which have no direction.
    fileprivate var withoutRepetitions: [Point] {
        var result: [Point] = []
        for point in self where point != result.last { result.append(point) }
        while result.count > 1, result.last == result.first { result.removeLast() }
        return result
    }
}
