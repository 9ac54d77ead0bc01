import CCairo
import Scene

/// A gradient as Cairo takes it.
///
/// Cairo keeps stops with straight alpha in 16 bits a component, interpolates each component by itself and multiplies by
/// alpha afterwards, on surfaces of pixels (pixman) as in SVG files. So a stop that is transparent lends its colour to what
/// is between, as in SVG and unlike CSS, which interpolates what was multiplied. Whoever wants that gives the transparent
/// stop its neighbour's colour.
struct GradientPattern {
    /// What offset 0 and offset 1 are; nil if the gradient has no extent.
    private let pattern: OpaquePointer?
    private let stops: [GradientStop]

    init(_ gradient: LinearGradient) {
        let (start, end) = (gradient.start, gradient.end)
        pattern = start == end ? nil : cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
        stops = gradient.stops
    }

    init(_ gradient: RadialGradient) {
        let (center, radius, focus) = (gradient.center, gradient.radius, gradient.reachableFocus)
        pattern =
            radius > 0 ? cairo_pattern_create_radial(focus.x, focus.y, 0, center.x, center.y, radius) : nil
        stops = gradient.stops
    }

    /// Makes it what a context paints with, in the coordinates that the context has now.
    func set(on context: OpaquePointer) {
        guard let pattern else {
            let color = stops.last?.color ?? Color.black.opacity(0)
            return cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
        }
        defer { cairo_pattern_destroy(pattern) }
        // Cairo would sort them by the offsets that they have.
        for stop in stops.placed {
            let color = stop.color
            cairo_pattern_add_color_stop_rgba(
                pattern, stop.offset, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(context, pattern)
    }
}
