import Media

extension VideoFrame {
    /// The weights of red and blue in luma by FFmpeg's name of a matrix (BT.709, BT.601, BT.2020).
    private static let lumaWeights: [String: (red: Double, blue: Double)] = [
        "bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114), "bt470bg": (0.299, 0.114),
        "bt2020nc": (0.2627, 0.0593),
    ]

    /// The weights of red and blue in the frame's luma; nil if its matrix is unknown. Frames
    /// without a matrix have that of BT.601, as `FrameScaler` converts them.
    var lumaWeights: (red: Double, blue: Double)? { Self.lumaWeights[colorTags.matrix ?? "smpte170m"] }

    /// True if the samples use all codes.
    var isFullRange: Bool { colorTags.range == "pc" || format.isFullRange }
}
