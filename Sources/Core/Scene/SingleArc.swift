/// The arc of a path that consists of a single circular arc.
package struct SingleArc {
    package private(set) var center = Point.zero
    package private(set) var radius = 0.0
    /// The angles of the ends in radians, less than a full turn apart unless the arc is a circle.
    package private(set) var start = 0.0
    package private(set) var end = 0.0
    /// True for a full circle.
    package private(set) var isClosed = false

    /// Half a turn in the arc's direction, in radians.
    package var turn: Double { end > start ? .pi : -.pi }

    /// The arc of a path; nil if the path is anything else.
    package init?(_ path: Path) {
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

    /// The arc of a stroke that is drawn as the outline of an arc, with the corners of
    /// `ArcPolygon`; nil for other paths, for lines as wide as the circle, and for square caps.
    package init?(strokedAlong path: Path, width: Double, cap: Stroke.Cap) {
        guard let arc = SingleArc(path), width > 0, arc.radius > width / 2, cap != .square else { return nil }
        self = arc
    }
}
