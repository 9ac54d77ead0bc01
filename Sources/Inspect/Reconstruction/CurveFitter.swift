/// A fitter of keyframes with timing functions to measured values.
struct CurveFitter {
    /// The largest distance of a sample from the curve.
    let tolerance: Double
    /// The interval between frames in seconds.
    let frame: Double
    /// The standard deviation of the samples' errors.
    private var noise = 0.0
    /// The standard deviation between measurements of the same value; nil if it is unknown.
    var repeatedNoise: Double?
    /// The smallest standard deviation that the samples' errors can have; nil for the default.
    var minNoise: Double?
    /// The time by which the motion may begin before the first sample and end after the last.
    var reach = 0.0
    /// Times at which the object is invisible, so that its values may jump.
    var breaks: [Double] = []
    /// True for a motion without timing functions.
    var isLinear = false

    init(tolerance: Double, frame: Double) {
        self.tolerance = tolerance
        self.frame = frame
    }

    /// The maximum distance of a sample from the curve, in standard deviations of its error.
    private static let noiseMargin = 3.5
    /// The noise is at least the tolerance divided by this.
    private static let toleranceMargin = 3.0
    /// The number of tolerances by which a value must return to make a turn.
    private static let turnThreshold = 3.0
    /// The number of tolerances, and of typical steps nearby, that make a jump.
    static let jumpThresholds = (tolerances: 8.0, steps: 6.0)
    /// The number of passes in which boundaries move to their best times.
    private static let passes = 2
    /// The cost of segments, relative to the cost before, below which their boundaries move.
    /// Otherwise, they would follow the noise.
    private static let maxCostRatio = 0.98
    /// The number of parts of a frame by which boundaries move.
    private static let movesPerFrame = 5.0
    /// The number of samples, and of moving ones, above which their noise is measured.
    private static let minNoiseSamples = 8

    private var fit: EasingFit { EasingFit(tolerance: tolerance, noise: noise) }

    /// Returns the curve with the fewest keyframes that were found within the tolerance.
    ///
    /// - Parameter cycle: the repetition of the samples, of which the last is the first of the next
    ///   cycle; nil if they do not repeat.
    func curve(_ samples: ValueSamples, cycle: MotionCycle? = nil) -> KeyframeCurve {
        guard let low = samples.values.min(), let high = samples.values.max() else { return KeyframeCurve(constant: 0) }
        if high - low <= 2 * tolerance {
            return KeyframeCurve(constant: samples.values.median ?? low)
        }
        // A polygon in place of a curve looks like noise, but each cycle shows the same.
        let noise = min(CurveFitter.noise(samples, tolerance), repeatedNoise ?? .infinity)
        var fitter = CurveFitter(tolerance: max(tolerance, CurveFitter.noiseMargin * noise), frame: frame)
        // Errors of outlines are similar in successive frames, so differences underestimate them.
        fitter.noise = max(noise, minNoise ?? tolerance / CurveFitter.toleranceMargin)
        fitter.breaks = breaks
        fitter.reach = reach
        fitter.isLinear = isLinear
        return fitter.keyed(samples, cycle)
    }

    private func keyed(_ samples: ValueSamples, _ cycle: MotionCycle?) -> KeyframeCurve {
        var keys: [CurveKeyframe] = []
        let runs = runs(samples)
        for run in runs {
            let part = ValueSamples(times: Array(samples.times[run]), values: Array(samples.values[run]))
            if !keys.isEmpty { keys[keys.count - 1].easing = .hold }
            keys += self.keys(part, runs.count == 1 ? cycle : nil, reach: runs.count == 1 ? reach : 0)
        }
        return KeyframeCurve(keys: flattenedRests(keys))
    }

    /// Returns the standard deviation of the samples' random errors, estimated from their third
    /// differences, which are 0 for smooth motion. Errors of equal size make differences that are
    /// √20 times as large. Encoders repeat still content with its error, so only moving samples
    /// count.
    private static func noise(_ samples: ValueSamples, _ tolerance: Double) -> Double {
        let values = samples.values
        guard values.count > minNoiseSamples else { return 0 }
        let all = (3..<values.count).map { index -> (change: Double, difference: Double) in
            let outer: Double = values[index] - values[index - 3]
            let inner: Double = values[index - 1] - values[index - 2]
            return (abs(outer), abs(outer - 3 * inner))
        }
        let moving = all.filter { $0.change > tolerance }
        let differences = (moving.count > minNoiseSamples ? moving : all).map(\.difference)
        return differences.estimatedDeviation / 20.squareRoot()
    }

    /// Returns the keyframes of a motion without jumps.
    private func keys(_ part: ValueSamples, _ cycle: MotionCycle?, reach: Double) -> [CurveKeyframe] {
        guard !isLinear else { return LinearMotion(tolerance: tolerance, frame: frame, cycle: cycle).keys(part) }
        let turns = turns(part)
        let segments = segments(part, turns)
        guard !segments.isEmpty else {
            return [CurveKeyframe(time: part.times[0], value: part.values[0], easing: .linear)]
        }
        return CurveRefinement(fit: fit, samples: part, frame: frame, cycle: cycle, reach: reach)
            .keys(segments, turns: turns)
    }

    /// Makes segments between nearly equal keyframes linear. A rest at the beginning or the end
    /// becomes exactly constant.
    private func flattenedRests(_ keys: [CurveKeyframe]) -> [CurveKeyframe] {
        var result = keys
        for index in result.indices.dropLast()
        where !result[index].easing.isHold && abs(result[index + 1].value - result[index].value) <= tolerance {
            // Both ends of a rest have its value.
            let isRest = index == 0 || index + 2 == result.count
            if isRest, index == 0 { result[0].value = result[1].value }
            if isRest, index + 2 == result.count { result[index + 1].value = result[index].value }
            result[index].easing = .linear
        }
        return result
    }

    // MARK: Segments

    private func segments(_ part: ValueSamples, _ turns: [Int]) -> [EasedSegment] {
        guard part.times.count > 1 else { return [] }
        var segments = zip(turns, turns.dropFirst()).flatMap { greedy(part, from: $0, to: $1) }
        for _ in 0..<CurveFitter.passes {
            moveBoundaries(&segments, part)
            merge(&segments, part)
        }
        moveBoundaries(&segments, part)
        snapBoundaries(&segments, part)
        return KeyframeReduction(fit: fit, samples: part, frame: frame).reduced(segments)
    }

    /// Returns the indices of the first and the last sample and of those at which the value turns.
    private func turns(_ part: ValueSamples) -> [Int] {
        let threshold = CurveFitter.turnThreshold * tolerance
        var found = [0]
        var low = 0
        var high = 0
        var direction = 0
        for index in part.values.indices {
            if part.values[index] < part.values[low] { low = index }
            if part.values[index] > part.values[high] { high = index }
            if direction >= 0, part.values[high] - part.values[index] > threshold {
                if direction > 0 || high > 0 { found.append(middle(part, around: high)) }
                direction = -1
                low = index
                high = index
            } else if direction <= 0, part.values[index] - part.values[low] > threshold {
                if direction < 0 || low > 0 { found.append(middle(part, around: low)) }
                direction = 1
                high = index
                low = index
            }
        }
        found.append(part.values.count - 1)
        return Array(Set(found)).sorted()
    }

    /// Returns the middle of the samples beside an extremum that are within the tolerance of it.
    private func middle(_ part: ValueSamples, around index: Int) -> Int {
        var first = index
        var last = index
        while first > 0, abs(part.values[first - 1] - part.values[index]) <= tolerance { first -= 1 }
        while last + 1 < part.values.count, abs(part.values[last + 1] - part.values[index]) <= tolerance { last += 1 }
        return (first + last) / 2
    }

    /// Returns segments between two samples, each as long as its tolerance allows.
    private func greedy(_ part: ValueSamples, from first: Int, to last: Int) -> [EasedSegment] {
        var result: [EasedSegment] = []
        var start = first
        while start < last {
            func segment(_ end: Int) -> EasedSegment? { fit.segment(part, part.times[start], part.times[end]) }
            var good = start + 1
            var bad = last + 1
            var best = segment(start + 1)
            var trial = last
            while bad > good + 1 {
                if let found = segment(trial), found.maxError <= tolerance {
                    good = trial
                    best = found
                } else {
                    bad = trial
                }
                trial = (good + bad) / 2
            }
            if let best { result.append(best) }
            start = good
        }
        return result
    }

    /// Moves each boundary between segments to the time at which both fit best.
    private func moveBoundaries(_ segments: inout [EasedSegment], _ part: ValueSamples) {
        for index in segments.indices.dropLast() {
            var step =
                min(segments[index].end - segments[index].start, segments[index + 1].end - segments[index].end) / 4
            while step > frame / Self.movesPerFrame {
                let isMoved = [step, -step].contains { move(index, by: $0, &segments, part) }
                if !isMoved { step /= 2 }
            }
        }
    }

    /// Moves both ends of each segment to frames nearby if that fits better: most animations have
    /// their keyframes there, and a single boundary cannot leave a compromise with its neighbour.
    private func snapBoundaries(_ segments: inout [EasedSegment], _ part: ValueSamples) {
        for index in segments.indices {
            let starts = index == 0 ? [segments[index].start] : framesNear(segments[index].start, part)
            let ends = index + 1 == segments.count ? [segments[index].end] : framesNear(segments[index].end, part)
            let range = max(0, index - 1)...min(segments.count - 1, index + 1)
            for start in starts {
                for end in ends where end > start + frame {
                    let trial = range.compactMap { other -> EasedSegment? in
                        let from = other == index ? start : other == index + 1 ? end : segments[other].start
                        let to = other == index ? end : other == index - 1 ? start : segments[other].end
                        return fit.segment(part, from, to)
                    }
                    guard trial.count == range.count,
                        EasedSegment.cost(trial) < Self.maxCostRatio * EasedSegment.cost(Array(segments[range]))
                    else {
                        continue
                    }
                    segments.replaceSubrange(range, with: trial)
                }
            }
        }
    }

    /// Returns the times of the sample nearest to a time and of its neighbours.
    private func framesNear(_ time: Double, _ part: ValueSamples) -> [Double] {
        let near = part.times.indices.min { abs(part.times[$0] - time) < abs(part.times[$1] - time) } ?? 0
        return (max(0, near - 1)...min(part.times.count - 1, near + 1)).map { part.times[$0] }
    }

    private func move(_ index: Int, by step: Double, _ segments: inout [EasedSegment], _ part: ValueSamples) -> Bool {
        let a = segments[index]
        let b = segments[index + 1]
        let time = a.end + step
        let minLength = EasedSegment.minFrames * frame
        guard time > a.start + minLength, time < b.end - minLength, let before = fit.segment(part, a.start, time),
            let after = fit.segment(part, time, b.end),
            EasedSegment.cost([before, after]) < Self.maxCostRatio * EasedSegment.cost([a, b])
        else { return false }
        segments[index] = before
        segments[index + 1] = after
        return true
    }

    /// Joins neighbours that a single segment fits as well.
    private func merge(_ segments: inout [EasedSegment], _ part: ValueSamples) {
        var index = 0
        while index + 1 < segments.count {
            if let joined = fit.segment(part, segments[index].start, segments[index + 1].end),
                joined.maxError <= tolerance
            {
                segments.replaceSubrange(index...index + 1, with: [joined])
            } else {
                index += 1
            }
        }
    }
}
