/// One value over time, measured in some frames.
struct ValueSamples {
    var times: [Double]
    var values: [Double]

    /// Returns the samples from one time to another, both inclusive.
    func slice(_ start: Double, _ end: Double) -> ValueSamples {
        let margin = 1e-9
        let first = times.firstIndex { $0 >= start - margin } ?? times.count
        let last = times.lastIndex { $0 <= end + margin } ?? -1
        guard first <= last else { return ValueSamples(times: [], values: []) }
        return ValueSamples(times: Array(times[first...last]), values: Array(values[first...last]))
    }

    /// Returns at most `limit` of the samples, evenly chosen.
    func thinned(to limit: Int) -> ValueSamples {
        guard times.count > limit else { return self }
        let indices = (0..<limit).map { $0 * (times.count - 1) / (limit - 1) }
        return ValueSamples(times: indices.map { times[$0] }, values: indices.map { values[$0] })
    }
}
