import Core

/// A motion that repeats.
struct MotionCycle {
    /// The period in seconds.
    let period: Double
    /// The change of the value over a period.
    let growth: Double

    /// Returns the samples of one cycle that begins at a time: those before it follow one period
    /// later, and those after its end precede one period earlier.
    func turned(_ samples: ValueSamples, toBegin start: Double) -> ValueSamples {
        var result = samples
        while let first = result.times.first, first < start - 1e-9 {
            result.times.append(result.times.removeFirst() + period)
            result.values.append(result.values.removeFirst() + growth)
        }
        while let last = result.times.last, last > start + period + 1e-9 {
            result.times.insert(result.times.removeLast() - period, at: 0)
            result.values.insert(result.values.removeLast() - growth, at: 0)
        }
        return result
    }
}

/// Samples of several periods as samples of one.
///
/// A clip begins and ends at any point of its motion. One period is cut where the motion turns,
/// rests or jumps, so that no motion is split.
struct PeriodicSamples {
    /// The samples from the cut on, in the order of their times.
    let samples: ValueSamples
    /// The change of the value over a period; 0 for values that return.
    let growth: Double
    /// The standard deviation between measurements at one time of different periods; nil if most
    /// times have one.
    let noise: Double?
    /// The repetition; nil if the motion jumps at the cut.
    let cycle: MotionCycle?
    /// The time in seconds from the last sample to the first of the next period in which the motion
    /// ends and begins unseen; 0 without such a time.
    let unseen: Double
    private let period: Double
    /// The time of the first sample.
    private let start: Double

    /// The number of frames by which samples a period apart may miss each other.
    private static let timeTolerance = 0.6
    /// The number of tolerances by which the median difference of such samples may deviate.
    private static let valueTolerance = 2.0
    /// The number of tolerances by which angles must grow in a period to accumulate.
    private static let minGrowth = 3.0
    /// The minimum time between two samples in frames in which an object is hidden: more than one
    /// frame, since times are rounded.
    private static let minHidden = 1.5
    /// The number of tolerances, and of typical steps, that make a jump.
    private static let jump = CurveFitter.jumpThresholds

    /// Folds samples. Returns nil if they do not repeat after the period, or show less than one.
    ///
    /// - Parameters:
    ///   - frame: the interval between frames in seconds.
    ///   - accumulates: true for angles, which may grow with each period.
    ///   - breaks: times at which the object is invisible.
    init?(
        _ all: ValueSamples, period: Double, frame: Double, tolerance: Double, accumulates: Bool, breaks: [Double] = []
    ) {
        guard let growth = PeriodicSamples.growth(all, period, frame, tolerance, accumulates) else { return nil }
        let (folded, noise) = PeriodicSamples.folded(all, period, frame, growth, tolerance)
        guard folded.times.count > 3 else { return nil }
        let hidden = PeriodicSamples.hiddenJump(folded, growth, tolerance, period, frame, breaks)
        let (first, isJump) =
            hidden.map { ($0, true) } ?? PeriodicSamples.cut(folded, growth, tolerance, period, frame)
        var turned = ValueSamples(
            times: Array(folded.times[first...]) + folded.times[..<first].map { $0 + period },
            values: Array(folded.values[first...]) + folded.values[..<first].map { $0 + growth })
        if !isJump {
            turned.times.append(folded.times[first] + period)
            turned.values.append(folded.values[first] + growth)
        }
        samples = turned
        start = folded.times[first]
        self.noise = noise
        let length = turned.times[turned.times.count - 1] - turned.times[0]
        unseen = hidden == nil ? 0 : max(0, period - length - frame / 50)
        cycle = isJump ? nil : MotionCycle(period: period, growth: growth)
        self.growth = growth
        self.period = period
    }

    /// Returns the time of the samples that is whole periods from another.
    func folded(_ time: Double) -> Double {
        start + (time - start) - ((time - start) / period).rounded(.down) * period
    }

    /// Returns the median change over a period; nil if the changes differ, or if a value that must
    /// return does not.
    private static func growth(
        _ all: ValueSamples, _ period: Double, _ frame: Double, _ tolerance: Double, _ accumulates: Bool
    ) -> Double? {
        var changes: [Double] = []
        var next = 0
        for (time, value) in zip(all.times, all.values) {
            while next < all.times.count, all.times[next] < time + period - timeTolerance * frame { next += 1 }
            guard next > 0, next < all.times.count, all.times[next] <= time + period + timeTolerance * frame else {
                continue
            }
            let a = all.times[next - 1]
            let b = all.times[next]
            let share = min(1, max(0, (time + period - a) / (b - a)))
            let other =
                b - a < 2 * frame ? all.values[next - 1] * (1 - share) + all.values[next] * share : all.values[next]
            changes.append(other - value)
        }
        guard changes.count > 2, let middle = changes.median else { return nil }
        let growth = accumulates && abs(middle) > minGrowth * tolerance ? middle : 0
        let distance = changes.map { abs($0 - growth) }.median ?? 0
        return distance <= valueTolerance * tolerance ? growth : nil
    }

    /// Returns the samples at their times within a period, with the mean of those at one time, and
    /// the standard deviation between those. Where one of three or more is an error, or a jump came
    /// a frame late, their median counts: a mean would be a value that the clip never shows.
    private static func folded(
        _ all: ValueSamples, _ period: Double, _ frame: Double, _ growth: Double, _ tolerance: Double
    ) -> (samples: ValueSamples, noise: Double?) {
        let maxSpread = jump.tolerances * tolerance
        let points = zip(all.times, all.values).map { time, value -> (time: Double, value: Double) in
            let turns = ((time + frame / 100) / period).rounded(.down)
            return (max(0, time - turns * period), value - turns * growth)
        }.sorted { $0.time < $1.time }
        var result = ValueSamples(times: [], values: [])
        var group: [(time: Double, value: Double)] = []
        var squares = 0.0
        var count = 0
        func flush() {
            guard !group.isEmpty else { return }
            let values = group.map(\.value).sorted()
            var typical = values.reduce(0, +) / Double(group.count)
            if values.count > 2, values[values.count - 1] - values[0] > maxSpread { typical = values[values.count / 2] }
            result.times.append(group.reduce(0) { $0 + $1.time } / Double(group.count))
            result.values.append(typical)
            squares += values.reduce(0) { $0 + ($1 - typical) * ($1 - typical) }
            count += group.count - 1
            group = []
        }
        for point in points {
            if let first = group.first, point.time - first.time > frame / 4 { flush() }
            group.append(point)
        }
        flush()
        return (result, 2 * count > result.times.count ? (squares / Double(count)).squareRoot() : nil)
    }

    /// Returns the index of the sample with which the period begins: after a jump, in the middle of
    /// the longest rest, or at an extremum.
    private static func cut(
        _ part: ValueSamples, _ growth: Double, _ tolerance: Double, _ period: Double, _ frame: Double
    ) -> (index: Int, isJump: Bool) {
        let count = part.values.count
        func value(_ index: Int) -> Double { part.values[index % count] + (index >= count ? growth : 0) }
        func time(_ index: Int) -> Double { part.times[index % count] + (index >= count ? period : 0) }
        // A motion continues where samples are missing.
        let steps = (0..<count).map { index in
            abs(value(index + 1) - value(index)) / max(1, ((time(index + 1) - time(index)) / frame).rounded())
        }
        let typical = steps.sorted()[count * 3 / 4]
        if let largest = steps.indices.max(by: { steps[$0] < steps[$1] }),
            steps[largest] > max(jump.tolerances * tolerance, jump.steps * typical)
        {
            return ((largest + 1) % count, true)
        }
        var longest = (index: 0, length: 0)
        for start in 0..<count {
            var length = 0
            while length < count, abs(value(start + length) - value(start)) <= tolerance { length += 1 }
            if length > longest.length { longest = (start + length / 2, length) }
        }
        return (longest.index % count, false)
    }

    /// Returns the index of the first sample after a time in which the object is invisible, if
    /// extrapolating the motion on either side misses the value on the other; nil otherwise.
    private static func hiddenJump(
        _ part: ValueSamples, _ growth: Double, _ tolerance: Double, _ period: Double, _ frame: Double,
        _ breaks: [Double]
    ) -> Int? {
        let count = part.values.count
        guard count > 4 else { return nil }
        func turns(_ index: Int) -> Double { (Double(index) / Double(count)).rounded(.down) }
        func value(_ index: Int) -> Double { part.values[(index + count) % count] + turns(index) * growth }
        func time(_ index: Int) -> Double { part.times[(index + count) % count] + turns(index) * period }
        return (0..<count).first { index in
            let start = time(index)
            let end = time(index + 1)
            let isHidden = breaks.contains { other in
                let hiddenTime = other - ((other - start) / period).rounded(.down) * period
                return hiddenTime > start + frame / 4 && hiddenTime < end - frame / 4
            }
            guard isHidden, end - start > minHidden * frame else { return false }
            func misses(_ a: Int, _ b: Int) -> Bool {
                let expected = (value(b) - value(a)) / (time(b) - time(a)) * (end - start)
                return abs(value(index + 1) - value(index) - expected) > jump.tolerances * tolerance
            }
            return misses(index - 2, index) && misses(index + 1, index + 3)
        }.map { ($0 + 1) % count }
    }

    /// Returns the keyframes from the last one before 0 to the first one after the period.
    func repeated(_ fitted: KeyframeCurve) -> KeyframeCurve {
        var keys = fitted.keys
        if keys.count == 1 { return fitted }
        // The last key of a motion without a jump is the first of the next period.
        if let last = keys.last, abs(last.time - keys[0].time - period) < 1e-9 {
            keys[0].value = (keys[0].value + last.value - growth) / 2
            keys.removeLast()
        } else {
            keys[keys.count - 1].easing = .hold
        }
        let all = (-2...2).flatMap { turn in
            keys.map { key in
                CurveKeyframe(
                    time: key.time + Double(turn) * period, value: key.value + Double(turn) * growth,
                    easing: key.easing)
            }
        }
        let first = all.lastIndex { $0.time <= 1e-9 } ?? 0
        let last = all.firstIndex { $0.time >= period - 1e-9 } ?? all.count - 1
        return KeyframeCurve(keys: Array(all[first...max(first, last)]))
    }
}
