import Loaders
import Motion
import Pipeline
import Scene

/// How far a clip strays from a loader that it is meant to show.
public struct ClipComparison: Sendable {
    /// How far the objects are from the loader's during one of its phases, in points of the stage.
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
    /// The loader's objects that the clip has nothing for; the others were compared.
    public let missing: [String]
    /// The deviation in each phase of the loader that the clip shows.
    public let phases: [PhaseDeviation]
    /// The picture with the largest deviation.
    public let worst: WorstFrame

    /// Pictures in which an object is hidden by more than this are not compared.
    private static let leastVisibility = 0.05

    /// A deviation of this share of what the objects cover, rms, says that it is another motion.
    private static let nonsense = 0.3

    /// Lays a loader over the tracks of a clip. Throws `RenderError` of kind `badData` if the clip shows no objects of
    /// the loader's colours.
    public init(_ analysis: ClipAnalysis, id: String, loader: any Loader) throws {
        let objects = loader.objects(at: 0)
        let tracks = ClipComparison.usable(analysis, objects)
        guard !tracks.isEmpty,
            let chosen = LoaderFit.assignment(
                objects, to: tracks.map { analysis.objects[$0] }, over: analysis.background)
        else {
            let colors = analysis.objects.map(\.color.hexString).joined(separator: ", ")
            let wanted = objects.map { "\($0.name) \($0.color.hexString)" }.joined(separator: ", ")
            throw RenderError(
                .badData, "the clip's objects (\(colors)) have not the colours of \(id) (\(wanted)): compare another")
        }
        missing = objects.indices.filter { !chosen.contains($0) }.map { objects[$0].name }
        let subject = LoaderFit.Subject(loader, tracks: tracks, objects: chosen, of: analysis)
        let fit = LoaderFit.best(subject, speeds: [])
        guard fit.scale > 0 else { throw RenderError(.badData, "the clip's objects do not move as those of \(id) do") }
        match = LoaderMatch(id, fit)
        var sums = loader.phases.map { _ in (square: 0.0, count: 0, max: 0.0) }
        var worst = WorstFrame(frame: 0, time: 0, object: objects[chosen[0]].name, deviation: -1)
        for track in tracks.indices {
            for (k, time) in analysis.times.enumerated()
            where subject.weights[track][k] > ClipComparison.leastVisibility {
                let instant = fit.start + fit.speed * time
                let expected = fit.origin + subject.position(track, at: instant) * fit.scale
                let deviation = subject.positions[track][k].distance(to: expected) / fit.scale
                let phase = ClipComparison.phase(of: loader, at: instant)
                sums[phase].square += deviation * deviation
                sums[phase].count += 1
                sums[phase].max = Swift.max(sums[phase].max, deviation)
                if deviation > worst.deviation {
                    worst = WorstFrame(
                        frame: k, time: time, object: objects[chosen[track]].name, deviation: deviation)
                }
            }
        }
        self.worst = worst
        let total = sums.reduce((square: 0.0, count: 0)) { ($0.square + $1.square, $0.count + $1.count) }
        rms = (total.square / Double(Swift.max(1, total.count))).squareRoot()
        guard rms < ClipComparison.nonsense * subject.range else {
            let distance = "\((rms * 10).rounded() / 10) pt"
            throw RenderError(
                .badData, "the clip's objects do not move as those of \(id) do: they are \(distance) off, rms")
        }
        phases = zip(loader.phases, sums).filter { $1.count > 0 }.map { phase, sum in
            PhaseDeviation(
                phase: phase.index, name: phase.name, rms: (sum.square / Double(sum.count)).squareRoot(), max: sum.max)
        }
    }

    /// The tracks whose colours the loader has, at most one for each of its objects.
    private static func usable(_ analysis: ClipAnalysis, _ objects: [MovingObject]) -> [Int] {
        let alone = analysis.objects.indices.filter { index in
            LoaderFit.assignment(objects, to: [analysis.objects[index]], over: analysis.background) != nil
        }
        return Array(alone.sorted { analysis.objects[$0].area > analysis.objects[$1].area }.prefix(objects.count))
            .sorted()
    }

    private static func phase(of loader: any Loader, at time: Double) -> Int {
        let period = loader.period.double
        let instant = time - (time / period).rounded(.down) * period
        return loader.phases.last { $0.start.double <= instant }?.index ?? 0
    }
}
