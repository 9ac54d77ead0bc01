import Loaders
import Scene

/// A loader laid over a clip's tracks.
public struct LoaderMatch: Sendable {
    /// The loader's id.
    public let loader: String
    /// Pixels of the clip per point of the canvas.
    public let scale: Double
    /// Seconds of model time per second of the clip: 1 at normal speed, 1/4 at four times slower.
    public let speed: Double
    /// Model time in seconds at the clip's first picture, in 0..<period.
    public let start: Double
    /// Where the canvas's upper left corner lies, in pixels of the clip.
    public let origin: Point
    /// Distance of the tracks from the loader's objects, rms in pixels of the clip.
    public let rmsPx: Double

    init(_ id: String, _ fit: LoaderFit) {
        (loader, scale, speed, start) = (id, fit.scale, fit.speed, fit.start)
        (origin, rmsPx) = (fit.origin, fit.rms)
    }

    /// The tracks of a match may stray so far, rms, as a fraction of the largest distance that an object covers.
    private static let tolerance = 0.02

    /// The known loader that a clip shows; nil if it shows none of them.
    ///
    /// All of the loader's objects must be there, in their colours, on its course for at least half a period.
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

    /// A loader's fit, and how far it strays as a fraction of the largest distance that an object covers; nil if it is not
    /// the clip's.
    private static func fit(_ loader: any Loader, to analysis: ClipAnalysis) -> (LoaderFit, error: Double)? {
        let tracks = analysis.phases?.members ?? Array(analysis.objects.indices)
        guard loader.objects(at: 0).count == tracks.count,
            let subject = LoaderFit.Subject(loader, tracks: tracks, of: analysis), subject.range > 1
        else { return nil }
        let fit = LoaderFit.best(subject, speeds: subject.speeds)
        guard fit.scale > 0, fit.showsEnough(of: subject) else { return nil }
        return (fit, fit.rms / (fit.scale * subject.range))
    }
}

extension ClipAnalysis {
    /// The loader's names for the clip's objects, by their colours; nil if one has none of them.
    package func names(in loader: any Loader) -> [String]? {
        let known = loader.objects(at: 0)
        return LoaderFit.assignment(known, to: objects, over: background)?.map { known[$0].name }
    }
}
