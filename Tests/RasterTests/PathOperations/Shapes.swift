import Core
import TestSupport

/// Returns points along a path, one polygon for each subpath, found by evaluating each segment at
/// many parameters. The tests use it as a reference, independent of how the module flattens curves.
func polygons(of path: Path, steps: Int = 200) -> [[Point]] {
    var polygons = [[Point]]()
    var current = Point.zero
    for element in path.elements {
        switch element {
        case .move(let point): polygons.append([point])
        case .line(let point): polygons[polygons.count - 1].append(point)
        case .close:
            polygons.append([polygons[polygons.count - 1][0]])
        case .quadratic, .cubic, .arc:
            for index in 0...steps {
                polygons[polygons.count - 1].append(position(element, from: current, at: Double(index) / Double(steps)))
            }
        }
        current = polygons.last?.last ?? .zero
    }
    return polygons.filter { $0.count > 1 }
}

private func position(_ element: Path.Element, from start: Point, at t: Double) -> Point {
    let u = 1 - t
    switch element {
    case .quadratic(let control, let end): return start * (u * u) + control * (2 * u * t) + end * (t * t)
    case .cubic(let a, let b, let end):
        return start * (u * u * u) + a * (3 * u * u * t) + b * (3 * u * t * t) + end * (t * t * t)
    case .arc(let center, let radius, let from, let to):
        return center.moved(by: radius, towards: from + (to - from) * t)
    case .move(let end), .line(let end): return end
    case .close: return start
    }
}

/// Returns the winding number of polygons at a point: the sum of the angles that their edges
/// subtend.
func winding(of polygons: [[Point]], at point: Point) -> Int {
    var angle = 0.0
    for polygon in polygons {
        for (index, corner) in polygon.enumerated() {
            let (a, b) = (corner - point, polygon[(index + 1) % polygon.count] - point)
            angle += atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
        }
    }
    return Int((angle / (2 * .pi)).rounded())
}

/// Returns the distance from a point to the nearest edge.
func distance(from point: Point, to polygons: [[Point]]) -> Double {
    var nearest = Double.infinity
    for polygon in polygons {
        for (index, a) in polygon.enumerated() {
            let side = polygon[(index + 1) % polygon.count] - a
            let offset = point - a
            let square = side.x * side.x + side.y * side.y
            let part = square > 0 ? min(max((side.x * offset.x + side.y * offset.y) / square, 0), 1) : 0
            nearest = min(nearest, offset.distance(to: side * part))
        }
    }
    return nearest
}

/// Returns the area of a path whose holes run in the opposite direction to its outlines.
func area(of path: Path) -> Double {
    polygons(of: path).reduce(0) { sum, polygon in
        polygon.indices.reduce(sum) {
            let (p, q) = (polygon[$1], polygon[($1 + 1) % polygon.count])
            return $0 + (p.x * q.y - q.x * p.y) / 2
        }
    }
}

/// Returns a shape of one to three subpaths in either direction that intersect themselves and each
/// other: polygons (also on a coarse grid, so that edges and corners coincide), circles, stars,
/// closed curves and arcs of less than two turns.
func randomShape(_ generator: inout SeededGenerator) -> Path {
    var path = Path()
    func point(_ step: Double? = nil) -> Point {
        let point = Point(generator.double(-50...50), generator.double(-50...50))
        return step.map { Point((point.x / $0).rounded() * $0, (point.y / $0).rounded() * $0) } ?? point
    }
    for _ in 0..<generator.int(1...3) {
        switch generator.int(0...5) {
        case 0:
            for element in Path.polygon((0..<generator.int(3...8)).map { _ in point() }).elements {
                path.append(element)
            }
        case 1:
            for element in Path.polygon((0..<generator.int(3...8)).map { _ in point(20) }).elements {
                path.append(element)
            }
        case 2:
            let circle = Path.circle(center: point(), radius: generator.double(1...40))
            path.append(circle)
        case 3:
            path.move(to: point())
            for _ in 0..<generator.int(1...4) { path.addCurve(to: point(), control1: point(), control2: point()) }
            if generator.int(0...1) == 0 { path.close() }
        case 4:
            path.move(to: point())
            path.addQuadCurve(to: point(), control: point())
            path.addArc(
                center: point(), radius: generator.double(1...30), startAngle: generator.double(-6...6),
                endAngle: generator.double(-6...6))
            path.close()
        default: path.append(star(points: 5, center: point(), radius: 30))
        }
    }
    return path
}

/// Returns a star whose line connects every second point, so that it winds twice around its middle.
func star(points: Int, center: Point = .zero, radius: Double) -> Path {
    .polygon((0..<points).map { center.moved(by: radius, towards: Double(2 * $0) * 2 * .pi / Double(points)) })
}

/// Returns several paths joined into one.
func joined(_ paths: Path...) -> Path {
    var whole = Path()
    for path in paths { whole.append(path) }
    return whole
}

extension Path {
    /// Appends a path, with a move to its start if it begins with an arc.
    mutating func append(_ path: Path) {
        if case .arc(let center, let radius, let start, _)? = path.elements.first {
            move(to: center.moved(by: radius, towards: start))
        }
        for element in path.elements { append(element) }
    }
}

/// Returns a polygonal path with all subpaths reversed.
func reversed(_ path: Path) -> Path {
    var whole = Path()
    for polygon in polygons(of: path) {
        whole.append(Path.polygon(polygon.reversed()))
    }
    return whole
}
