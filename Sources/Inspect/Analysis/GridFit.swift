/// A continuous, piecewise-linear motion fitted to a track.
struct GridFit: MotionFit {
    let grid: PhaseGrid
    /// The index of the clip's first phase, counted from the grid's origin.
    let firstPhase: Int
    /// For each object, its position at the start of each phase and at the end of the last, in
    /// pixels.
    let knots: [[Double]]
    /// The weighted rms residual in pixels.
    let rms: Double

    /// Computes the best knots for a grid: least squares per object, which is a tridiagonal system.
    init(_ track: Track, _ grid: PhaseGrid) {
        self.grid = grid
        let first = grid.phase(at: track.times.first ?? 0).index
        let last = grid.phase(at: track.times.last ?? 0).index
        let count = last - first + 2
        firstPhase = first
        let samples = track.times.map { time -> (knot: Int, share: Double) in
            let phase = grid.phase(at: time)
            return (phase.index - first, phase.fraction)
        }
        var error = 0.0
        var total = 0.0
        var knots: [[Double]] = []
        for (row, weights) in zip(track.positions, track.weights) {
            let solution = GridFit.solve(row, weights, samples, count)
            for (k, sample) in samples.enumerated() {
                let value = solution[sample.knot] * (1 - sample.share) + solution[sample.knot + 1] * sample.share
                error += weights[k] * (row[k] - value) * (row[k] - value)
                total += weights[k]
            }
            knots.append(solution)
        }
        self.knots = knots
        rms = total > 0 ? (error / total).squareRoot() : .infinity
    }

    private static func solve(
        _ row: [Double], _ weights: [Double], _ samples: [(knot: Int, share: Double)], _ count: Int
    ) -> [Double] {
        // Slight smoothing determines the knots of phases without detections.
        let stiffness = 1e-4
        var diagonal = [Double](repeating: 2 * stiffness, count: count)
        var offDiagonal = [Double](repeating: -stiffness, count: count)
        let origin = row.first ?? 0
        var right = [Double](repeating: 0, count: count)
        diagonal[0] -= stiffness
        diagonal[count - 1] -= stiffness
        diagonal[0] += 1e-9
        for (k, sample) in samples.enumerated() {
            let w = weights[k]
            let f = sample.share
            let s = row[k] - origin
            diagonal[sample.knot] += w * (1 - f) * (1 - f)
            diagonal[sample.knot + 1] += w * f * f
            offDiagonal[sample.knot] += w * f * (1 - f)
            right[sample.knot] += w * (1 - f) * s
            right[sample.knot + 1] += w * f * s
        }
        return LeastSquares.solve(diagonal: diagonal, offDiagonal: offDiagonal, right).map { $0 + origin }
    }

    /// Returns the fit with the best grid near another, found by a pattern search.
    static func best(_ track: Track, near grid: PhaseGrid) -> GridFit {
        let middle = (track.times.last ?? 0) / 2
        let phases = max(2, (track.times.last ?? 0) / grid.length)
        let steps = (0.12 * grid.length / phases, 0.1 * grid.length)
        let directions = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
        return PatternSearch(steps: steps, directions: directions, halvings: 9, rounds: 8)
            .best(from: GridFit(track, grid)) { fit, change, shift in
                fit.grid.varied(by: change, shift: shift, about: middle, from: grid).map { GridFit(track, $0) }
            }
    }
}
