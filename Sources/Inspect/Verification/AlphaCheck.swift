/// The check of a clip's transparency: whether it is used, and whether its alpha is straight or
/// premultiplied.
///
/// At the edge of an object, a half-transparent pixel has the object's colour with straight alpha
/// and half of it with premultiplied alpha. The check compares such pixels with the nearest opaque
/// ones.
struct AlphaCheck {
    /// The relation between colour and alpha.
    enum Kind: String {
        case straight, premultiplied
        /// The colours do not show which, for example because objects are black.
        case unknown
    }

    private(set) var isUsed = false
    /// The sum of luma differences between edge pixels and opaque ones, if alpha is straight.
    private var straightError = 0
    /// The sum of luma differences between edge pixels and opaque ones, if alpha is premultiplied.
    private var premultipliedError = 0
    /// The number of compared edge pixels.
    private var edgeCount = 0

    /// The minimum number of compared edge pixels. With fewer, the kind of alpha stays unknown.
    private static let minEdgeCount = 24
    /// The alpha below which a pixel counts as transparent, and the minimum alpha of an opaque
    /// pixel. The margins exceed the noise of encoders.
    private static let maxTransparentAlpha: UInt8 = 24
    private static let minOpaqueAlpha: UInt8 = 250
    /// The alpha of the pixels that are compared. In more opaque ones, colours hardly differ.
    private static let comparedAlphas = maxTransparentAlpha..<232

    /// Adds the pixels of a frame with straight alpha.
    mutating func add(_ rgba: [UInt8], width: Int, height: Int) {
        rgba.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let index = 4 * (y * width + x)
                    let alpha = pixels[index + 3]
                    guard alpha != 255 else { continue }
                    isUsed = true
                    guard Self.comparedAlphas.contains(alpha), x >= 2, y >= 2, x < width - 2,
                        y < height - 2
                    else { continue }
                    compare(pixels, index, width)
                }
            }
        }
    }

    /// Returns the offset of an opaque pixel up to two pixels away, if the other side is
    /// transparent: on a translucent background, a pixel also has the background's colour. Nil if
    /// there is none.
    private static func opaqueOffset(
        from index: Int, in pixels: UnsafeBufferPointer<UInt8>, _ width: Int
    ) -> Int? {
        for distance in 1...2 {
            for step in [4, -4, 4 * width, -4 * width]
            where pixels[index + distance * step + 3] >= minOpaqueAlpha
                && pixels[index - 2 * step + 3] < maxTransparentAlpha
            {
                return distance * step
            }
        }
        return nil
    }

    private mutating func compare(_ pixels: UnsafeBufferPointer<UInt8>, _ index: Int, _ width: Int) {
        guard let offset = Self.opaqueOffset(from: index, in: pixels, width) else { return }
        // The check uses luma, ten times in codes, because subsampled chroma mixes with the
        // neighbours.
        func luma(_ index: Int) -> Int {
            2 * Int(pixels[index]) + 7 * Int(pixels[index + 1]) + Int(pixels[index + 2])
        }
        let color = luma(index)
        let opaque = luma(index + offset)
        straightError += abs(color - opaque)
        premultipliedError += abs(color - opaque * Int(pixels[index + 3]) / 255)
        edgeCount += 1
    }

    var kind: Kind {
        guard edgeCount >= Self.minEdgeCount, abs(straightError - premultipliedError) > 100 * edgeCount else {
            return .unknown
        }
        if premultipliedError * 5 < straightError * 2 { return .premultiplied }
        return straightError < premultipliedError ? .straight : .unknown
    }
}
