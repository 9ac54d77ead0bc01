import Core

extension CurveRefinement {
    /// The shortest rest in frames that divides a motion.
    private static let minRest = 5.0

    /// Returns segments from turn to turn as start and end times; with rests, each is divided where
    /// the value leaves a turn and where it reaches the next one.
    func pieces(_ turns: [Int], withRests: Bool) -> [(Double, Double)] {
        var result: [(Double, Double)] = []
        func add(_ start: Int, _ end: Int) {
            if end > start { result.append((samples.times[start], samples.times[end])) }
        }
        for (first, last) in zip(turns, turns.dropFirst()) {
            guard withRests else {
                add(first, last)
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
            add(first, leaves)
            add(leaves, comes)
            add(comes, last)
        }
        return result
    }

    /// Returns segments from turn to turn, divided where the value rests on its way.
    func restingPieces(_ turns: [Int]) -> [(Double, Double)] {
        var result: [(Double, Double)] = []
        func add(_ start: Int, _ end: Int) {
            if end > start { result.append((samples.times[start], samples.times[end])) }
        }
        for (first, last) in zip(turns, turns.dropFirst()) {
            var (start, index) = (first, first)
            while index < last {
                var end = index
                while end < last, abs(samples.values[end + 1] - samples.values[index]) <= fit.tolerance { end += 1 }
                if samples.times[end] - samples.times[index] >= CurveRefinement.minRest * frame {
                    add(start, index)
                    add(index, end)
                    start = end
                    index = end
                }
                index += 1
            }
            add(start, last)
        }
        return result
    }
}
