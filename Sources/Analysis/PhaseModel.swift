import Scene

/// What was found of a clip's phases: how long they are, how far objects move in one, and the table they follow.
public struct PhaseModel: Sendable {
    /// Length of a phase in seconds of the clip.
    public let phase: Double
    /// When the clip's first phase begins, in seconds of the clip; may lie a little before its beginning.
    public let firstPhase: Double
    /// How far an object moves in a phase, in pixels of the clip.
    public let offset: Double
    /// The direction of motion, a unit vector.
    public let axis: Point
    /// The shared table.
    public let table: StageTable
    /// Which of the clip's objects move in these phases, by their numbers.
    public let members: [Int]
    /// For each member the rms distance of its positions from this motion, in pixels.
    public let deviations: [Double]
    /// For each member its position on the axis when the first phase begins, in pixels.
    let entries: [Double]

    /// How many phases the clip shows, those included that its ends cut off by less than half.
    public let phaseCount: Int

    /// Seconds after which everything repeats.
    public var period: Double { Double(table.directions.count) * phase }

    /// Motion may stray so far from constant velocities, as a fraction of the offset.
    private static let tolerance = 0.05
    /// A phase's displacement in offsets may be so far from -1, 0 or +1.
    private static let rounding = 0.22

    /// Finds the phases of a clip's objects; nil if they do not move in phases of constant
    /// velocity, or share no table, or the clip is too short to show that they do.
    ///
    /// - Parameter isRigid: for each track whether its object keeps its shape; the others' centres mean little.
    init?(times: [Double], tracks: [[Sighting]], isRigid: [Bool]) {
        let rigid = tracks.indices.filter { isRigid[$0] }
        var sets = [Array(tracks.indices)]
        if rigid.count < tracks.count, !rigid.isEmpty { sets.append(rigid) }
        if tracks.count > 2 { sets += tracks.indices.map { left in tracks.indices.filter { $0 != left } } }
        for members in sets where !members.isEmpty {
            guard let model = PhaseModel.find(times, members.map { tracks[$0] }, members) else { continue }
            self = model
            return
        }
        return nil
    }

    private static func find(_ times: [Double], _ tracks: [[Sighting]], _ members: [Int]) -> PhaseModel? {
        let course = Course(times: times, tracks: tracks)
        guard course.range > 3, course.stray < 0.12 * course.range else { return nil }
        let breakpoints = Breakpoints(course)
        let step = ClipSurvey.medianStep(times)
        // Phases in which there is no picture, or that are more than the pictures, could not be told anyway.
        let longestStep = zip(times.dropFirst(), times).reduce(course.longestGap) { max($0, $1.0 - $1.1) }
        let shortest = max((times.last ?? 0) / Double(times.count), longestStep / 0.75)
        let grids = PhaseGrid.candidates(breakpoints.kinks, shortest: 1.8 * step, duration: times.last ?? 0)
        for grid in grids.prefix(24) where grid.length > shortest {
            let rough = GridFit(course, grid)
            guard rough.rms < 0.2 * course.range else { continue }
            let fit = GridFit.best(course, near: grid)
            if let model = PhaseModel(course, fit, members) { return model }
        }
        return nil
    }

    private init?(_ course: Course, _ fit: GridFit, _ members: [Int]) {
        guard let reading = PhaseReading(course, fit), fit.rms < PhaseModel.tolerance * reading.offset,
            reading.largestRest < PhaseModel.rounding
        else { return nil }
        // The clip's first phase, not the grid's.
        let first = fit.grid.origin + Double(fit.firstPhase + reading.skipped) * fit.grid.length
        guard let table = StageTable(rows: reading.rows),
            let tabled = TableFit.best(course, table, near: PhaseGrid(length: fit.grid.length, origin: first)),
            tabled.rms < PhaseModel.tolerance * abs(tabled.offset), tabled.offset > 0
        else { return nil }
        (self.axis, self.members, self.table) = (course.axis, members, table)
        phaseCount = reading.rows.first?.count ?? 0
        (phase, firstPhase, offset) = (tabled.grid.length, tabled.grid.origin, tabled.offset)
        (deviations, entries) = (tabled.deviations, tabled.entries)
    }

    /// The phase of a time, counted from 0 and kept within the clip's, with an object's stage and direction in it; nil
    /// for an object that does not follow the table.
    public func moment(ofObject number: Int, at time: Double) -> (phase: Int, stage: Int, direction: Int)? {
        guard let member = members.firstIndex(of: number) else { return nil }
        let index = PhaseGrid(length: phase, origin: firstPhase).phase(at: time).index
        let kept = max(0, min(phaseCount - 1, index))
        let stage = (table.starts[member] + kept) % table.directions.count
        return (kept, stage, table.directions[stage])
    }

    /// Where a member is at a time, in pixels along the axis.
    func position(of member: Int, at time: Double) -> Double {
        let phase = PhaseGrid(length: phase, origin: firstPhase).phase(at: time)
        return entries[member]
            + offset * table.displacement(of: member, phases: phase.index, fraction: phase.fraction)
    }
}

/// Directions read off the knots of a fit.
struct PhaseReading {
    /// How far objects move in a phase, in pixels.
    let offset: Double
    /// Each object's direction in each phase; nil where too little of it is seen.
    let rows: [[Int?]]
    /// How far the worst displacement is from a whole offset, in offsets.
    let largestRest: Double
    /// How many phases at the beginning are left out because the clip hardly shows them.
    let skipped: Int

    init?(_ course: Course, _ fit: GridFit) {
        guard let start = course.times.first, let end = course.times.last else { return nil }
        let count = (fit.knots.first?.count ?? 1) - 1
        let step = ClipSurvey.medianStep(course.times)
        func share(_ phase: Int) -> Double {
            let begin = fit.grid.origin + Double(fit.firstPhase + phase) * fit.grid.length
            return (min(begin + fit.grid.length, end + step) - max(begin, start)) / fit.grid.length
        }
        let shown = (0..<count).filter { share($0) >= 0.4 }
        guard let first = shown.first, let last = shown.last, last > first else { return nil }
        skipped = first
        let seen = PhaseReading.seen(course, fit, count)
        var moves: [Double] = []
        for (object, knots) in fit.knots.enumerated() {
            for phase in shown where seen[object][phase] { moves.append(abs(knots[phase + 1] - knots[phase])) }
        }
        guard let greatest = moves.max(), greatest > 0 else { return nil }
        let moving = moves.filter { $0 > greatest / 2 }.sorted()
        let offset = moving[moving.count / 2]
        self.offset = offset
        var largest = 0.0
        rows = fit.knots.enumerated().map { object, knots in
            (first...last).map { phase in
                guard seen[object][phase] else { return nil }
                let moved = (knots[phase + 1] - knots[phase]) / offset
                // Of a phase that is cut off, what is missing makes the rest uncertain.
                if share(phase) > 0.8 { largest = max(largest, abs(moved - moved.rounded())) }
                if abs(moved.rounded()) > 1 { largest = 1 }
                return Int(max(-1, min(1, moved.rounded())))
            }
        }
        largestRest = largest
    }

    /// For each object and phase whether enough was seen to tell a direction.
    private static func seen(_ course: Course, _ fit: GridFit, _ count: Int) -> [[Bool]] {
        course.weights.map { weights in
            var sums = [Double](repeating: 0, count: count)
            var pictures = [Int](repeating: 0, count: count)
            for (k, time) in course.times.enumerated() {
                let phase = fit.grid.phase(at: time).index - fit.firstPhase
                guard (0..<count).contains(phase) else { continue }
                sums[phase] += weights[k]
                pictures[phase] += 1
            }
            return zip(sums, pictures).map { $0 > 0.25 * Double($1) && $1 > 0 && $0 > 0.5 }
        }
    }
}

/// A fit of the motion that a table describes: only the phases, the offset and where each object begins are free.
struct TableFit: MotionFit {
    let grid: PhaseGrid
    let offset: Double
    let entries: [Double]
    let deviations: [Double]
    let rms: Double

    /// Linear least squares for a grid whose origin is the beginning of the clip's first phase.
    init?(_ course: Course, _ table: StageTable, _ grid: PhaseGrid) {
        self.grid = grid
        let phases = course.times.map { grid.phase(at: $0) }
        var (top, bottom) = (0.0, 0.0)
        var shapes: [[Double]] = []
        var means: [(shape: Double, value: Double)] = []
        for (object, row) in course.positions.enumerated() {
            let weights = course.weights[object]
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
        var (error, total) = (0.0, 0.0)
        deviations = course.positions.indices.map { object in
            var (own, seen) = (0.0, 0.0)
            for k in course.times.indices {
                let rest = course.positions[object][k] - entries[object] - offset * shapes[object][k]
                own += course.weights[object][k] * rest * rest
                seen += course.weights[object][k]
            }
            error += own
            total += seen
            return seen > 0 ? (own / seen).squareRoot() : .infinity
        }
        (self.offset, self.entries) = (offset, entries)
        rms = total > 0 ? (error / total).squareRoot() : .infinity
    }

    /// The fit with the best grid near another, found by halving steps.
    static func best(_ course: Course, _ table: StageTable, near grid: PhaseGrid) -> TableFit? {
        guard let first = TableFit(course, table, grid) else { return nil }
        let middle = (course.times.last ?? 0) / 2
        let phases = max(2, (course.times.last ?? 0) / grid.length)
        let steps = (0.05 * grid.length / phases, 0.05 * grid.length)
        return Descent(steps: steps, halvings: 10, rounds: 8).best(from: first) { fit, change, shift in
            fit.grid.varied(by: change, shift: shift, about: middle, from: grid).flatMap { TableFit(course, table, $0) }
        }
    }
}
