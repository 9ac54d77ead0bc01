import Media

/// A decoded frame with its time.
struct DecodedFrame {
    /// The frame in the decoder's pixel format.
    let frame: VideoFrame
    /// A frame whose luma is the alpha channel, if the codec stores it separately.
    let alpha: VideoFrame?
    /// The presentation time in units of the stream's time base; nil if unknown.
    let time: Int64?
    /// The duration in the same units; 0 if unknown.
    let duration: Int64
    /// True for a keyframe of both the codec and the container.
    let isKey: Bool

    /// True if the pixel format has alpha.
    var hasAlpha: Bool { alpha != nil || frame.format.hasAlpha || frame.format.isPaletted }
}
