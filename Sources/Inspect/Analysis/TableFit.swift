/// A fit of the motion that a table describes. Free parameters are the phases, the offset and the
/// start position of each object.
struct TableFit: MotionFit {
    let grid: PhaseGrid
    let offset: Double
    let entries: [Double]
    let deviations: [Double]
    let rms: Double

    /// Fits by linear least squares for a grid whose origin is the start of the clip's first phase.
    /// Returns nil if nothing moves.
    init?(_ track: Track, _ table: StepTable, _ grid: PhaseGrid) {
        self.grid = grid
        let phases = track.times.map { grid.phase(at: $0) }
        var top = 0.0
        var bottom = 0.0
        var shapes: [[Double]] = []
        var means: [(shape: Double, value: Double)] = []
        for (object, row) in track.positions.enumerated() {
            let weights = track.weights[object]
            let shape = phases.map { table.displacement(of: object, phases: $0.index, fraction: $0.fraction) }
            let total = max(1e-9, weights.reduce(0, +))
            let meanShape = zip(shape, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
            let meanValue = zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
            for k in row.indices {
                let moved = shape[k] - meanShape
                top += weights[k] * moved * (row[k] - meanValue)
                bottom += weights[k] * moved * moved
            }
            shapes.append(shape)
            means.append((meanShape, meanValue))
        }
        guard bottom > 0 else { return nil }
        let offset = top / bottom
        let entries = means.map { $0.value - offset * $0.shape }
        var error = 0.0
        var total = 0.0
        deviations = track.positions.indices.map { object in
            let (own, seen) = TableFit.squaredResiduals(
                track.positions[object], track.weights[object], shapes[object], offset: offset, entry: entries[object])
            error += own
            total += seen
            return seen > 0 ? (own / seen).squareRoot() : .infinity
        }
        self.offset = offset
        self.entries = entries
        rms = total > 0 ? (error / total).squareRoot() : .infinity
    }

    /// Returns the weighted sum of an object's squared distances from the fit, and the sum of the
    /// weights.
    private static func squaredResiduals(
        _ positions: [Double], _ weights: [Double], _ shape: [Double], offset: Double, entry: Double
    ) -> (sum: Double, weight: Double) {
        var sum = 0.0
        var seen = 0.0
        for k in shape.indices {
            let residual = positions[k] - entry - offset * shape[k]
            sum += weights[k] * residual * residual
            seen += weights[k]
        }
        return (sum, seen)
    }

    /// Returns the fit with the best grid near another, found by a pattern search.
    static func best(_ track: Track, _ table: StepTable, near grid: PhaseGrid) -> TableFit? {
        guard let first = TableFit(track, table, grid) else { return nil }
        let middle = (track.times.last ?? 0) / 2
        let phases = max(2, (track.times.last ?? 0) / grid.length)
        let steps = (0.05 * grid.length / phases, 0.05 * grid.length)
        return PatternSearch(steps: steps, halvings: 10, rounds: 8).best(from: first) { fit, change, shift in
            fit.grid.varied(by: change, shift: shift, about: middle, from: grid).flatMap { TableFit(track, table, $0) }
        }
    }
}
