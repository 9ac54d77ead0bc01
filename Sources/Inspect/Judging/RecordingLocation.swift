import Animations
import Core
import Render

/// The approximate position of a loader in a recording, from small frames.
struct RecordingLocation {
    let survey: RecordingSurvey
    /// The position; its speed is the expected one unless the recording clearly has another.
    let pose: ModelPose
    /// The mean difference of small frames relative to that of unrelated times; 0 means equal.
    let cost: Double
    /// The loader that was found: the designed one, or the same with another timing function.
    let loader: any Loader

    /// The number of periods whose small frames are kept: enough to tell speeds apart.
    private static let sampledPeriods = 4.0
    /// The cost above which the loader is also searched for with other timing functions, and the
    /// cost, relative to it, below which one of these is preferred.
    private static let poorCost = 0.2
    private static let easedCost = 0.6

    init(_ reader: ClipReader, _ loader: any Loader, _ options: JudgeOptions, name: String) throws {
        let period = loader.period.double
        var survey = try RecordingSurvey(
            reader, options, sampledDuration: Self.sampledPeriods * period / max(1e-3, options.speed))
        let search = LocationSearch(options: options, name: name)
        var found = try search.found(in: survey, loader)
        let size = Point(loader.canvas.width, loader.canvas.height) * found.pose.scale
        let canvas = Rect(x: found.pose.origin.x, y: found.pose.origin.y, width: size.x, height: size.y)
        if let background = survey.ownBackground(of: canvas) {
            let other = survey.with(background: background)
            if let better = try? search.found(in: other, loader), better.cost < found.cost {
                survey = other
                found = better
            }
        }
        var shown = loader
        if found.cost > Self.poorCost {
            for other in Self.eased(loader) {
                guard let eased = try? search.found(in: survey, other) else { continue }
                if eased.cost < Self.easedCost * found.cost { (found, shown) = (eased, other) }
            }
        }
        self.survey = survey
        self.loader = shown
        (pose, cost) = found
    }

    /// The position of a loader in a survey at the expected speed.
    init(
        atExpectedSpeedIn survey: RecordingSurvey, _ loader: any Loader, _ options: JudgeOptions, name: String
    ) throws {
        let search = LocationSearch(options: options, name: name, isSpeedFixed: true)
        self.survey = survey
        self.loader = loader
        (pose, cost) = try search.found(in: survey, loader)
    }

    /// Returns a Lottie file's loader with other timing functions. They change the path of an
    /// object whose coordinates have keyframes of their own, and so where the loader is found.
    private static func eased(_ loader: any Loader) -> [any Loader] {
        guard let loader = loader as? any KeyframedLoader else { return [] }
        let timing: [TimingFunction] = loader.curves.isEmpty ? [.easeInEaseOut] : [.linear]
        return timing.compactMap { loader.eased($0) }
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
        var steps = (position: 1.0 / activity.scale, scale: 0.03, time: period / Double(models.count))
        let middle = activity.bounds.center
        for _ in 0..<5 {
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
                let value = cost(trial, trialShift)
                if value < lowest { (best, shift, lowest) = (trial, trialShift, value) }
            }
            steps = (steps.position / 1.6, steps.scale / 1.6, steps.time / 1.6)
        }
        return best
    }
}
