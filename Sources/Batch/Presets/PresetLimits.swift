import Core
import Explain
import Media

/// The limits for presets, which may be untrusted.
package struct PresetLimits: Sendable, Hashable {
    /// The limits for a preset file.
    package var document = DocumentLimits()
    /// The maximum number of outputs of all presets together.
    package var outputs = 1000
    /// The maximum number of frames in a clip.
    package var frames = 100_000
    /// The maximum number of frames of all clips together.
    package var totalFrames = 2_000_000
    /// The maximum number of pixels to draw for all presets together, in billions.
    package var gigapixels = 5000
    /// The maximum number of pixels in an image that a parameter names.
    package var imagePixels = Bitmap.maxPixels

    /// The maximum number of files that one preset may extend, directly and indirectly.
    static let extendedFiles = 32

    /// The default limits.
    package init() {}
}
