import Loaders
import Motion
import Pipeline
import Scene

/// How far a clip strays from a loader that it is meant to show.
public struct ClipComparison: Sendable {
    /// How far the objects are from the loader's during one of its phases, in points of the canvas.
    public struct PhaseDeviation: Encodable, Sendable {
        /// The phase, counted from 0.
        public let phase: Int
        /// Its name.
        public let name: String
        /// Root of the mean square of all distances.
        public let rms: Double
        /// The largest distance.
        public let max: Double
    }

    /// The picture with the largest deviation.
    public struct WorstFrame: Encodable, Sendable {
        /// Its number, counted from 0.
        public let frame: Int
        /// When it is shown, in seconds.
        public let time: Double
        /// The object, by the loader's name for it.
        public let object: String
        /// Its distance from where it should be, in points.
        public let deviation: Double
    }

    /// Speed, start, scale and position at which the loader fits best.
    public let match: LoaderMatch
    /// Root of the mean square of all distances, in points.
    public let rms: Double
    /// The deviation in each phase of the loader that the clip shows.
    public let phases: [PhaseDeviation]
    /// The picture with the largest deviation.
    public let worst: WorstFrame

    /// Pictures in which an object is hidden by more than this are not compared.
    fileprivate static let leastVisibility = 0.05

    /// Whether a loader can be judged: all its objects are balls, whose centres are what is tracked. Of lines, drops and
    /// pictures the tracks follow the middle of what is seen, which no loader says anything about.
    public static func judges(_ loader: any Loader) -> Bool {
        let objects = loader.objects(at: 0)
        return !objects.isEmpty && objects.allSatisfy { $0.step != nil }
    }

    /// Throws `RenderError` of kind `badData`, with the loaders whose positions can be judged, if this is none of them.
    static func check(_ loader: any Loader) throws {
        guard !judges(loader) else { return }
        let known = LoaderCatalog.current.definitions.filter { (try? $0.make()).map(judges) ?? false }
        let ids = known.map { $0.id }.joined(separator: ", ")
        throw RenderError(.badData, "only the positions of moving balls can be judged: \(ids)")
    }

    /// Lays a loader over the tracks of a clip. Throws `RenderError` of kind `badData` if the loader cannot be judged, or
    /// the clip does not show all its objects in their colours and on their course.
    public init(_ analysis: ClipAnalysis, id: String, loader: any Loader) throws {
        try ClipComparison.check(loader)
        let objects = loader.objects(at: 0)
        let tracks = ClipComparison.usable(analysis, objects)
        guard tracks.count == objects.count,
            let subject = LoaderFit.Subject(loader, tracks: tracks, of: analysis)
        else { throw ClipComparison.otherColors(analysis, id, objects) }
        // Where a ball is seen further away than this, it is not where it should be, but somewhere else.
        let most = (objects.map(\.radius).min() ?? 0) / 2
        var fit = LoaderFit.best(subject, speeds: subject.speeds)
        var deviations = Deviations(subject, fit, loader)
        if deviations.rms > most, !subject.speeds.isEmpty {
            fit = LoaderFit.best(subject, speeds: [])
            deviations = Deviations(subject, fit, loader)
        }
        guard fit.scale > 0, deviations.rms <= most else {
            throw RenderError(
                .badData,
                "the clip's objects do not move as those of \(id) do: at no speed, scale and place are they within "
                    + "\(most.thousandths) points of it, which is half a ball's radius: compare another")
        }
        guard fit.showsEnough(of: subject) else {
            throw RenderError(
                .badData, "the clip shows less than half a period of \(id), which fits at many speeds: give more of it")
        }
        match = LoaderMatch(id, fit)
        (rms, worst) = (deviations.rms, deviations.worst)
        phases = deviations.phases
    }

    private static func otherColors(
        _ analysis: ClipAnalysis, _ id: String, _ objects: [MovingObject]
    ) -> RenderError {
        let colors = analysis.objects.map(\.color.hexString).joined(separator: ", ")
        let wanted = objects.map { "\($0.name) \($0.color.hexString)" }.joined(separator: ", ")
        return RenderError(
            .badData,
            "the clip's objects (\(colors)) are not those of \(id) (\(wanted))", wayOut: .otherColors)
    }

    /// The tracks whose colours the loader has, at most one for each of its objects.
    private static func usable(_ analysis: ClipAnalysis, _ objects: [MovingObject]) -> [Int] {
        let alone = analysis.objects.indices.filter { index in
            LoaderFit.assignment(objects, to: [analysis.objects[index]], over: analysis.background) != nil
        }
        return Array(alone.sorted { analysis.objects[$0].area > analysis.objects[$1].area }.prefix(objects.count))
            .sorted()
    }
}

/// How far a clip's objects are from a loader's in every picture that shows them.
private struct Deviations {
    /// Root of the mean square of all distances, in points.
    let rms: Double
    let phases: [ClipComparison.PhaseDeviation]
    let worst: ClipComparison.WorstFrame

    init(_ subject: LoaderFit.Subject, _ fit: LoaderFit, _ loader: any Loader) {
        var sums = loader.phases.map { _ in (square: 0.0, count: 0, max: 0.0) }
        var worst = ClipComparison.WorstFrame(frame: 0, time: 0, object: subject.names[0], deviation: -1)
        for (track, name) in subject.names.enumerated() {
            for (k, time) in subject.times.enumerated()
            where subject.weights[track][k] > ClipComparison.leastVisibility {
                let instant = fit.start + fit.speed * time
                let expected = fit.origin + subject.position(track, at: instant) * fit.scale
                let deviation = subject.positions[track][k].distance(to: expected) / max(1e-9, fit.scale)
                let phase = loader.phase(atSeconds: instant)
                sums[phase].square += deviation * deviation
                sums[phase].count += 1
                sums[phase].max = max(sums[phase].max, deviation)
                if deviation > worst.deviation {
                    worst = ClipComparison.WorstFrame(frame: k, time: time, object: name, deviation: deviation)
                }
            }
        }
        self.worst = worst
        let total = sums.reduce((square: 0.0, count: 0)) { ($0.square + $1.square, $0.count + $1.count) }
        rms = total.count > 0 ? (total.square / Double(total.count)).squareRoot() : .infinity
        phases = zip(loader.phases, sums).filter { $1.count > 0 }.map { phase, sum in
            ClipComparison.PhaseDeviation(
                phase: phase.index, name: phase.name.english, rms: (sum.square / Double(sum.count)).squareRoot(),
                max: sum.max)
        }
    }
}

extension Loader {
    /// The index of the phase at a time in seconds, before the first period and after it as well.
    func phase(atSeconds time: Double) -> Int {
        let period = self.period.double
        let instant = time - (time / period).rounded(.down) * period
        return phases.last { $0.start.double <= instant }?.index ?? 0
    }
}
