import Animations
import Core
import TestSupport
import Testing

/// The ids of all built-in loaders.
let allIDs = LoaderCatalog.builtIn.ids

/// Throws for every file.
let noImages: ImageLoading = { path throws(ParameterError) in throw ParameterError(.missingFile, "no file \(path)") }

/// Returns a loader with `key=value` settings.
func makeLoader(_ id: String, _ settings: String...) throws -> any Loader {
    let type = try LoaderCatalog.builtIn.definition(id)
    return try type.make(ParameterValues(settings, for: type, loadImage: noImages))
}

/// Returns random instants in 0..<`period`, including some with odd denominators.
func instants(_ count: Int, in period: Rational, seed: UInt64) -> [Rational] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
        let denominator = [1, 7, 24, 25, 60, 125, 1001, 90_000, 99_991].randomElement(using: &generator) ?? 1
        let ticks = (period * Rational(denominator)).floor
        return Rational(Int128(generator.int(0...max(0, ticks))), Int128(denominator)).modulo(period)
    }
}

/// A shape with the accumulated transform and opacity of its groups.
struct PlacedShape {
    var shape: Shape
    var transform: AffineTransform
    var opacity: Double
}

/// Returns the shapes of a display list in drawing order, including those in groups.
func shapes(_ nodes: [Node], _ transform: AffineTransform = .identity, _ opacity: Double = 1) -> [PlacedShape] {
    nodes.flatMap { node -> [PlacedShape] in
        switch node {
        case .shape(let shape): return [PlacedShape(shape: shape, transform: transform, opacity: opacity)]
        case .group(let group): return shapes(group.nodes, group.transform.then(transform), group.opacity * opacity)
        case .image, .text: return []
        }
    }
}

/// Returns the centre and radius of a path that is a full circle; nil for any other path.
func circle(_ path: Path) -> (center: Point, radius: Double)? {
    guard case .arc(let center, let radius, let from, let to)? = path.elements.first, path.elements.count <= 2 else {
        return nil
    }
    return abs(abs(to - from) - 2 * .pi) < 1e-12 ? (center, radius) : nil
}

/// Returns all numbers of a path, to compare paths with a tolerance.
func numbers(_ path: Path) -> [Double] {
    path.elements.flatMap { element -> [Double] in
        switch element {
        case .move(let p): [0, p.x, p.y]
        case .line(let p): [1, p.x, p.y]
        case .quadratic(let c, let p): [2, c.x, c.y, p.x, p.y]
        case .cubic(let c, let d, let p): [3, c.x, c.y, d.x, d.y, p.x, p.y]
        case .arc(let center, let radius, let from, let to): [4, center.x, center.y, radius, from, to]
        case .close: [5]
        }
    }
}

/// Returns true if two paths have the same elements, with coordinates equal within `tolerance`.
func isClose(_ a: Path, _ b: Path, tolerance: Double = 1e-9) -> Bool {
    let (a, b) = (numbers(a), numbers(b))
    return a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
}

/// Evaluates a cubic timing curve with Newton's method, independently of the library.
func ease(_ x1: Double, _ x2: Double, _ x: Double) -> Double {
    guard x > 0, x < 1 else { return min(1, max(0, x)) }
    var s = x
    for _ in 0..<60 {
        let u = 1 - s
        let error = 3 * u * u * s * x1 + 3 * u * s * s * x2 + s * s * s - x
        let slope = 3 * u * u * x1 + 6 * u * s * (x2 - x1) + 3 * s * s * (1 - x2)
        s = min(1, max(0, s - error / max(slope, 1e-9)))
    }
    return 3 * (1 - s) * s * s + s * s * s
}

/// Evaluates Core Animation's `easeInEaseOut`.
func easeInEaseOut(_ x: Double) -> Double { ease(0.42, 0.58, x) }
/// Evaluates Core Animation's `easeOut`.
func easeOut(_ x: Double) -> Double { ease(0, 0.58, x) }

/// Interpolates linearly between keyframes.
func through(_ times: [Double], _ values: [Double], at time: Double) -> Double {
    for index in 1..<times.count where time < times[index] {
        let fraction = (time - times[index - 1]) / (times[index] - times[index - 1])
        return values[index - 1] * (1 - fraction) + values[index] * fraction
    }
    return values[values.count - 1]
}
