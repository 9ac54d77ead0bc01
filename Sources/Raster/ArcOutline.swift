import Core

/// Converts strokes of circular arcs to outlines that are filled.
package enum ArcOutline {
    /// Returns the outline of a stroke along a single arc or circle, to be filled by the nonzero
    /// rule. Returns nil for other paths, for lines as wide as the circle, and for square caps.
    package static func stroke(along path: Path, width: Double, cap: Stroke.Cap) -> Path? {
        guard let arc = SingleArc(path), width > 0, arc.radius > width / 2, cap != .square else { return nil }
        let inner = arc.radius - width / 2
        let outer = arc.radius + width / 2
        var outline = Path()
        outline.addArc(center: arc.center, radius: outer, startAngle: arc.start, endAngle: arc.end)
        if arc.isClosed {
            outline.close()
            outline.move(to: arc.center.moved(by: inner, towards: arc.end))
        } else if cap == .round {
            let head = arc.center.moved(by: arc.radius, towards: arc.end)
            outline.addCap(at: head, radius: width / 2, from: arc.end, turn: arc.turn)
        }
        outline.addArc(center: arc.center, radius: inner, startAngle: arc.end, endAngle: arc.start)
        if !arc.isClosed, cap == .round {
            let tail = arc.center.moved(by: arc.radius, towards: arc.start)
            outline.addCap(at: tail, radius: width / 2, from: arc.start + .pi, turn: arc.turn)
        }
        outline.close()
        return outline
    }

    /// The arc of a path that consists of a single arc.
    private struct SingleArc {
        var center = Point.zero
        var radius = 0.0
        var start = 0.0
        var end = 0.0
        var isClosed = false

        /// Half a turn in the arc's direction, in radians.
        var turn: Double { end > start ? .pi : -.pi }

        init?(_ path: Path) {
            var arcs = 0
            for (index, element) in path.elements.enumerated() {
                switch element {
                case .arc(let center, let radius, let start, let end):
                    arcs += 1
                    self.center = center
                    self.radius = radius
                    self.start = start
                    self.end = end
                case .move where index == 0: break
                case .close where index == path.elements.count - 1: isClosed = true
                default: return nil
                }
            }
            let sweep = abs(end - start)
            let isCircle = abs(sweep - 2 * .pi) < 1e-9
            // A closed partial arc has a straight side. The ends of a full circle cover each other.
            guard arcs == 1, isCircle || (sweep > 0 && sweep < 2 * .pi && !isClosed) else { return nil }
            isClosed = isCircle
            if case .move(let point)? = path.elements.first {
                guard point.distance(to: center.moved(by: radius, towards: start)) < 1e-9 else { return nil }
            }
        }
    }
}

extension Path {
    fileprivate mutating func addCap(at center: Point, radius: Double, from angle: Double, turn: Double) {
        addArc(center: center, radius: radius, startAngle: angle, endAngle: angle + turn)
    }
}
