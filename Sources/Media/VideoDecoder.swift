import CLibAV
import Platform

/// A decoder of libavcodec. Not for use from two threads at once.
public final class VideoDecoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let bound: PictureBound
    /// Whether the decoder itself refuses what is larger.
    private let isBounded: Bool

    /// Opens the decoder for a stream.
    ///
    /// - Parameters:
    ///   - parameters: what the container says of the stream.
    ///   - isStrict: takes damaged data for an error instead of patching it up.
    ///   - isStill: whether it is for a still picture.
    ///   - mostPixels: larger pictures are refused before there is memory for them.
    public init(
        _ parameters: CodecParameters, isStrict: Bool = false, isStill: Bool = false, mostPixels: Int = .max
    ) throws(FFmpegError) {
        let operation = "open a decoder for \(parameters.codecName)"
        bound = PictureBound(mostPixels: mostPixels)
        isBounded = !isStill && mostPixels < .max
        guard bound.takes(parameters.width, parameters.height) else { throw bound.error(operation) }
        guard let codec = avcodec_find_decoder(parameters.parameters.pointee.codec_id) else {
            throw FFmpegError(code: LV_ERROR_DECODER_NOT_FOUND, operation: operation)
        }
        _ = FFmpegLog.silenced
        context = try unwrap(avcodec_alloc_context3(codec), operation)
        context.pointee.thread_count = 1
        if isStrict { context.pointee.err_recognition |= AV_EF_EXPLODE }
        try check(avcodec_parameters_to_context(context, parameters.parameters), operation)
        context.pointee.opaque = Unmanaged.passUnretained(bound).toOpaque()
        context.pointee.get_buffer2 = { context, frame, flags in
            guard let context, let frame, let opaque = context.pointee.opaque else { return -EINVAL }
            let bound = Unmanaged<PictureBound>.fromOpaque(opaque).takeUnretainedValue()
            guard bound.takes(Int(frame.pointee.width), Int(frame.pointee.height)) else { return -EINVAL }
            return avcodec_default_get_buffer2(context, frame, flags)
        }
        // Decoders of moving pictures have tables before they have a picture. The size that the container tells has just
        // been compared, so that here nobody need be told it. FFmpeg compares widths that it has rounded up.
        if !isStill { context.pointee.max_pixels = Int64(min(mostPixels, .max - 4_194_304) + 4_194_304) }
        try check(avcodec_open2(context, codec, nil), operation)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&pointer)
    }

    /// Decodes a packet, or with nil what is left at the end. Returns the pictures that are ready, in order.
    public func decode(_ packet: Packet?) throws(FFmpegError) -> [VideoFrame] {
        try checkDecoded(avcodec_send_packet(context, packet?.packet), "decode a packet")
        var frames: [VideoFrame] = []
        while true {
            let frame = try VideoFrame()
            let status = avcodec_receive_frame(context, frame.frame)
            if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { return frames }
            try checkDecoded(status, "decode a picture")
            frames.append(frame)
        }
    }

    private func checkDecoded(_ status: Int32, _ operation: String) throws(FFmpegError) {
        guard status < 0 || bound.isExceeded else { return }
        // A decoder that refuses a size by itself never asks for memory. It has taken the size down, or has none any more.
        let (width, height) = (Int(context.pointee.width), Int(context.pointee.height))
        let isUnknown = isBounded && status == -EINVAL && width == 0 && height == 0
        guard !bound.isExceeded, !isUnknown, bound.takes(width, height) else { throw bound.error(operation) }
        try check(status, operation)
    }
}

/// How large pictures may be, and the size of one that was larger.
private final class PictureBound {
    private let mostPixels: Int
    private var size = (width: 0, height: 0)

    init(mostPixels: Int) { self.mostPixels = mostPixels }

    var isExceeded: Bool { size.width > 0 }

    /// Whether a picture is small enough.
    func takes(_ width: Int, _ height: Int) -> Bool {
        guard width * height > mostPixels else { return true }
        size = (width, height)
        return false
    }

    func error(_ operation: String) -> FFmpegError {
        FFmpegError(
            code: FFmpegError.tooManyPixels, operation: operation,
            reason:
                "a picture\(isExceeded ? " of \(size.width)x\(size.height)" : "") has more than \(mostPixels) pixels")
    }
}

extension VideoFrame {
    /// The picture as straight RGBA, 4 bytes a pixel, rows without padding, by the colours' own description.
    public func rgba() throws(FFmpegError) -> [UInt8] { try rgba(width: width, height: height) }

    /// The picture scaled to another size in pixels; smaller ones are made of the mean of all pixels.
    func rgba(width: Int, height: Int) throws(FFmpegError) -> [UInt8] {
        let scaler = try FrameScaler(width: width, height: height)
        let pixels = Array(try scaler.rgba(self))
        // The scaler owns what was copied from.
        withExtendedLifetime(scaler) {}
        return pixels
    }
}
