import Core

/// A coordinate descent that improves a candidate: it changes the position, scale and start in
/// small steps that make small frames of the recording and of the loader more alike.
struct CandidateRefinement {
    private let survey: RecordingSurvey
    private let activity: ModelActivity
    private let line: CoarseTiming.Line
    private let period: Double
    /// The small frames of the recording to compare.
    private let samples: [(time: Double, thumbnail: Thumbnail)]
    /// The small frames of the loader.
    private let models: [[Float]]

    /// The minimum number of small frames that are compared, unless the recording has fewer.
    private static let minSamples = 24
    /// The number of passes over all changes.
    private static let passes = 5
    /// The first step of the scale, as a share of it.
    private static let scaleStep = 0.03
    /// The factor by which steps shrink after each pass. The last ones are a sixth of the first.
    private static let shrinkage = 1.6

    /// - Parameter line: the loader's times in the recording.
    init(
        _ line: CoarseTiming.Line, _ survey: RecordingSurvey, _ activity: ModelActivity, period: Double
    ) {
        self.line = line
        self.survey = survey
        self.activity = activity
        self.period = period
        let stride = max(1, survey.samples.count / Self.minSamples)
        samples = survey.samples.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        models = activity.values
    }

    /// Returns the improved candidate.
    func refined(_ candidate: LocationCandidate, isScaleFixed: Bool) -> LocationCandidate {
        var best = candidate
        var shift = 0.0
        // The weights are those of the first candidate: if they changed, moving out of the
        // recording would lower the cost.
        let weights = CoarseTiming.cellWeights(survey, activity, candidate)
        var lowest = cost(candidate, 0, weights)
        var steps = (position: 1.0 / activity.scale, scale: Self.scaleStep, time: period / Double(models.count))
        let middle = activity.bounds.center
        for _ in 0..<Self.passes {
            for direction in 0..<(isScaleFixed ? 6 : 8) {
                let sign = direction % 2 == 0 ? 1.0 : -1
                var trial = best
                var trialShift = shift
                switch direction / 2 {
                case 0: trial.origin.x += sign * steps.position * best.scale
                case 1: trial.origin.y += sign * steps.position * best.scale
                case 2: trialShift += sign * steps.time
                default:
                    trial.scale *= 1 + sign * steps.scale
                    trial.origin = trial.origin - middle * (trial.scale - best.scale)
                }
                let value = cost(trial, trialShift, weights)
                if value < lowest { (best, shift, lowest) = (trial, trialShift, value) }
            }
            steps = (steps.position / Self.shrinkage, steps.scale / Self.shrinkage, steps.time / Self.shrinkage)
        }
        return best
    }

    /// Returns the sum of the differences between small frames if the loader is at a candidate.
    ///
    /// - Parameters:
    ///   - shift: the change of the loader's start in seconds.
    ///   - weights: the weight of each value of a small frame.
    private func cost(_ candidate: LocationCandidate, _ shift: Double, _ weights: [Float]) -> Double {
        samples.map { sample in
            let recorded = CoarseTiming.patch(sample.thumbnail, survey, activity, candidate)
            let turns = (line.start + shift + line.speed * sample.time) / period
            let index = Int((turns - turns.rounded(.down)) * Double(models.count)) % models.count
            return SampleSums.squaredDifference(recorded, models[index], weights: weights).squareRoot()
        }.reduce(0, +)
    }
}
