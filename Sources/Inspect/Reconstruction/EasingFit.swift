import Core

/// Fits of timing functions to samples.
struct EasingFit {
    /// The maximum distance of a sample from the fit.
    let tolerance: Double
    /// The standard deviation of the samples' errors.
    let noise: Double

    /// The range of the control points' values, as shares of the change. Timing functions in use
    /// overshoot by less; wider ones describe a turn, which is a keyframe of its own.
    private static let handleRange = -1.0...2.0
    /// The difference between timing functions, as a share of the change, that counts as none.
    private static let maxSnap = 0.012
    /// The number of parameters of a timing function.
    private static let freeParameters = 4.0
    /// The minimum number of samples of a timing function: more than it has parameters.
    private static let minSamples = 5
    /// The distance of a sample from a line, in standard deviations of the noise, above which a
    /// timing function is tried, and the distance below which two of them count as equal.
    private static let minCurvature = 2.5
    private static let snapMargin = 1.5
    /// The times of the control points that are tried first, and the step below which the search
    /// for better ones ends: a fifth of a percent of the duration.
    private static let handleTimes = (min: 0.05, max: 0.95, step: 0.18)
    private static let minHandleStep = 0.002
    /// The number of tolerances by which a motion must change to be eased, and by which it may
    /// overshoot the samples.
    private static let minChange = 2.0
    private static let maxOvershoot = 2.0
    /// The maximum number of samples in a fit.
    static let maxSamples = 40

    /// Returns the simplest motion that fits the samples between two times: none, linear, or eased.
    func segment(_ samples: ValueSamples, _ start: Double, _ end: Double) -> EasedSegment? {
        let part = samples.slice(start, end).thinned(to: Self.maxSamples)
        guard end > start, !part.times.isEmpty else { return nil }
        var simple = fit(part, start, end, .linear)
        guard part.times.count >= Self.minSamples, simple.maxError > Self.minCurvature * noise else { return simple }
        let isRest = abs(simple.to - simple.from) <= tolerance && simple.maxError <= tolerance
        for (_, easing) in Easing.named where !isRest {
            let named = fit(part, start, end, easing)
            if named.error < simple.error { simple = named }
        }
        guard let free = freeFit(part, start, end), free.cost < simple.cost || simple.maxError > tolerance else {
            return simple
        }
        return snapped(free, part)
    }

    /// Returns the motion with a named timing function that is nearly equal, or the motion itself.
    private func snapped(_ free: EasedSegment, _ part: ValueSamples) -> EasedSegment {
        let limit = max(EasingFit.maxSnap, Self.snapMargin * noise / max(noise, abs(free.to - free.from)))
        let nearest = Easing.named.map { ($0.easing, $0.easing.distance(to: free.easing)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= limit else { return free }
        let named = fit(part, free.start, free.end, nearest.0)
        return named.maxError <= tolerance ? named : free
    }

    /// Returns the motion with a known timing function: two values by linear least squares.
    func fit(_ part: ValueSamples, _ start: Double, _ end: Double, _ easing: Easing) -> EasedSegment {
        let shares = part.times.map { easing.value(at: ($0 - start) / (end - start)) }
        let line = EasingFit.line(shares, part.values)
        var segment = EasedSegment(
            start: start, end: end, from: line?.from ?? part.values[0],
            to: line?.to ?? part.values[part.values.count - 1], easing: easing, error: 0, maxError: 0)
        measure(&segment, part)
        return segment
    }

    /// Returns the values at the shares 0 and 1 of the line nearest to values by least squares; nil
    /// if all shares are equal.
    static func line(_ shares: [Double], _ values: [Double]) -> (from: Double, to: Double)? {
        var s0 = 0.0
        var s1 = 0.0
        var s2 = 0.0
        var r0 = 0.0
        var r1 = 0.0
        for (share, value) in zip(shares, values) {
            s0 += (1 - share) * (1 - share)
            s1 += share * (1 - share)
            s2 += share * share
            r0 += (1 - share) * value
            r1 += share * value
        }
        let determinant = s0 * s2 - s1 * s1
        guard determinant > 1e-9 else { return nil }
        return ((r0 * s2 - r1 * s1) / determinant, (r1 * s0 - r0 * s1) / determinant)
    }

    private func measure(_ segment: inout EasedSegment, _ part: ValueSamples) {
        segment.error = 0
        segment.maxError = 0
        for (time, value) in zip(part.times, part.values) {
            let distance = value - segment.value(at: time)
            segment.error += distance * distance
            segment.maxError = max(segment.maxError, abs(distance))
        }
        let isKnown = Easing.named.contains { $0.easing == segment.easing }
        segment.cost = segment.error + (isKnown ? 0 : EasingFit.freeParameters * 4 * noise * noise)
    }

    /// Returns the best cubic Bézier. For given times of the control points its values follow from
    /// linear least squares, so that only the two times are searched (variable projection).
    private func freeFit(_ part: ValueSamples, _ start: Double, _ end: Double) -> EasedSegment? {
        var best: (x1: Double, x2: Double, segment: EasedSegment)?
        func attempt(_ x1: Double, _ x2: Double) {
            guard (0...1).contains(x1), (0...1).contains(x2), let segment = solved(part, start, end, x1, x2),
                segment.error < best?.segment.error ?? .infinity
            else { return }
            best = (x1, x2, segment)
        }
        let times = stride(from: Self.handleTimes.min, through: Self.handleTimes.max, by: Self.handleTimes.step)
        for x1 in times {
            for x2 in times { attempt(x1, x2) }
        }
        var step = Self.handleTimes.step / 2
        while step > Self.minHandleStep, let center = best {
            for (dx, dy) in [(step, 0), (-step, 0), (0, step), (0, -step), (step, step), (-step, -step)] {
                attempt(center.x1 + dx, center.x2 + dy)
            }
            if best?.x1 == center.x1, best?.x2 == center.x2 { step /= 2 }
        }
        return best?.segment
    }

    private func solved(
        _ part: ValueSamples, _ start: Double, _ end: Double, _ x1: Double, _ x2: Double
    ) -> EasedSegment? {
        let clock = Easing(x1: x1, y1: 0, x2: x2, y2: 0)
        var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        var right = [0.0, 0.0, 0.0, 0.0]
        for (time, value) in zip(part.times, part.values) {
            let s = clock.parameter(at: (time - start) / (end - start))
            let r = 1 - s
            let basis = [r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s]
            for i in 0..<4 {
                for j in 0..<4 { matrix[i][j] += basis[i] * basis[j] }
                right[i] += basis[i] * value
            }
        }
        for i in 0..<4 { matrix[i][i] += 1e-9 }
        guard let values = LeastSquares.solve(matrix, right) else { return nil }
        let change = values[3] - values[0]
        guard abs(change) > Self.minChange * tolerance else { return nil }
        let y1 = (values[1] - values[0]) / change
        let y2 = (values[2] - values[0]) / change
        guard EasingFit.handleRange.contains(y1), EasingFit.handleRange.contains(y2) else { return nil }
        var segment = EasedSegment(
            start: start, end: end, from: values[0], to: values[3],
            easing: Easing(x1: x1, y1: y1, x2: x2, y2: y2), error: 0, maxError: 0)
        guard overshoot(segment, part) <= Self.maxOvershoot * tolerance else { return nil }
        measure(&segment, part)
        return segment
    }

    /// Returns how far a motion leaves the range of the samples. The samples would show a real
    /// overshoot. Another one comes from a keyframe between samples, such as where another object
    /// hides this one.
    func overshoot(_ segment: EasedSegment, _ part: ValueSamples) -> Double {
        let easing = segment.easing
        guard !(0...1).contains(easing.y1) || !(0...1).contains(easing.y2),
            let low = part.values.min(), let high = part.values.max()
        else { return 0 }
        let ends = (min(segment.from, segment.to), max(segment.from, segment.to))
        let values = (1..<16).map { segment.from + (segment.to - segment.from) * easing.value(at: Double($0) / 16) }
        return values.map { max(min(low, ends.0) - $0, $0 - max(high, ends.1)) }.max() ?? 0
    }
}
