import Core

extension Node {
    /// Returns the smallest rectangle around the paths and images of nodes, with half the width of
    /// strokes on all sides; nil if none paints. `bounds(of:)` may be larger, because it also
    /// contains control points and the longest possible miters.
    static func tightBounds(of nodes: [Node], _ transform: AffineTransform = .identity) -> Rect? {
        var union: Rect?
        for node in nodes {
            guard let next = node.tightBounds(transform) else { continue }
            union = union.map { $0.union(next) } ?? next
        }
        return union
    }

    private func tightBounds(_ transform: AffineTransform) -> Rect? {
        switch self {
        case .shape(let shape):
            guard shape.fill != nil || shape.stroke != nil else { return nil }
            guard let box = shape.path.tightBounds(transform) else { return nil }
            // The extents of the circle that a round pen becomes.
            let reach = shape.stroke.map { $0.width / 2 } ?? 0
            let x = reach * hypot(transform.a, transform.c)
            let y = reach * hypot(transform.b, transform.d)
            return Rect(x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y)
        case .image, .text: return bounds.map(transform.bounds)
        case .group(let group):
            guard group.opacity > 0 else { return nil }
            guard group.clip == nil, group.mask == nil, group.effects.isEmpty else {
                return bounds.map(transform.bounds)
            }
            return Self.tightBounds(of: group.nodes, group.transform.then(transform))
        }
    }
}

extension Path {
    /// Returns the smallest rectangle around the transformed path; nil for an empty path.
    fileprivate func tightBounds(_ transform: AffineTransform) -> Rect? {
        var box: BoundingBox?
        func add(_ point: Point) { if box == nil { box = BoundingBox(point) } else { box?.add(point) } }
        func add(_ curve: CubicCurve) { curve.extrema.forEach(add) }
        var current = Point.zero
        for element in elements {
            switch element {
            case .move(let point), .line(let point):
                current = transform.apply(point)
                add(current)
            case .quadratic(let control, let end):
                let control = transform.apply(control)
                let end = transform.apply(end)
                let part = 2.0 / 3
                add(CubicCurve(current, current + (control - current) * part, end + (control - end) * part, end))
                current = end
            case .cubic(let control1, let control2, let end):
                let curve = CubicCurve(
                    current, transform.apply(control1), transform.apply(control2), transform.apply(end))
                add(curve)
                current = curve.p3
            // The paths of Lottie files have no arcs.
            case .arc: return bounds.map(transform.bounds)
            case .close: break
            }
        }
        return box?.rect
    }
}

extension CubicCurve {
    /// The end points and the extrema of x and y, whose bounding box is the curve's.
    fileprivate var extrema: [Point] {
        let parameters =
            Self.extremumParameters(p0.x, p1.x, p2.x, p3.x) + Self.extremumParameters(p0.y, p1.y, p2.y, p3.y)
        return [p0, p3] + parameters.map { point($0) }
    }

    /// Returns the parameters in 0...1 at which the derivative of a coordinate is zero.
    private static func extremumParameters(_ p0: Double, _ p1: Double, _ p2: Double, _ p3: Double) -> [Double] {
        let a = p3 - 3 * p2 + 3 * p1 - p0
        let b = 2 * (p2 - 2 * p1 + p0)
        let c = p1 - p0
        let discriminant = b * b - 4 * a * c
        guard discriminant >= 0 else { return [] }
        // Written without the difference of nearly equal numbers; a line has one root or none.
        let sum = -(b + (b < 0 ? -1 : 1) * discriminant.squareRoot()) / 2
        return [sum / a, c / sum].filter { $0 > 0 && $0 < 1 }
    }
}
