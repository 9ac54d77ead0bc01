import Core

/// The conversion of strokes along circular arcs to outlines to fill.
package enum ArcOutline {
    /// Returns the outline of a stroke along a single arc or circle, to be filled by the nonzero
    /// rule. Returns nil for other paths, for lines as wide as the circle, and for square caps.
    package static func stroke(along path: Path, width: Double, cap: Stroke.Cap) -> Path? {
        guard let arc = SingleArc(strokedAlong: path, width: width, cap: cap) else { return nil }
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
}

extension Path {
    fileprivate mutating func addCap(at center: Point, radius: Double, from angle: Double, turn: Double) {
        addArc(center: center, radius: radius, startAngle: angle, endAngle: angle + turn)
    }
}
