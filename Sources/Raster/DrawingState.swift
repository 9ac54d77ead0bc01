import CCairo
import Core

// The state of the Cairo context: transform, source, clip and path.
extension SceneDrawing {
    /// The number of pixels per point along the axis with the larger scale.
    var scale: Double {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        return max(hypot(matrix.xx, matrix.yx), hypot(matrix.xy, matrix.yy), .leastNormalMagnitude)
    }

    /// The current transform from points to pixels.
    var deviceTransform: AffineTransform {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        return AffineTransform(
            a: matrix.xx, b: matrix.yx, c: matrix.xy, d: matrix.yy, tx: matrix.x0, ty: matrix.y0)
    }

    func setSource(_ paint: Paint) {
        switch paint {
        case .color(let color): setSource(color)
        case .linearGradient(let gradient): GradientPattern(gradient).set(on: context)
        case .radialGradient(let gradient): GradientPattern(gradient).set(on: context)
        case .conicGradient: setSource(pixelsOf: paint)
        }
    }

    func setSource(_ color: Color) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    func apply(_ transform: AffineTransform) {
        var matrix = cairo_matrix_t(
            xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx, y0: transform.ty)
        cairo_transform(context, &matrix)
    }

    /// Clips to the whole pixels that `bounds` touches, which keeps all edges hard, widened to the
    /// columns of all outlines. Where Cairo cuts an outline at a side, it computes the pixels of
    /// these rows differently, so they would depend on the bounds.
    func clipToPixels(_ bounds: Rect, outlines: Rect) {
        let box = deviceTransform.bounds(of: bounds).widened(to: deviceTransform.bounds(of: outlines))
        let top = (box.y - 1).rounded(.down)
        let bottom = (box.maxY + 1).rounded(.up)
        clip {
            guard isClippedToOutline else {
                return ((box.x - 1).rounded(.down), top, (box.maxX + 1).rounded(.up), bottom)
            }
            // That outline must not be cut either.
            var (left, upper, right, lower) = (0.0, 0.0, 0.0, 0.0)
            cairo_clip_extents(context, &left, &upper, &right, &lower)
            return (left.rounded(.down), top, right.rounded(.up), bottom)
        }
    }

    /// Replaces the clip by the smallest rectangle of whole pixels that contains it.
    func hardenClip() {
        clip {
            var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
            cairo_clip_extents(context, &left, &top, &right, &bottom)
            cairo_reset_clip(context)
            return (left, top, right, bottom)
        }
    }

    /// Clips to a rectangle in pixels. Calls `edges` while the unit of the context is a pixel.
    private func clip(to edges: () -> (left: Double, top: Double, right: Double, bottom: Double)) {
        withUnitOfPixels {
            let (left, top, right, bottom) = edges()
            cairo_rectangle(context, left, top, right - left, bottom - top)
            cairo_clip(context)
        }
    }

    /// Calls a function while the unit of the context is a pixel, and returns its result.
    func withUnitOfPixels<Result>(_ body: () -> Result) -> Result {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        cairo_identity_matrix(context)
        defer { cairo_set_matrix(context, &matrix) }
        return body()
    }

    /// True if the clip consists of whole pixels. False for some of these clips, too, if the
    /// transform rotates.
    var hasHardClip: Bool {
        guard let list = cairo_copy_clip_rectangle_list(context) else { return false }
        defer { cairo_rectangle_list_destroy(list) }
        return list.pointee.status == CAIRO_STATUS_SUCCESS
    }

    /// Adds an arc, or the polygon that replaces it, to Cairo's current path.
    private func addArc(center: Point, radius: Double, from start: Double, to end: Double, isFlattened: Bool) {
        guard isFlattened else {
            let add = end >= start ? cairo_arc : cairo_arc_negative
            return add(context, center.x, center.y, radius, start, end)
        }
        let tolerance = SceneDrawing.tolerance / scale
        for corner in ArcPolygon.corners(center: center, radius: radius, from: start, to: end, tolerance: tolerance) {
            cairo_line_to(context, corner.x, corner.y)
        }
    }

    /// Makes `path` Cairo's current path.
    func trace(_ path: Path, flattensArcs: Bool) {
        cairo_new_path(context)
        var current = Point.zero
        // The start of the subpath. Cairo's own is rounded to 1/256 of a pixel.
        var first: Point?
        for element in path.elements {
            switch element {
            case .move(let point):
                cairo_move_to(context, point.x, point.y)
                current = point
                first = point
            case .line(let point):
                cairo_line_to(context, point.x, point.y)
                current = point
            case .quadratic(let control, let end):
                let first = current + (control - current) * (2 / 3)
                let second = end + (control - end) * (2 / 3)
                cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
                current = end
            case .cubic(let control1, let control2, let end):
                cairo_curve_to(context, control1.x, control1.y, control2.x, control2.y, end.x, end.y)
                current = end
            case .arc(let center, let radius, let start, let end):
                first = first ?? center.moved(by: radius, towards: start)
                addArc(center: center, radius: radius, from: start, to: end, isFlattened: flattensArcs)
                current = center.moved(by: radius, towards: end)
            case .close:
                cairo_close_path(context)
                // A segment without a move continues from the start of the subpath.
                current = first ?? .zero
            }
        }
    }
}
