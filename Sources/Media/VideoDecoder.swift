import CLibAV
import Core

/// A decoder of libavcodec. Not thread-safe.
package final class VideoDecoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let sizeLimit: FrameSizeLimit
    /// True if libavcodec checks the size limit, too.
    private let hasCodecLimit: Bool

    /// Opens the decoder for a stream. Throws an `FFmpegError` if FFmpeg has no decoder for the
    /// codec or the declared frame size exceeds the limit.
    ///
    /// - Parameters:
    ///   - parameters: the stream's parameters in the container.
    ///   - isStrict: true to reject damaged data instead of concealing errors.
    ///   - isStill: true for an image file.
    ///   - maxPixels: the maximum frame size in pixels. Larger frames are rejected before their
    ///     memory is allocated.
    package convenience init(
        _ parameters: CodecParameters, isStrict: Bool = false, isStill: Bool = false, maxPixels: Int = .max
    ) throws(FFmpegError) {
        let codec = try Self.codec(of: parameters)
        try self.init(parameters, codec, isStrict: isStrict, isStill: isStill, maxPixels: maxPixels)
    }

    /// Opens the strict decoder with FFmpeg's name for a stream whose frame size was checked; nil
    /// if FFmpeg has none.
    convenience init?(_ parameters: CodecParameters, named name: String) throws(FFmpegError) {
        guard let codec = avcodec_find_decoder_by_name(name) else { return nil }
        try self.init(parameters, codec, isStrict: true)
    }

    /// Opens a decoder that decodes the slices or rows of a frame on a number of threads.
    convenience init(_ parameters: CodecParameters, sliceThreads: Int) throws(FFmpegError) {
        try self.init(parameters, Self.codec(of: parameters), isStrict: true, sliceThreads: sliceThreads)
    }

    private static func codec(of parameters: CodecParameters) throws(FFmpegError) -> UnsafePointer<AVCodec> {
        guard let codec = avcodec_find_decoder(parameters.parameters.pointee.codec_id) else {
            throw FFmpegError(
                code: LV_ERROR_DECODER_NOT_FOUND, operation: "open a decoder for \(parameters.codecName)")
        }
        return codec
    }

    private init(
        _ parameters: CodecParameters, _ codec: UnsafePointer<AVCodec>, isStrict: Bool, isStill: Bool = false,
        maxPixels: Int = .max, sliceThreads: Int = 1
    ) throws(FFmpegError) {
        let operation = "open a decoder for \(parameters.codecName)"
        sizeLimit = FrameSizeLimit(maxPixels: maxPixels)
        hasCodecLimit = !isStill && maxPixels < .max
        guard sizeLimit.allows(parameters.width, parameters.height) else { throw sizeLimit.error(operation) }
        _ = FFmpegLog.silenced
        context = try unwrap(avcodec_alloc_context3(codec), operation)
        context.pointee.thread_count = Int32(sliceThreads)
        if sliceThreads > 1 { context.pointee.thread_type = FF_THREAD_SLICE }
        // A strict TIFF decoder treats unknown tags as damage, even those of FFmpeg's own encoder.
        let isTIFF = codec.pointee.id == AV_CODEC_ID_TIFF
        if isStrict, !isTIFF { context.pointee.err_recognition |= AV_EF_EXPLODE }
        // Frames of HEVC may have hashes.
        if isStrict, codec.pointee.id == AV_CODEC_ID_HEVC { context.pointee.err_recognition |= AV_EF_CRCCHECK }
        try check(avcodec_parameters_to_context(context, parameters.parameters), operation)
        context.pointee.opaque = Unmanaged.passUnretained(sizeLimit).toOpaque()
        context.pointee.get_buffer2 = { context, frame, flags in
            guard let context, let frame, let opaque = context.pointee.opaque else { return -EINVAL }
            let sizeLimit = Unmanaged<FrameSizeLimit>.fromOpaque(opaque).takeUnretainedValue()
            guard sizeLimit.allows(Int(frame.pointee.width), Int(frame.pointee.height)) else { return -EINVAL }
            return avcodec_default_get_buffer2(context, frame, flags)
        }
        // Video decoders allocate tables before the first frame. The container's declared size has
        // already been checked, so this limit needs no error message. FFmpeg compares rounded-up
        // widths.
        if !isStill { context.pointee.max_pixels = Int64(min(maxPixels, .max - 4_194_304) + 4_194_304) }
        try check(avcodec_open2(context, codec, nil), needing: maxMemory, operation)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&pointer)
    }

    /// FFmpeg's name of the codec's profile, such as `DNXHR HQ`; nil if it has none. Some codecs
    /// tell only with the first frame.
    package var profileName: String? {
        avcodec_profile_name(context.pointee.codec_id, context.pointee.profile).map { String(cString: $0) }
    }

    /// Decodes a packet, or flushes the decoder if it is nil. Returns the finished frames in
    /// presentation order.
    package func decode(_ packet: Packet?) throws(FFmpegError) -> [VideoFrame] {
        try checkDecoded(avcodec_send_packet(context, packet?.packet), "decode a packet")
        var frames: [VideoFrame] = []
        while true {
            let frame = try VideoFrame()
            let status = avcodec_receive_frame(context, frame.frame)
            if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { return frames }
            try checkDecoded(status, "decode a frame")
            frames.append(frame)
        }
    }

    private func checkDecoded(_ status: Int32, _ operation: String) throws(FFmpegError) {
        guard status < 0 || sizeLimit.isExceeded else { return }
        // A codec that rejects a frame size never calls `get_buffer2`. The context has the rejected
        // size, or 0x0 if the codec has reset it.
        let width = Int(context.pointee.width)
        let height = Int(context.pointee.height)
        let isUnknown = hasCodecLimit && status == -EINVAL && width == 0 && height == 0
        guard !sizeLimit.isExceeded, !isUnknown, sizeLimit.allows(width, height) else {
            throw sizeLimit.error(operation)
        }
        // Some decoders report damage when an allocation fails, so memory for their reference
        // frames, about eight, is tested here.
        guard Resources.canReserve(maxMemory / 4) else {
            throw FFmpegError(code: LV_ERROR_ENOMEM, operation: operation)
        }
        try check(status, needing: maxMemory, operation)
    }

    /// The maximum memory in bytes that decoding can need: H.264 and HEVC keep up to 17 frames of
    /// up to four bytes a pixel, and some tables.
    private var maxMemory: Int {
        let pixels = max(0, Int(context.pointee.width)) * max(0, Int(context.pointee.height))
        return 32 * 4 * min(pixels, 1 << 32) + (64 << 20)
    }
}

/// A limit on the frame size, which records the size of a rejected frame.
private final class FrameSizeLimit {
    private let maxPixels: Int
    private var rejectedSize = (width: 0, height: 0)

    init(maxPixels: Int) { self.maxPixels = maxPixels }

    var isExceeded: Bool { rejectedSize.width > 0 }

    /// Returns true if a frame size is within the limit. Records it otherwise.
    func allows(_ width: Int, _ height: Int) -> Bool {
        guard width * height > maxPixels else { return true }
        rejectedSize = (width, height)
        return false
    }

    func error(_ operation: String) -> FFmpegError {
        let size = isExceeded ? " of \(rejectedSize.width)x\(rejectedSize.height)" : ""
        return FFmpegError(
            code: FFmpegError.tooManyPixels, operation: operation,
            reason: "a frame\(size) has more than the maximum of \(maxPixels) pixels")
    }
}

extension VideoFrame {
    /// Returns the frame as straight RGBA, 4 bytes per pixel, without row padding, converted by its
    /// own colour tags.
    package func rgba() throws(FFmpegError) -> [UInt8] { try rgba(width: width, height: height) }

    /// Returns the frame as straight RGBA of another size in pixels. Averages all pixels to scale
    /// down.
    func rgba(width: Int, height: Int) throws(FFmpegError) -> [UInt8] {
        let scaler = try FrameScaler(width: width, height: height)
        let pixels = Array(try scaler.rgba(self))
        // The scaler owns the source of the copy.
        withExtendedLifetime(scaler) {}
        return pixels
    }
}
