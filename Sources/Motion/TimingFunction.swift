/// How progress runs within a duration: Core Animation's cubic Bézier from (0, 0) to (1, 1), `CAMediaTimingFunction`.
public struct TimingFunction: Sendable, Hashable {
    private let x1: Double, y1: Double, x2: Double, y2: Double

    /// The curve with these two control points; x1 and x2 must be in 0...1 so that time never runs back.
    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        precondition((0...1).contains(x1) && (0...1).contains(x2), "control points must not turn time back")
        (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
    }

    /// Constant speed.
    public static let linear = TimingFunction(0, 0, 1, 1)
    /// Slow at the beginning.
    public static let easeIn = TimingFunction(0.42, 0, 1, 1)
    /// Slow at the end.
    public static let easeOut = TimingFunction(0, 0, 0.58, 1)
    /// Slow at both ends.
    public static let easeInEaseOut = TimingFunction(0.42, 0, 0.58, 1)
    /// What the system uses for its own animations.
    public static let `default` = TimingFunction(0.25, 0.1, 0.25, 1)

    /// The named functions, by Core Animation's names.
    public static let named: [(name: String, function: TimingFunction)] = [
        ("linear", linear), ("easeIn", easeIn), ("easeOut", easeOut), ("easeInEaseOut", easeInEaseOut),
        ("default", `default`),
    ]

    /// Core Animation's name of the curve, if it is one of the named.
    public var name: String? { TimingFunction.named.first { $0.function == self }?.name }

    /// The progress, 0...1 for the named curves, at the fraction `x` of the duration; x is clamped to 0...1.
    public func callAsFunction(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        guard self != .linear else { return x }
        return TimingFunction.bezier(y1, y2, at: parameter(forX: x))
    }

    /// Solves x(s) = x. Bisection to the last bit: x(s) is monotonic, and the result is the same everywhere.
    private func parameter(forX x: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        while true {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { return middle }
            if TimingFunction.bezier(x1, x2, at: middle) < x { low = middle } else { high = middle }
        }
    }

    private static func bezier(_ p1: Double, _ p2: Double, at s: Double) -> Double {
        let u = 1 - s
        return 3 * u * u * s * p1 + 3 * u * s * s * p2 + s * s * s
    }
}

/// `a` at 0, `b` at 1, and on the straight line between and beyond.
public func lerp(_ a: Double, _ b: Double, _ fraction: Double) -> Double { a + (b - a) * fraction }

/// `value` limited to 0...1.
public func clamp01(_ value: Double) -> Double { min(1, max(0, value)) }
