import Core
import TestSupport

/// Returns points along a path, one list for each subpath, found by evaluating each segment at many
/// parameters.
func polylines(of path: Path, stepsPerElement count: Int = 400) -> [[Point]] {
    var lines = [[Point]]()
    var current = Point?.none
    var first = Point?.none
    func extend(_ points: [Point]) {
        if lines.isEmpty { lines.append([]) }
        lines[lines.count - 1] += points
        current = points.last
    }
    for element in path.elements {
        switch element {
        case .move(let point):
            lines.append([point])
            current = point
            first = point
        case .close:
            if let first { extend([first]) }
        case .line, .quadratic, .cubic, .arc:
            let points = (0...count).map { step(element, from: current ?? .zero, at: Double($0) / Double(count)) }
            if first == nil { first = points[0] }
            extend(points)
        }
    }
    return lines
}

/// Returns the point at parameter `t` of a segment, from its textbook definition.
private func step(_ element: Path.Element, from start: Point, at t: Double) -> Point {
    let u = 1 - t
    switch element {
    case .move(let end), .line(let end): return start * u + end * t
    case .quadratic(let control, let end): return start * (u * u) + control * (2 * u * t) + end * (t * t)
    case .cubic(let a, let b, let end):
        return start * (u * u * u) + a * (3 * u * u * t) + b * (3 * u * t * t) + end * (t * t * t)
    case .arc(let center, let radius, let from, let to):
        let angle = from + (to - from) * t
        return Point(center.x + radius * cos(angle), center.y + radius * sin(angle))
    case .close: return start
    }
}

/// Returns the total length of polylines.
func length(of lines: [[Point]]) -> Double {
    lines.reduce(0) { sum, line in zip(line, line.dropFirst()).reduce(sum) { $0 + $1.0.distance(to: $1.1) } }
}

/// Returns a path of one to three subpaths with lines, arcs and curves, some of them closed.
func randomPath(_ generator: inout SeededGenerator, curves: Bool = true) -> Path {
    var path = Path()
    func point(_ generator: inout SeededGenerator) -> Point {
        Point(generator.double(-50...50), generator.double(-50...50))
    }
    for _ in 0..<generator.int(1...3) {
        path.move(to: point(&generator))
        for _ in 0..<generator.int(1...4) {
            switch generator.int(0...(curves ? 3 : 1)) {
            case 0: path.addLine(to: point(&generator))
            case 1:
                path.addArc(
                    center: point(&generator), radius: generator.double(1...30),
                    startAngle: generator.double(-7...7), endAngle: generator.double(-7...7))
            case 2: path.addQuadCurve(to: point(&generator), control: point(&generator))
            default: path.addCurve(to: point(&generator), control1: point(&generator), control2: point(&generator))
            }
        }
        if generator.int(0...1) == 1 { path.close() }
    }
    return path
}
