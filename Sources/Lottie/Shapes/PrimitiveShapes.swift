import Core

/// Rectangles, ellipses, stars and polygons. Their paths start at the same vertex and have the same
/// direction as in After Effects, which matters to trim paths.
enum PrimitiveShape: Sendable {
    case rectangle(position: Property<Point>, size: Property<Point>, roundness: Property<Double>)
    case ellipse(position: Property<Point>, size: Property<Point>)
    case star(Star)

    /// A star, or a polygon without inner corners.
    struct Star: Sendable {
        var isPolygon: Bool
        var position: Property<Point>
        var points: Property<Double>
        /// The rotation in degrees.
        var rotation: Property<Double>
        var outerRadius: Property<Double>
        var innerRadius: Property<Double>
        /// The roundness of the outer points in percent.
        var outerRoundness: Property<Double>
        /// The roundness of the inner points in percent.
        var innerRoundness: Property<Double>
    }

    /// The length of the tangents of a Bézier curve that approximates a quarter circle, as a
    /// fraction of the radius. This value minimises the maximum radial error.
    static let circleHandleRatio = 0.5519150244935106

    /// Returns the contour at a frame, clockwise.
    func contour(at frame: Double, in context: FrameContext) -> BezierContour {
        switch self {
        case .rectangle(let position, let size, let roundness):
            let size = size.value(at: frame, in: context)
            return Self.rectangle(
                position.value(at: frame, in: context), Size(abs(size.x), abs(size.y)),
                roundness.value(at: frame, in: context))
        case .ellipse(let position, let size):
            let center = position.value(at: frame, in: context)
            let size = size.value(at: frame, in: context)
            return Self.ellipse(center, size.x / 2, size.y / 2)
        case .star(let star): return star.contour(at: frame, in: context)
        }
    }

    private static func rectangle(_ center: Point, _ size: Size, _ roundness: Double) -> BezierContour {
        let w = size.width / 2
        let h = size.height / 2
        let radius = min(max(0, roundness), w, h)
        // Clockwise from the top right corner.
        let corners = [Point(w, -h), Point(w, h), Point(-w, h), Point(-w, -h)].map { center + $0 }
        guard radius > 0 else { return BezierContour(corners.map { BezierContour.Vertex($0) }, isClosed: true) }
        let directions = [Point(0, 1), Point(-1, 0), Point(0, -1), Point(1, 0)]
        let handleDistance = radius * (1 - circleHandleRatio)
        var vertices: [BezierContour.Vertex] = []
        for (index, corner) in corners.enumerated() {
            let before = directions[(index + 3) % 4]
            let after = directions[index]
            let start = corner - before * radius
            let end = corner + after * radius
            vertices.append(.init(start, into: start, out: corner - before * handleDistance))
            vertices.append(.init(end, into: corner + after * handleDistance, out: end))
        }
        // The contour starts at the end of the first corner's curve.
        vertices.append(vertices.removeFirst())
        return BezierContour(vertices, isClosed: true)
    }

    private static func ellipse(_ center: Point, _ x: Double, _ y: Double) -> BezierContour {
        let kx = x * circleHandleRatio
        let ky = y * circleHandleRatio
        func vertex(_ dx: Double, _ dy: Double, _ tx: Double, _ ty: Double) -> BezierContour.Vertex {
            let point = center + Point(dx, dy)
            return .init(point, into: point - Point(tx, ty), out: point + Point(tx, ty))
        }
        // Clockwise from 12 o'clock.
        return BezierContour(
            [vertex(0, -y, kx, 0), vertex(x, 0, 0, ky), vertex(0, y, -kx, 0), vertex(-x, 0, 0, -ky)], isClosed: true)
    }
}

extension PrimitiveShape.Star {
    func contour(at frame: Double, in context: FrameContext) -> BezierContour {
        func value(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
        let points = min(max(value(points), 3), 1000).rounded(.down)
        let count = Int(points) * (isPolygon ? 1 : 2)
        let step = 2 * .pi / Double(count)
        let outer = value(outerRadius)
        let inner = value(innerRadius)
        let center = position.value(at: frame, in: context)
        let first = value(rotation) * .pi / 180 - .pi / 2
        // At a roundness of 100%, a tangent is a quarter of the arc between two outer points.
        let arcFraction = .pi / 2 / points
        let outerTangent = outer * value(outerRoundness) / 100 * arcFraction
        let innerTangent = inner * value(innerRoundness) / 100 * arcFraction
        let vertices = (0..<count).map { index in
            let isOuter = isPolygon || index % 2 == 0
            let angle = first + Double(index) * step
            let radius = isOuter ? outer : inner
            let point = Point(0, 0).moved(by: radius, towards: angle)
            let length = (isOuter ? outerTangent : innerTangent) * (radius == 0 ? 0 : 1)
            let tangent = Point(-sin(angle), cos(angle)) * length
            return BezierContour.Vertex(center + point, into: center + point - tangent, out: center + point + tangent)
        }
        return BezierContour(vertices, isClosed: true)
    }
}
