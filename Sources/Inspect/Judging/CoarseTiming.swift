import Core

/// The differences between small frames of a recording and of a loader, which show the loader's
/// time in the recording.
struct CoarseTiming {
    /// For each small frame of the recording, the difference from each frame of the model.
    let table: [[Double]]
    /// The time of each small frame of the recording.
    let times: [Double]
    private let period: Double
    /// The mean difference of all pairs.
    private let mean: Double
    /// The largest difference that counts, halfway between the mean and the smallest one. Frames
    /// that fit nowhere, such as blank ones, must not decide. If the position is not exact, all
    /// frames differ from all instants, by more than the motion if that is small.
    private let cap: Double
    /// The energies of motion; nil if differences count as they are.
    private var motion: Motion?

    /// The sums of squared differences from the mean over time, of all rows and of each frame of
    /// the model.
    private struct Motion {
        var recorded: Double
        var models: [Double]
    }

    /// A straight line of model time against recorded time.
    struct Line {
        var start: Double
        var speed: Double
        /// The mean capped difference, relative to half of the mean over all times. For motion
        /// alone, it is twice the distance of the correlation from 1. 0 means equal.
        var cost: Double
    }

    /// A table with the times of its rows, for a loader with a period.
    init(table: [[Double]], times: [Double], period: Double) {
        self.table = table
        self.times = times
        self.period = period
        let all = table.reduce(0) { $0 + $1.reduce(0, +) }
        mean = all / Double(max(1, table.count * (table.first?.count ?? 1)))
        cap = max(1, 0.5 * (mean + (table.compactMap { $0.min() }.min() ?? 0)))
    }

    /// A table of the differences between the small frames of a recording, where a candidate
    /// locates the loader, and those of the loader.
    init(
        _ survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate, period: Double,
        maxSamples: Int = .max
    ) {
        let (recorded, models, times) = Self.frames(survey, activity, candidate, maxSamples)
        self.init(recorded, models, times: times, period: period)
    }

    /// A table of the differences between frames of the recording and of the model.
    private init(_ recorded: [[Float]], _ models: [[Float]], times: [Double], period: Double) {
        self.init(
            table: recorded.map { patch in models.map { SampleSums.squaredDifference(patch, $0) } },
            times: times, period: period)
    }

    /// A table of the differences in motion only, without the mean of each pixel over all frames,
    /// and independent of contrast. With the still parts, a fainter object would fit a smaller one
    /// best, and a missing object a slow one.
    init(
        motionOf survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate, period: Double,
        maxSamples: Int = .max
    ) {
        let frames = Self.frames(survey, activity, candidate, maxSamples)
        let recorded = Self.withoutMean(frames.recorded)
        let models = Self.withoutMean(frames.models)
        self.init(recorded, models, times: frames.times, period: period)
        motion = Motion(
            recorded: recorded.reduce(0) { $0 + SampleSums.product($1, $1) },
            models: models.map { SampleSums.product($0, $0) })
    }

    /// Returns a weight for each value of a small frame where a candidate locates the loader.
    static func cellWeights(
        _ survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate
    ) -> [Float] {
        cellWeights(
            frame: (survey.width, survey.height), corner: candidate.corner(of: activity),
            cellSize: candidate.cellSize(of: activity), columns: activity.width, rows: activity.height)
    }

    /// Returns a weight for each value of a small frame: 1 for cells whose centre lies inside the
    /// recording, 0 for others. Samples outside repeat the pixels at the edge, but the loader's
    /// coloured area may end at its canvas.
    static func cellWeights(
        frame: (width: Int, height: Int), corner: Point, cellSize: Double, columns: Int, rows: Int
    ) -> [Float] {
        let areColumnsInside = (0..<columns).map { column in
            (0..<Double(frame.width)).contains(corner.x + (Double(column) + 0.5) * cellSize)
        }
        return (0..<rows).flatMap { row in
            let isRowInside = (0..<Double(frame.height)).contains(corner.y + (Double(row) + 0.5) * cellSize)
            return areColumnsInside.flatMap { [Float](repeating: isRowInside && $0 ? 1 : 0, count: 3) }
        }
    }

    private static func weighted(_ lists: [[Float]], by weights: [Float]) -> [[Float]] {
        lists.map { list in zip(list, weights).map { $0 * $1 } }
    }

    /// Subtracts the mean of all lists, index by index, from each of them.
    private static func withoutMean(_ lists: [[Float]]) -> [[Float]] {
        var mean = [Float](repeating: 0, count: lists.first?.count ?? 0)
        for list in lists { for index in mean.indices { mean[index] += list[index] / Float(lists.count) } }
        return lists.map { list in mean.indices.map { list[$0] - mean[$0] } }
    }

    /// Returns the part of the small frames in which a candidate locates the loader, with their
    /// times, and the small frames of the loader. Cells outside the recording are 0 in both.
    private static func frames(
        _ survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate, _ maxSamples: Int
    ) -> (recorded: [[Float]], models: [[Float]], times: [Double]) {
        let step = max(1, survey.samples.count / maxSamples)
        let samples = survey.samples.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let recorded = samples.map { patch($0.thumbnail, survey, activity, candidate) }
        let weights = cellWeights(survey, activity, candidate)
        return (weighted(recorded, by: weights), weighted(activity.values, by: weights), samples.map(\.time))
    }

    /// Samples the part of a small frame in which a candidate locates the moving part of the model.
    static func patch(
        _ thumbnail: Thumbnail, _ survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate
    ) -> [Float] {
        let corner = candidate.corner(of: activity)
        let (width, height) = (activity.width, activity.height)
        let unit = candidate.cellSize(of: activity)
        let box = Rect(
            x: corner.x * survey.reduction.x, y: corner.y * survey.reduction.y,
            width: Double(width) * unit * survey.reduction.x, height: Double(height) * unit * survey.reduction.y)
        return thumbnail.samples(of: box, width: width, height: height)
    }

    /// Returns the best line at a speed.
    func best(speed: Double) -> Line {
        let count = table.first?.count ?? 1
        let unit = max(1, 0.5 * mean)
        var best = Line(start: 0, speed: speed, cost: .infinity)
        for first in 0..<count {
            var sum = 0.0
            var energy = 0.0
            var modelEnergy = 0.0
            for (row, time) in zip(table, times) {
                let index = (speed * time / period * Double(count)).rounded() + Double(first)
                let turns = (index / Double(count)).rounded(.down)
                let model = min(count - 1, max(0, Int(index - turns * Double(count))))
                sum += min(cap, row[model])
                energy += row[model]
                if let motion { modelEnergy += motion.models[model] }
            }
            var cost = sum / (unit * Double(max(1, table.count)))
            if let motion {
                // Twice the distance of the correlation from 1, which is the relative difference if
                // both move as much.
                let product = max(1, motion.recorded * modelEnergy).squareRoot()
                cost = 2 - (motion.recorded + modelEnergy - energy) / product
            }
            if cost < best.cost {
                best = Line(start: Double(first) / Double(count) * period, speed: speed, cost: cost)
            }
        }
        return best
    }
}
