/// Detects whether a clip uses transparency, and whether its alpha is straight or premultiplied.
///
/// At the edge of an object, a half-transparent pixel has the object's colour with straight alpha
/// and half of it with premultiplied alpha. The check compares such pixels with the nearest opaque
/// ones.
struct AlphaCheck {
    /// The relation between colour and alpha.
    enum Kind: String {
        case straight, premultiplied
        /// The colours do not tell, for example because objects are black.
        case unknown
    }

    private(set) var isUsed = false
    /// The sum of luma differences between edge pixels and opaque ones, if alpha is straight.
    private var straightError = 0
    /// The same sum if alpha is premultiplied.
    private var multipliedError = 0
    /// The number of compared edge pixels.
    private var edgeCount = 0

    private static let minEdgeCount = 24
    /// The alpha below which a pixel counts as transparent, above the noise of encoders.
    private static let maxTransparentAlpha = 24

    /// Adds the pixels of a frame with straight alpha.
    mutating func add(_ rgba: [UInt8], width: Int, height: Int) {
        rgba.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let index = 4 * (y * width + x)
                    let alpha = pixels[index + 3]
                    guard alpha != 255 else { continue }
                    isUsed = true
                    guard (UInt8(Self.maxTransparentAlpha)..<232).contains(alpha), x >= 2, y >= 2, x < width - 2,
                        y < height - 2
                    else { continue }
                    compare(pixels, index, width)
                }
            }
        }
    }

    private mutating func compare(_ pixels: UnsafeBufferPointer<UInt8>, _ index: Int, _ width: Int) {
        let steps = [4, -4, 4 * width, -4 * width]
        let offsets = steps + steps.map { 2 * $0 }
        // Where the other side is not transparent, as on a translucent background, the pixel also
        // has the colour of that side.
        let found = zip(steps + steps, offsets).first { step, offset in
            pixels[index + offset + 3] >= 250 && pixels[index - 2 * step + 3] < Self.maxTransparentAlpha
        }
        guard let offset = found?.1 else { return }
        // The check uses luma, because subsampled chroma mixes with the neighbours.
        func luma(_ index: Int) -> Int {
            2 * Int(pixels[index]) + 7 * Int(pixels[index + 1]) + Int(pixels[index + 2])
        }
        let color = luma(index)
        let opaque = luma(index + offset)
        straightError += abs(color - opaque)
        multipliedError += abs(color - opaque * Int(pixels[index + 3]) / 255)
        edgeCount += 1
    }

    var kind: Kind {
        guard edgeCount >= Self.minEdgeCount, abs(straightError - multipliedError) > 100 * edgeCount else {
            return .unknown
        }
        if multipliedError * 5 < straightError * 2 { return .premultiplied }
        return straightError < multipliedError ? .straight : .unknown
    }
}
