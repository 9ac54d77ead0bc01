import Core

/// Phases of equal duration in which every object has constant velocity: a continuous,
/// piecewise-linear motion with knots at `origin + k * length`.
struct PhaseGrid {
    /// The duration of a phase in seconds.
    var length: Double
    /// The start of one of the phases, in seconds of the clip.
    var origin: Double

    /// Returns the index of the phase at a time, and the fraction of it that has passed, 0..<1.
    func phase(at time: Double) -> (index: Int, fraction: Double) {
        let phases = (time - origin) / length
        let index = phases.rounded(.down)
        return (Int(index), phases - index)
    }

    /// The limits for the duration relative to the candidate. Candidates are accurate to a few
    /// hundredths. Without limits the search shortens the phases until nothing is left of them,
    /// because shorter phases fit any motion better.
    private static let lengthRange = 0.8...1.25
    /// The number of later changes up to which the intervals from a change are taken, and the
    /// maximum number of phases in an interval.
    private static let maxPhases = (changes: 3, divisor: 4)
    /// The ratio of lengths up to which candidates are one: each is refined within `refinedRange`,
    /// and the results differ by more than `sameResult`.
    private static let sameLength = 1.02
    private static let refinedRange = 0.96...1.04
    private static let sameResult = 0.01
    /// The minimum score of a candidate: 1 if all changes are whole phases apart.
    private static let minScore = 0.6
    /// The minimum step of the search, relative to the length.
    private static let minStep = 0.0005
    /// The maximum error of the phases at both ends of the clip, in phases.
    private static let maxDrift = 0.1

    /// Returns this grid with phases that are `change` seconds longer and start `shift` seconds
    /// later, stretched about `middle` so that the duration does not move the phases; nil if it
    /// deviates too far from the grid `first`.
    func varied(by change: Double, shift: Double, about middle: Double, from first: PhaseGrid) -> PhaseGrid? {
        let length = length + change
        guard first.length > 0, PhaseGrid.lengthRange.contains(length / first.length) else { return nil }
        return PhaseGrid(length: length, origin: middle + (origin - middle) * length / self.length + shift)
    }

    /// Returns candidates for a clip's grid from its velocity changes, longest phases first.
    ///
    /// Velocity changes are whole phases apart, so the phase is an interval between two of them or
    /// a fraction of one. The score is the magnitude of the mean of e^(2πit/T) over the changes,
    /// as in a periodogram.
    static func candidates(
        _ changes: [Breakpoints.VelocityChange], minLength: Double, duration: Double
    ) -> [PhaseGrid] {
        guard changes.count >= 2 else { return [] }
        var gaps: [Double] = []
        for i in changes.indices {
            for j in changes.indices where j > i && j <= i + maxPhases.changes {
                gaps.append(changes[j].time - changes[i].time)
            }
        }
        var lengths: [Double] = []
        for gap in gaps {
            lengths += (1...maxPhases.divisor).map { gap / Double($0) }.filter { $0 >= minLength }
        }
        lengths.sort(by: >)
        var distinct: [Double] = []
        for length in lengths where (distinct.last ?? .infinity) / length > sameLength { distinct.append(length) }
        var found: [(grid: PhaseGrid, score: Double)] = []
        for length in distinct {
            let best = refined(length, changes, duration)
            let isKnown = found.contains { abs($0.grid.length / best.grid.length - 1) < sameResult }
            if best.score > minScore, !isKnown { found.append(best) }
        }
        return found.map(\.grid)
    }

    private static func refined(
        _ length: Double, _ changes: [Breakpoints.VelocityChange], _ duration: Double
    ) -> (grid: PhaseGrid, score: Double) {
        let step = max(minStep, maxDrift * length / duration)
        var best = (grid: PhaseGrid(length: length, origin: 0), score: -1.0)
        var factor = refinedRange.lowerBound
        while factor <= refinedRange.upperBound {
            let candidate = length * factor
            var x = 0.0
            var y = 0.0
            var total = 0.0
            for change in changes {
                let angle = 2 * Double.pi * change.time / candidate
                x += change.strength * cos(angle)
                y += change.strength * sin(angle)
                total += change.strength
            }
            let score = (x * x + y * y).squareRoot() / total
            if score > best.score {
                best = (PhaseGrid(length: candidate, origin: atan2(y, x) / (2 * .pi) * candidate), score)
            }
            factor += step
        }
        return best
    }
}
