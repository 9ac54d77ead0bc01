import Loaders
import Motion
import Scene

/// A loader laid over a clip's tracks.
public struct LoaderMatch: Sendable {
    /// The loader's id.
    public let loader: String
    /// Pixels of the clip per point of the stage.
    public let scale: Double
    /// Seconds of model time per second of the clip: 1 at normal speed, 1/4 at four times slower.
    public let speed: Double
    /// Model time in seconds at the clip's first picture.
    public let start: Double
    /// Where the stage's upper left corner lies, in pixels of the clip.
    public let origin: Point
    /// Distance of the tracks from the loader's objects, rms in pixels of the clip.
    public let rmsPx: Double

    static func best(for analysis: ClipAnalysis) -> LoaderMatch? { nil }
}
