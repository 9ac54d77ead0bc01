import Core

extension CurveRefinement {
    /// The shortest rest in frames that divides a motion.
    private static let minRest = 5.0

    /// Returns segments from turn to turn as start and end times; with rests, each is divided where
    /// the value leaves a turn and where it reaches the next one.
    func pieces(_ turns: [Int], withRests: Bool) -> [(Double, Double)] {
        var result: [(Double, Double)] = []
        for (first, last) in zip(turns, turns.dropFirst()) {
            guard withRests else {
                result += piece(first, last)
                continue
            }
            let (from, to) = (samples.values[first], samples.values[last])
            var (leaves, comes) = (first, last)
            while leaves < last, abs(samples.values[leaves + 1] - from) <= fit.tolerance { leaves += 1 }
            while comes > leaves, abs(samples.values[comes - 1] - to) <= fit.tolerance { comes -= 1 }
            // A slow start takes some frames to leave the tolerance.
            leaves = max(first, leaves - max(1, (comes - leaves) / 8))
            comes = min(last, comes + max(1, (comes - leaves) / 8))
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
            var (start, index) = (first, first)
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
}
