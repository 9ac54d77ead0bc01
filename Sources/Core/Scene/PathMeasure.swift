/// The length of a path, and the part of it between two fractions of the length.
///
/// This implements Core Animation's `strokeStart` and `strokeEnd`: fractions run over all subpaths.
public struct PathMeasure: Sendable {
    private struct Piece {
        var start: Point
        var element: Path.Element
        var length: Double
    }

    private var pieces: [Piece] = []

    /// The maximum distance in points of two ends that count as the same point. It is above the
    /// rounding errors of arcs.
    private static let maxGap = 1e-9

    /// The total length in points.
    public private(set) var length = 0.0

    /// Measures a path: arcs and lines exactly, curves to about 1e-9 of their size.
    public init(_ path: Path) {
        var current = Point.zero
        var first = Point.zero
        var hasBegun = false
        for element in path.elements {
            switch element {
            case .move(let point):
                current = point
                first = point
            case .arc(let center, let radius, let start, _):
                let entry = center.moved(by: radius, towards: start)
                if !hasBegun {
                    first = entry
                } else if entry.distance(to: current) > Self.maxGap {
                    add(current, .line(entry))
                }
                add(entry, element)
                current = element.end(closingAt: first)
            case .close:
                if current.distance(to: first) > Self.maxGap { add(current, .line(first)) }
                current = first
            case .line, .quadratic, .cubic:
                add(current, element)
                current = element.end(closingAt: first)
            }
            hasBegun = true
        }
    }

    private mutating func add(_ start: Point, _ element: Path.Element) {
        let piece = Piece(start: start, element: element, length: element.length(from: start))
        pieces.append(piece)
        length += piece.length
    }

    /// Returns the part between two fractions of the length, clamped to 0...1; empty if `start >=
    /// end`.
    public func trimmed(from start: Double, to end: Double) -> Path {
        var result = Path()
        let low = max(0, start) * length
        let high = min(1, end) * length
        guard low < high else { return result }
        var offset = 0.0
        var last: Point?
        for piece in pieces {
            let from = max(low, offset)
            let to = min(high, offset + piece.length)
            if from < to {
                let part = piece.element.part(
                    from: from - offset, to: to - offset, of: piece.length, start: piece.start)
                if last.map({ $0.distance(to: part.start) > Self.maxGap }) ?? true { result.move(to: part.start) }
                result.append(part.element)
                last = part.element.end(closingAt: part.start)
            }
            offset += piece.length
        }
        return result
    }
}

extension Path.Element {
    /// Returns the end of the segment; `first` is the start of its subpath.
    package func end(closingAt first: Point) -> Point {
        switch self {
        case .move(let point), .line(let point): point
        case .quadratic(_, let end), .cubic(_, _, let end): end
        case .arc(let center, let radius, _, let end): center.moved(by: radius, towards: end)
        case .close: first
        }
    }

    /// Returns the length in points of a segment that begins at `start`.
    func length(from start: Point) -> Double {
        switch self {
        case .move, .close: 0
        case .line(let end): start.distance(to: end)
        case .arc(_, let radius, let from, let to): radius * abs(to - from)
        case .quadratic, .cubic: CubicCurve(self, from: start).length(to: 1)
        }
    }

    /// Returns the part of a segment between two lengths along it, and the start of that part.
    func part(from low: Double, to high: Double, of length: Double, start: Point) -> (
        start: Point, element: Path.Element
    ) {
        let f = low / length
        let g = high / length
        switch self {
        case .move, .close: return (start, self)
        case .line(let end):
            return (start + (end - start) * f, .line(start + (end - start) * g))
        case .arc(let center, let radius, let from, let to):
            let first = from + (to - from) * f
            let last = from + (to - from) * g
            let element = Path.Element.arc(center: center, radius: radius, startAngle: first, endAngle: last)
            return (center.moved(by: radius, towards: first), element)
        case .quadratic, .cubic:
            let curve = CubicCurve(self, from: start)
            let piece = curve.part(from: curve.parameter(atLength: low), to: curve.parameter(atLength: high))
            return (piece.p0, .cubic(control1: piece.p1, control2: piece.p2, end: piece.p3))
        }
    }
}

/// A cubic Bézier curve with its arc length.
package struct CubicCurve: Sendable, Equatable {
    package var p0: Point, p1: Point, p2: Point, p3: Point

    package init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
        self.p0 = p0
        self.p1 = p1
        self.p2 = p2
        self.p3 = p3
    }

    /// A cubic or quadratic segment as a cubic curve. Degree elevation of a quadratic curve is
    /// exact.
    package init(_ element: Path.Element, from start: Point) {
        switch element {
        case .quadratic(let control, let end):
            p0 = start
            p1 = start + (control - start) * (2.0 / 3)
            p2 = end + (control - end) * (2.0 / 3)
            p3 = end
        case .cubic(let control1, let control2, let end):
            p0 = start
            p1 = control1
            p2 = control2
            p3 = end
        case .move(let end), .line(let end):
            p0 = start
            p1 = start
            p2 = end
            p3 = end
        case .arc, .close:
            p0 = start
            p1 = start
            p2 = start
            p3 = start
        }
    }

    private func speed(at t: Double) -> Double {
        let u = 1 - t
        let d = (p1 - p0) * (3 * u * u) + (p2 - p1) * (6 * u * t) + (p3 - p2) * (3 * t * t)
        return (d.x * d.x + d.y * d.y).squareRoot()
    }

    /// Returns the length from the start to parameter `t`. Intervals are halved until the
    /// quadrature agrees with that of their halves: near a cusp, where the speed has a kink, a
    /// fixed number of intervals is not enough.
    func length(to t: Double) -> Double {
        let tolerance = 1e-12 * (p0.distance(to: p1) + p1.distance(to: p2) + p2.distance(to: p3))
        func refined(_ low: Double, _ high: Double, _ estimate: Double, _ depth: Int) -> Double {
            let middle = (low + high) / 2
            let left = quadrature(from: low, to: middle)
            let right = quadrature(from: middle, to: high)
            // The comparison is false for NaN, so the recursion ends for non-finite numbers too.
            let isRough = abs(left + right - estimate) > tolerance
            guard depth < 3 || (isRough && depth < 40) else { return left + right }
            return refined(low, middle, left, depth + 1) + refined(middle, high, right, depth + 1)
        }
        return refined(0, t, quadrature(from: 0, to: t), 0)
    }

    /// Returns the length between two parameters by five-point Gauss-Legendre quadrature.
    private func quadrature(from low: Double, to high: Double) -> Double {
        let nodes = [
            (0.0, 128.0 / 225), (0.5384693101056831, 0.47862867049936647), (0.906179845938664, 0.23692688505618908),
        ]
        let middle = (low + high) / 2
        let half = (high - low) / 2
        return half
            * nodes.reduce(0) { sum, node in
                let before = speed(at: middle - half * node.0)
                let after = speed(at: middle + half * node.0)
                return sum + node.1 * (node.0 > 0 ? before + after : after)
            }
    }

    /// Returns the parameter at which the curve is `length` points long, found by bisection.
    func parameter(atLength length: Double) -> Double {
        var low = 0.0
        var high = 1.0
        if length >= self.length(to: 1) { return 1 }
        while high - low > 1e-12 {
            let middle = (low + high) / 2
            if self.length(to: middle) < length { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Returns the curve between two parameters by de Casteljau's construction (blossoming).
    package func part(from f: Double, to g: Double) -> CubicCurve {
        func blossom(_ a: Double, _ b: Double, _ c: Double) -> Point {
            func mix(_ p: Point, _ q: Point, _ t: Double) -> Point { p * (1 - t) + q * t }
            let q0 = mix(p0, p1, a)
            let q1 = mix(p1, p2, a)
            let q2 = mix(p2, p3, a)
            return mix(mix(q0, q1, b), mix(q1, q2, b), c)
        }
        var result = self
        result.p0 = blossom(f, f, f)
        result.p1 = blossom(f, f, g)
        result.p2 = blossom(f, g, g)
        result.p3 = blossom(g, g, g)
        return result
    }
}
