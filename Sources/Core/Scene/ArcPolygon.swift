/// Polygons with few corners for circular arcs. Cairo halves a curve until it is flat enough, which
/// yields up to twice as many edges as needed and takes time for each.
package enum ArcPolygon {
    /// Returns the corners of an arc's polygon in order.
    ///
    /// Corners lie at the same angles whatever part of the circle the arc covers, so an arc that
    /// grows changes only at its ends. They lie slightly outside the arc, so that the polygon has
    /// the circle's area. The leftmost, topmost, rightmost and bottommost points lie on edges, so
    /// the polygon stays within the circle's bounds.
    ///
    /// The first and the last corner are on the arc. Full turns beyond the first are dropped, and a
    /// negative radius counts as 0.
    ///
    /// - Parameter tolerance: the maximum distance of the polygon from the arc, in the radius's
    ///   units; above 0.
    package static func corners(
        center: Point, radius: Double, from start: Double, to end: Double, tolerance: Double
    ) -> [Point] {
        // With a small angle a per edge, corners lie a² / 12 of the radius outside the arc and
        // midpoints of edges a² / 24 inside.
        let radius = max(0, radius)
        let maxAngle = min(max((12 * tolerance / max(radius, tolerance)).squareRoot(), minAngle), .pi / 4)
        let step = .pi / 2 / (.pi / 2 / maxAngle).rounded(.up)
        let outside = radius * (step / sin(step)).squareRoot()
        let whole = (abs(end - start) / (2 * .pi) + 1e-9).rounded(.down)
        let end = whole > 1 ? end - (whole - 1) * (end > start ? 2 * .pi : -2 * .pi) : end
        let (low, high) = (min(start, end), max(start, end))
        let first = (low / step + 0.5).rounded(.down)
        let count = Int(max(0, (high / step - 0.5).rounded(.up) - first))
        var points: [Point] = []
        points.reserveCapacity(count + 2)
        points.append(center.moved(by: radius, towards: start))
        for index in 0..<count {
            let position = end < start ? count - 1 - index : index
            points.append(center.moved(by: outside, towards: (first + Double(position) + 0.5) * step))
        }
        points.append(center.moved(by: radius, towards: end))
        return points
    }

    /// The minimum angle of an edge in radians, enough for a circle with a radius of 20 million
    /// pixels.
    private static let minAngle = 1e-4
}
