import Animations
import Core

/// A loader that fits the tracks of a clip.
package struct LoaderMatch: Sendable {
    /// The id of the loader.
    package let loader: String
    /// Pixels of the clip per point of the canvas.
    package let scale: Double
    /// Seconds of model time per second of the clip: 1 at normal speed, 1/4 if the clip is four
    /// times slower.
    package let speed: Double
    /// The model time of the clip's first frame in seconds, in 0..<period.
    package let start: Double
    /// The upper left corner of the canvas in pixels of the clip.
    package let origin: Point
    /// The rms distance between the tracks and the loader's objects in pixels of the clip.
    package let rmsPx: Double

    init(_ id: String, _ fit: LoaderFit) {
        loader = id
        scale = fit.scale
        speed = fit.speed
        start = fit.start
        origin = fit.origin
        rmsPx = fit.rms
    }

    /// The maximum rms distance of a match, as a fraction of the largest extent of any object's
    /// path. On a path of 100 pixels it is four times the error of tracking.
    private static let tolerance = 0.02

    /// Returns the known loader that a clip shows; nil if there is none.
    ///
    /// All objects of the loader must be visible, in their colours and on their paths, for at least
    /// half a period.
    static func best(for analysis: ClipAnalysis) -> LoaderMatch? {
        var best: (match: LoaderMatch, error: Double)?
        for definition in LoaderCatalog.current.definitions {
            guard let loader = try? definition.make(), let (fit, error) = fit(loader, to: analysis),
                error < tolerance, error < best?.error ?? .infinity
            else { continue }
            best = (LoaderMatch(definition.id, fit), error)
        }
        return best?.match
    }

    /// Returns the fit of a loader and its rms distance as a fraction of the largest extent of any
    /// object's path; nil if the loader does not fit.
    private static func fit(_ loader: any Loader, to analysis: ClipAnalysis) -> (LoaderFit, error: Double)? {
        let tracks = analysis.phases?.members ?? Array(analysis.objects.indices)
        guard loader.objects(at: 0).count == tracks.count,
            let samples = LoaderFit.MotionSamples(loader, tracks: tracks, of: analysis), samples.range > 1
        else { return nil }
        let fit = LoaderFit.best(samples, speeds: samples.speeds)
        guard fit.scale > 0, fit.showsEnough(of: samples) else { return nil }
        return (fit, fit.rms / (fit.scale * samples.range))
    }
}

extension ClipAnalysis {
    /// Returns the loader's names for the clip's objects, by colour; nil if an object has none of
    /// the loader's colours.
    package func names(in loader: any Loader) -> [String]? {
        let known = loader.objects(at: 0)
        return LoaderFit.assignment(known, to: objects, over: background)?.map { known[$0].name }
    }
}
