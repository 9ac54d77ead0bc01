import Loaders
import Motion
import Scene

/// A loader's objects laid over tracks: position = origin + scale x loader(start + speed x time).
///
/// For a speed and a start the scale and the origin follow by linear least squares; the speed and the start are found by
/// a coarse search and halving steps.
struct LoaderFit: MotionFit {
    /// Model seconds per second of the clip.
    var speed: Double
    /// Model time at the clip's first picture, in seconds.
    var start: Double
    /// Pixels per point.
    var scale = 0.0
    /// Pixels of the clip.
    var origin = Point.zero
    /// Weighted rms distance in pixels.
    var rms = Double.infinity

    /// The positions of a loader's objects over a period, and which track shows which of them.
    struct Subject {
        /// Length of a period in seconds of model time.
        let period: Double
        /// For each track the object's positions at equal steps of the period, in points.
        let paths: [[Point]]
        let times: [Double]
        let positions: [[Point]]
        let weights: [[Double]]
        /// For each track what the loader calls its object.
        let names: [String]
        /// Seconds of the clip after which everything repeats, if its phases were found.
        private let clipPeriod: Double?

        private static let steps = 480

        /// The position of a track's object at a model time, in points.
        func position(_ track: Int, at time: Double) -> Point {
            let turns = time / period
            let place = (turns - turns.rounded(.down)) * Double(Subject.steps)
            let index = min(Subject.steps - 1, Int(place))
            let share = place - Double(index)
            let (a, b) = (paths[track][index], paths[track][(index + 1) % Subject.steps])
            return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        }

        /// Nil if a track has none of the colours of the loader's objects, or there are more tracks than objects.
        ///
        /// - Parameter tracks: numbers of the clip's objects.
        init?(_ loader: any Loader, tracks: [Int], of analysis: ClipAnalysis) {
            let (all, seen) = (loader.objects(at: 0), tracks.map { analysis.objects[$0] })
            guard let objects = LoaderFit.assignment(all, to: seen, over: analysis.background) else { return nil }
            let instants = (0..<Subject.steps).map { step in
                loader.objects(at: loader.period * Rational(Int128(step), Int128(Subject.steps)))
            }
            (period, clipPeriod) = (loader.period.double, analysis.phases?.period)
            names = objects.map { all[$0].name }
            paths = objects.map { object in instants.map { $0[object].position } }
            times = analysis.times
            positions = seen.map(\.positions)
            weights = seen.map(\.visibility)
        }

        /// The speed that the clip's phases tell, if they were found; it is that of clips of any length.
        var speeds: [Double] { clipPeriod.map { [period / $0] } ?? [] }

        /// The largest distance that any object covers, in points.
        var range: Double {
            paths.compactMap { Rect(enclosing: $0) }.map { max($0.width, $0.height) }.max() ?? 0
        }
    }

    /// A clip must show so many periods: a shorter stretch fits at many speeds and scales.
    private static let leastPeriods = 0.5

    /// Whether the clip shows enough of the loader to tell it.
    func showsEnough(of subject: Subject) -> Bool {
        subject.times.last ?? 0 >= LoaderFit.leastPeriods * subject.period / speed
    }

    init(_ subject: Subject, speed: Double, start: Double, every step: Int = 1) {
        (self.speed, self.start) = (speed, start)
        solve(subject, step)
    }

    private mutating func solve(_ subject: Subject, _ step: Int) {
        var (total, model, seen) = (0.0, Point.zero, Point.zero)
        var (cross, square, squareSeen) = (0.0, 0.0, 0.0)
        for track in subject.paths.indices {
            for k in stride(from: 0, to: subject.times.count, by: step) {
                let w = subject.weights[track][k]
                guard w > 0 else { continue }
                let m = subject.position(track, at: start + speed * subject.times[k])
                let s = subject.positions[track][k]
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

    /// The best fit of all speeds, or of those near `speeds`.
    ///
    /// - Parameter speeds: speeds to try; empty tries all that show from a third of a period up to forty periods.
    static func best(_ subject: Subject, speeds: [Double]) -> LoaderFit {
        let duration = max(1e-6, subject.times.last ?? 0)
        let sparse = max(1, subject.times.count / 100)
        var trials = speeds
        if trials.isEmpty {
            let most = min(40, Double(subject.times.count) / 5)
            trials = stride(from: 0.3, through: max(0.3, most), by: 0.12).map { $0 * subject.period / duration }
        }
        var fits: [LoaderFit] = []
        for speed in trials {
            // The start is measured at the clip's middle, so that a small error of speed does least harm.
            let middle = speed * duration / 2
            let row = (0..<24).map { number in
                LoaderFit(
                    subject, speed: speed, start: Double(number) / 24 * subject.period - middle, every: sparse)
            }
            if let best = row.min(by: { $0.rms < $1.rms }) { fits.append(best) }
        }
        fits.sort { $0.rms < $1.rms }
        let refined = fits.prefix(4).map { $0.refined(subject, duration) }
        return refined.min { $0.rms < $1.rms } ?? LoaderFit(subject, speed: 1, start: 0)
    }

    private func refined(_ subject: Subject, _ duration: Double) -> LoaderFit {
        let steps = (0.06 * subject.period / duration, 0.03 * subject.period)
        let first = LoaderFit(subject, speed: speed, start: start)
        var best = Descent(steps: steps, halvings: 14, rounds: 6).best(from: first) { fit, faster, later in
            // The start follows the speed, so that the clip's middle stays where it was.
            let (speed, start) = (fit.speed + faster, fit.start - faster * duration / 2 + later)
            return speed > 0 ? LoaderFit(subject, speed: speed, start: start) : nil
        }
        best.start -= (best.start / subject.period).rounded(.down) * subject.period
        return best
    }
}

extension LoaderFit {
    /// Which of a loader's objects each track shows, by colour; nil if a track has none of their colours or there are
    /// more tracks than objects.
    static func assignment(_ objects: [MovingObject], to tracks: [TrackedObject], over background: Color) -> [Int]? {
        guard tracks.count <= objects.count else { return nil }
        var pairs: [(track: Int, object: Int, distance: Double)] = []
        for (track, seen) in tracks.enumerated() {
            for (object, model) in objects.enumerated() {
                let distance = tintDistance(seen.color, model.color, over: background)
                if distance < 0.24 { pairs.append((track, object, distance)) }
            }
        }
        pairs.sort { ($0.distance, $0.track, $0.object) < ($1.distance, $1.track, $1.object) }
        var chosen = [Int?](repeating: nil, count: tracks.count)
        for pair in pairs where chosen[pair.track] == nil && !chosen.contains(pair.object) {
            chosen[pair.track] = pair.object
        }
        let complete = chosen.compactMap { $0 }
        return complete.count == tracks.count ? complete : nil
    }

    /// The largest channel's difference, 0...1, between what is seen and a colour of the opacity from 0.6 to 1 that comes
    /// nearest to it.
    private static func tintDistance(_ seen: Color, _ color: Color, over ground: Color) -> Double {
        (0...8).map { step in
            let opacity = 0.6 + 0.05 * Double(step)
            func rest(_ s: Double, _ c: Double, _ g: Double) -> Double { abs(s - opacity * c - (1 - opacity) * g) }
            return max(
                rest(seen.red, color.red, ground.red),
                max(rest(seen.green, color.green, ground.green), rest(seen.blue, color.blue, ground.blue)))
        }.min() ?? 1
    }
}
