import Core

/// The differences between small frames of a recording and of a loader, which show the loader's
/// time in the recording.
struct CoarseTiming {
    /// For each small frame of the recording, the difference from each frame of the model.
    let table: [[Double]]
    /// The time of each small frame of the recording.
    let times: [Double]
    private let period: Double

    /// A straight line of model time against recorded time.
    struct Line {
        var start: Double
        var speed: Double
        /// The mean capped difference, relative to half of that of all times; 0 is equality.
        var cost: Double
    }

    /// A table with the times of its rows, for a loader with a period.
    init(table: [[Double]], times: [Double], period: Double) {
        self.table = table
        self.times = times
        self.period = period
    }

    init(
        _ survey: RecordingSurvey, _ activity: ModelActivity, _ candidate: LocationCandidate, period: Double,
        maxSamples: Int = .max
    ) {
        self.period = period
        let step = max(1, survey.samples.count / maxSamples)
        let samples = survey.samples.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        times = samples.map(\.time)
        let corner = candidate.origin + Point(activity.bounds.x, activity.bounds.y) * candidate.scale
        let unit = candidate.scale / activity.scale
        let recorded = samples.map { sample in
            Self.patch(sample.thumbnail, survey, corner: corner, unit: unit, activity.width, activity.height)
        }
        let models = activity.frames.map { frame in frame.pixels.map { Float($0) } }
        table = recorded.map { patch in models.map { SampleSums.squaredDifference(patch, $0) } }
    }

    /// Samples the part of a small frame at which a candidate puts the moving part of the model.
    static func patch(
        _ thumbnail: Thumbnail, _ survey: RecordingSurvey, corner: Point, unit: Double, _ width: Int, _ height: Int
    ) -> [Float] {
        let box = Rect(
            x: corner.x * survey.reduction.x, y: corner.y * survey.reduction.y,
            width: Double(width) * unit * survey.reduction.x, height: Double(height) * unit * survey.reduction.y)
        return thumbnail.samples(of: box, width: width, height: height)
    }

    /// Returns the best line at a speed.
    func best(speed: Double) -> Line {
        let count = table.first?.count ?? 1
        let (cap, unit) = (self.cap, max(1, 0.5 * mean))
        var best = Line(start: 0, speed: speed, cost: .infinity)
        for first in 0..<count {
            var sum = 0.0
            for (row, time) in zip(table, times) {
                let index = (speed * time / period * Double(count)).rounded() + Double(first)
                let turns = (index / Double(count)).rounded(.down)
                sum += min(cap, row[min(count - 1, max(0, Int(index - turns * Double(count))))])
            }
            let cost = sum / (unit * Double(max(1, table.count)))
            if cost < best.cost {
                best = Line(start: Double(first) / Double(count) * period, speed: speed, cost: cost)
            }
        }
        return best
    }

    /// The mean difference of all pairs.
    private var mean: Double {
        let all = table.reduce(0) { $0 + $1.reduce(0, +) }
        return all / Double(max(1, table.count * (table.first?.count ?? 1)))
    }

    /// The largest difference that counts, halfway between the mean and the smallest one. Frames
    /// that fit nowhere, such as blank ones, must not decide. If the position is not exact, all
    /// frames differ from all instants, by more than the motion if that is small.
    private var cap: Double { max(1, 0.5 * (mean + (table.joined().min() ?? 0))) }
}
