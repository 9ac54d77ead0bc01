import Platform

/// Phases of equal length in which every object moves with constant velocity: a continuous, piecewise-linear motion
/// with knots at `origin + k length`.
struct PhaseGrid {
    /// Length of a phase in seconds.
    var length: Double
    /// When a phase begins, in seconds of the clip.
    var origin: Double

    /// The phase in which a time lies, and how much of it has passed, 0..<1.
    func phase(at time: Double) -> (index: Int, fraction: Double) {
        let phases = (time - origin) / length
        let index = phases.rounded(.down)
        return (Int(index), phases - index)
    }

    /// How much shorter or longer than its candidate a grid may become in a search. Candidates are right to a few
    /// hundredths, and phases ever shorter fit whatever moves ever better, until there is nothing left of them.
    private static let leeway = 0.8...1.25

    /// This grid with phases that are `change` seconds longer and begin `shift` seconds later, stretched about `middle`
    /// so that the length does not drag the phases along; nil if that strays too far from the grid `first`.
    func varied(by change: Double, shift: Double, about middle: Double, from first: PhaseGrid) -> PhaseGrid? {
        let length = length + change
        guard first.length > 0, PhaseGrid.leeway.contains(length / first.length) else { return nil }
        return PhaseGrid(length: length, origin: middle + (origin - middle) * length / self.length + shift)
    }

    /// Candidates for a clip's grid, longest phases first, from when its objects change their velocities.
    ///
    /// All changes are whole phases apart, so that a phase is a gap between two of them, or a fraction of one; the score
    /// is the length of the mean of e^(2 pi i t / T) over the changes, as in a periodogram.
    static func candidates(_ kinks: [Breakpoints.Kink], shortest: Double, duration: Double) -> [PhaseGrid] {
        guard kinks.count >= 2 else { return [] }
        var gaps: [Double] = []
        for i in kinks.indices {
            for j in kinks.indices where j > i && j <= i + 3 { gaps.append(kinks[j].time - kinks[i].time) }
        }
        var lengths: [Double] = []
        for gap in gaps {
            for divisor in 1...4 where gap / Double(divisor) >= shortest { lengths.append(gap / Double(divisor)) }
        }
        lengths.sort(by: >)
        var distinct: [Double] = []
        for length in lengths where (distinct.last ?? .infinity) / length > 1.02 { distinct.append(length) }
        var found: [(grid: PhaseGrid, score: Double)] = []
        for length in distinct {
            let best = refined(length, kinks, duration)
            if best.score > 0.6, !found.contains(where: { abs($0.grid.length / best.grid.length - 1) < 0.01 }) {
                found.append(best)
            }
        }
        return found.map(\.grid)
    }

    private static func refined(
        _ length: Double, _ kinks: [Breakpoints.Kink], _ duration: Double
    ) -> (grid: PhaseGrid, score: Double) {
        // Near enough for the phases at both ends of the clip to stay within a tenth.
        let step = max(0.0005, 0.1 * length / duration)
        var best = (grid: PhaseGrid(length: length, origin: 0), score: -1.0)
        var factor = 0.96
        while factor <= 1.04 {
            let candidate = length * factor
            var (x, y, total) = (0.0, 0.0, 0.0)
            for kink in kinks {
                let angle = 2 * Double.pi * kink.time / candidate
                x += kink.strength * cos(angle)
                y += kink.strength * sin(angle)
                total += kink.strength
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

/// A fit of a continuous piecewise-linear motion to a course.
struct GridFit: MotionFit {
    let grid: PhaseGrid
    /// Number of the first phase of the clip, counted from the grid's origin.
    let firstPhase: Int
    /// For each object its position at the beginning of each phase, and at the end of the last, in pixels.
    let knots: [[Double]]
    /// Weighted rms distance of the positions from the motion, in pixels.
    let rms: Double

    /// The best knots for a grid: each object's least squares, a tridiagonal system.
    init(_ course: Course, _ grid: PhaseGrid) {
        self.grid = grid
        let first = grid.phase(at: course.times.first ?? 0).index
        let last = grid.phase(at: course.times.last ?? 0).index
        let count = last - first + 2
        firstPhase = first
        let places = course.times.map { time -> (knot: Int, share: Double) in
            let phase = grid.phase(at: time)
            return (phase.index - first, phase.fraction)
        }
        var (error, total) = (0.0, 0.0)
        var knots: [[Double]] = []
        for (row, weights) in zip(course.positions, course.weights) {
            let solution = GridFit.solve(row, weights, places, count)
            for (k, place) in places.enumerated() {
                let value = solution[place.knot] * (1 - place.share) + solution[place.knot + 1] * place.share
                error += weights[k] * (row[k] - value) * (row[k] - value)
                total += weights[k]
            }
            knots.append(solution)
        }
        self.knots = knots
        rms = total > 0 ? (error / total).squareRoot() : .infinity
    }

    private static func solve(
        _ row: [Double], _ weights: [Double], _ places: [(knot: Int, share: Double)], _ count: Int
    ) -> [Double] {
        // A touch of smoothness settles knots that nothing was seen of.
        let stiffness = 1e-4
        var diagonal = [Double](repeating: 2 * stiffness, count: count)
        var beside = [Double](repeating: -stiffness, count: count)
        let origin = row.first ?? 0
        var right = [Double](repeating: 0, count: count)
        diagonal[0] -= stiffness
        diagonal[count - 1] -= stiffness
        diagonal[0] += 1e-9
        for (k, place) in places.enumerated() {
            let (w, f, s) = (weights[k], place.share, row[k] - origin)
            diagonal[place.knot] += w * (1 - f) * (1 - f)
            diagonal[place.knot + 1] += w * f * f
            beside[place.knot] += w * f * (1 - f)
            right[place.knot] += w * (1 - f) * s
            right[place.knot + 1] += w * f * s
        }
        for k in 1..<count {
            let factor = beside[k - 1] / diagonal[k - 1]
            diagonal[k] -= factor * beside[k - 1]
            right[k] -= factor * right[k - 1]
        }
        var solution = [Double](repeating: 0, count: count)
        for k in (0..<count).reversed() {
            let next = k + 1 < count ? beside[k] * solution[k + 1] : 0
            solution[k] = (right[k] - next) / diagonal[k]
        }
        return solution.map { $0 + origin }
    }

    /// The fit with the best grid near another, found by halving steps.
    static func best(_ course: Course, near grid: PhaseGrid) -> GridFit {
        let middle = (course.times.last ?? 0) / 2
        let phases = max(2, (course.times.last ?? 0) / grid.length)
        let steps = (0.12 * grid.length / phases, 0.1 * grid.length)
        let directions = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
        return Descent(steps: steps, directions: directions, halvings: 9, rounds: 8)
            .best(from: GridFit(course, grid)) { fit, change, shift in
                fit.grid.varied(by: change, shift: shift, about: middle, from: grid).map { GridFit(course, $0) }
            }
    }
}
