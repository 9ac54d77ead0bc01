import Core

/// A part of a clip that was not reconstructed.
package struct ReconstructionGap: Sendable {
    /// The object and the reason.
    package var text: String
    /// The first time at which it is seen, in seconds.
    package var time: Double
    /// True if the result is wrong, rather than incomplete.
    package var isMisunderstood = false
}

/// A clip as shapes with keyframes.
///
/// The thresholds of the reconstruction have no measurements of their own.
/// `scripts/test-judge --analyze` and `scripts/analysis-matrix.py` check their combined effect.
package struct Reconstruction: Sendable {
    /// The size of the clip in pixels.
    package var width: Int
    package var height: Int
    /// The clip's frames per second.
    package var frameRate: Double
    /// The reconstructed duration in seconds: the period, or the whole clip if it does not repeat.
    package var duration: Double
    /// The period in seconds; nil if the clip does not show that it repeats.
    package var period: Double?
    /// True if the last frame leads to the first.
    package var isLoop: Bool
    package var background: Color
    /// The objects from the lowest to the topmost.
    package var objects: [ReconstructedObject]
    /// The order of painting by time; empty if it is that of the objects.
    var stackingOrder: [StackingOrder.Interval] = []
    /// The parts that were not reconstructed, by time.
    package var gaps: [ReconstructionGap]
    /// The PSNR of understood objects and the clip in dB over the drawn pixels; nil for traced
    /// ones.
    var decibels: Double?
}

extension Reconstruction {
    /// Returns the times of the keyframes that curves share in a file: the ends of the clip, and
    /// all keyframes between them.
    func keyTimes(of curves: [KeyframeCurve]) -> [Double] {
        let own = Set(curves.filter { !$0.isConstant }.flatMap { $0.keys.map(\.time) })
        return own.union([0, duration]).filter((0...duration).contains).sorted()
    }
}
