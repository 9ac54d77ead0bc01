import CLibAV

/// What a container must know of a stream: owns an `AVCodecParameters`.
///
/// Sendable: filled once when made, and only read afterwards.
public final class CodecParameters: @unchecked Sendable, Equatable {
    let parameters: UnsafeMutablePointer<AVCodecParameters>

    /// The parameters of an open encoder.
    init(encoder context: UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        try check(avcodec_parameters_from_context(parameters, context), "read codec parameters")
    }

    /// The parameters of a container's stream.
    init(copying other: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        try check(avcodec_parameters_copy(parameters, other), "copy codec parameters")
    }

    /// The parameters of an encoder that is none of libav's.
    init(_ settings: EncoderSettings) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id =
            avcodec_find_encoder_by_name(settings.encoder)?.pointee.id ?? AV_CODEC_ID_NONE
        parameters.pointee.format = settings.pixelFormat.format.rawValue
        (parameters.pointee.width, parameters.pointee.height) = (Int32(settings.width), Int32(settings.height))
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&pointer)
    }

    /// FFmpeg's name of the codec, such as `h264`.
    public var codecName: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }
    /// Width in pixels.
    public var width: Int { Int(parameters.pointee.width) }
    /// Height in pixels.
    public var height: Int { Int(parameters.pointee.height) }
    /// The format of the pictures.
    public var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(parameters.pointee.format)) }
    /// How many pictures a decoder holds back to put them in order.
    public var videoDelay: Int { Int(parameters.pointee.video_delay) }

    /// The codec's global header, such as H.264's parameter sets.
    public var header: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    }

    /// Whether two streams can follow each other in one: same codec, size, format and, byte for byte, the same header.
    public static func == (a: CodecParameters, b: CodecParameters) -> Bool {
        let (p, q) = (a.parameters.pointee, b.parameters.pointee)
        return p.codec_id == q.codec_id && p.width == q.width && p.height == q.height && p.format == q.format
            && a.header.elementsEqual(b.header)
    }
}
