/// The paint of a fill or stroke. Positions are in the coordinates of the painted path.
///
/// Red, green, blue and alpha are interpolated independently between gradient stops, not
/// premultiplied, in sRGB, as in SVG. Beyond the first and last stop their colours continue
/// (`pad`). A gradient without extent paints its last stop's colour; a gradient without stops
/// paints nothing.
public enum Paint: Sendable, Hashable {
    /// A solid colour.
    case color(Color)
    /// A gradient along a line.
    case linearGradient(LinearGradient)
    /// A gradient from a focal point to a circle.
    case radialGradient(RadialGradient)
    /// A gradient around a point.
    case conicGradient(ConicGradient)
}

/// A colour at an offset of a gradient.
public struct GradientStop: Sendable, Hashable {
    /// Position along the gradient in 0...1. Drawing clamps it to this range, and to at least
    /// the offset of the stop before it.
    public var offset: Double
    /// The stop's colour.
    public var color: Color

    public init(_ offset: Double, _ color: Color) {
        self.offset = offset
        self.color = color
    }
}

/// A gradient that changes along a line and is constant across it.
public struct LinearGradient: Sendable, Hashable {
    /// The point at offset 0.
    public var start: Point
    /// The point at offset 1.
    public var end: Point
    /// The stops in ascending order of their offsets.
    public var stops: [GradientStop]

    public init(from start: Point, to end: Point, stops: [GradientStop]) {
        self.start = start
        self.end = end
        self.stops = stops
    }
}

/// A gradient from a focal point to a circle around it.
public struct RadialGradient: Sendable, Hashable {
    /// The centre of the circle in points.
    public var center: Point
    /// The radius of the circle in points, at offset 1.
    public var radius: Double
    /// The focal point at offset 0, such as the highlight of a ball. It is moved to within 0.99 of
    /// the radius, since a cone with its apex on or outside the circle does not cover the plane.
    public var focus: Point
    /// The stops in ascending order of their offsets.
    public var stops: [GradientStop]

    /// A gradient from `focus`, by default the centre, to a circle.
    public init(center: Point, radius: Double, focus: Point? = nil, stops: [GradientStop]) {
        self.center = center
        self.radius = radius
        self.focus = focus ?? center
        self.stops = stops
    }
}

extension RadialGradient {
    /// The maximum distance from centre to focus, as a fraction of the radius. At 1 the cone
    /// degenerates to a half-plane.
    private static let maxFocusDistance = 0.99

    /// The focal point that is drawn, in points: moved into the circle if needed.
    package var effectiveFocus: Point {
        let distance = focus.distance(to: center)
        let limit = radius * Self.maxFocusDistance
        return distance > limit ? center + (focus - center) * (limit / distance) : focus
    }
}

extension [GradientStop] {
    /// The stops with their offsets clamped to 0...1 and to the offset of the stop before.
    package var normalized: [GradientStop] {
        var offset = 0.0
        return map { stop in
            offset = Swift.min(Swift.max(offset, stop.offset), 1)
            return GradientStop(offset, stop.color)
        }
    }
}
