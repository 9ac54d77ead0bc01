/// A motion from one value to another with a cubic Bézier timing function, as in CSS.
struct EasedSegment {
    var start: Double
    var end: Double
    var from: Double
    var to: Double
    var easing: Easing
    /// The sum of squared distances of the samples.
    var error: Double
    /// The largest distance of a sample.
    var maxError: Double
    /// The error, increased for a timing function without a name (Akaike's criterion), so that
    /// noise is not described.
    var cost = 0.0

    /// The minimum length in frames: 1, less the rounding of times.
    static let minFrames = 0.8

    func value(at time: Double) -> Double {
        guard end > start else { return to }
        return from + (to - from) * easing.value(at: (time - start) / (end - start))
    }

    /// Returns the sum of the costs of segments, and of their differences at the boundaries.
    static func cost(_ segments: [EasedSegment]) -> Double {
        let seams = zip(segments, segments.dropFirst()).reduce(0.0) { sum, pair in
            sum + 2 * (pair.0.to - pair.1.from) * (pair.0.to - pair.1.from)
        }
        return segments.reduce(seams) { $0 + $1.cost }
    }
}
