import CLibAV
import Core

/// A video frame. Owns an `AVFrame`. Not thread-safe.
package final class VideoFrame {
    let frame: UnsafeMutablePointer<AVFrame>

    /// A frame without pixels, for a decoder to fill.
    init() throws(FFmpegError) { frame = try unwrap(av_frame_alloc(), "allocate a frame") }

    /// A frame with uninitialized pixels of a size and format.
    package convenience init(width: Int, height: Int, format: PixelFormat) throws(FFmpegError) {
        try self.init()
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        frame.pointee.format = format.format.rawValue
        try check(av_frame_get_buffer(frame, 0), "allocate a frame of \(width)x\(height) in \(format)")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&pointer)
    }

    /// Width in pixels.
    package var width: Int { Int(frame.pointee.width) }
    /// Height in pixels.
    package var height: Int { Int(frame.pointee.height) }
    /// The pixel format.
    package var format: PixelFormat { PixelFormat(AVPixelFormat(frame.pointee.format)) }

    /// Presentation time in units of the stream's time base; nil if unknown.
    package var pts: Int64? {
        get { frame.pointee.pts == LV_NOPTS_VALUE ? nil : frame.pointee.pts }
        set { frame.pointee.pts = newValue ?? LV_NOPTS_VALUE }
    }

    /// The decoder's best estimate of the presentation time, in units of the stream's time base;
    /// nil if unknown.
    package var bestTimestamp: Int64? {
        let time = frame.pointee.best_effort_timestamp
        return time == LV_NOPTS_VALUE ? pts : time
    }

    /// Ensures that the frame has the only reference to its pixels. Copies them if an encoder still
    /// holds one.
    package func makeWritable() throws(FFmpegError) {
        try check(av_frame_make_writable(frame), "make a frame writable")
    }

    /// Returns the first sample of a plane and the stride in bytes; nil if there is no such plane.
    /// Plane 0 is luma or packed RGB.
    package func plane(_ index: Int) -> (data: UnsafeMutablePointer<UInt8>, stride: Int)? {
        guard (0..<4).contains(index) else { return nil }
        return planePointers[index].map { ($0, Int(stridePointer[index])) }
    }

    /// Sets a quantizer offset for the whole frame, in steps of 8-bit H.264; 0 removes it. Only
    /// x264 and x265 support it.
    func setQuantizerOffset(_ steps: Double) throws(FFmpegError) {
        av_frame_remove_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST)
        guard steps != 0 else { return }
        let size = MemoryLayout<AVRegionOfInterest>.size
        let data = try unwrap(
            av_frame_new_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, numericCast(size)),
            "set a frame's quantizer offset")
        // libav's offsets are fractions of the 8-bit range of 51 steps.
        let region = AVRegionOfInterest(
            self_size: UInt32(size), top: 0, bottom: Int32(height), left: 0, right: Int32(width),
            qoffset: av_d2q(steps / 51, 1 << 20))
        UnsafeMutableRawPointer(data.pointee.data).storeBytes(of: region, as: AVRegionOfInterest.self)
    }

    /// Copies pixels from the upper left corner of another frame of the same format to a box, whose
    /// edges must lie between chroma samples.
    func copy(from other: VideoFrame, to box: PixelRect) {
        for index in 0..<4 {
            guard let source = other.plane(index), let target = plane(index) else { continue }
            let step = index == 1 || index == 2 ? format.verticalStep : 1
            let offset = box.y / step * target.stride + format.bytesPerRow(ofPlane: index, width: box.x)
            av_image_copy_plane(
                target.data + offset, Int32(target.stride), source.data, Int32(source.stride),
                Int32(format.bytesPerRow(ofPlane: index, width: box.width)), Int32(box.height / step))
        }
    }

    /// libav's array of plane pointers; valid while the frame lives.
    var planePointers: UnsafePointer<UnsafeMutablePointer<UInt8>?> {
        UnsafeRawPointer(UnsafePointer(frame).pointer(to: \.data)!)
            .assumingMemoryBound(to: Optional<UnsafeMutablePointer<UInt8>>.self)
    }

    /// libav's array of strides in bytes; valid while the frame lives.
    var stridePointer: UnsafePointer<Int32> {
        UnsafeRawPointer(UnsafePointer(frame).pointer(to: \.linesize)!).assumingMemoryBound(to: Int32.self)
    }
}
