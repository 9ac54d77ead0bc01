import Core

/// Keyframes of one motion whose times, values and timing functions fit the samples together.
///
/// Segments that are fitted one by one compromise at their ends. Most animations use one timing
/// function, or one for each direction, and such a description is preferred where it fits as well.
struct CurveRefinement {
    let fit: EasingFit
    let samples: ValueSamples
    /// The interval between frames in seconds.
    let frame: Double
    /// The motion that follows the samples and precedes them; nil if it is unknown.
    var cycle: MotionCycle?
    /// The time in seconds by which the motion may begin before the first sample and end after the
    /// last, together: the object is invisible there, up to the next repetition.
    var reach = 0.0

    /// Keyframes with the timing functions between them.
    struct Candidate {
        var times: [Double]
        var easings: [Easing]
        /// True for segments in which the value rests.
        var isRest: [Bool]
        /// The number of the searched timing function that each segment shares with others; nil if
        /// it keeps its own of `easings`.
        var shared: [Int?]
        var values: [Double] = []
        var error = Double.infinity
        var maxError = Double.infinity
    }

    /// The maximum number of segments whose timing functions are searched. Longer curves come from
    /// motions that keyframes describe badly, and the search would take too long.
    private static let maxSegments = 24
    /// The maximum number of samples in a search.
    private static let maxSamples = 200
    /// The cost of a parameter in squared standard deviations.
    private static let parameterCost = 6.0
    /// The number of frames by which the first keyframe of a cycle may move. The cycle is cut at a
    /// frame, and a motion turns between two frames.
    private static let maxShift = 2.0

    /// Returns the best keyframes, starting from segments that each fit their samples and from
    /// `turns`: the indices of the first and the last sample and of those where the motion turns.
    func keys(_ segments: [EasedSegment], turns: [Int]) -> [CurveKeyframe] {
        let start = evaluated(candidate(segments))
        guard segments.count <= CurveRefinement.maxSegments else { return keys(start) }
        var best = searched(start)
        if best.maxError > max(fit.tolerance, start.maxError) || cost(best) > cost(start) { best = start }
        var descriptions = [segments.map { ($0.start, $0.end) }]
        if turns.count <= CurveRefinement.maxSegments {
            descriptions += [
                pieces(turns, withRests: false), pieces(turns, withRests: true), restingPieces(turns),
                plateauPieces(turns),
            ]
        }
        let limit = max(fit.tolerance, start.maxError)
        var trials: [Candidate] = []
        for pieces in descriptions {
            for byDirection in [false, true] { trials += attempts(pieces, byDirection) }
        }
        for trial in trials + straight() where trial.maxError <= limit && cost(trial) < cost(best) { best = trial }
        return keys(usual(trials, limit: limit, best: best) ?? snapped(best, limit))
    }

    func cost(_ candidate: Candidate) -> Double {
        candidate.error
            + CurveRefinement.parameterCost * fit.noise * fit.noise * Double(parameterCount(candidate))
    }

    /// Returns the number of values that describe a candidate.
    func parameterCount(_ candidate: Candidate) -> Int {
        let handles = 4 * Set(candidate.shared.compactMap { $0 }).count
        let free = candidate.shared.indices.count { candidate.shared[$0] == nil && !isNamed(candidate.easings[$0]) }
        let rests = candidate.isRest.count { $0 }
        return 2 * candidate.times.count - rests + handles + 4 * free
    }

    func isNamed(_ easing: Easing) -> Bool { Easing.named.contains { $0.easing == easing } }

    private func keys(_ candidate: Candidate) -> [CurveKeyframe] {
        candidate.times.indices.map { index in
            let isLast = index == candidate.easings.count
            return CurveKeyframe(
                time: candidate.times[index], value: candidate.values[index],
                easing: isLast ? .linear : candidate.easings[index])
        }
    }

    // MARK: Search

    /// Returns the candidate with the times of the inner keyframes, and the free timing functions,
    /// that fit best (variable projection: the values follow from linear least squares).
    func searched(_ candidate: Candidate) -> Candidate {
        let inner = max(0, candidate.times.count - 2)
        let classes = Set(candidate.shared.compactMap { $0 }).sorted()
        let isOpen = cycle == nil && reach > 0
        let outer = isOpen ? 2 : cycle == nil ? 0 : 1
        var start = Array(candidate.times.dropFirst(outer > 0 ? 0 : 1).dropLast(isOpen ? 0 : 1))
        for number in classes {
            guard let index = candidate.shared.firstIndex(of: number) else { continue }
            let easing = candidate.easings[index]
            start += [easing.x1, easing.y1, easing.x2, easing.y2]
        }
        guard !start.isEmpty else { return evaluated(candidate) }
        func moved(_ parameters: [Double]) -> Candidate {
            var trial = candidate
            move(&trial, Array(parameters.prefix(outer + inner)))
            for (position, number) in classes.enumerated() {
                let handles = Array(parameters[(outer + inner + 4 * position)...].prefix(4))
                let easing = Easing(
                    x1: min(1, max(0, handles[0])), y1: min(2, max(-1, handles[1])), x2: min(1, max(0, handles[2])),
                    y2: min(2, max(-1, handles[3])))
                for index in trial.shared.indices where trial.shared[index] == number { trial.easings[index] = easing }
            }
            return trial
        }
        let part = samples.thinned(to: Self.maxSamples)
        let steps =
            Array(repeating: frame / 50, count: outer + inner) + Array(repeating: 1e-3, count: 4 * classes.count)
        let found = LeastSquares.fit(start, steps: steps, iterations: 8) { parameters in
            solved(moved(parameters), part).residuals
        }
        return evaluated(moved(found.parameters))
    }

    /// Moves the inner keyframes to other times, the first one of a cycle, and both ends of a
    /// motion that begins or ends unseen.
    private func move(_ trial: inout Candidate, _ times: [Double]) {
        let last = trial.times.count - 1
        if let cycle {
            let shift = CurveRefinement.maxShift * frame
            trial.times[0] = min(max(samples.times[0] - shift, times[0]), samples.times[0] + shift)
            trial.times[last] = trial.times[0] + cycle.period
        } else if reach > 0, let first = times.first, let end = times.last {
            let start = samples.times[0]
            let stop = samples.times[samples.times.count - 1]
            trial.times[0] = min(max(start - reach, first), start)
            trial.times[last] = min(max(stop, end), trial.times[0] + (stop - start) + reach)
        }
        let leading = cycle == nil && reach <= 0 ? 0 : 1
        for index in 0..<max(0, last - 1) {
            let low = trial.times[index] + EasedSegment.minFrames * frame
            let high = trial.times[last] - EasedSegment.minFrames * frame * Double(last - 1 - index)
            trial.times[index + 1] = min(max(low, times[leading + index]), max(low, high))
        }
    }

    /// Returns how far free timing functions leave the range of their samples.
    private func overshoot(_ candidate: Candidate) -> Double {
        let free = candidate.easings.indices.filter { candidate.shared[$0] != nil && !candidate.isRest[$0] }
        return free.map { index -> Double in
            let segment = EasedSegment(
                start: candidate.times[index], end: candidate.times[index + 1], from: candidate.values[index],
                to: candidate.values[index + 1], easing: candidate.easings[index], error: 0, maxError: 0)
            return fit.overshoot(segment, samples.slice(segment.start, segment.end))
        }.max() ?? 0
    }

    func evaluated(_ candidate: Candidate) -> Candidate {
        var result = candidate
        let (values, residuals) = solved(candidate, samples)
        result.values = values
        result.error = residuals.reduce(0) { $0 + $1 * $1 }
        result.maxError = max(residuals.reduce(0) { max($0, abs($1)) }, overshoot(result) / 2)
        return result
    }

    /// Returns the values of the keyframes by linear least squares, which leads to a tridiagonal
    /// system, and the distances of the samples.
    private func solved(_ candidate: Candidate, _ part: ValueSamples) -> (values: [Double], residuals: [Double]) {
        let count = candidate.times.count
        let part = cycle?.turned(part, toBegin: candidate.times[0]) ?? part
        // Both ends of a rest are one variable.
        var variable = [Int](repeating: 0, count: count)
        for index in 1..<count { variable[index] = variable[index - 1] + (candidate.isRest[index - 1] ? 0 : 1) }
        let size = variable[count - 1] + 1
        var diagonal = [Double](repeating: 1e-9, count: size)
        var offDiagonal = [Double](repeating: 0, count: size)
        var right = [Double](repeating: 0, count: size)
        var shares: [(segment: Int, share: Double)] = []
        shares.reserveCapacity(part.times.count)
        var segment = 0
        for (time, value) in zip(part.times, part.values) {
            while segment + 2 < count, time > candidate.times[segment + 1] { segment += 1 }
            let length = candidate.times[segment + 1] - candidate.times[segment]
            let position = min(1, max(0, (time - candidate.times[segment]) / length))
            let share = candidate.isRest[segment] ? 0 : candidate.easings[segment].value(at: position)
            shares.append((segment, share))
            let a = variable[segment]
            diagonal[a] += (1 - share) * (1 - share)
            right[a] += (1 - share) * value
            guard !candidate.isRest[segment] else { continue }
            diagonal[a + 1] += share * share
            offDiagonal[a] += share * (1 - share)
            right[a + 1] += share * value
        }
        let solution = LeastSquares.solve(diagonal: diagonal, offDiagonal: offDiagonal, right)
        let values = variable.map { solution[$0] }
        let residuals = zip(shares, part.values).map { place, value in
            values[place.segment] * (1 - place.share) + values[place.segment + 1] * place.share - value
        }
        return (values, residuals)
    }
}
