import Core

/// The times of a loader that the frames of a recording show, chosen together.
///
/// A loader may look alike at several times, such as on the way there and back. Among those, time
/// runs on at the recording's rate. A path that leaves it pays for each jump, and for frames that
/// another time explains better, so that standstills and missing frames are found where they are.
struct TimePath {
    /// The time of each frame and the model time that it has by design, in seconds.
    let times: [Double]
    let expected: [Double]
    /// Seconds of model time per second of the recording.
    let rate: Double
    let period: Double

    /// The best match of a frame between two successive instants of the loader.
    struct Match: Sendable {
        /// The model time within the period.
        var time: Double
        /// The squared difference there.
        var difference: Double
    }

    /// The cost of a jump. A frame that another time explains e times as well gains 1.
    private static let jumpCost = 2.0
    /// The maximum gain of a frame, less than the two jumps that lead to a single other time.
    private static let maxGain = 3.5
    /// The difference from the recording's rate, in frames, from which a step is a jump, and the
    /// one up to which it is none. Other timing functions change the rate by less.
    private static let jumpSteps = 4.5
    private static let steadySteps = 0.5
    /// The cost of half a period off the design: times by design are preferred to equal ones.
    private static let offsetCost = 0.05

    /// Returns the squared differences of a frame from successive instants as matches between each
    /// instant and the next one.
    ///
    /// - Parameter lengths: the squared differences of the instants from their next ones.
    static func matches(_ differences: [Double], lengths: [Double], period: Double) -> [Match] {
        let step = period / Double(differences.count)
        return differences.indices.map { index in
            let (first, second) = (differences[index], differences[(index + 1) % differences.count])
            // The point of the straight line between both instants that is nearest to the frame.
            let length = max(1e-9, lengths[index])
            let share = min(1, max(0, (first - second + length) / (2 * length)))
            let difference = first - share * (first - second + length) + share * share * length
            return Match(time: (Double(index) + share) * step, difference: max(0, difference))
        }
    }

    /// Returns the model time of each frame that is nearest to the design among equal instants.
    ///
    /// - Parameters:
    ///   - matches: the matches of each frame.
    ///   - noise: the squared difference that encoding leaves.
    func modelTimes(_ matches: [[Match]], noise: Double) -> [Double] {
        guard let first = matches.first else { return [] }
        var totals = costs(first, at: 0, noise)
        var origins: [[Int]] = []
        for frame in matches.indices.dropFirst() {
            let own = costs(matches[frame], at: frame, noise)
            let passed = rate * (times[frame] - times[frame - 1])
            let previous = matches[frame - 1].map { $0.time + passed }
            let step = max(abs(passed), 1e-6)
            var next = own
            var chosen = [Int](repeating: 0, count: own.count)
            for state in own.indices {
                let time = matches[frame][state].time
                var lowest = Double.infinity
                for (origin, total) in totals.enumerated() where total < lowest {
                    let cost = total + Self.jumpCost * Self.jump(distance(time, previous[origin]) / step)
                    if cost < lowest { (lowest, chosen[state]) = (cost, origin) }
                }
                next[state] += lowest
            }
            totals = next
            origins.append(chosen)
        }
        var state = totals.indices.min { totals[$0] < totals[$1] } ?? 0
        var result = [Double](repeating: 0, count: matches.count)
        for frame in matches.indices.reversed() {
            result[frame] = unwrapped(matches[frame][state].time, near: expected[frame])
            if frame > 0 { state = origins[frame - 1][state] }
        }
        return result
    }

    /// The costs of the instants of a frame by themselves.
    private func costs(_ matches: [Match], at frame: Int, _ noise: Double) -> [Double] {
        let lowest = matches.map(\.difference).min() ?? 0
        return matches.map { match in
            let offset = distance(match.time, expected[frame]) / (period / 2)
            return min(Self.maxGain, log((match.difference + noise) / (lowest + noise))) + Self.offsetCost * offset
        }
    }

    /// The part of a jump, 0...1, for a difference from the rate in frames.
    private static func jump(_ steps: Double) -> Double {
        min(1, max(0, (steps - steadySteps) / (jumpSteps - steadySteps)))
    }

    private func distance(_ a: Double, _ b: Double) -> Double { abs(unwrapped(a, near: b) - b) }

    /// Returns the time that shows the same instant and is nearest to another.
    private func unwrapped(_ time: Double, near other: Double) -> Double {
        let turns = (other - time) / period
        return time + turns.rounded() * period
    }
}
