/// Polygons with few corners for circular arcs. Cairo halves a curve until it is flat enough, which
/// yields up to twice as many edges as needed and takes time for each.
package enum ArcPolygon {
    /// Returns the corners of an arc's polygon in order.
    ///
    /// Corners lie at fixed angles of the circle, so an arc that grows changes only at its ends.
    /// They lie slightly outside the arc, so that the polygon has the circle's area. The leftmost,
    /// topmost, rightmost and bottommost points lie on edges, so the polygon stays within the
    /// circle's bounds.
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
        let edges = edgesPerQuarter(radius: radius, tolerance: tolerance)
        let step = .pi / 2 / edges
        let directions = Directions.with(edges)
        let outside = radius * (step / sin(step)).squareRoot()
        let whole = (abs(end - start) / (2 * .pi) + 1e-9).rounded(.down)
        let end = whole > 1 ? end - (whole - 1) * (end > start ? 2 * .pi : -2 * .pi) : end
        let low = min(start, end)
        let high = max(start, end)
        let first = (low / step + 0.5).rounded(.down)
        let count = Int(max(0, (high / step - 0.5).rounded(.up) - first))
        var points: [Point] = []
        points.reserveCapacity(count + 2)
        points.append(center.moved(by: radius, towards: start))
        for index in 0..<count {
            let position = end < start ? count - 1 - index : index
            let corner = first + Double(position)
            if let direction = directions?[corner] {
                points.append(center + direction * outside)
            } else {
                points.append(center.moved(by: outside, towards: (corner + 0.5) * step))
            }
        }
        points.append(center.moved(by: radius, towards: end))
        return points
    }

    /// Returns the number of edges of a quarter of a circle.
    private static func edgesPerQuarter(radius: Double, tolerance: Double) -> Double {
        let maxAngle = min(max((12 * tolerance / max(radius, tolerance)).squareRoot(), minAngle), .pi / 4)
        return (.pi / 2 / maxAngle).rounded(.up)
    }

    /// Returns the angle between two corners of an arc in radians.
    static func step(radius: Double, tolerance: Double) -> Double {
        .pi / 2 / edgesPerQuarter(radius: max(0, radius), tolerance: tolerance)
    }

    /// The minimum angle of an edge in radians, enough for a circle with a radius of 20 million
    /// pixels.
    private static let minAngle = 1e-4

    /// The directions of the corners of circles with the same number of edges. Every frame needs
    /// the same ones again, and sines take longer than anything else about a polygon.
    private struct Directions: Sendable {
        private let vectors: [Point]
        private let first: Double

        /// The maximum number of edges of a quarter. A circle with a radius of 400 pixels has as
        /// many.
        private static let maxEdges = 64.0
        private static let known = Locked([Double: Directions]())

        private init(_ edges: Double) {
            // One turn of negative angles and two of positive ones: paths begin at 12 o'clock, and
            // some are drawn anticlockwise from beyond a full turn.
            first = -4 * edges
            let step = .pi / 2 / edges
            vectors = (0..<Int(12 * edges)).map { [first] in
                let angle = (first + Double($0) + 0.5) * step
                return Point(cos(angle), sin(angle))
            }
        }

        /// Returns the directions for a number of edges per quarter; nil if there are too many.
        static func with(_ edges: Double) -> Directions? {
            guard edges <= maxEdges else { return nil }
            return known.withLock { known in
                if let found = known[edges] { return found }
                let made = Directions(edges)
                known[edges] = made
                return made
            }
        }

        /// The direction of a corner, counted from the angle 0; nil beyond the stored turns.
        subscript(corner: Double) -> Point? {
            let index = corner - first
            return index >= 0 && index < Double(vectors.count) ? vectors[Int(index)] : nil
        }
    }
}
