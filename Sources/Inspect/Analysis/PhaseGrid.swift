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
            for j in changes.indices where j > i && j <= i + 3 { gaps.append(changes[j].time - changes[i].time) }
        }
        var lengths: [Double] = []
        for gap in gaps {
            for divisor in 1...4 where gap / Double(divisor) >= minLength { lengths.append(gap / Double(divisor)) }
        }
        lengths.sort(by: >)
        var distinct: [Double] = []
        for length in lengths where (distinct.last ?? .infinity) / length > 1.02 { distinct.append(length) }
        var found: [(grid: PhaseGrid, score: Double)] = []
        for length in distinct {
            let best = refined(length, changes, duration)
            if best.score > 0.6, !found.contains(where: { abs($0.grid.length / best.grid.length - 1) < 0.01 }) {
                found.append(best)
            }
        }
        return found.map(\.grid)
    }

    private static func refined(
        _ length: Double, _ changes: [Breakpoints.VelocityChange], _ duration: Double
    ) -> (grid: PhaseGrid, score: Double) {
        // The step keeps the phases at both ends of the clip within a tenth.
        let step = max(0.0005, 0.1 * length / duration)
        var best = (grid: PhaseGrid(length: length, origin: 0), score: -1.0)
        var factor = 0.96
        while factor <= 1.04 {
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
