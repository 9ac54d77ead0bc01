/// The times at which two clips with different frame rates both begin a frame.
///
/// Between them, a moving object is at different positions in the frames that are shown, although
/// both clips are right.
struct CommonTimes {
    /// The intervals between the frames of both clips in seconds.
    private let steps: (Double, Double)
    /// The difference in seconds below which times are equal.
    private let tolerance: Double

    /// The share of the shorter interval by which equal times may differ. At 30 frames per second,
    /// an object at 1,000 pixels per second moves by less than a pixel in that time.
    private static let maxDifferenceShare = 0.02
    /// The minimum frame rate. The frames of slower clips are held, and each hold has its own
    /// duration.
    private static let minRate = 5.0

    /// The common times of two clips; nil unless both have a regular interval, and neither interval
    /// is a whole multiple of the other.
    init?(_ a: ClipSide, _ b: ClipSide) {
        guard let one = a.side.rate, let two = b.side.rate, min(one, two) >= Self.minRate,
            !Self.isMultiple(one, two)
        else { return nil }
        self.init(a.step, b.step)
    }

    /// The common times of clips with two intervals in seconds.
    init(_ one: Double, _ two: Double) {
        steps = (one, two)
        tolerance = Self.maxDifferenceShare * min(one, two)
    }

    /// Returns true if one rate is a whole multiple of the other.
    static func isMultiple(_ one: Double, _ two: Double) -> Bool {
        let ratio = max(one, two) / min(one, two)
        return abs(ratio - ratio.rounded()) < 0.002 * ratio
    }

    /// Returns the exact time of a frame of the first clip, or of the second one. Timestamps may be
    /// rounded: to hundredths of a second in GIF.
    private func exact(_ time: Double, ofFirst isFirst: Bool) -> Double {
        let step = isFirst ? steps.0 : steps.1
        return (time / step).rounded() * step
    }

    /// Returns true if a frame of the first clip and one of the second clip begin at the same time.
    func areEqual(_ first: Double, _ second: Double) -> Bool {
        abs(exact(first, ofFirst: true) - exact(second, ofFirst: false)) <= tolerance
    }

    /// Returns true if both clips may begin a frame when one of them does.
    func contains(_ time: Double, ofFirst isFirst: Bool) -> Bool {
        let exact = exact(time, ofFirst: isFirst)
        return areEqual(exact, exact)
    }
}
