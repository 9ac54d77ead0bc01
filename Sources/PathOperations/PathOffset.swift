import Platform
import Scene

extension Path {
    /// What the path encloses, grown or shrunk on all sides: After Effects' Offset Paths.
    ///
    /// The path is filled by the nonzero rule. Where it is closed, its inside grows by `amount`, or shrinks if that is negative,
    /// until nothing is left. Open subpaths become the outline of a line of twice the amount's width, whose ends are round if corners are and
    /// else flat; they enclose nothing that could shrink, so that nothing is left of them. Like what is combined (``combining(_:by:flatness:)``),
    /// polygons come back, outer ones clockwise, and where nothing can be computed the path as it is.
    ///
    /// - Parameters:
    ///   - amount: by how much, in points.
    ///   - join: what becomes of corners where the outline is torn open. Curves stay curves.
    ///   - miterLimit: how many times `amount` the tip of a miter may be away from its corner, at most 1,000; sharper corners
    ///     are bevelled.
    ///   - flatness: how far polygons may stray from curves, in points; at least 1e-7 of the farthest coordinate.
    ///   - effort: what this and other operations may take together; where it is spent nothing can be computed.
    package func offset(
        by amount: Double, join: Stroke.Join, miterLimit: Double, flatness: Double, effort: PathEffort = PathEffort()
    ) -> Path {
        // Edges of curves turn so little that corners of polygons are told from them.
        let widestTurn = Double.pi / 40
        guard amount != 0, amount.isFinite,
            let flattening = Flattening([self], reach: amount, flatness: flatness, widestTurn: widestTurn)
        else { return self }
        let arrangement = Arrangement(grid: flattening.grid, effort: effort)
        let contours = flattening.contours(of: self)
        guard let inside = arrangement.outline(of: contours.filter(\.isClosed), where: { $0(0) != 0 })
        else { return self }
        let mover = OutlineMover(
            flattening: flattening, amount: amount, join: join, miterLimit: min(miterLimit, OutlineMover.longestMiter))
        // Of what is nowhere wide enough nothing is left, whose edges would all meet.
        let lasting = inside.filter { $0.signedArea < 0 || -2 * amount < Box($0.points).smallerSide }
        var moved = lasting.map { mover.moved($0.points) }
        if amount > 0 { moved += contours.filter { !$0.isClosed }.map { mover.surrounding($0.points) } }
        let outline = arrangement.outline(of: moved.filter { $0.points.count > 2 }) { $0(0) > 0 }
        return outline.map { Path($0) } ?? self
    }
}

/// Moves the edges of outlines outwards, so that what is enclosed more than zero times is the inside, grown.
///
/// A region grows by rectangles that stand on its edges and by pieces that fill the gaps between them at corners. The sum of
/// the outlines of all these, and of the region's, is the outline moved: what two pieces share runs both ways and goes away.
/// Only at corners where rectangles overlap instead, each goes back to the corner by itself. So the moved outline goes around
/// a point once if it is in the region, and once more for each piece that it is in. When a region shrinks, pieces are taken
/// away instead, and it goes around a point of the region that is in none of them once, and around no other more than zero times.
private struct OutlineMover {
    let flattening: Flattening
    let amount: Double
    let join: Stroke.Join
    let miterLimit: Double

    /// Miters of endless length would be far away from all else.
    static let longestMiter = 1000.0

    /// A closed outline, clockwise around what it encloses, or anticlockwise around a hole.
    func moved(_ points: [Point]) -> Contour {
        var result: [Point] = []
        let count = points.count
        for index in 0..<count {
            let (before, after) = (points[(index + count - 1) % count], points[(index + 1) % count])
            addCorner(at: points[index], from: before, to: after, &result)
        }
        return Contour(operand: 0, points: result.withoutRepeats)
    }

    /// The outline of an open line: one side there and the other side back. Between them its ends are flat, or round if corners are.
    func surrounding(_ points: [Point]) -> Contour {
        var result: [Point] = []
        for line in [points, points.reversed()] {
            result.append(line[0] + normal(line[0], line[1]) * amount)
            for index in 1..<line.count - 1 {
                addCorner(at: line[index], from: line[index - 1], to: line[index + 1], &result)
            }
            let (end, last) = (line[line.count - 1], normal(line[line.count - 2], line[line.count - 1]))
            result.append(end + last * amount)
            if join == .round { addArc(around: end, from: last, turn: .pi, &result) }
        }
        return Contour(operand: 0, points: result.withoutRepeats)
    }

    /// The direction that is outwards of an edge, one point long.
    private func normal(_ start: Point, _ end: Point) -> Point {
        let length = start.distance(to: end)
        return Point((end.y - start.y) / length, (start.x - end.x) / length)
    }

    private func addCorner(at corner: Point, from before: Point, to after: Point, _ result: inout [Point]) {
        let (first, second) = (normal(before, corner), normal(corner, after))
        let cosine = first.x * second.x + first.y * second.y
        let turn = atan2(first.x * second.y - first.y * second.x, cosine)
        let (start, end) = (corner + first * amount, corner + second * amount)
        if turn * amount < 0 {
            // The way back to the corner goes once more around what both rectangles cover. It can be left out where that is
            // less than half of either, so that nothing is in two such places of one rectangle.
            let overlap = abs(amount) * tan(abs(turn) / 2)
            let isShort = 2 * overlap <= min(corner.distance(to: before), corner.distance(to: after))
            result += isShort ? [corner + (first + second) * (amount / (1 + cosine))] : [start, corner, end]
            return
        }
        result.append(start)
        if join == .round || abs(turn) <= 2 * flattening.widestTurn {
            addArc(around: corner, from: first, turn: turn, &result)
        } else if join == .miter, miterLimit > 0, miterLimit * miterLimit * (1 + cosine) >= 2 {
            result.append(corner + (first + second) * (amount / (1 + cosine)))
        }
        result.append(end)
    }

    /// The corners of an arc between its ends, which begins where a direction from its centre shows.
    private func addArc(around center: Point, from direction: Point, turn: Double, _ result: inout [Point]) {
        let angle = atan2(direction.y * amount, direction.x * amount)
        let arc = ArcPolygon.corners(
            center: center, radius: abs(amount), from: angle, to: angle + turn, tolerance: flattening.flatness)
        result += arc.dropFirst().dropLast()
    }
}

extension [Point] {
    /// The same without points that are where the one before is, which have no direction.
    fileprivate var withoutRepeats: [Point] {
        var result: [Point] = []
        for point in self where point != result.last { result.append(point) }
        while result.count > 1, result.last == result.first { result.removeLast() }
        return result
    }
}
