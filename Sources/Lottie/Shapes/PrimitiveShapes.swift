import Platform
import Scene

/// Rectangles, ellipses, stars and polygons. Where their outlines begin and how they run matters to trim paths; it is as After
/// Effects has it.
enum PrimitiveShape: Sendable {
    case rectangle(position: Property<Point>, size: Property<Point>, roundness: Property<Double>)
    case ellipse(position: Property<Point>, size: Property<Point>)
    case star(Star)

    /// A star, or a polygon without inner corners.
    struct Star: Sendable {
        var isPolygon: Bool
        var position: Property<Point>
        var points: Property<Double>
        /// Degrees.
        var rotation: Property<Double>
        var outerRadius: Property<Double>
        var innerRadius: Property<Double>
        /// Percent.
        var outerRoundness: Property<Double>
        var innerRoundness: Property<Double>
    }

    /// Control points of a quarter of a circle lie so far out, as a part of the radius.
    static let quarter = 0.5519150244935106

    /// The outline at a frame, clockwise unless it is to be reversed.
    func contour(at frame: Double, rate: Double) -> Contour {
        switch self {
        case .rectangle(let position, let size, let roundness):
            let size = size.value(at: frame, rate: rate)
            return Self.rectangle(
                position.value(at: frame, rate: rate), Size(abs(size.x), abs(size.y)),
                roundness.value(at: frame, rate: rate))
        case .ellipse(let position, let size):
            let (center, size) = (position.value(at: frame, rate: rate), size.value(at: frame, rate: rate))
            return Self.ellipse(center, size.x / 2, size.y / 2)
        case .star(let star): return star.contour(at: frame, rate: rate)
        }
    }

    private static func rectangle(_ center: Point, _ size: Size, _ roundness: Double) -> Contour {
        let (w, h) = (size.width / 2, size.height / 2)
        let radius = min(max(0, roundness), w, h)
        // From the right upper corner on, clockwise.
        let corners = [Point(w, -h), Point(w, h), Point(-w, h), Point(-w, -h)].map { center + $0 }
        guard radius > 0 else { return Contour(corners.map { Contour.Vertex($0) }, isClosed: true) }
        let directions = [Point(0, 1), Point(-1, 0), Point(0, -1), Point(1, 0)]
        let rest = radius * (1 - quarter)
        var vertices: [Contour.Vertex] = []
        for (index, corner) in corners.enumerated() {
            // Into the corner by the edge before, out of it by the next.
            let (before, after) = (directions[(index + 3) % 4], directions[index])
            let start = corner - before * radius, end = corner + after * radius
            vertices.append(.init(start, into: start, out: corner - before * rest))
            vertices.append(.init(end, into: corner + after * rest, out: end))
        }
        // The outline begins behind the first corner's curve.
        vertices.append(vertices.removeFirst())
        return Contour(vertices, isClosed: true)
    }

    static func ellipse(_ center: Point, _ x: Double, _ y: Double) -> Contour {
        let (kx, ky) = (x * quarter, y * quarter)
        func vertex(_ dx: Double, _ dy: Double, _ tx: Double, _ ty: Double) -> Contour.Vertex {
            let point = center + Point(dx, dy)
            return .init(point, into: point - Point(tx, ty), out: point + Point(tx, ty))
        }
        // From 12 o'clock on, clockwise.
        return Contour(
            [vertex(0, -y, kx, 0), vertex(x, 0, 0, ky), vertex(0, y, -kx, 0), vertex(-x, 0, 0, -ky)], isClosed: true)
    }
}

extension PrimitiveShape.Star {
    func contour(at frame: Double, rate: Double) -> Contour {
        func value(_ property: Property<Double>) -> Double { property.value(at: frame, rate: rate) }
        let points = min(max(value(points), 3), 1000).rounded(.down)
        let count = Int(points) * (isPolygon ? 1 : 2)
        let step = 2 * .pi / Double(count)
        let (outer, inner) = (value(outerRadius), value(innerRadius))
        let center = position.value(at: frame, rate: rate)
        let first = value(rotation) * .pi / 180 - .pi / 2
        // A roundness of 100% gives control points half as far out as a part of the circle is long.
        let reach = .pi / 2 / points
        let lengths = (outer * value(outerRoundness) / 100 * reach, inner * value(innerRoundness) / 100 * reach)
        let vertices = (0..<count).map { index in
            let isOuter = isPolygon || index % 2 == 0
            let angle = first + Double(index) * step
            let point = Point(0, 0).moved(by: isOuter ? outer : inner, towards: angle)
            let radius = isOuter ? outer : inner
            let length = (isOuter ? lengths.0 : lengths.1) * (radius == 0 ? 0 : 1)
            let tangent = Point(-sin(angle), cos(angle)) * length
            return Contour.Vertex(center + point, into: center + point - tangent, out: center + point + tangent)
        }
        return Contour(vertices, isClosed: true)
    }
}
