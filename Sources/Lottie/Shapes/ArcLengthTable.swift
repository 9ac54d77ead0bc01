import Core

/// The arc lengths along a curve, to find the parameter at a given length.
struct ArcLengthTable {
    /// The arc lengths from the start to the ends of equal intervals of the parameter.
    private let lengths: [Double]

    /// The number of intervals of the parameter of a curve that is not a line.
    private static let steps = 32
    /// The nodes and weights of three-point Gauss-Legendre quadrature on -1...1.
    private static let gauss = [(-0.7745966692414834, 5.0 / 9), (0, 8.0 / 9), (0.7745966692414834, 5.0 / 9)]

    init(lengths: [Double]) { self.lengths = lengths }

    init(_ curve: CubicCurve) {
        if curve.isLine {
            lengths = [0, curve.p0.distance(to: curve.p3)]
            return
        }
        let a = curve.p1 - curve.p0
        let b = curve.p2 - curve.p1
        let c = curve.p3 - curve.p2
        let half = 0.5 / Double(Self.steps)
        var sum = 0.0
        var lengths = [0.0]
        lengths.reserveCapacity(Self.steps + 1)
        for step in 0..<Self.steps {
            for (node, weight) in Self.gauss {
                let t = (Double(2 * step + 1) + node) * half
                let u = 1 - t
                let x = a.x * u * u + 2 * b.x * u * t + c.x * t * t
                let y = a.y * u * u + 2 * b.y * u * t + c.y * t * t
                sum += 3 * half * weight * (x * x + y * y).squareRoot()
            }
            lengths.append(sum)
        }
        self.lengths = lengths
    }

    var total: Double { lengths[lengths.count - 1] }

    /// Returns the curve's parameter at an arc length from the start.
    func parameter(at length: Double) -> Double {
        guard length > 0 else { return 0 }
        guard length < total else { return 1 }
        return interpolatedParameter(at: length)
    }

    /// Returns the curve's parameter at an arc length from the start, which must be within the
    /// curve.
    func interpolatedParameter(at length: Double) -> Double {
        var low = 0
        var high = lengths.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if lengths[middle] <= length { low = middle } else { high = middle }
        }
        let span = lengths[high] - lengths[low]
        return (Double(low) + (span > 0 ? (length - lengths[low]) / span : 0)) / Double(lengths.count - 1)
    }
}
