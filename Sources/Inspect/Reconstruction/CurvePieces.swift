import Core

extension CurveRefinement {
    /// The shortest rest in frames that divides a motion.
    private static let minRest = 5.0
    /// The divisor of a motion's duration that gives the maximum time for which a slow start or end
    /// stays within the tolerance.
    private static let slowDivisor = 8

    /// Returns segments from turn to turn as start and end times; with rests, each is divided where
    /// the value leaves a turn and where it reaches the next one.
    func pieces(_ turns: [Int], withRests: Bool) -> [(Double, Double)] {
        var result: [(Double, Double)] = []
        for (first, last) in zip(turns, turns.dropFirst()) {
            guard withRests else {
                result += piece(first, last)
                continue
            }
            let from = samples.values[first]
            let to = samples.values[last]
            var leaves = first
            var comes = last
            while leaves < last, abs(samples.values[leaves + 1] - from) <= fit.tolerance { leaves += 1 }
            while comes > leaves, abs(samples.values[comes - 1] - to) <= fit.tolerance { comes -= 1 }
            // A slow start takes some frames to leave the tolerance.
            leaves = max(first, leaves - max(1, (comes - leaves) / CurveRefinement.slowDivisor))
            comes = min(last, comes + max(1, (comes - leaves) / CurveRefinement.slowDivisor))
            if leaves - first < 3 { leaves = first }
            if last - comes < 3 { comes = last }
            result += piece(first, leaves) + piece(leaves, comes) + piece(comes, last)
        }
        return result
    }

    /// Returns the segment between two samples, as start and end time; none if they are one sample.
    private func piece(_ start: Int, _ end: Int) -> [(Double, Double)] {
        end > start ? [(samples.times[start], samples.times[end])] : []
    }

    /// Returns segments from turn to turn, divided where the value rests on its way.
    func restingPieces(_ turns: [Int]) -> [(Double, Double)] {
        var result: [(Double, Double)] = []
        for (first, last) in zip(turns, turns.dropFirst()) {
            var start = first
            var index = first
            while index < last {
                var end = index
                while end < last, abs(samples.values[end + 1] - samples.values[index]) <= fit.tolerance { end += 1 }
                if samples.times[end] - samples.times[index] >= CurveRefinement.minRest * frame {
                    result += piece(start, index) + piece(index, end)
                    start = end
                    index = end
                }
                index += 1
            }
            result += piece(start, last)
        }
        return result
    }

    /// Returns segments between turns and rests, each rest as a whole. Noise makes turns in rests.
    func plateauPieces(_ turns: [Int]) -> [(Double, Double)] {
        var stops: [ClosedRange<Int>] = []
        for turn in turns {
            let stop = plateau(around: turn)
            if let last = stops.last, stop.lowerBound <= last.upperBound {
                stops[stops.count - 1] = last.lowerBound...max(last.upperBound, stop.upperBound)
            } else {
                stops.append(stop)
            }
        }
        // A slow start and a slow end look like rest.
        let lengths = zip(stops, stops.dropFirst()).map {
            ($1.lowerBound - $0.upperBound) / CurveRefinement.slowDivisor
        }
        for index in stops.indices where stops[index].count > 1 {
            let before = index > 0 ? lengths[index - 1] : 0
            let after = index + 1 < stops.count ? lengths[index] : 0
            let stop = stops[index]
            let first = stop.lowerBound + before
            let last = stop.upperBound - after
            let middle = min(max((first + last) / 2, stop.lowerBound), stop.upperBound)
            stops[index] = first < last ? first...last : middle...middle
        }
        var result: [(Double, Double)] = []
        for (index, stop) in stops.enumerated() {
            if index > 0 { result += piece(stops[index - 1].upperBound, stop.lowerBound) }
            result += piece(stop.lowerBound, stop.upperBound)
        }
        return result
    }

    /// Returns the samples around a turn that rest, or only the turn.
    private func plateau(around turn: Int) -> ClosedRange<Int> {
        var first = turn
        var last = turn
        func isNear(_ index: Int) -> Bool { abs(samples.values[index] - samples.values[turn]) <= fit.tolerance }
        while first > 0, isNear(first - 1) { first -= 1 }
        while last + 1 < samples.values.count, isNear(last + 1) { last += 1 }
        let length = samples.times[last] - samples.times[first]
        return length >= CurveRefinement.minRest * frame ? first...last : turn...turn
    }
}
