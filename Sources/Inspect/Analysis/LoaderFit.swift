import Animations
import Core

/// A loader's objects fitted to tracks: position = origin + scale × loader(start + speed × time).
///
/// Linear least squares gives the scale and the origin for a speed and a start. A coarse search and
/// then a pattern search find the speed and the start.
struct LoaderFit: MotionFit {
    /// Seconds of model time per second of the clip.
    var speed: Double
    /// The model time of the clip's first frame in seconds.
    var start: Double
    /// Pixels of the clip per point.
    var scale = 0.0
    /// The upper left corner of the canvas in pixels of the clip.
    var origin = Point.zero
    /// The weighted rms residual in pixels.
    var rms = Double.infinity

    /// The positions of a loader's objects over a period, and the tracks that show them.
    struct MotionSamples {
        /// The period in seconds of model time.
        let period: Double
        /// For each track, the positions of its object at equal intervals of the period, in points.
        let paths: [[Point]]
        let times: [Double]
        let positions: [[Point]]
        let weights: [[Double]]
        /// For each track, the loader's name for its object.
        let names: [String]
        /// The period of the clip's table in seconds; nil if no table was found.
        private let clipPeriod: Double?

        /// The number of instants of the period at which positions are computed. Between them,
        /// positions are interpolated.
        private static let steps = 480

        /// Returns the position of a track's object at a model time, in points.
        func position(_ track: Int, at time: Double) -> Point {
            let turns = time / period
            let position = (turns - turns.rounded(.down)) * Double(MotionSamples.steps)
            let index = min(MotionSamples.steps - 1, Int(position))
            let fraction = position - Double(index)
            let a = paths[track][index]
            let b = paths[track][(index + 1) % MotionSamples.steps]
            return Point(a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction)
        }

        /// Creates the samples of a loader for some tracks. Returns nil if a track has none of the
        /// loader's colours, or if there are more tracks than objects.
        ///
        /// - Parameter tracks: indices of the clip's objects.
        init?(_ loader: any Loader, tracks: [Int], of analysis: ClipAnalysis) {
            let all = loader.objects(at: 0)
            let seen = tracks.map { analysis.objects[$0] }
            guard let objects = LoaderFit.assignment(all, to: seen, over: analysis.background) else { return nil }
            let instants = (0..<MotionSamples.steps).map { step in
                loader.objects(at: loader.period * Rational(Int128(step), Int128(MotionSamples.steps)))
            }
            period = loader.period.double
            clipPeriod = analysis.phases?.period
            names = objects.map { all[$0].name }
            paths = objects.map { object in instants.map { $0[object].position } }
            times = analysis.times
            positions = seen.map(\.positions)
            weights = seen.map(\.visibility)
        }

        /// The speed that follows from the clip's table, if there is one, independent of the clip's
        /// duration.
        var speeds: [Double] { clipPeriod.map { [period / $0] } ?? [] }

        /// The largest extent of any object's path, in points.
        var range: Double {
            paths.compactMap { Rect(enclosing: $0) }.map { max($0.width, $0.height) }.max() ?? 0
        }
    }

    /// The minimum number of periods that a clip must show. Shorter clips fit at many speeds and
    /// scales.
    private static let minPeriods = 0.5
    /// The numbers of periods in a clip that are tried. They begin below `minPeriods`, so that a
    /// clip that is too short is recognized as such.
    private static let triedPeriods = (min: 0.3, max: 40.0, step: 0.12)
    /// The minimum number of frames in a period. Fewer would show little of its motion.
    private static let minFramesPerPeriod = 5.0
    /// The number of starts that are tried for each speed.
    private static let triedStarts = 24
    /// The approximate number of frames to which these fits are compared.
    private static let coarseFrames = 100
    /// The number of the best fits that are refined. The best coarse fit may be near another one.
    private static let refinedFits = 4
    /// The first changes of the number of periods and of the start in periods when a fit is
    /// refined: about half of a step of the coarse search.
    private static let refinement = (periods: 0.06, start: 0.03)

    /// Returns true if the clip shows enough periods to identify the loader.
    func showsEnough(of samples: MotionSamples) -> Bool {
        samples.times.last ?? 0 >= LoaderFit.minPeriods * samples.period / speed
    }

    init(_ samples: MotionSamples, speed: Double, start: Double, every step: Int = 1) {
        self.speed = speed
        self.start = start
        solve(samples, step)
    }

    private mutating func solve(_ samples: MotionSamples, _ step: Int) {
        var total = 0.0
        var model = Point.zero
        var seen = Point.zero
        var cross = 0.0
        var square = 0.0
        var squareSeen = 0.0
        for track in samples.paths.indices {
            for k in stride(from: 0, to: samples.times.count, by: step) {
                let w = samples.weights[track][k]
                guard w > 0 else { continue }
                let m = samples.position(track, at: start + speed * samples.times[k])
                let s = samples.positions[track][k]
                total += w
                model = Point(model.x + w * m.x, model.y + w * m.y)
                seen = Point(seen.x + w * s.x, seen.y + w * s.y)
                cross += w * (m.x * s.x + m.y * s.y)
                square += w * (m.x * m.x + m.y * m.y)
                squareSeen += w * (s.x * s.x + s.y * s.y)
            }
        }
        guard total > 0 else { return }
        let covariance = cross - (model.x * seen.x + model.y * seen.y) / total
        let variance = square - (model.x * model.x + model.y * model.y) / total
        let varianceSeen = squareSeen - (seen.x * seen.x + seen.y * seen.y) / total
        guard variance > 1e-9, covariance > 0 else { return }
        scale = covariance / variance
        origin = (seen - model * scale) * (1 / total)
        rms = (max(0, varianceSeen - covariance * covariance / variance) / total).squareRoot()
    }

    /// Returns the best fit.
    ///
    /// - Parameter speeds: candidate speeds; empty tries all speeds at which the clip shows between
    ///   a third of a period and forty periods, with at least five frames each.
    static func best(_ samples: MotionSamples, speeds: [Double]) -> LoaderFit {
        let duration = max(1e-6, samples.times.last ?? 0)
        let sampleStep = max(1, samples.times.count / coarseFrames)
        var trials = speeds
        if trials.isEmpty {
            let tried = triedPeriods
            let maxPeriods = max(tried.min, min(tried.max, Double(samples.times.count) / minFramesPerPeriod))
            trials = stride(from: tried.min, through: maxPeriods, by: tried.step).map {
                $0 * samples.period / duration
            }
        }
        var fits: [LoaderFit] = []
        for speed in trials {
            // The start is varied about the middle of the clip, where an error of the speed does
            // least harm.
            let middle = speed * duration / 2
            let row = (0..<triedStarts).map { number in
                let start = Double(number) / Double(triedStarts) * samples.period
                return LoaderFit(samples, speed: speed, start: start - middle, every: sampleStep)
            }
            if let best = row.min(by: { $0.rms < $1.rms }) { fits.append(best) }
        }
        fits.sort { $0.rms < $1.rms }
        let refined = fits.prefix(refinedFits).map { $0.refined(samples, duration) }
        return refined.min { $0.rms < $1.rms } ?? LoaderFit(samples, speed: 1, start: 0)
    }

    private func refined(_ samples: MotionSamples, _ duration: Double) -> LoaderFit {
        let steps = (
            Self.refinement.periods * samples.period / duration, Self.refinement.start * samples.period
        )
        let first = LoaderFit(samples, speed: speed, start: start)
        var best = PatternSearch(steps: steps, halvings: 14, rounds: 6).best(from: first) { fit, faster, later in
            // The start follows the speed, so that the middle of the clip stays in place.
            let speed = fit.speed + faster
            let start = fit.start - faster * duration / 2 + later
            return speed > 0 ? LoaderFit(samples, speed: speed, start: start) : nil
        }
        best.start -= (best.start / samples.period).rounded(.down) * samples.period
        return best
    }
}

extension LoaderFit {
    /// The maximum channel difference, 0...1, between the colours of a track and of its object. It
    /// separates the objects of a loader in spite of what encoding changes.
    private static let maxTint = 0.24
    /// The opacities, from the minimum to 1, at which an object's colour is compared.
    private static let opacities = (min: 0.6, step: 0.05, count: 9)

    /// Assigns one of a loader's objects to each track by colour. Returns nil if a track has none
    /// of the colours, or if there are more tracks than objects.
    static func assignment(_ objects: [MovingObject], to tracks: [TrackedObject], over background: Color) -> [Int]? {
        guard tracks.count <= objects.count else { return nil }
        var candidates: [(cost: Double, first: Int, second: Int)] = []
        for (track, seen) in tracks.enumerated() {
            for (object, model) in objects.enumerated() {
                let distance = tintDistance(seen.color, model.color, over: background)
                if distance < maxTint { candidates.append((distance, track, object)) }
            }
        }
        var chosen = [Int?](repeating: nil, count: tracks.count)
        for (track, object) in cheapestPairs(candidates) { chosen[track] = object }
        let complete = chosen.compactMap { $0 }
        return complete.count == tracks.count ? complete : nil
    }

    /// Returns the largest channel difference, 0...1, between a visible colour and `color` at its
    /// best opacity in 0.6...1.
    private static func tintDistance(_ seen: Color, _ color: Color, over ground: Color) -> Double {
        (0..<opacities.count).map { step in
            let opacity = opacities.min + opacities.step * Double(step)
            func residual(_ s: Double, _ c: Double, _ g: Double) -> Double { abs(s - opacity * c - (1 - opacity) * g) }
            return max(
                residual(seen.red, color.red, ground.red),
                max(residual(seen.green, color.green, ground.green), residual(seen.blue, color.blue, ground.blue)))
        }.min() ?? 1
    }
}
