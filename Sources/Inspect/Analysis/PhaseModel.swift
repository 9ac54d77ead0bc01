import Core

/// The phases of a clip: their duration, the distance that objects move in one, and the table that
/// they follow.
package struct PhaseModel: Sendable {
    /// The duration of a phase in seconds of the clip.
    package let phase: Double
    /// The start of the clip's first phase in seconds of the clip. May be slightly negative.
    package let firstPhase: Double
    /// The distance that an object moves in a phase, in pixels of the clip.
    package let offset: Double
    /// The direction of motion, a unit vector.
    package let axis: Point
    /// The table of directions that all members follow.
    package let table: StepTable
    /// The indices of the clip's objects that move in these phases.
    package let members: [Int]
    /// For each member, the rms distance of its positions from this motion, in pixels.
    package let deviations: [Double]
    /// For each member, its position on the axis at the start of the first phase, in pixels.
    let entries: [Double]
    /// For each member, the share of the table's steps in which the clip shows enough of it to
    /// determine a direction, 0...1.
    let seenShares: [Double]
    /// The number of phases that the clip shows, including partial ones of more than about half.
    package let phaseCount: Int

    /// The seconds after which the motion repeats.
    package var period: Double { Double(table.directions.count) * phase }

    /// The maximum rms residual from constant velocities, as a fraction of the offset.
    private static let maxResidualShare = 0.05
    /// The maximum difference between a phase's displacement and -1, 0 or +1, in offsets. Half an
    /// offset would accept any displacement; with this limit, more than half of all are refused.
    private static let maxRounding = 0.22

    /// Finds the phases of a clip's objects. Returns nil if the objects do not move in phases of
    /// constant velocity or share no table, or if the clip is too short to show it.
    ///
    /// - Parameter isRigid: for each track, true if its object keeps its shape; the centres of
    ///   other objects are inaccurate.
    init?(times: [Double], tracks: [[Detection]], isRigid: [Bool]) {
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

    private static func find(_ times: [Double], _ tracks: [[Detection]], _ members: [Int]) -> PhaseModel? {
        let track = Track(times: times, tracks: tracks)
        guard track.range > 3, track.rmsDistance < 0.12 * track.range else { return nil }
        let breakpoints = Breakpoints(track)
        let step = ClipSurvey.medianStep(times)
        // Phases without a frame, or more phases than frames, cannot be distinguished.
        let maxStep = zip(times.dropFirst(), times).reduce(track.maxGap) { max($0, $1.0 - $1.1) }
        let minLength = max((times.last ?? 0) / Double(times.count), maxStep / 0.75)
        let grids = PhaseGrid.candidates(breakpoints.velocityChanges, minLength: 1.8 * step, duration: times.last ?? 0)
        for grid in grids.prefix(24) where grid.length > minLength {
            let rough = GridFit(track, grid)
            guard rough.rms < 0.2 * track.range else { continue }
            let fit = GridFit.best(track, near: grid)
            if let model = PhaseModel(track, fit, members) { return model }
        }
        return nil
    }

    private init?(_ track: Track, _ fit: GridFit, _ members: [Int]) {
        guard let reading = PhaseReading(track, fit), fit.rms < PhaseModel.maxResidualShare * reading.offset,
            reading.maxResidual < PhaseModel.maxRounding
        else { return nil }
        // The grid's origin may lie in another phase than the clip's first.
        let first = fit.grid.origin + Double(fit.firstPhase + reading.skipped) * fit.grid.length
        guard let table = StepTable(rows: reading.rows),
            let tableFit = TableFit.best(track, table, near: PhaseGrid(length: fit.grid.length, origin: first)),
            tableFit.rms < PhaseModel.maxResidualShare * abs(tableFit.offset), tableFit.offset > 0
        else { return nil }
        axis = track.axis
        self.members = members
        self.table = table
        seenShares = zip(reading.rows, table.starts).map { row, start in
            let seen = row.indices.filter { row[$0] != nil }
            let steps = Set(seen.map { (start + $0) % table.directions.count })
            return Double(steps.count) / Double(table.directions.count)
        }
        phaseCount = reading.rows.first?.count ?? 0
        phase = tableFit.grid.length
        firstPhase = tableFit.grid.origin
        offset = tableFit.offset
        deviations = tableFit.deviations
        entries = tableFit.entries
    }

    /// Returns the phase at a time, clamped to the clip's phases, and an object's step and
    /// direction in it; nil if the object does not follow the table.
    package func moment(ofObject number: Int, at time: Double) -> (phase: Int, step: Int, direction: Int)? {
        guard let member = members.firstIndex(of: number) else { return nil }
        let index = PhaseGrid(length: phase, origin: firstPhase).phase(at: time).index
        let kept = max(0, min(phaseCount - 1, index))
        let step = (table.starts[member] + kept) % table.directions.count
        return (kept, step, table.directions[step])
    }

    /// Returns the position of a member at a time, in pixels along the axis.
    func position(of member: Int, at time: Double) -> Double {
        let phase = PhaseGrid(length: phase, origin: firstPhase).phase(at: time)
        return entries[member]
            + offset * table.displacement(of: member, phases: phase.index, fraction: phase.fraction)
    }
}

/// Directions, derived from the knots of a fit.
struct PhaseReading {
    /// The distance that objects move in a phase, in pixels.
    let offset: Double
    /// Each object's direction in each phase; nil where it is not visible enough.
    let rows: [[Int?]]
    /// The largest difference between a displacement and a whole offset, in offsets.
    let maxResidual: Double
    /// The number of phases at the start that the clip hardly shows.
    let skipped: Int

    init?(_ track: Track, _ fit: GridFit) {
        guard let start = track.times.first, let end = track.times.last else { return nil }
        let count = (fit.knots.first?.count ?? 1) - 1
        let step = ClipSurvey.medianStep(track.times)
        func share(_ phase: Int) -> Double {
            let begin = fit.grid.origin + Double(fit.firstPhase + phase) * fit.grid.length
            return (min(begin + fit.grid.length, end + step) - max(begin, start)) / fit.grid.length
        }
        let shown = (0..<count).filter { share($0) >= 0.4 }
        guard let first = shown.first, let last = shown.last, last > first else { return nil }
        skipped = first
        let seen = PhaseReading.seen(track, fit, count)
        var moves: [Double] = []
        for (object, knots) in fit.knots.enumerated() {
            for phase in shown where seen[object][phase] { moves.append(abs(knots[phase + 1] - knots[phase])) }
        }
        guard let greatest = moves.max(), greatest > 0 else { return nil }
        let offset = moves.filter { $0 > greatest / 2 }.median ?? greatest
        self.offset = offset
        var largest = 0.0
        rows = fit.knots.enumerated().map { object, knots in
            (first...last).map { phase in
                guard seen[object][phase] else { return nil }
                let moved = (knots[phase + 1] - knots[phase]) / offset
                // The missing part of a truncated phase makes its displacement uncertain.
                if share(phase) > 0.8 { largest = max(largest, abs(moved - moved.rounded())) }
                if abs(moved.rounded()) > 1 { largest = 1 }
                return Int(max(-1, min(1, moved.rounded())))
            }
        }
        maxResidual = largest
    }

    /// For each object and phase, returns true if enough of it is visible to determine a direction.
    private static func seen(_ track: Track, _ fit: GridFit, _ count: Int) -> [[Bool]] {
        track.weights.map { weights in
            var sums = [Double](repeating: 0, count: count)
            var frameCounts = [Int](repeating: 0, count: count)
            for (k, time) in track.times.enumerated() {
                let phase = fit.grid.phase(at: time).index - fit.firstPhase
                guard (0..<count).contains(phase) else { continue }
                sums[phase] += weights[k]
                frameCounts[phase] += 1
            }
            return zip(sums, frameCounts).map { $0 > 0.25 * Double($1) && $1 > 0 && $0 > 0.5 }
        }
    }
}
