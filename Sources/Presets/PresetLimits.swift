import Documents
import Media
import Scene

/// How much a preset may ask for. Presets may come from strangers: whoever trusts one raises the limits.
public struct PresetLimits: Sendable, Hashable {
    /// What a preset file may hold.
    public var document = DocumentLimits()
    /// Outputs of all presets together.
    public var outputs = 1000
    /// Frames in a clip.
    public var frames = 100_000
    /// Frames of all clips together.
    public var totalFrames = 2_000_000
    /// Pixels that are drawn for all presets together, in billions.
    public var gigapixels = 5000
    /// Pixels of a picture that a parameter names.
    public var picturePixels = Bitmap.mostPixels

    /// Files that one preset may extend, those that they extend included.
    static let extendedFiles = 32
    /// The limits as documented.
    public init() {}
}
