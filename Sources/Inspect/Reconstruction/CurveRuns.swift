import Core

extension CurveFitter {
    /// Returns the ranges of samples between jumps.
    func runs(_ samples: ValueSamples) -> [Range<Int>] {
        // A motion continues where samples are missing.
        let steps = samples.values.indices.dropFirst().map { index in
            let frames = max(1, ((samples.times[index] - samples.times[index - 1]) / frame).rounded())
            return abs(samples.values[index] - samples.values[index - 1]) / frames
        }
        var runs: [Range<Int>] = []
        var start = 0
        for index in steps.indices {
            if isBreak(samples, index) {
                runs.append(start..<index + 1)
                start = index + 1
            }
            guard steps[index] > CurveFitter.jumpThresholds.tolerances * tolerance else { continue }
            let near = (max(0, index - 4)...min(steps.count - 1, index + 4)).filter { $0 != index }
            let typical = near.map { steps[$0] }.sorted()
            let beside = [index - 1, index + 1].filter(steps.indices.contains).map { steps[$0] }
            // A motion may begin slowly after a jump, so the steps beside it are more reliable.
            let highest = min(typical.isEmpty ? 0 : typical[typical.count * 3 / 4], beside.max() ?? 0)
            guard steps[index] > CurveFitter.jumpThresholds.steps * highest, start <= index else { continue }
            runs.append(start..<index + 1)
            start = index + 1
        }
        return runs + [start..<samples.values.count]
    }

    /// Returns true if the object is invisible between two samples, and neither the motion before
    /// nor the one after leads from one to the other.
    private func isBreak(_ samples: ValueSamples, _ index: Int) -> Bool {
        let times = samples.times
        let values = samples.values
        let step = values[index + 1] - values[index]
        let length = times[index + 1] - times[index]
        guard abs(step) > CurveFitter.jumpThresholds.tolerances * tolerance,
            breaks.contains(where: { $0 > times[index] && $0 < times[index + 1] })
        else { return false }
        func misses(_ a: Int, _ b: Int) -> Bool {
            guard values.indices.contains(a), values.indices.contains(b) else { return true }
            let expected = (values[b] - values[a]) / (times[b] - times[a]) * length
            return abs(step - expected) > CurveFitter.jumpThresholds.tolerances / 2 * tolerance
        }
        return misses(index - 1, index) && misses(index + 1, index + 2)
    }
}
