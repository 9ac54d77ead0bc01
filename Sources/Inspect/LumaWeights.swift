import Core
import Media

extension VideoFrame {
    /// The weights of red and blue in luma of BT.601.
    static let bt601Weights = (red: 0.299, blue: 0.114)
    /// The weights by FFmpeg's name of a matrix (BT.709, BT.601, BT.2020).
    private static let lumaWeights: [String: (red: Double, blue: Double)] = [
        "bt709": (BT709.red, BT709.blue), "smpte170m": bt601Weights, "bt470bg": bt601Weights,
        "bt2020nc": (0.2627, 0.0593),
    ]

    /// The weights of red and blue in the frame's luma; nil if its matrix is unknown. Frames
    /// without a matrix have that of BT.601, as `FrameScaler` converts them.
    var lumaWeights: (red: Double, blue: Double)? { Self.lumaWeights[colorTags.matrix ?? "smpte170m"] }

    /// True if the samples use all codes.
    var isFullRange: Bool { colorTags.range == "pc" || format.isFullRange }
}

extension ColorMatrix {
    /// Creates the matrix with FFmpeg's name; nil for those that cannot be written. FFmpeg reads
    /// YUV without a matrix as BT.601.
    init?(tag: String?) {
        switch tag {
        case "bt709": self = .bt709
        case "bt470bg", "smpte170m", nil: self = .bt601
        default: return nil
        }
    }
}
