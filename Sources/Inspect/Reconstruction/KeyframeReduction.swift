/// A reduction of keyframes: it removes those that are not needed to stay within the tolerance, and
/// replaces free timing functions by named ones.
///
/// A segmentation that grows from one side counts the slow start of a motion as part of the rest
/// before it, and then needs keyframes for the remainder. Here, successive segments become one
/// whose ends may move by some frames. Each replacement leaves fewer segments, or fewer free timing
/// functions, so that the search ends.
struct KeyframeReduction {
    let fit: EasingFit
    let samples: ValueSamples
    /// The interval between frames in seconds.
    let frame: Double

    /// The number of frames by which an end may move. The first 3 of 15 frames of ease-in-out are
    /// 8% of the change, and were found to be lost to a rest; longer motions lose more frames.
    private static let reach = 5.0
    /// The number of frames by which it may move for a free timing function, whose fit takes
    /// longer.
    private static let freeReach = 1.0
    /// The largest number of segments that become one: a motion that was split at both of its slow
    /// ends, and one spare.
    private static let maxWidth = 4
    /// The number of intervals in a table of a timing function. Its error is below 0.0001.
    private static let tableSize = 256
    private static let tables = Easing.named.map { named in
        (0...tableSize).map { named.easing.value(at: Double($0) / Double(tableSize)) }
    }

    /// Returns the segments with fewer keyframes. Wide replacements come first.
    func reduced(_ segments: [EasedSegment]) -> [EasedSegment] {
        var result = segments
        for width in (1...KeyframeReduction.maxWidth).reversed() {
            var index = 0
            while index + width <= result.count {
                let search = ReductionSearch(reduction: self, segments: result, range: index..<index + width)
                if let found = search.best() {
                    result.replaceSubrange(search.context, with: found)
                } else {
                    index += 1
                }
            }
        }
        return result
    }

    /// Returns the times of the frames near a boundary, and its own.
    fileprivate func times(near time: Double, reach: Double) -> [Double] {
        let near = samples.times.filter { abs($0 - time) <= (reach + 0.5) * frame }
        return near.contains { abs($0 - time) < 1e-6 } ? near : near + [time]
    }

    /// Returns the indices of the named timing functions that may fit the samples between two times
    /// within the tolerance.
    fileprivate func likely(_ part: ValueSamples, _ start: Double, _ end: Double) -> [Int] {
        KeyframeReduction.tables.indices.filter { index in
            let table = KeyframeReduction.tables[index]
            let shares = part.times.map { time -> Double in
                let position = min(1, max(0, (time - start) / (end - start))) * Double(KeyframeReduction.tableSize)
                let low = min(KeyframeReduction.tableSize - 1, Int(position))
                return table[low] + (table[low + 1] - table[low]) * (position - Double(low))
            }
            return EasingFit.line(shares, part.values).map { line in
                zip(shares, part.values).allSatisfy {
                    abs(line.from + (line.to - line.from) * $0 - $1) <= 1.05 * fit.tolerance
                }
            } ?? false
        }
    }

    fileprivate static func isFree(_ segment: EasedSegment) -> Bool {
        !Easing.named.contains { $0.easing == segment.easing }
    }

    fileprivate static var reaches: (named: Double, free: Double) { (reach, freeReach) }
    fileprivate var minLength: Double { EasedSegment.minFrames * frame }
}

/// The search for one segment in place of some, and for the ends at which it fits best.
private struct ReductionSearch {
    let reduction: KeyframeReduction
    let segments: [EasedSegment]
    /// The segments to replace.
    let range: Range<Int>

    /// The segments to replace and their neighbours, whose ends move with them.
    var context: Range<Int> { max(0, range.lowerBound - 1)..<min(segments.count, range.upperBound + 1) }

    private var first: EasedSegment { segments[range.lowerBound] }
    private var last: EasedSegment { segments[range.upperBound - 1] }
    private var before: EasedSegment? { range.lowerBound > 0 ? segments[range.lowerBound - 1] : nil }
    private var after: EasedSegment? { range.upperBound < segments.count ? segments[range.upperBound] : nil }
    private var fit: EasingFit { reduction.fit }

    /// Returns the segments of the context with the smallest cost; nil if none are within the
    /// tolerance.
    func best() -> [EasedSegment]? {
        guard range.count > 1 || KeyframeReduction.isFree(first) else { return nil }
        let named = best(reach: KeyframeReduction.reaches.named) { part, start, end in
            reduction.likely(part, start, end).map { fit.fit(part, start, end, Easing.named[$0].easing) }
        }
        if named != nil || range.count != 2 { return named }
        return best(reach: KeyframeReduction.reaches.free) { _, start, end in
            fit.segment(reduction.samples, start, end).map { [$0] } ?? []
        }
    }

    private func best(
        reach: Double, _ joined: (ValueSamples, Double, Double) -> [EasedSegment]
    ) -> [EasedSegment]? {
        let starts = times(first.start, reach, after: before?.start, before: last.end)
        let ends = times(last.end, reach, after: first.start, before: after?.end)
        var neighbours = Neighbours(reduction: reduction, before: before, after: after)
        var best: (segments: [EasedSegment], cost: Double)?
        for start in starts {
            for end in ends where end > start + reduction.minLength {
                let part = reduction.samples.slice(start, end).thinned(to: EasingFit.maxSamples)
                guard part.times.count > 2 else { continue }
                for segment in joined(part, start, end) where segment.maxError <= fit.tolerance {
                    guard let sides = neighbours.moved(start, end) else { break }
                    let trial = sides.before + [segment] + sides.after
                    let cost = EasedSegment.cost(trial)
                    if cost < best?.cost ?? .infinity { best = (trial, cost) }
                }
            }
        }
        return best?.segments
    }
}

extension ReductionSearch {
    /// Returns the times that a boundary between two others may have: only its own at an end of the
    /// samples. A free timing function may hide a turn, where the boundary belongs.
    private func times(_ time: Double, _ reach: Double, after low: Double?, before high: Double?) -> [Double] {
        guard let low, let high else { return [time] }
        var times = reduction.times(near: time, reach: reach)
        if range.count == 1 {
            let part = reduction.samples.slice(low, high)
            let lowest = part.values.indices.min { part.values[$0] < part.values[$1] }
            let highest = part.values.indices.max { part.values[$0] < part.values[$1] }
            for index in [lowest, highest].compactMap({ $0 }) {
                times += reduction.times(near: part.times[index], reach: reach)
            }
        }
        return Set(times).sorted()
    }
}

/// The segments beside a replacement, by their times.
private struct Neighbours {
    let reduction: KeyframeReduction
    let before: EasedSegment?
    let after: EasedSegment?
    private var moved: [ClosedRange<Double>: EasedSegment?] = [:]

    init(reduction: KeyframeReduction, before: EasedSegment?, after: EasedSegment?) {
        self.reduction = reduction
        self.before = before
        self.after = after
    }

    /// Returns the neighbours for new ends of the segment between them; nil if one of them no
    /// longer fits.
    mutating func moved(_ start: Double, _ end: Double) -> (before: [EasedSegment], after: [EasedSegment])? {
        var sides: (before: [EasedSegment], after: [EasedSegment]) = ([], [])
        if let before {
            guard let side = fitted(before, before.start, start) else { return nil }
            sides.before = [side]
        }
        if let after {
            guard let side = fitted(after, end, after.end) else { return nil }
            sides.after = [side]
        }
        return sides
    }

    private mutating func fitted(_ old: EasedSegment, _ start: Double, _ end: Double) -> EasedSegment? {
        guard end > start + reduction.minLength else { return nil }
        if let known = moved[start...end] { return known }
        let new = refitted(old, start, end)
        moved[start...end] = .some(new)
        return new
    }

    private func refitted(_ old: EasedSegment, _ start: Double, _ end: Double) -> EasedSegment? {
        let fit = reduction.fit
        let part = reduction.samples.slice(start, end).thinned(to: EasingFit.maxSamples)
        guard !part.times.isEmpty else { return nil }
        var new = fit.fit(part, start, end, old.easing)
        let limit = max(fit.tolerance, old.maxError)
        let isRest = old.easing == .linear && abs(old.to - old.from) <= fit.tolerance
        if !isRest, let other = fit.segment(reduction.samples, start, end),
            KeyframeReduction.isFree(old) || !KeyframeReduction.isFree(other), other.cost < new.cost
        {
            new = other
        }
        return new.maxError <= limit ? new : nil
    }
}
