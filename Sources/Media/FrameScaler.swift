import CLibAV
import Core

/// A converter of decoded frames, or a region of them, to straight RGBA of one size, with a
/// reusable buffer.
///
/// Uses the frames' own matrix, range and palette. Not thread-safe.
package final class FrameScaler {
    /// The width of the result in pixels.
    package let width: Int
    /// The height of the result in pixels.
    package let height: Int
    private let region: PixelRect?
    private let blurSigma: Float
    /// A second reference to the frame, so that cropping does not change the caller's frame.
    private let croppedFrame: VideoFrame
    private var context: OpaquePointer?
    private var source: (format: PixelFormat, width: Int, height: Int, matrix: UInt32, range: UInt32)?
    private var pixels: UnsafeMutableBufferPointer<UInt8>

    /// A scaler to bitmaps of one size.
    ///
    /// - Parameters:
    ///   - width: the width of the result in pixels, at least 1.
    ///   - height: the height of the result in pixels, at least 1.
    ///   - region: the region to scale, in pixels of the source; nil for the whole frame. It must
    ///     lie within the source.
    ///   - blurSigma: the standard deviation in source pixels of a Gaussian blur before scaling,
    ///     0...10; 0 for none.
    package init(
        width: Int, height: Int, region: PixelRect? = nil, blurSigma: Double = 0
    ) throws(FFmpegError) {
        precondition(width > 0 && height > 0 && (0...10).contains(blurSigma), "invalid scaler parameters")
        self.width = width
        self.height = height
        self.region = region
        self.blurSigma = Float(blurSigma)
        _ = FFmpegLog.silenced
        croppedFrame = try VideoFrame()
        pixels = .allocate(capacity: 4 * width * height)
        pixels.initialize(repeating: 0)
    }

    deinit {
        lv_sws_free_context(context)
        pixels.deallocate()
    }

    /// Returns the scaled frame as RGBA without row padding; valid until the next call, while the
    /// scaler lives. Throws an `FFmpegError` if the region is not within the frame, or if FFmpeg
    /// cannot convert the frame.
    package func rgba(_ frame: VideoFrame) throws(FFmpegError) -> UnsafeBufferPointer<UInt8> {
        let operation = "convert \(frame.format) to rgba"
        let frame = frame.format.isWideRGB ? try frame.narrowed() : frame
        try check(av_frame_ref(croppedFrame.frame, frame.frame), operation)
        defer { av_frame_unref(croppedFrame.frame) }
        if let region {
            guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
                region.x + region.width <= frame.width, region.y + region.height <= frame.height
            else { throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation) }
            croppedFrame.frame.pointee.crop_left = region.x
            croppedFrame.frame.pointee.crop_top = region.y
            croppedFrame.frame.pointee.crop_right = frame.width - region.x - region.width
            croppedFrame.frame.pointee.crop_bottom = frame.height - region.y - region.height
            try check(av_frame_apply_cropping(croppedFrame.frame, Int32(AV_FRAME_CROP_UNALIGNED)), operation)
        }
        let context = try context(for: croppedFrame, operation)
        let stride = Int32(4 * width)
        let status = withUnsafePointer(to: pixels.baseAddress) { target in
            withUnsafePointer(to: stride) { targetStride in
                UnsafeRawPointer(croppedFrame.planePointers).withMemoryRebound(
                    to: Optional<UnsafePointer<UInt8>>.self, capacity: 4
                ) { planes in
                    lv_sws_scale(
                        context, planes, croppedFrame.stridePointer, 0, Int32(croppedFrame.height), target,
                        targetStride)
                }
            }
        }
        try check(status, operation)
        return UnsafeBufferPointer(pixels)
    }

    /// Returns a swscale context for a frame. Reuses the last one if size, format and colours are
    /// equal.
    private func context(for frame: VideoFrame, _ operation: String) throws(FFmpegError) -> OpaquePointer {
        let details = frame.frame.pointee
        let key = (
            frame.format, frame.width, frame.height, details.colorspace.rawValue, details.color_range.rawValue
        )
        if let context, let source, source == key { return context }
        lv_sws_free_context(context)
        context = nil
        let isSmaller = width < frame.width || height < frame.height
        let flags = (isSmaller ? LV_SWS_AREA : LV_SWS_BILINEAR) | LV_SWS_ACCURATE_RND | LV_SWS_FULL_CHR_H_INT
        let filter = blurSigma > 0 ? sws_getDefaultFilter(blurSigma, blurSigma, 0, 0, 0, 0, 0) : nil
        defer { sws_freeFilter(filter) }
        let newContext = try unwrap(
            lv_sws_get_context(
                Int32(frame.width), Int32(frame.height), frame.format.format, Int32(width), Int32(height),
                AV_PIX_FMT_RGBA, flags, filter), operation)
        if !frame.format.isRGB {
            let unspecified = details.colorspace == AVCOL_SPC_UNSPECIFIED
            let matrix = sws_getCoefficients(unspecified ? SWS_CS_ITU601 : Int32(details.colorspace.rawValue))
            let isFull = details.color_range == AVCOL_RANGE_JPEG || frame.format.isFullRange
            // Ignores the status, since grey formats have no matrix and return an error.
            _ = lv_sws_set_matrix(newContext, matrix, isFull ? 1 : 0, 1)
        }
        context = newContext
        source = key
        return newContext
    }
}
