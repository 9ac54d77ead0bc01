import Animations
import Core
import Render

/// The deviations of a clip's tracks from the loader that it should show.
package struct LoaderAlignment: Sendable {
    /// The distances between the objects and the loader's objects in one phase, in points of the
    /// canvas.
    package struct PhaseDeviation: Encodable, Sendable {
        /// The index of the phase, counted from 0.
        package let phase: Int
        /// Its name.
        package let name: String
        /// The rms distance.
        package let rms: Double
        /// The largest distance.
        package let max: Double
    }

    /// The frame with the largest deviation.
    package struct WorstFrame: Encodable, Sendable {
        /// Its index, counted from 0.
        package let frame: Int
        /// Its time in seconds.
        package let time: Double
        /// The loader's name for the object.
        package let object: String
        /// The distance between the object and its expected position, in points.
        package let deviation: Double
    }

    /// The speed, start, scale and position at which the loader fits best.
    package let match: LoaderMatch
    /// The rms distance of all objects, in points.
    package let rms: Double
    /// The deviation in each phase of the loader that the clip shows.
    package let phases: [PhaseDeviation]
    /// The frame with the largest deviation.
    package let worst: WorstFrame

    /// Returns true if a loader's positions can be compared: all its objects are balls, whose
    /// centres are tracked. For lines, drops and images the tracker follows the centre of the
    /// visible area, which no loader defines.
    package static func canCompare(_ loader: any Loader) -> Bool {
        let objects = loader.objects(at: 0)
        return !objects.isEmpty && objects.allSatisfy { $0.step != nil }
    }

    /// Throws `LoadervidError` of kind `badData` if the positions of the loader cannot be compared.
    /// The message lists the loaders that can.
    static func check(_ loader: any Loader) throws {
        guard !canCompare(loader) else { return }
        let known = LoaderCatalog.current.definitions.filter { (try? $0.make()).map(canCompare) ?? false }
        let ids = known.map { $0.id }.joined(separator: ", ")
        throw LoadervidError(
            .badData, "the loader has no moving balls whose positions can be compared; use one of \(ids)")
    }

    /// Fits a loader to the tracks of a clip. Throws `LoadervidError` of kind `badData` if the
    /// loader cannot be compared, or if the clip does not show all its objects in their colours and
    /// on their paths.
    package init(_ analysis: ClipAnalysis, id: String, loader: any Loader) throws {
        try LoaderAlignment.check(loader)
        let objects = loader.objects(at: 0)
        let tracks = LoaderAlignment.matchingTracks(analysis, objects)
        guard tracks.count == objects.count,
            let samples = LoaderFit.MotionSamples(loader, tracks: tracks, of: analysis)
        else { throw LoaderAlignment.colorMismatch(analysis, id, objects) }
        // A ball farther away than half its radius is a different motion, not an inaccurate one.
        let maxRMS = (objects.map(\.radius).min() ?? 0) / 2
        var fit = LoaderFit.best(samples, speeds: samples.speeds)
        var deviations = Deviations(samples, fit, loader)
        if deviations.rms > maxRMS, !samples.speeds.isEmpty {
            fit = LoaderFit.best(samples, speeds: [])
            deviations = Deviations(samples, fit, loader)
        }
        guard fit.scale > 0, deviations.rms <= maxRMS else {
            throw LoadervidError(
                .badData,
                "the clip's objects do not move like those of \(id): even the best fit exceeds the maximum rms "
                    + "distance of \(maxRMS.roundedToThousandths) points, half a ball's radius; compare another loader")
        }
        guard fit.showsEnough(of: samples) else {
            throw LoadervidError(
                .badData,
                "the clip shows less than half a period of \(id), which fits at many speeds; use a longer clip")
        }
        match = LoaderMatch(id, fit)
        rms = deviations.rms
        worst = deviations.worst
        phases = deviations.phases
    }

    private static func colorMismatch(
        _ analysis: ClipAnalysis, _ id: String, _ objects: [MovingObject]
    ) -> LoadervidError {
        let colors = analysis.objects.map(\.color.hexString).joined(separator: ", ")
        let expectedColors = objects.map { "\($0.name) \($0.color.hexString)" }.joined(separator: ", ")
        return LoadervidError(
            .badData,
            "the clip's objects (\(colors)) are not those of \(id) (\(expectedColors))", hint: .otherColors)
    }

    /// Returns the tracks whose colours the loader has, at most one for each of its objects.
    private static func matchingTracks(_ analysis: ClipAnalysis, _ objects: [MovingObject]) -> [Int] {
        let alone = analysis.objects.indices.filter { index in
            LoaderFit.assignment(objects, to: [analysis.objects[index]], over: analysis.background) != nil
        }
        return Array(alone.sorted { analysis.objects[$0].area > analysis.objects[$1].area }.prefix(objects.count))
            .sorted()
    }
}

/// The distances between a clip's objects and a loader's in every frame that shows them.
private struct Deviations {
    /// The rms distance of all objects, in points.
    let rms: Double
    let phases: [LoaderAlignment.PhaseDeviation]
    let worst: LoaderAlignment.WorstFrame

    init(_ samples: LoaderFit.MotionSamples, _ fit: LoaderFit, _ loader: any Loader) {
        var sums = loader.phases.map { _ in (square: 0.0, count: 0, max: 0.0) }
        var worst = LoaderAlignment.WorstFrame(frame: 0, time: 0, object: samples.names[0], deviation: -1)
        for (track, name) in samples.names.enumerated() {
            for (k, time) in samples.times.enumerated()
            where samples.weights[track][k] > TrackedObject.minVisibility {
                let instant = fit.start + fit.speed * time
                let expected = fit.origin + samples.position(track, at: instant) * fit.scale
                let deviation = samples.positions[track][k].distance(to: expected) / max(1e-9, fit.scale)
                let phase = loader.phase(atSeconds: instant)
                sums[phase].square += deviation * deviation
                sums[phase].count += 1
                sums[phase].max = max(sums[phase].max, deviation)
                if deviation > worst.deviation {
                    worst = LoaderAlignment.WorstFrame(frame: k, time: time, object: name, deviation: deviation)
                }
            }
        }
        self.worst = worst
        let total = sums.reduce((square: 0.0, count: 0)) { ($0.square + $1.square, $0.count + $1.count) }
        rms = total.count > 0 ? (total.square / Double(total.count)).squareRoot() : .infinity
        phases = zip(loader.phases, sums).filter { $1.count > 0 }.map { phase, sum in
            LoaderAlignment.PhaseDeviation(
                phase: phase.index, name: phase.name.english, rms: (sum.square / Double(sum.count)).squareRoot(),
                max: sum.max)
        }
    }
}
