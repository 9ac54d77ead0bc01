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
