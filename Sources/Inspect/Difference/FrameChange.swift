import Core

/// A change between two frames in words, without its time.
struct FrameChange {
    let kind: ClipChange.Kind
    /// The words, for example "the object near (120, 80) is 6 px to the right".
    let text: String
    /// The bounds in both frames, in pixels.
    let box: PixelRect
    /// Changed pixels times the fraction of the full range by which they differ.
    let weight: Double
}

extension PixelRect {
    /// Returns the rectangle with a margin on all sides.
    func expanded(by margin: Int) -> PixelRect {
        PixelRect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }
}

/// Returns a colour as CSS writes it.
func hex(_ color: Channels) -> String { color.color.hexString }
