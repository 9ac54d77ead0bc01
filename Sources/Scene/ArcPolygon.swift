import Platform

/// Circular arcs as polygons of few corners: halving a curve until it is flat enough, as Cairo does, gives up to twice as many
/// edges as needed, and costs time for each.
package enum ArcPolygon {
    /// The corners of an arc's polygon in order. They lie at the same angles whatever part of the circle the arc is, so that
    /// an arc that grows changes at its ends only; and a little outside, so far that the circle's area is kept. Leftmost,
    /// topmost and so on are edges, so that the polygon does not leave the circle's bounds.
    ///
    /// The first and the last corner are on the arc. Turns beyond the first are left out; a radius below 0 is 0.
    ///
    /// - Parameter tolerance: how far the polygon may be from the arc, in the radius's units; more than 0.
    package static func corners(
        center: Point, radius: Double, from start: Double, to end: Double, tolerance: Double
    ) -> [Point] {
        // With edges of a small angle a, corners are a² / 12 of the radius outside, and middles a² / 24 inside.
        let radius = max(0, radius)
        let widest = min(max((12 * tolerance / max(radius, tolerance)).squareRoot(), finest), .pi / 4)
        let step = .pi / 2 / (.pi / 2 / widest).rounded(.up)
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

    /// No edge needs a smaller angle than this: it does for a circle of 20 million pixels.
    private static let finest = 1e-4
}
