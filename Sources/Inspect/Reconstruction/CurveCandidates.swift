import Core

/// The candidates of a refinement, and the choice between nearly equal ones.
extension CurveRefinement {
    /// The number of the best candidates with named timing functions whose times are searched.
    private static let searchedCount = 3
    /// The difference between timing functions, as a share of the change, that counts as none.
    /// Encoders skip small changes: where a motion was slow, this changed the function by 0.025.
    private static let maxSnap = 0.028
    /// The maximum distance of a sample from named timing functions, relative to the limit of the
    /// search. It is larger for straight lines whose rms distance is within the tolerance: encoders
    /// skip small changes of colours for some frames, mostly where a fade turns.
    private static let maxLoss = (usual: 1.3, linear: 2.0)
    /// The maximum factor by which they may increase the rms distance, where that exceeds the
    /// tolerance.
    private static let maxWorse = 2.0

    func candidate(_ segments: [EasedSegment]) -> Candidate {
        Candidate(
            times: segments.map(\.start) + segments.suffix(1).map(\.end), easings: segments.map(\.easing),
            isRest: segments.map { abs($0.to - $0.from) <= fit.tolerance && $0.easing == .linear },
            shared: segments.map { _ in nil })
    }

    /// Returns candidates with common timing functions for all moving segments, or for those in
    /// each direction: named ones, and free ones.
    func attempts(_ pieces: [(Double, Double)], _ byDirection: Bool) -> [Candidate] {
        guard let last = pieces.last else { return [] }
        var base = Candidate(
            times: pieces.map(\.0) + [last.1], easings: pieces.map { _ in .linear }, isRest: pieces.map { _ in false },
            shared: pieces.map { _ in nil })
        let ends = base.times.map(value)
        // The search starts with most of the unseen part in the motion: up to a frame before the
        // first sample, and the rest, less a frame, after the last.
        if reach > 0 {
            base.times[0] -= min(frame, reach / 4)
            base.times[base.times.count - 1] += max(reach / 2, reach - 2 * frame)
        }
        for index in pieces.indices { base.isRest[index] = abs(ends[index + 1] - ends[index]) <= fit.tolerance }
        let classes = pieces.indices.map { byDirection && ends[$0 + 1] < ends[$0] ? 1 : 0 }
        guard !byDirection || Set(pieces.indices.filter { !base.isRest[$0] }.map { classes[$0] }).count == 2 else {
            return []
        }
        let named = Easing.named.map { named -> Candidate in
            var trial = base
            for index in pieces.indices where !trial.isRest[index] { trial.easings[index] = named.easing }
            return evaluated(trial)
        }.sorted { $0.error < $1.error }
        var result = named.prefix(CurveRefinement.searchedCount).map(searched)
        if byDirection, let first = result.first {
            for easing in Easing.named where !first.easings.contains(easing.easing) {
                for side in 0...1 {
                    var trial = first
                    for index in pieces.indices where !trial.isRest[index] && classes[index] == side {
                        trial.easings[index] = easing.easing
                    }
                    result.append(evaluated(trial))
                }
            }
            result = result.sorted { $0.error < $1.error }.prefix(CurveRefinement.searchedCount).map(searched)
        }
        guard reach <= 0, let nearest = result.min(by: { $0.error < $1.error }) else { return result }
        var free = nearest
        for index in pieces.indices where !free.isRest[index] { free.shared[index] = classes[index] }
        return result + [searched(free)]
    }

    /// The maximum number of lines in place of timing functions. More of them approximate a curve.
    private static let maxLines = 8

    /// Returns the candidate of straight lines: a motion may change its speed where it does not
    /// turn. Returns no candidate for motions of many lines.
    func straight() -> [Candidate] {
        let keys = LinearMotion(tolerance: fit.tolerance, frame: frame, cycle: cycle).keys(samples)
        guard (2...Self.maxLines + 1).contains(keys.count) else { return [] }
        var times = keys.map(\.time)
        if let cycle { times[times.count - 1] = times[0] + cycle.period }
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { return [] }
        let changes = zip(keys, keys.dropFirst()).map { abs($1.value - $0.value) }
        let candidate = Candidate(
            times: times, easings: changes.map { _ in .linear }, isRest: changes.map { $0 <= fit.tolerance },
            shared: changes.map { _ in nil })
        return [searched(candidate)]
    }

    /// Returns the value of the first sample at or after a time.
    private func value(at time: Double) -> Double {
        let next = samples.times.firstIndex { $0 >= time } ?? samples.times.count - 1
        return samples.values[next]
    }

    // MARK: Choice

    /// Returns a candidate with named timing functions in place of nearly equal free ones.
    func snapped(_ candidate: Candidate, _ limit: Double) -> Candidate {
        var trial = candidate
        for index in candidate.easings.indices where !candidate.isRest[index] {
            let own = candidate.easings[index]
            let nearest = Easing.named.map { ($0.easing, $0.easing.distance(to: own)) }.min { $0.1 < $1.1 }
            if let nearest, nearest.1 <= CurveRefinement.maxSnap { trial.easings[index] = nearest.0 }
        }
        trial.shared = trial.shared.map { _ in nil }
        let snapped = searched(trial)
        let allowed = max(CurveRefinement.maxLoss.usual * limit, CurveRefinement.maxSnap * range)
        let isNear = rms(snapped) <= max(CurveRefinement.maxWorse * rms(candidate), fit.tolerance)
        return snapped.maxError <= allowed && isNear ? snapped : candidate
    }

    /// Returns the candidate whose moving segments have one named timing function, or one for each
    /// direction, if it has fewer parameters than the best one and is nearly as good. Free timing
    /// functions in its place describe errors of the measurement.
    func usual(_ trials: [Candidate], limit: Double, best: Candidate) -> Candidate? {
        func easings(_ candidate: Candidate) -> Set<Easing> {
            Set(candidate.easings.indices.filter { !candidate.isRest[$0] }.map { candidate.easings[$0] })
        }
        let allowedRMS = max(CurveRefinement.maxWorse * rms(best), fit.tolerance)
        let near = trials.filter { trial in
            let isLinear = easings(trial) == [.linear] && rms(trial) <= fit.tolerance
            let loss = isLinear ? CurveRefinement.maxLoss.linear : CurveRefinement.maxLoss.usual
            let allowed = max(loss * limit, CurveRefinement.maxSnap * range)
            return parameterCount(trial) < parameterCount(best) && easings(trial).allSatisfy(isNamed)
                && trial.maxError <= allowed && rms(trial) <= allowedRMS
        }
        return near.min { a, b in
            a.error * Double(easings(a).count) < b.error * Double(easings(b).count)
        }
    }

    /// The extent of the samples' values.
    private var range: Double { (samples.values.max() ?? 0) - (samples.values.min() ?? 0) }

    private func rms(_ candidate: Candidate) -> Double {
        (candidate.error / Double(samples.times.count)).squareRoot()
    }
}
