import Core

/// The values of an object's size or opacity while it is too small or too faint to be seen.
///
/// Values that fall to zero become invisible some frames earlier. They are extrapolated by powers
/// of the time, with the slope of the last visible values, so that the whole timing function is
/// found.
struct FadingGap {
    /// The times of the last value before the gap and of the first one after it.
    private let times: (before: Double, after: Double)
    private let left: Side
    private let right: Side

    /// A value beside the gap, and the time from there to zero.
    private struct Side {
        var value: Double
        var length: Double
        var power: Double
        /// True if the value is too large to fade.
        var isLarge: Bool
    }

    /// The maximum fading value, relative to the largest value. Larger ones vanish at once.
    private static let maxShare = 0.4
    /// The maximum length of a gap in which the value is zero only for an instant, relative to the
    /// time in which the values beside it fall to zero along their slopes. A timing function with a
    /// slow end, which is a parabola there, takes 2.
    private static let maxStretch = 2.6

    /// - Parameter samples: the visible values in the order of their times.
    init?(_ samples: ValueSamples, after before: Double, before after: Double) {
        guard let last = samples.times.lastIndex(where: { $0 <= before + 1e-9 }),
            let next = samples.times.firstIndex(where: { $0 >= after - 1e-9 })
        else { return nil }
        let largest = samples.values.max() ?? 0
        func zero(_ index: Int, _ inner: Int) -> Double {
            guard samples.values[index] <= FadingGap.maxShare * largest, samples.values.indices.contains(inner) else {
                return 0
            }
            let slope =
                (samples.values[inner] - samples.values[index])
                / abs(samples.times[inner] - samples.times[index])
            return slope > 0 ? max(0, samples.values[index] / slope) : 0
        }
        times = (samples.times[last], samples.times[next])
        let length = times.after - times.before
        let leftZero = zero(last, last - 2)
        let rightZero = zero(next, next + 2)
        let isInstant = FadingGap.maxStretch * (leftZero + rightZero) >= length
        func side(_ value: Double, _ zero: Double) -> Side {
            let isLarge = value > FadingGap.maxShare * largest
            guard zero > 0 else { return Side(value: value, length: 0, power: 1, isLarge: isLarge) }
            let reach = isInstant ? length * zero / (leftZero + rightZero) : 2 * zero
            return Side(value: value, length: reach, power: min(3, max(1, reach / zero)), isLarge: isLarge)
        }
        left = side(samples.values[last], leftZero)
        right = side(samples.values[next], rightZero)
    }

    /// True if a large value vanishes on one side, and a small one appears on the other: an object
    /// that grew until it was too faint to be seen restarts.
    var isRestart: Bool { left.isLarge != right.isLarge }

    /// Returns the value at a time in the gap.
    func value(at time: Double) -> Double {
        func part(_ side: Side, _ distance: Double) -> Double {
            guard side.length > 0, distance < side.length else { return 0 }
            return side.value * pow(1 - distance / side.length, side.power)
        }
        return max(part(left, time - times.before), part(right, times.after - time))
    }
}
