import Animations
import Core
import Render

/// The approximate position of a loader in a recording, from small frames.
struct RecordingLocation {
    let survey: RecordingSurvey
    /// The position; its speed is the expected one unless the recording clearly has another.
    let pose: ModelPose
    /// The mean difference of small frames relative to that of unrelated times; 0 is equality.
    let cost: Double
    /// The loader that was found: the designed one, or the same with another timing function.
    let loader: any Loader

    /// The number of periods from which small frames are kept: enough to tell speeds apart.
    private static let sampledPeriods = 4.0
    /// The candidate speeds relative to the expected one, from an eighth to eight times.
    private static let speedFactors = (0...210).map { 0.125 * pow(1.02, Double($0)) }
    /// The number of small frames that decide between candidates.
    private static let roughSamples = 60
    /// The cost above which the loader is also looked for with other timing functions, and their
    /// cost relative to it from which they are preferred.
    private static let poorCost = 0.2
    private static let easedCost = 0.6
    /// The cost of another speed relative to that of the expected one from which it is preferred.
    private static let otherSpeedCost = 0.75

    init(_ reader: ClipReader, _ loader: any Loader, _ options: JudgeOptions, name: String) throws {
        let period = loader.period.double
        var survey = try RecordingSurvey(
            reader, options, sampledDuration: Self.sampledPeriods * period / max(1e-3, options.speed))
        var found = try Self.found(in: survey, loader, options, name: name)
        let size = Point(loader.canvas.width, loader.canvas.height) * found.pose.scale
        let canvas = Rect(x: found.pose.origin.x, y: found.pose.origin.y, width: size.x, height: size.y)
        if let background = survey.ownBackground(of: canvas) {
            let other = survey.with(background: background)
            if let better = try? Self.found(in: other, loader, options, name: name), better.cost < found.cost {
                (survey, found) = (other, better)
            }
        }
        var shown = loader
        if found.cost > Self.poorCost {
            for other in Self.eased(loader) {
                guard let eased = try? Self.found(in: survey, other, options, name: name) else { continue }
                if eased.cost < Self.easedCost * found.cost { (found, shown) = (eased, other) }
            }
        }
        self.survey = survey
        self.loader = shown
        (pose, cost) = found
    }

    /// Returns a Lottie file's loader with other timing functions. They change the path of an
    /// object whose coordinates have keyframes of their own, and so where the loader is found.
    private static func eased(_ loader: any Loader) -> [any Loader] {
        guard let loader = loader as? any KeyframedLoader else { return [] }
        let timing: [TimingFunction] = loader.curves.isEmpty ? [.easeInEaseOut] : [.linear]
        return timing.compactMap { loader.eased($0) }
    }

    /// Finds the loader on the background of a survey.
    private static func found(
        in survey: RecordingSurvey, _ loader: any Loader, _ options: JudgeOptions, name: String
    ) throws -> (pose: ModelPose, cost: Double) {
        let period = loader.period.double
        let background = survey.background
        guard let activity = try ModelActivity(loader, background: background) else {
            throw UnjudgeableRecording(
                reason: "\(name) does not move on the recording's background, \(background.hexString); "
                    + "compare another loader")
        }
        let duration = (survey.times.last ?? 0) - (survey.times.first ?? 0)
        let locator = LoaderLocator(survey: survey, activity: activity)
        let periods = duration * options.speed / period
        let scale = RecordedScale(loader, options)
        var candidates = try locator.candidates(
            scales: scale.searched(survey), periods: periods,
            limit: scale.isFree ? LoaderLocator.maxFreeCandidates : LoaderLocator.maxCandidates)
        guard !candidates.isEmpty else {
            let part = options.crop == nil ? "in it" : "inside the crop"
            throw UnjudgeableRecording(
                reason: "nothing \(part) moves like \(name); compare another loader, or \(Hint.part(options))")
        }
        if activity.isPart(periods) {
            candidates = LocationRefinement(survey, activity, periods: periods)
                .refined(candidates, scales: scale.likely)
        }
        let found = Self.best(of: candidates, survey, activity, scale, options, period: period)
        let refined = CoarseTiming.refined(
            found.candidate, found.line, survey, activity, period: period, isScaleFixed: options.scale != nil)
        let timing = CoarseTiming(survey, activity, refined, period: period)
        let line = Self.line(timing, options)
        let pose = ModelPose(scale: refined.scale, origin: refined.origin, start: line.start, speed: line.speed)
        return (pose, line.cost)
    }

    /// Returns the candidate whose small frames are most like the loader's, of at least one.
    private static func best(
        of candidates: [LocationCandidate], _ survey: RecordingSurvey, _ activity: ModelActivity,
        _ scale: RecordedScale, _ options: JudgeOptions, period: Double
    ) -> (candidate: LocationCandidate, line: CoarseTiming.Line) {
        func roughLine(_ candidate: LocationCandidate) -> CoarseTiming.Line {
            let timing = CoarseTiming(survey, activity, candidate, period: period, maxSamples: roughSamples)
            return line(timing, options)
        }
        let found = candidates.map { candidate -> (candidate: LocationCandidate, line: CoarseTiming.Line) in
            var line = roughLine(candidate)
            line.cost *= scale.costFactor(candidate.scale)
            guard scale.isFree else { return (candidate, line) }
            // Without likely scales, the right candidate may be off by half a step of the search.
            let refined = CoarseTiming.refined(
                candidate, line, survey, activity, period: period, isScaleFixed: false)
            return (refined, roughLine(refined))
        }
        return found.dropFirst().reduce(found[0]) { $1.line.cost < $0.line.cost ? $1 : $0 }
    }

    /// Returns the line at the expected speed, or another if that is clearly better.
    private static func line(_ timing: CoarseTiming, _ options: JudgeOptions) -> CoarseTiming.Line {
        let expected = timing.best(speed: options.speed)
        var other = expected
        for factor in speedFactors + [-1] {
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
        return other.cost < otherSpeedCost * expected.cost ? other : expected
    }
}

extension CoarseTiming {
    /// Returns the candidate after small changes of its position and scale that make small frames
    /// more alike.
    static func refined(
        _ candidate: LocationCandidate, _ line: Line, _ survey: RecordingSurvey, _ activity: ModelActivity,
        period: Double, isScaleFixed: Bool
    ) -> LocationCandidate {
        let stride = max(1, survey.samples.count / 24)
        let samples = survey.samples.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        let models = activity.frames.map { frame in frame.pixels.map { Float($0) } }
        func cost(_ candidate: LocationCandidate, _ shift: Double) -> Double {
            let corner = candidate.origin + Point(activity.bounds.x, activity.bounds.y) * candidate.scale
            let unit = candidate.scale / activity.scale
            return samples.map { sample in
                let recorded = Self.patch(
                    sample.thumbnail, survey, corner: corner, unit: unit, activity.width, activity.height)
                let turns = (line.start + shift + line.speed * sample.time) / period
                let index = Int((turns - turns.rounded(.down)) * Double(models.count)) % models.count
                return SampleSums.squaredDifference(recorded, models[index]).squareRoot()
            }.reduce(0, +)
        }
        var best = candidate
        var shift = 0.0
        var lowest = cost(candidate, 0)
        var steps = (place: 1.0 / activity.scale, scale: 0.03, time: period / Double(models.count))
        let middle = activity.bounds.center
        for _ in 0..<5 {
            for direction in 0..<(isScaleFixed ? 6 : 8) {
                let sign = direction % 2 == 0 ? 1.0 : -1
                var trial = best
                var trialShift = shift
                switch direction / 2 {
                case 0: trial.origin.x += sign * steps.place * best.scale
                case 1: trial.origin.y += sign * steps.place * best.scale
                case 2: trialShift += sign * steps.time
                default:
                    trial.scale *= 1 + sign * steps.scale
                    trial.origin = trial.origin - middle * (trial.scale - best.scale)
                }
                let value = cost(trial, trialShift)
                if value < lowest { (best, shift, lowest) = (trial, trialShift, value) }
            }
            steps = (steps.place / 1.6, steps.scale / 1.6, steps.time / 1.6)
        }
        return best
    }
}
