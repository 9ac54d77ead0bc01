import Core

/// The orientation of a 3D layer: angles about x, y and z in degrees, applied from z to x.
struct Orientation: Animatable, Readable {
    var angles: [Double]

    init(angles: [Double]) { self.angles = angles }

    init(reading field: Field) throws {
        let numbers = try field.numbers()
        angles = (0..<3).map { $0 < numbers.count ? numbers[$0] : 0 }
    }

    /// Creates the orientation of a unit quaternion, whose real part is `w`.
    private init(quaternion q: SIMD4<Double>) {
        let degrees = 180 / Double.pi
        let sine = 2 * (q.z * q.x + q.y * q.w)
        // The sine and cosine of x, both multiplied by the cosine of y.
        let across = 2 * (q.x * q.w - q.y * q.z)
        let along = 1 - 2 * (q.x * q.x + q.y * q.y)
        let cosine = hypot(across, along)
        let y = atan2(sine, cosine) * degrees
        guard cosine > 1e-9 else {
            // With y at a right angle, x and z turn about the same axis.
            angles = [2 * atan2(q.z, q.w) * (sine < 0 ? -1 : 1) * degrees, y, 0]
            return
        }
        let z = atan2(2 * (q.z * q.w - q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
        angles = [atan2(across, along) * degrees, y, z * degrees]
    }

    private var quaternion: SIMD4<Double> {
        let halves = angles.map { $0 * .pi / 360 }
        let c = halves.map { cos($0) }
        let s = halves.map { sin($0) }
        return SIMD4(
            s[0] * c[1] * c[2] + c[0] * s[1] * s[2], c[0] * s[1] * c[2] - s[0] * c[1] * s[2],
            c[0] * c[1] * s[2] + s[0] * s[1] * c[2], c[0] * c[1] * c[2] - s[0] * s[1] * s[2])
    }

    /// Returns an orientation on the shortest way to another one, which turns about a single axis,
    /// as in After Effects and lottie-web.
    func interpolated(to other: Orientation, by fraction: (Int) -> Double) -> Orientation {
        guard angles != other.angles else { return self }
        let start = quaternion
        let end = other.quaternion
        let cosine = (start * end).sum()
        // A quaternion and its opposite are the same orientation.
        let angle = acos(min(abs(cosine), 1))
        let fraction = fraction(0)
        // Sines of smaller angles divide rounding errors.
        let weights = angle < 1e-6 ? (1 - fraction, fraction) : (sin((1 - fraction) * angle), sin(fraction * angle))
        let sum = start * weights.0 + end * (cosine < 0 ? -weights.1 : weights.1)
        return Orientation(quaternion: sum / (sum * sum).sum().squareRoot())
    }

    /// Returns the angle of the turn to another orientation in degrees.
    func distance(to other: Orientation) -> Double {
        guard angles != other.angles else { return 0 }
        return 2 * acos(min(abs((quaternion * other.quaternion).sum()), 1)) * 180 / .pi
    }

    func offset(from start: Orientation, to end: Orientation, times: Double) -> Orientation {
        Orientation(angles: angles.indices.map { angles[$0] + (end.angles[$0] - start.angles[$0]) * times })
    }

    var expressionResult: ExpressionResult { .numbers(angles) }
    func replaced(by result: ExpressionResult) -> Orientation? {
        components(of: result, count: 3).map { Orientation(angles: $0) }
    }
}
