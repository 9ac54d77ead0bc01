/// A ring or disc that fades as it grows, and restarts unseen: its opacity is a linear function of
/// its size, because both have one timing function.
///
/// At first its line is too thin to show its colour, so the colour follows from larger sizes.
struct Ripple {
    /// The opacity of size 0, relative to the measured colour.
    private let full: Double
    /// The change of the opacity per pixel of the size.
    private let slope: Double
    /// The interval between frames in seconds.
    private let frameStep: Double

    /// The width of a line in pixels of the view at which a video with halved colour planes shows
    /// its colour.
    private static let minLine = 5.0
    /// The minimum number of measured opacities. Fewer lie on a line by chance.
    private static let minSamples = 8
    /// The maximum error of nine in ten opacities, relative to the full one: a little more than in
    /// recordings of ripples, 0.024.
    private static let maxError = 0.03
    /// The maximum opacity of size 0 relative to the measured colour. Beyond it, the extrapolation
    /// is longer than the measured part.
    private static let maxFull = 3.0

    /// - Parameter seen: the measured opacities.
    init?(_ object: ReconstructedObject, _ seen: ValueSamples, in builder: ObjectBuilder) {
        let points = zip(seen.times, seen.values).compactMap { time, opacity -> (size: Double, opacity: Double)? in
            let folded = time - (time / builder.duration).rounded(.down) * builder.duration
            let size = object.width.value(at: folded)
            let thickness = object.kind == .ring ? object.lineWidth.value(at: folded) : size
            return thickness >= Self.minLine * builder.pixel ? (size, opacity) : nil
        }
        guard points.count >= Self.minSamples, let largest = points.map(\.size).max(), largest > 0,
            let line = EasingFit.line(points.map { $0.size / largest }, points.map(\.opacity))
        else { return nil }
        let full = line.from
        let slope = (line.to - line.from) / largest
        let error = points.map { abs(full + slope * $0.size - $0.opacity) }.percentile(90) ?? 0
        guard slope < 0, full <= Self.maxFull, error <= Self.maxError * full else { return nil }
        frameStep = builder.frameStep
        self.full = full
        self.slope = slope
    }

    /// Returns the opacity of an object over time. After the last measured size it vanishes when
    /// the measured opacity does, otherwise within a frame, and always before the ring restarts.
    func opacity(_ object: ReconstructedObject) -> KeyframeCurve {
        var keys = object.width.map { max(0, full + slope * $0) }.keys
        let ends = object.opacity.keys.filter { $0.value == 0 }.map(\.time)
        for index in keys.indices.reversed() where keys[index].easing.isHold {
            let last = keys[index].time
            let next = index + 1 < keys.count ? keys[index + 1] : nil
            // A restart makes the ring smaller, and stronger.
            guard next.map({ $0.value > keys[index].value }) ?? true else { continue }
            let end = min(ends.first { $0 > last } ?? last + frameStep, (next?.time ?? .infinity) - frameStep / 2)
            keys[index].easing = .linear
            keys.insert(CurveKeyframe(time: max(last, end), value: 0, easing: .hold), at: index + 1)
        }
        return KeyframeCurve(keys: keys)
    }
}
