/// What an area or a line is painted with. Positions are in the coordinates of the path that is painted.
///
/// Between stops red, green, blue and alpha are interpolated each by itself: straight, in sRGB, as in SVG. Before the first
/// stop and behind the last the end's colour goes on. Where a gradient has no extent, its last stop paints everything; one
/// without stops paints nothing.
public enum Paint: Sendable, Hashable {
    /// One colour.
    case color(Color)
    /// Colours along a line.
    case linearGradient(LinearGradient)
    /// Colours from a point out to a circle.
    case radialGradient(RadialGradient)
}

/// A colour at a place of a gradient.
public struct GradientStop: Sendable, Hashable {
    /// Where it is, 0...1 from the gradient's start to its end. Beyond that it is taken for the nearest, and before the stop
    /// in front of it for that one's place.
    public var offset: Double
    /// The colour there.
    public var color: Color

    /// A stop at an offset of 0...1.
    public init(_ offset: Double, _ color: Color) { (self.offset, self.color) = (offset, color) }
}

/// Colours that change along a line and are the same across it.
public struct LinearGradient: Sendable, Hashable {
    /// Where offset 0 is, in points.
    public var start: Point
    /// Where offset 1 is, in points.
    public var end: Point
    /// The colours, by growing offset.
    public var stops: [GradientStop]

    /// A gradient from one point to another.
    public init(from start: Point, to end: Point, stops: [GradientStop]) {
        (self.start, self.end, self.stops) = (start, end, stops)
    }
}

/// Colours that change from a focal point to a circle around it.
public struct RadialGradient: Sendable, Hashable {
    /// The circle's centre, in points.
    public var center: Point
    /// The circle's radius, in points, where offset 1 is.
    public var radius: Double
    /// Where offset 0 is, the highlight of a ball. Within 0.99 of the radius: what lies farther out is moved there, since
    /// from the circle's edge on its cone would not reach everywhere.
    public var focus: Point
    /// The colours, by growing offset.
    public var stops: [GradientStop]

    /// A gradient out to a circle, from `focus` or, without one, from the centre.
    public init(center: Point, radius: Double, focus: Point? = nil, stops: [GradientStop]) {
        (self.center, self.radius, self.focus, self.stops) = (center, radius, focus ?? center, stops)
    }
}

extension RadialGradient {
    /// From the centre to the focus at most so much of the radius: at the edge the cone becomes a half-plane.
    private static let farthestFocus = 0.99

    /// Where the focus really is, in points: within reach of the circle.
    package var reachableFocus: Point {
        let (distance, limit) = (focus.distance(to: center), radius * Self.farthestFocus)
        return distance > limit ? center + (focus - center) * (limit / distance) : focus
    }
}

extension [GradientStop] {
    /// The stops where they really are: each within 0...1, and none before the one in front of it.
    package var placed: [GradientStop] {
        var offset = 0.0
        return map { stop in
            offset = Swift.min(Swift.max(offset, stop.offset), 1)
            return GradientStop(offset, stop.color)
        }
    }
}
