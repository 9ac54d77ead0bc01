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
func hex(_ color: SIMD3<Float>) -> String { hex((0..<3).map { Double(color[$0]) }) }

/// Returns the codes of red, green, blue and, if given, alpha as CSS writes them.
func hex(_ codes: [Double]) -> String {
    "#"
        + codes.map { code in
            let text = String(Int(min(255, max(0, code)).rounded()), radix: 16)
            return text.count < 2 ? "0" + text : text
        }.joined()
}
