/// An easing curve: Core Animation's `CAMediaTimingFunction`, a cubic Bézier curve from (0, 0) to
/// (1, 1).
public struct TimingFunction: Sendable, Hashable {
    private let x1: Double, y1: Double, x2: Double, y2: Double

    /// A curve with the given control points. x1 and x2 must be in 0...1, so that time never runs
    /// backwards.
    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        precondition((0...1).contains(x1) && (0...1).contains(x2), "control points must not turn time back")
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// Constant speed.
    public static let linear = TimingFunction(0, 0, 1, 1)
    /// Slow at the start.
    public static let easeIn = TimingFunction(0.42, 0, 1, 1)
    /// Slow at the end.
    public static let easeOut = TimingFunction(0, 0, 0.58, 1)
    /// Slow at both ends.
    public static let easeInEaseOut = TimingFunction(0.42, 0, 0.58, 1)
    /// Core Animation's default curve.
    public static let `default` = TimingFunction(0.25, 0.1, 0.25, 1)

    /// The named curves of Core Animation.
    public static let named: [(name: String, function: TimingFunction)] = [
        ("linear", linear), ("easeIn", easeIn), ("easeOut", easeOut), ("easeInEaseOut", easeInEaseOut),
        ("default", `default`),
    ]

    /// Core Animation's name of the curve; nil if it has none.
    public var name: String? { TimingFunction.named.first { $0.function == self }?.name }

    /// A range that contains the progress at all times: a Bézier curve stays between its control
    /// points.
    package var range: ClosedRange<Double> { min(0, y1, y2)...max(1, y1, y2) }

    /// Returns the progress at the fraction `x` of the duration, which is clamped to 0...1. The
    /// named curves stay within 0...1.
    public func callAsFunction(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        guard self != .linear else { return x }
        return TimingFunction.bezier(y1, y2, at: parameter(forX: x))
    }

    /// Solves x(s) = x by bisection to the last bit. x(s) is monotonic, and the result is the same
    /// on every machine.
    private func parameter(forX x: Double) -> Double {
        var (low, high) = bracket(ofX: x) ?? (0.0, 1.0)
        while true {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { return middle }
            if TimingFunction.bezier(x1, x2, at: middle) < x { low = middle } else { high = middle }
        }
    }

    /// The number of intervals of which `bracket` returns one.
    private static let bracketCount = 0x1p40
    /// The distance from `x` at the interval's ends at which rounding errors cannot decide on which
    /// side of the solution they are.
    private static let minBracketDistance = 1e-14
    /// The Newton step below which the solution is known well enough: each of the `bracketCount`
    /// intervals is nine times as long.
    private static let minNewtonStep = 1e-13
    /// The maximum number of Newton steps. If they do not converge, `bracket` returns nil.
    private static let maxNewtonSteps = 8

    /// Returns an interval that the bisection reaches after 40 steps, found by Newton's method; nil
    /// if rounding errors or slow convergence leave it uncertain.
    private func bracket(ofX x: Double) -> (low: Double, high: Double)? {
        var s = x
        for _ in 0..<Self.maxNewtonSteps {
            let u = 1 - s
            let slope = 3 * (u * u * x1 + 2 * u * s * (x2 - x1) + s * s * (1 - x2))
            let step = (TimingFunction.bezier(x1, x2, at: s) - x) / slope
            s = min(1, max(0, s - step))
            if abs(step) < Self.minNewtonStep { break }
        }
        // False for NaN.
        guard s >= 0, s < 1 else { return nil }
        let low = (s * Self.bracketCount).rounded(.down) / Self.bracketCount
        let high = low + 1 / Self.bracketCount
        guard TimingFunction.bezier(x1, x2, at: low) < x - Self.minBracketDistance,
            TimingFunction.bezier(x1, x2, at: high) > x + Self.minBracketDistance
        else { return nil }
        return (low, high)
    }

    private static func bezier(_ p1: Double, _ p2: Double, at s: Double) -> Double {
        let u = 1 - s
        return 3 * u * u * s * p1 + 3 * u * s * s * p2 + s * s * s
    }
}

/// Interpolates linearly from `a` at 0 to `b` at 1, and extrapolates outside 0...1.
public func lerp(_ a: Double, _ b: Double, _ fraction: Double) -> Double { a + (b - a) * fraction }

/// Clamps a value to 0...1.
public func clamp01(_ value: Double) -> Double { min(1, max(0, value)) }
