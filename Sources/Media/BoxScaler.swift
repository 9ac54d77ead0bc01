import CLibAV
import Core

/// A swscale converter from BGRA for boxes of one size, with an explicit matrix and range.
///
/// swscale always converts from the top row of a frame, so each size of box needs its own context.
final class BoxScaler {
    private let context: OpaquePointer
    private let target: PixelFormat

    /// A converter for boxes of a size in pixels. Throws an `FFmpegError` if swscale does not
    /// support the format.
    ///
    /// SWS_AREA with accurate rounding and full chroma input is exact: chroma is the mean of its
    /// pixels, and solid colours are within one code of the rounded value.
    ///
    /// - Parameter isFullRange: true for full range even if the format does not imply it.
    init(
        width: Int, height: Int, to target: PixelFormat, matrix: ColorMatrix, isFullRange: Bool = false
    ) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "convert \(width)x\(height) to \(target)"
        let flags = LV_SWS_AREA | LV_SWS_ACCURATE_RND | LV_SWS_FULL_CHR_H_INP
        context = try unwrap(
            lv_sws_get_context(
                Int32(width), Int32(height), AV_PIX_FMT_BGRA, Int32(width), Int32(height), target.format,
                flags, nil), operation)
        self.target = target
        // swscale's default is BT.601. Conversions between RGB formats have no matrix.
        guard !target.isRGB else { return }
        let coefficients = sws_getCoefficients(Int32(matrix.space.rawValue))
        let range: Int32 = isFullRange || target.isFullRange ? 1 : 0
        try check(
            lv_sws_set_matrix(context, coefficients, 1, range), operation)
    }

    deinit { lv_sws_free_context(context) }

    /// Converts a box of a bitmap to the upper left corner of `frame`. swscale may write beyond the
    /// box, since it processes rows in whole vectors.
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
        try check(status, "convert a frame to \(target)")
    }
}
