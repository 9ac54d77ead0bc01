import Core
import Render

/// Options for the comparison of a recording with a loader.
package struct JudgeOptions: Sendable {
    /// The maximum differences that are ignored.
    package var tolerance = JudgeTolerance()
    /// The part of the recording that shows the loader, in pixels; nil to search for it.
    package var crop: PixelRect?
    /// The start of the judged part of the recording in seconds.
    package var from: Double?
    /// The end of the judged part of the recording in seconds.
    package var to: Double?
    /// Pixels of the recording per point. If nil, a device's scale is expected, and any scale of a
    /// Lottie file.
    package var scale: Double?
    /// Seconds of model time per second of the recording.
    package var speed = 1.0
    /// True if a late start and an early end are differences.
    package var isStrict = false
    /// The limits for reading the recording.
    package var limits = ClipLimits()

    package init() {}
}

/// The maximum differences from a loader that are ignored.
package struct JudgeTolerance: Sendable, Hashable {
    /// A length in points. Half a point is a pixel of a display at 2x.
    package var points = 0.5
    /// A time in milliseconds. A display at 60 Hz shows a frame for 16.7 ms.
    package var milliseconds = 17.0
    /// A CIEDE2000 distance. Correct recordings at crf 38 stay below it in `scripts/test-judge`.
    package var color = 5.0

    package init() {}
}

extension Hint {
    /// Returns the remedy for a recording in which the loader is not found.
    static func part(_ options: JudgeOptions) -> Hint { options.crop == nil ? .judgedPart : .otherPart }
}
