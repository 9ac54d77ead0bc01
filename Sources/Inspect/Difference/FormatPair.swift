import Media

/// The relation between the sample formats of two clips.
struct FormatPair {
    /// True if the formats can store the same frame without any difference: both store RGB or gray,
    /// or both the same YUV.
    let canBeEqual: Bool
    /// The maximum difference of flat areas, in codes of 8 bits, if the same colour is rounded to
    /// both formats; 0 for equal formats.
    let rounding: Double

    /// The largest change of a channel by rounding luma and chroma of 8 bits to whole codes: half a
    /// step of luma, 255/219, and of chroma, 255/224 times the largest factor of BT.709, 1.8556.
    private static let maxChange8 = 0.5 * (255.0 / 219 + 255.0 / 224 * 1.8556)
    /// The change by rounding the channel itself.
    private static let maxRGBChange = 0.5

    /// Creates a pair from one frame of each clip.
    init(_ a: VideoFrame, _ b: VideoFrame) {
        let isSame =
            a.format == b.format && a.colorTags.matrix == b.colorTags.matrix && a.isFullRange == b.isFullRange
        canBeEqual = isSame || !a.format.isYUV && !b.format.isYUV
        rounding = isSame ? 0 : Self.rounding(a.format) + Self.rounding(b.format)
    }

    private static func rounding(_ format: PixelFormat) -> Double {
        guard format.isYUV else { return 0 }
        return maxChange8 / Double(1 << max(0, format.depth - 8)) + maxRGBChange
    }
}

extension PixelFormat {
    /// True if the format stores luma and chroma.
    fileprivate var isYUV: Bool { !isRGB && !isGray && !isPaletted }
}

extension VideoFrame {
    /// True if the frame stores alpha. In RGB of 8 bits, only if a pixel is not opaque: GIF and
    /// WebP always decode to a format with alpha.
    var isTranslucent: Bool {
        let offsets = ["rgba": 3, "bgra": 3, "argb": 0, "abgr": 0]
        guard let offset = offsets[format.description], let (data, stride) = plane(0) else {
            return format.hasAlpha || format.isPaletted
        }
        return (0..<height).contains { row in
            let pixels = data + row * stride + offset
            return (0..<width).contains { pixels[4 * $0] != 255 }
        }
    }
}
