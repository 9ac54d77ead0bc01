import Core

/// The times of a loader that the frames of a recording show, chosen together.
///
/// A loader may look alike at several times, such as on the way there and back. Among those, the
/// path prefers the time that continues its last one at the recording's rate. Each jump has a cost,
/// and so has a frame that another time explains better, so that standstills and missing frames are
/// found where they are.
struct TimePath {
    /// The time of each frame, and the model time that the fitted pose gives it, in seconds.
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

    /// The cost of a jump. The cost of a frame is the natural logarithm of its squared difference
    /// relative to that of its best time.
    private static let jumpCost = 2.0
    /// The maximum gain of a frame, less than the two jumps that lead to a single other time.
    private static let maxGain = 3.5
    /// The minimum difference from the recording's rate, in frames, of a step that costs a whole
    /// jump, and the maximum of a free step. The cost is linear between them. A different timing
    /// function changes the rate by less than `jumpSteps`.
    private static let jumpSteps = 4.5
    private static let steadySteps = 0.5
    /// The cost of a time half a period from the designed one. Of times that explain a frame
    /// equally well, it prefers the one nearest to the design.
    private static let offsetCost = 0.05

    /// Returns the squared differences of a frame from successive instants as matches between each
    /// instant and the next one.
    ///
    /// - Parameter squaredLengths: the squared difference of each instant from the next one: the
    ///   squared length of the line between them.
    static func matches(_ differences: [Double], squaredLengths: [Double], period: Double) -> [Match] {
        let step = period / Double(differences.count)
        return differences.indices.map { index in
            let first = differences[index]
            let second = differences[(index + 1) % differences.count]
            // The point of the straight line between both instants that is nearest to the frame.
            let squaredLength = max(1e-9, squaredLengths[index])
            let share = min(1, max(0, (first - second + squaredLength) / (2 * squaredLength)))
            let difference = first - share * (first - second + squaredLength) + share * share * squaredLength
            return Match(time: (Double(index) + share) * step, difference: max(0, difference))
        }
    }

    /// Returns the model times of the path with the lowest cost (Viterbi's algorithm). Of the times
    /// that differ by whole periods, each is the one that continues the last, or, after a jump, the
    /// one nearest to the expected time.
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
            let chosen = chosenOrigins(matches, frame, totals)
            totals = own.indices.map { own[$0] + chosen[$0].cost }
            origins.append(chosen.map(\.index))
        }
        var states = [totals.indices.min { totals[$0] < totals[$1] } ?? 0]
        for chosen in origins.reversed() { states.append(chosen[states[states.count - 1]]) }
        return unwrapped(zip(matches, states.reversed()).map { $0[$1].time })
    }

    /// The instant of the previous frame on a path.
    private struct Origin {
        var index: Int
        /// The cost of the path up to there, and of the step from it.
        var cost: Double
    }

    /// Returns the best origin of each instant of a frame.
    ///
    /// All jumps cost the same, so only origins near the continued time are tried besides the best.
    private func chosenOrigins(_ matches: [[Match]], _ frame: Int, _ totals: [Double]) -> [Origin] {
        let previous = matches[frame - 1]
        let passed = passed(frame)
        let best = totals.indices.min { totals[$0] < totals[$1] } ?? 0
        let interval = period / Double(previous.count)
        let reach = min(Int((Self.jumpSteps * frameStep(frame) / interval).rounded(.up)) + 1, previous.count / 2)
        return matches[frame].map { match in
            var result = Origin(index: best, cost: totals[best] + Self.jumpCost)
            let continued = Int(((match.time - passed) / interval).rounded(.down))
            for near in continued - reach...continued + reach {
                let index = ((near % previous.count) + previous.count) % previous.count
                guard totals[index] < result.cost else { continue }
                let steps = distance(match.time, previous[index].time + passed) / frameStep(frame)
                let cost = totals[index] + Self.jumpCost * Self.jump(steps)
                if cost < result.cost { result = Origin(index: index, cost: cost) }
            }
            return result
        }
    }

    /// Returns the model time that passes before a frame at the recording's rate.
    private func passed(_ frame: Int) -> Double { rate * (times[frame] - times[frame - 1]) }

    private func frameStep(_ frame: Int) -> Double { max(abs(passed(frame)), 1e-6) }

    /// Returns times within the period as times that continue one another, or, after a jump, as
    /// those nearest to the expected ones.
    private func unwrapped(_ path: [Double]) -> [Double] {
        var result: [Double] = []
        for (frame, time) in path.enumerated() {
            let next = frame > 0 ? result[frame - 1] + passed(frame) : expected[frame]
            let continued = unwrapped(time, near: next)
            let isJump = frame > 0 && abs(continued - next) >= Self.jumpSteps * frameStep(frame)
            result.append(isJump ? unwrapped(time, near: expected[frame]) : continued)
        }
        return result
    }

    /// Returns the costs of the instants of a frame, without the steps between frames.
    private func costs(_ matches: [Match], at frame: Int, _ noise: Double) -> [Double] {
        let lowest = matches.map(\.difference).min() ?? 0
        return matches.map { match in
            let offset = distance(match.time, expected[frame]) / (period / 2)
            return min(Self.maxGain, log((match.difference + noise) / (lowest + noise))) + Self.offsetCost * offset
        }
    }

    /// Returns the share of `jumpCost`, 0...1, for a difference from the rate in frames.
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
