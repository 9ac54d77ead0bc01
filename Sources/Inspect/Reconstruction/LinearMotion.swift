/// Keyframes of a motion whose speed changes only at keyframes: straight lines through the samples,
/// each up to where it meets the next.
///
/// The lines go on where the object is not measured, so that a turn or a rest there gets its time
/// and its value. A timing function would round it off.
struct LinearMotion {
    /// The maximum distance of a sample from its line.
    let tolerance: Double
    /// The interval between frames in seconds.
    let frame: Double
    /// The repetition of the samples, of which the last is the first of the next cycle; nil if they
    /// do not repeat.
    var cycle: MotionCycle?

    /// Returns the keyframes of at least one sample.
    func keys(_ samples: ValueSamples) -> [CurveKeyframe] {
        var lines = lines(cycle == nil ? samples : samples.withoutLast)
        guard let first = lines.first else { return [key(samples.times[0], samples.values[0])] }
        if let cycle { lines.append(first.moved(by: cycle)) }
        var keys = [key(first.start, first.from)]
        for (line, next) in zip(lines, lines.dropFirst()) { keys += turn(line, next, after: keys.last?.time ?? 0) }
        guard let cycle, let last = keys.last else {
            return needed(keys + lines.suffix(1).map { key($0.end, $0.to) })
        }
        // The turn between the last line and the first is in both cycles.
        let turn = key(last.time - cycle.period, last.value - cycle.growth)
        return needed([turn] + keys.dropFirst().filter { $0.time > turn.time })
    }

    /// Returns the keyframe at which two lines meet, or the end of one and the start of the next.
    private func turn(_ line: EasedSegment, _ next: EasedSegment, after last: Double) -> [CurveKeyframe] {
        if let time = meetingTime(line, next), time > max(last, line.end - frame),
            time < min(next.start + frame, next.end)
        {
            return [key(time, line.extended(to: time))]
        }
        return [key(line.end, line.to)] + (next.start > line.end ? [key(next.start, next.from)] : [])
    }

    private func key(_ time: Double, _ value: Double) -> CurveKeyframe {
        CurveKeyframe(time: time, value: value, easing: .linear)
    }

    /// Returns lines through successive samples, each through as many as the tolerance allows.
    private func lines(_ samples: ValueSamples) -> [EasedSegment] {
        let fit = EasingFit(tolerance: tolerance, noise: 0)
        var lines: [EasedSegment] = []
        var first = 0
        while first + 1 < samples.times.count {
            let start = samples.times[first]
            var last = first
            for index in first + 1..<samples.times.count {
                let end = samples.times[index]
                let line = fit.fit(samples.slice(start, end), start, end, .linear)
                guard line.maxError <= tolerance || index == first + 1 else { break }
                if index > first + 1 { lines.removeLast() }
                lines.append(line)
                last = index
            }
            // The last line needs two samples.
            first = last + 2 < samples.times.count ? last + 1 : last
        }
        return lines
    }

    /// Returns the time at which two lines have the same value; nil if they are parallel.
    private func meetingTime(_ a: EasedSegment, _ b: EasedSegment) -> Double? {
        let difference = b.slope - a.slope
        guard abs(difference) * frame > 1e-6 else { return nil }
        return b.start + (a.extended(to: b.start) - b.from) / difference
    }

    /// Returns keyframes without those on the line between their neighbours.
    private func needed(_ keys: [CurveKeyframe]) -> [CurveKeyframe] {
        var result: [CurveKeyframe] = []
        for (index, key) in keys.enumerated() {
            if let last = result.last, index + 1 < keys.count {
                let line = KeyframeCurve(keys: [last, keys[index + 1]])
                if abs(line.value(at: key.time) - key.value) <= tolerance { continue }
            }
            result.append(key)
        }
        return result
    }
}

extension EasedSegment {
    fileprivate var slope: Double { (to - from) / (end - start) }

    /// Returns the segment of the next cycle.
    fileprivate func moved(by cycle: MotionCycle) -> EasedSegment {
        var next = self
        next.start += cycle.period
        next.end += cycle.period
        next.from += cycle.growth
        next.to += cycle.growth
        return next
    }

    /// Returns the value of a linear segment at any time.
    fileprivate func extended(to time: Double) -> Double { from + slope * (time - start) }
}

extension ValueSamples {
    fileprivate var withoutLast: ValueSamples {
        ValueSamples(times: times.dropLast(), values: values.dropLast())
    }
}
