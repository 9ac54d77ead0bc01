import CLibAV
import Scene

/// Turns decoded pictures, or a part of them, into straight RGBA of one size, with one buffer for all of them.
///
/// The colours' own description decides how they are read: matrix, range, palette. Not for use from two threads at once.
public final class FrameScaler {
    /// Width of the pictures it makes, in pixels.
    public let width: Int
    /// Height of the pictures it makes, in pixels.
    public let height: Int
    private let part: (x: Int, y: Int, width: Int, height: Int)?
    private let softness: Float
    private let view: VideoFrame
    private var context: OpaquePointer?
    private var source: (format: PixelFormat, width: Int, height: Int, matrix: UInt32, range: UInt32)?
    private var pixels: UnsafeMutableBufferPointer<UInt8>

    /// A scaler to pictures of one size.
    ///
    /// - Parameters:
    ///   - width: width of the pictures that it makes, in pixels, at least one.
    ///   - height: their height in pixels, at least one.
    ///   - part: what is shown, in pixels of the source; nil shows all. It must lie within the source.
    ///   - softness: standard deviation in source pixels of a Gaussian blur before scaling, 0...10; 0 leaves it out.
    public init(
        width: Int, height: Int, part: (x: Int, y: Int, width: Int, height: Int)? = nil, softness: Double = 0
    ) throws(FFmpegError) {
        precondition(width > 0 && height > 0 && (0...10).contains(softness), "a picture has pixels")
        (self.width, self.height, self.part, self.softness) = (width, height, part, Float(softness))
        _ = FFmpegLog.silenced
        view = try VideoFrame()
        pixels = .allocate(capacity: 4 * width * height)
        pixels.initialize(repeating: 0)
    }

    deinit {
        lv_sws_free_context(context)
        pixels.deallocate()
    }

    /// The picture as RGBA, rows without padding; valid until the next call, as long as the scaler lives.
    public func rgba(_ frame: VideoFrame) throws(FFmpegError) -> UnsafeBufferPointer<UInt8> {
        let operation = "convert \(frame.format) to rgba"
        try check(av_frame_ref(view.frame, frame.frame), operation)
        defer { av_frame_unref(view.frame) }
        if let part {
            guard part.x >= 0, part.y >= 0, part.width > 0, part.height > 0, part.x + part.width <= frame.width,
                part.y + part.height <= frame.height
            else { throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation) }
            view.frame.pointee.crop_left = part.x
            view.frame.pointee.crop_top = part.y
            view.frame.pointee.crop_right = frame.width - part.x - part.width
            view.frame.pointee.crop_bottom = frame.height - part.y - part.height
            try check(av_frame_apply_cropping(view.frame, Int32(AV_FRAME_CROP_UNALIGNED)), operation)
        }
        let context = try context(for: view, operation)
        let stride = Int32(4 * width)
        let status = withUnsafePointer(to: pixels.baseAddress) { target in
            withUnsafePointer(to: stride) { targetStride in
                UnsafeRawPointer(view.planePointers).withMemoryRebound(
                    to: Optional<UnsafePointer<UInt8>>.self, capacity: 4
                ) { lv_sws_scale(context, $0, view.stridePointer, 0, Int32(view.height), target, targetStride) }
            }
        }
        try check(status, operation)
        return UnsafeBufferPointer(pixels)
    }

    /// swscale's context for pictures like this one; made anew only when they change.
    private func context(for frame: VideoFrame, _ operation: String) throws(FFmpegError) -> OpaquePointer {
        let details = frame.frame.pointee
        let wanted = (
            frame.format, frame.width, frame.height, details.colorspace.rawValue, details.color_range.rawValue
        )
        if let context, let source, source == wanted { return context }
        lv_sws_free_context(context)
        context = nil
        let isSmaller = width < frame.width || height < frame.height
        let flags = (isSmaller ? LV_SWS_AREA : LV_SWS_BILINEAR) | LV_SWS_ACCURATE_RND | LV_SWS_FULL_CHR_H_INT
        let filter = softness > 0 ? sws_getDefaultFilter(softness, softness, 0, 0, 0, 0, 0) : nil
        defer { sws_freeFilter(filter) }
        let made = try unwrap(
            lv_sws_get_context(
                Int32(frame.width), Int32(frame.height), frame.format.format, Int32(width), Int32(height),
                AV_PIX_FMT_RGBA, flags, filter), operation)
        if !frame.format.isRGB {
            let unspecified = details.colorspace == AVCOL_SPC_UNSPECIFIED
            let matrix = sws_getCoefficients(unspecified ? SWS_CS_ITU601 : Int32(details.colorspace.rawValue))
            let isFull = details.color_range == AVCOL_RANGE_JPEG || frame.format.isFullRange
            // Grey formats have no matrix, and refuse to be told one.
            _ = lv_sws_set_matrix(made, matrix, isFull ? 1 : 0, 1)
        }
        context = made
        source = wanted
        return made
    }
}
