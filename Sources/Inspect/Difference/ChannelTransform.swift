import Core
import Media

/// A linear mapping of the differences of four channels to those of red, green, blue and alpha.
struct ChannelTransform: Sendable {
    /// The coefficients of each output.
    let rows: [SIMD4<Float>]

    static let identity = ChannelTransform(
        rows: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])

    /// The planar formats of 8 bits without alpha.
    private static let formats: Set = [
        "yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "yuv440p", "yuvj440p", "gray",
    ]

    private init(rows: [SIMD4<Float>]) { self.rows = rows }

    /// The mapping of two frames in the same planar YUV format with the same matrix and range; nil
    /// if formats, matrices or ranges differ.
    init?(_ a: VideoFrame, _ b: VideoFrame) {
        guard a.format == b.format, Self.formats.contains(a.format.description) else { return nil }
        let tags = a.colorTags
        let otherTags = b.colorTags
        guard tags.matrix == otherTags.matrix, tags.range == otherTags.range, let lumaWeights = a.lumaWeights else {
            return nil
        }
        let weights = (red: Float(lumaWeights.red), blue: Float(lumaWeights.blue))
        let isFull = a.isFullRange
        // BT.709, section 3: 219 steps of luma and 224 of chroma in limited range.
        let luma: Float = isFull ? 1 : 255 / 219
        let chroma: Float = isFull ? 1 : 255 / 224
        let red = 2 * (1 - weights.red) * chroma
        let blue = 2 * (1 - weights.blue) * chroma
        let green = 1 - weights.red - weights.blue
        rows = [
            [luma, 0, red, 0],
            [luma, -blue * weights.blue / green, -red * weights.red / green, 0],
            [luma, blue, 0, 0],
        ]
    }

    /// Returns the outputs for the sums of a cell.
    @inline(__always)
    func applied(to sums: SIMD4<Float>) -> SIMD4<Float> {
        var result = SIMD4<Float>(repeating: 0)
        for (index, row) in rows.enumerated() { result[index] = (row * sums).sum() }
        return result
    }

    /// Returns the coefficient of the product of two channels in the sum of the squared outputs.
    func product(_ i: Int, _ j: Int) -> Double { rows.reduce(0) { $0 + Double($1[i]) * Double($1[j]) } }
}
