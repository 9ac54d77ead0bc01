import Platform
import Scene

/// Circular arcs as polygons of few corners: Cairo halves a curve until it is flat enough, which gives up to twice as many
/// edges as needed, and costs time for each.
package enum ArcOutline {
    /// The corners of an arc's polygon in order. They lie at the same angles whatever part of the circle the arc is, so that
    /// an arc that grows changes at its ends only; and a little outside, so far that the circle's area is kept. Leftmost,
    /// topmost and so on are edges, so that the polygon does not leave the circle's bounds.
    ///
    /// The first and the last corner are on the arc. Turns beyond the first are left out; a radius below 0 is 0.
    ///
    /// - Parameter tolerance: how far the polygon may be from the arc, in the radius's units; more than 0.
    static func corners(
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

    /// The outline of a stroke along a path that is one arc or one circle, to be filled by the nonzero rule; nil for other
    /// paths, for lines as wide as the circle, and for square caps.
    package static func stroke(along path: Path, width: Double, cap: Stroke.Cap) -> Path? {
        guard let arc = SingleArc(path), width > 0, arc.radius > width / 2, cap != .square else { return nil }
        let (inner, outer) = (arc.radius - width / 2, arc.radius + width / 2)
        var outline = Path()
        outline.addArc(center: arc.center, radius: outer, startAngle: arc.start, endAngle: arc.end)
        if arc.isClosed {
            outline.close()
            outline.move(to: arc.center.moved(by: inner, towards: arc.end))
        } else if cap == .round {
            outline.addCap(at: arc.center.moved(by: arc.radius, towards: arc.end), width / 2, from: arc.end, arc.turn)
        }
        outline.addArc(center: arc.center, radius: inner, startAngle: arc.end, endAngle: arc.start)
        if !arc.isClosed, cap == .round {
            let tail = arc.center.moved(by: arc.radius, towards: arc.start)
            outline.addCap(at: tail, width / 2, from: arc.start + .pi, arc.turn)
        }
        outline.close()
        return outline
    }

    /// The arc that a path is.
    private struct SingleArc {
        var center = Point.zero
        var radius = 0.0
        var start = 0.0
        var end = 0.0
        var isClosed = false

        /// Half a turn, in the arc's direction.
        var turn: Double { end > start ? .pi : -.pi }

        init?(_ path: Path) {
            var arcs = 0
            for (index, element) in path.elements.enumerated() {
                switch element {
                case .arc(let center, let radius, let start, let end):
                    arcs += 1
                    (self.center, self.radius, self.start, self.end) = (center, radius, start, end)
                case .move where index == 0: break
                case .close where index == path.elements.count - 1: isClosed = true
                default: return nil
                }
            }
            let sweep = abs(end - start)
            let isCircle = abs(sweep - 2 * .pi) < 1e-9
            // A closed part of a circle has a straight side; the ends of a whole one hide each other.
            guard arcs == 1, isCircle || (sweep > 0 && sweep < 2 * .pi && !isClosed) else { return nil }
            isClosed = isCircle
            if case .move(let point)? = path.elements.first {
                guard point.distance(to: center.moved(by: radius, towards: start)) < 1e-9 else { return nil }
            }
        }
    }
}

extension Path {
    fileprivate mutating func addCap(at center: Point, _ radius: Double, from angle: Double, _ turn: Double) {
        addArc(center: center, radius: radius, startAngle: angle, endAngle: angle + turn)
    }
}
