import CLibAV
import Scene

/// One picture: owns an `AVFrame`. Not for use from two threads at once.
public final class VideoFrame {
    let frame: UnsafeMutablePointer<AVFrame>

    /// A frame without pixels, for a decoder to fill.
    init() throws(FFmpegError) { frame = try unwrap(av_frame_alloc(), "allocate a frame") }

    /// A frame with room for a picture of the given size in pixels.
    public convenience init(width: Int, height: Int, format: PixelFormat) throws(FFmpegError) {
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
    public var width: Int { Int(frame.pointee.width) }
    /// Height in pixels.
    public var height: Int { Int(frame.pointee.height) }
    /// How the pixels lie in memory.
    public var format: PixelFormat { PixelFormat(AVPixelFormat(frame.pointee.format)) }

    /// Presentation time in units of the stream's time base; nil if unknown.
    public var pts: Int64? {
        get { frame.pointee.pts == LV_NOPTS_VALUE ? nil : frame.pointee.pts }
        set { frame.pointee.pts = newValue ?? LV_NOPTS_VALUE }
    }

    /// When a decoded picture is shown, in units of the stream's time base, as well as the decoder can tell; nil if it
    /// cannot.
    public var bestTimestamp: Int64? {
        let time = frame.pointee.best_effort_timestamp
        return time == LV_NOPTS_VALUE ? pts : time
    }

    /// Makes the pixels this frame's alone, so that they can be written while an encoder still holds the last ones.
    public func makeWritable() throws(FFmpegError) { try check(av_frame_make_writable(frame), "make a frame writable") }

    /// The first sample of a plane (0 is luma, or all of packed RGB), and the bytes from one row to the next.
    public func plane(_ index: Int) -> (data: UnsafeMutablePointer<UInt8>, stride: Int)? {
        guard (0..<4).contains(index) else { return nil }
        return planePointers[index].map { ($0, Int(stridePointer[index])) }
    }

    /// Asks the encoder for another quantizer all over the picture than it would choose, in steps of H.264 with 8 bits; 0
    /// for none. x264 and x265 do so.
    func setQuantizerOffset(_ steps: Double) throws(FFmpegError) {
        av_frame_remove_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST)
        guard steps != 0 else { return }
        let size = MemoryLayout<AVRegionOfInterest>.size
        let data = try unwrap(
            av_frame_new_side_data(frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, numericCast(size)),
            "describe a picture's quality")
        // libav tells offsets as parts of the range of 8 bits, 51 steps.
        let region = AVRegionOfInterest(
            self_size: UInt32(size), top: 0, bottom: Int32(height), left: 0, right: Int32(width),
            qoffset: av_d2q(steps / 51, 1 << 20))
        UnsafeMutableRawPointer(data.pointee.data).storeBytes(of: region, as: AVRegionOfInterest.self)
    }

    /// Copies a box of pixels, with whole chroma samples, from the upper left corner of another picture of this format.
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

    /// The plane pointers as libav keeps them; valid while the frame lives.
    var planePointers: UnsafePointer<UnsafeMutablePointer<UInt8>?> {
        UnsafeRawPointer(UnsafePointer(frame).pointer(to: \.data)!)
            .assumingMemoryBound(to: Optional<UnsafeMutablePointer<UInt8>>.self)
    }

    /// The strides as libav keeps them; valid while the frame lives.
    var stridePointer: UnsafePointer<Int32> {
        UnsafeRawPointer(UnsafePointer(frame).pointer(to: \.linesize)!).assumingMemoryBound(to: Int32.self)
    }
}
