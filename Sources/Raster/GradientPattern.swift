import CCairo
import Core

/// A gradient as a Cairo pattern.
///
/// Cairo stores stops with straight alpha in 16 bits per component, interpolates each component
/// independently and premultiplies afterwards, both in bitmaps (Pixman) and in SVG files. The
/// colour of a transparent stop therefore contributes to the colours next to it, as in SVG but not
/// in CSS, which interpolates premultiplied colours. For the CSS result, give a transparent stop
/// its neighbour's colour.
struct GradientPattern {
    /// The pattern without stops; nil if the gradient has no extent.
    private let pattern: OpaquePointer?
    private let stops: [GradientStop]

    init(_ gradient: LinearGradient) {
        let start = gradient.start
        let end = gradient.end
        pattern = start == end ? nil : cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
        stops = gradient.stops
    }

    init(_ gradient: RadialGradient) {
        let center = gradient.center
        let radius = gradient.radius
        let focus = gradient.effectiveFocus
        pattern =
            radius > 0 ? cairo_pattern_create_radial(focus.x, focus.y, 0, center.x, center.y, radius) : nil
        stops = gradient.stops
    }

    /// Makes the gradient a context's source, in its current user space.
    func set(on context: OpaquePointer) {
        guard let pattern else {
            let color = stops.last?.color ?? Color.black.opacity(0)
            return cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
        }
        defer { cairo_pattern_destroy(pattern) }
        // Without this Cairo would sort the stops by their original offsets.
        for stop in stops.normalized {
            let color = stop.color
            cairo_pattern_add_color_stop_rgba(
                pattern, stop.offset, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(context, pattern)
    }
}
