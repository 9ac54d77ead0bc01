import Core

/// A timing function: a cubic Bézier from (0, 0) to (1, 1), as in CSS and Core Animation, or a
/// hold.
package struct Easing: Hashable, Sendable {
    package var x1: Double
    package var y1: Double
    package var x2: Double
    package var y2: Double
    /// True if the value stays until the next keyframe.
    package var isHold = false

    static let linear = Easing(x1: 1.0 / 3, y1: 1.0 / 3, x2: 2.0 / 3, y2: 2.0 / 3)
    static let hold = Easing(x1: 0, y1: 0, x2: 1, y2: 1, isHold: true)

    /// The timing functions of CSS, Core Animation and Material Design, and the common
    /// approximations of sines and powers by cubic Béziers.
    static let named: [(name: String, easing: Easing)] = [
        ("linear", .linear),
        ("ease", Easing(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)),
        ("ease-in", Easing(x1: 0.42, y1: 0, x2: 1, y2: 1)),
        ("ease-out", Easing(x1: 0, y1: 0, x2: 0.58, y2: 1)),
        ("ease-in-out", Easing(x1: 0.42, y1: 0, x2: 0.58, y2: 1)),
        ("sine in", Easing(x1: 0.361, y1: 0, x2: 0.673, y2: 0.487)),
        ("sine out", Easing(x1: 0.327, y1: 0.513, x2: 0.639, y2: 1)),
        ("sine in-out", Easing(x1: 0.364, y1: 0, x2: 0.636, y2: 1)),
        ("quadratic in", Easing(x1: 1.0 / 3, y1: 0, x2: 2.0 / 3, y2: 1.0 / 3)),
        ("quadratic out", Easing(x1: 1.0 / 3, y1: 2.0 / 3, x2: 2.0 / 3, y2: 1)),
        ("cubic in", Easing(x1: 1.0 / 3, y1: 0, x2: 2.0 / 3, y2: 0)),
        ("cubic out", Easing(x1: 1.0 / 3, y1: 1, x2: 2.0 / 3, y2: 1)),
        ("cubic-bezier(0.4, 0, 0.2, 1)", Easing(x1: 0.4, y1: 0, x2: 0.2, y2: 1)),
        ("cubic-bezier(0.65, 0, 0.35, 1)", Easing(x1: 0.65, y1: 0, x2: 0.35, y2: 1)),
    ]

    /// The name of the timing function, or its control points.
    package var name: String {
        if isHold { return "hold" }
        if let known = Easing.named.first(where: { $0.easing == self }) { return known.name }
        return "cubic-bezier(" + [x1, y1, x2, y2].map { "\($0.roundedToThousandths)" }.joined(separator: ", ") + ")"
    }

    /// Returns the parameter of the curve at a share of the time, 0...1.
    func parameter(at share: Double) -> Double {
        let target = min(1, max(0, share))
        var low = 0.0
        var high = 1.0
        var s = target
        for _ in 0..<24 {
            let r = 1 - s
            let distance = 3 * r * r * s * x1 + 3 * r * s * s * x2 + s * s * s - target
            guard abs(distance) > 1e-9 else { break }
            if distance > 0 { high = s } else { low = s }
            let slope = 3 * r * r * x1 + 6 * r * s * (x2 - x1) + 3 * s * s * (1 - x2)
            let next = slope > 1e-6 ? s - distance / slope : -1
            s = next > low && next < high ? next : (low + high) / 2
        }
        return s
    }

    /// Returns the largest difference from another timing function, as a share of the change.
    func distance(to other: Easing) -> Double {
        (1..<16).map { Double($0) / 16 }.map { abs(value(at: $0) - other.value(at: $0)) }.max() ?? 0
    }

    /// Returns the share of the change at a share of the time, 0...1.
    package func value(at share: Double) -> Double {
        if isHold { return share < 1 ? 0 : 1 }
        if self == .linear { return min(1, max(0, share)) }
        let s = parameter(at: share)
        let r = 1 - s
        return 3 * r * r * s * y1 + 3 * r * s * s * y2 + s * s * s
    }
}
