import Animations
import Core
import Render

/// The search for a loader in the small frames of a recording.
struct LocationSearch {
    let options: JudgeOptions
    /// The loader's name, as the caller wrote it.
    let name: String
    /// True if no other speed than the expected one is considered.
    var isSpeedFixed = false

    /// The candidate speeds relative to the expected one, from an eighth to eight times.
    private static let speedFactors = (0...210).map { 0.125 * pow(1.02, Double($0)) }
    /// The number of small frames that decide between candidates.
    private static let roughSamples = 60
    /// The cost of another speed, relative to that of the expected one, below which it is
    /// preferred. Another speed is the best of more than 200, so that chance alone makes it a
    /// little cheaper.
    private static let otherSpeedCost = 0.75

    /// A loader and the recording in which it is searched for.
    private struct SearchedLoader {
        let survey: RecordingSurvey
        let activity: ModelActivity
        let scale: RecordedScale
        let period: Double
        /// True if candidates are compared by what moves. With any scale, an object that is fainter
        /// than designed, or missing, looks more like others at another scale and speed.
        let isMotion: Bool
    }

    /// Finds a loader on the background of a survey.
    func found(in survey: RecordingSurvey, _ loader: any Loader) throws -> (pose: ModelPose, cost: Double) {
        let period = loader.period.double
        let background = survey.background
        guard let activity = try ModelActivity(loader, background: background) else {
            throw UnjudgeableRecording(
                reason: "\(name) does not move on the recording's background, \(background.hexString); "
                    + "compare another loader")
        }
        let duration = (survey.times.last ?? 0) - (survey.times.first ?? 0)
        let periods = duration * options.speed / period
        let scale = RecordedScale(loader, options)
        let candidates = try candidates(survey, activity, scale, periods: periods)
        // A part of a cycle has another mean than the cycle.
        let searched = SearchedLoader(
            survey: survey, activity: activity, scale: scale, period: period,
            isMotion: scale.isFree && !activity.isPart(periods))
        let found = try best(of: candidates, searched)
        let refined = CandidateRefinement(found.line, survey, activity, period: period)
            .refined(found.candidate, isScaleFixed: options.scale != nil)
        let timing = CoarseTiming(survey, activity, refined, period: period)
        let line = searched.isMotion ? timing.best(speed: found.line.speed) : line(timing)
        let pose = ModelPose(scale: refined.scale, origin: refined.origin, start: line.start, speed: line.speed)
        return (pose, line.cost)
    }

    /// Returns the position of a loader whose canvas fills the frame at a scale; nil if it does not
    /// move there.
    func filling(_ survey: RecordingSurvey, _ loader: any Loader, scale: Double) throws -> (ModelPose, Double)? {
        guard let activity = try ModelActivity(loader, background: survey.background) else { return nil }
        let size = Point(loader.canvas.width, loader.canvas.height) * scale
        let origin = Point(Double(survey.width) - size.x, Double(survey.height) - size.y) * 0.5
        let candidate = LocationCandidate(scale: scale, origin: origin, score: 1)
        let line = line(CoarseTiming(survey, activity, candidate, period: loader.period.double))
        return (ModelPose(scale: scale, origin: origin, start: line.start, speed: line.speed), line.cost)
    }

    /// Returns the likeliest positions, at least one.
    private func candidates(
        _ survey: RecordingSurvey, _ activity: ModelActivity, _ scale: RecordedScale, periods: Double
    ) throws -> [LocationCandidate] {
        let candidates = try LoaderLocator(survey: survey, activity: activity).candidates(
            scales: scale.searched(survey), periods: periods,
            limit: scale.isFree ? LoaderLocator.maxFreeCandidates : LoaderLocator.maxCandidates)
        guard !candidates.isEmpty else {
            let part = options.crop == nil ? "in it" : "inside the crop"
            throw UnjudgeableRecording(
                reason: "nothing \(part) moves like \(name); compare another loader, or \(Hint.part(options))")
        }
        guard activity.isPart(periods) else { return candidates }
        return LocationRefinement(survey, activity, periods: periods).refined(candidates, scales: scale.likely)
    }

    /// Returns the candidate whose small frames are most like the loader's. There must be at least
    /// one.
    private func best(
        of candidates: [LocationCandidate], _ searched: SearchedLoader
    ) throws -> (candidate: LocationCandidate, line: CoarseTiming.Line) {
        let found = try inParallel(candidates.count) { range in range.map { refined(candidates[$0], searched) } }
        return found.dropFirst().reduce(found[0]) { $1.line.cost < $0.line.cost ? $1 : $0 }
    }

    /// Returns a candidate with the line of its times. Without likely scales, the right candidate
    /// may be off by half a step of the search.
    private func refined(
        _ candidate: LocationCandidate, _ searched: SearchedLoader
    ) -> (candidate: LocationCandidate, line: CoarseTiming.Line) {
        var line = roughLine(candidate, searched)
        line.cost *= searched.scale.costFactor(candidate.scale)
        guard searched.scale.isFree else { return (candidate, line) }
        let refined = CandidateRefinement(line, searched.survey, searched.activity, period: searched.period)
            .refined(candidate, isScaleFixed: false)
        return (refined, roughLine(refined, searched))
    }

    private func roughLine(_ candidate: LocationCandidate, _ searched: SearchedLoader) -> CoarseTiming.Line {
        let survey = searched.survey
        let activity = searched.activity
        guard searched.isMotion else {
            return line(
                CoarseTiming(survey, activity, candidate, period: searched.period, maxSamples: Self.roughSamples))
        }
        return line(
            CoarseTiming(
                motionOf: survey, activity, candidate, period: searched.period, maxSamples: Self.roughSamples))
    }

    /// Returns the line at the expected speed, or another if that is clearly better.
    private func line(_ timing: CoarseTiming) -> CoarseTiming.Line {
        let expected = timing.best(speed: options.speed)
        guard !isSpeedFixed else { return expected }
        var other = expected
        for factor in Self.speedFactors + [-1] {
            let line = timing.best(speed: factor * options.speed)
            if line.cost < other.cost { other = line }
        }
        // Steps of 2% are too coarse for more than a few periods.
        for step in [0.01, 0.005, 0.0025] where other.speed != options.speed {
            for sign in [-1.0, 1] {
                let line = timing.best(speed: other.speed * (1 + sign * step))
                if line.cost < other.cost { other = line }
            }
        }
        return other.cost < Self.otherSpeedCost * expected.cost ? other : expected
    }
}
