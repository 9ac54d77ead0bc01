import CLibAV
import Scene

/// Converts boxes of one size from BGRA with swscale: limited range and matrix told explicitly.
///
/// swscale takes pictures from their upper edge on only, so that a box needs a context of its own size.
final class BoxScaler {
    private let context: OpaquePointer
    private let target: PixelFormat

    /// A scaler for boxes of a size in pixels.
    ///
    /// AREA with accurate rounding and full chroma input is the exact choice: chroma is the mean of the pixels it
    /// stands for, and flat colours are within one code of the rounded value.
    init(width: Int, height: Int, to target: PixelFormat, matrix: ColorMatrix) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "convert \(width)x\(height) to \(target)"
        let flags = LV_SWS_AREA | LV_SWS_ACCURATE_RND | LV_SWS_FULL_CHR_H_INP
        context = try unwrap(
            lv_sws_get_context(
                Int32(width), Int32(height), AV_PIX_FMT_BGRA, Int32(width), Int32(height), target.format,
                flags, nil), operation)
        self.target = target
        // Without a word from us swscale takes BT.601. Between RGB formats there is no matrix to tell.
        guard !target.isRGB else { return }
        let coefficients = sws_getCoefficients(Int32(matrix.space.rawValue))
        let range: Int32 = target.isFullRange ? 1 : 0
        try check(
            lv_sws_set_matrix(context, coefficients, 1, range), operation)
    }

    deinit { lv_sws_free_context(context) }

    /// Converts a box of a picture to the upper left corner of `frame`, which may be written beyond the box: swscale ends
    /// rows with whole vectors.
    func convert(
        _ data: UnsafePointer<UInt8>, _ stride: Int, _ box: PixelRect, into frame: VideoFrame
    ) throws(FFmpegError) {
        let corner: UnsafePointer<UInt8>? = data + box.y * stride + 4 * box.x
        let status = withUnsafePointer(to: corner) { source in
            withUnsafePointer(to: Int32(stride)) { sourceStride in
                lv_sws_scale(
                    context, source, sourceStride, 0, Int32(box.height), frame.planePointers, frame.stridePointer)
            }
        }
        try check(status, "convert a picture to \(target)")
    }
}
