import Core

/// A value at a time, and the motion to the next keyframe.
package struct CurveKeyframe: Hashable, Sendable {
    /// Seconds from the first frame.
    package var time: Double
    package var value: Double
    /// The timing function up to the next keyframe.
    package var easing: Easing
}

/// A value over time as keyframes.
package struct KeyframeCurve: Hashable, Sendable {
    /// In the order of their times; at least one. The value is constant before the first and after
    /// the last.
    package var keys: [CurveKeyframe]

    init(constant value: Double) { keys = [CurveKeyframe(time: 0, value: value, easing: .linear)] }
    init(keys: [CurveKeyframe]) { self.keys = keys }

    package var isConstant: Bool { keys.count == 1 }

    /// The value at the first keyframe.
    package var first: Double { keys[0].value }

    /// The smallest and the largest value of the keyframes.
    package var range: ClosedRange<Double> {
        let values = keys.map(\.value)
        return (values.min() ?? 0)...(values.max() ?? 0)
    }

    /// Returns the smallest and the largest value of the keyframes up to a time, and of its ends.
    /// The keyframes before 0 and after the period belong to other repetitions.
    package func range(until duration: Double) -> ClosedRange<Double> {
        let inner = keys.filter { $0.time > 0 && $0.time < duration }.map(\.value)
        let values = inner + [value(at: 0), value(at: duration)]
        return (values.min() ?? 0)...(values.max() ?? 0)
    }

    package func value(at time: Double) -> Double {
        guard let next = keys.firstIndex(where: { $0.time > time }) else { return keys[keys.count - 1].value }
        guard next > 0 else { return keys[0].value }
        let a = keys[next - 1]
        let b = keys[next]
        return a.value + (b.value - a.value) * a.easing.value(at: (time - a.time) / (b.time - a.time))
    }

    /// Returns the curve with converted values.
    func map(_ transform: (Double) -> Double) -> KeyframeCurve {
        KeyframeCurve(
            keys: keys.map { CurveKeyframe(time: $0.time, value: transform($0.value), easing: $0.easing) })
    }
}
