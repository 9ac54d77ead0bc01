import CLibAV

/// The parameters of a stream, as a container stores them. Owns an `AVCodecParameters`.
///
/// Sendable because it is never changed after initialization.
package final class CodecParameters: @unchecked Sendable, Equatable {
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    /// The parameters of the stream of alpha; nil if there is none.
    let alpha: CodecParameters?

    /// The parameters of two streams, colour and alpha.
    init(_ color: CodecParameters, alpha: CodecParameters) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        self.alpha = alpha
        try check(avcodec_parameters_copy(parameters, color.parameters), "copy codec parameters")
    }

    /// The parameters of an open encoder.
    init(encoder context: UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        alpha = nil
        try check(avcodec_parameters_from_context(parameters, context), "read codec parameters")
    }

    /// The parameters of a container's stream.
    init(copying other: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        alpha = nil
        try check(avcodec_parameters_copy(parameters, other), "copy codec parameters")
    }

    /// The parameters of an encoder outside libavcodec, with an optional codec header.
    package init(_ settings: EncoderSettings, header: [UInt8] = []) throws(FFmpegError) {
        parameters = try unwrap(avcodec_parameters_alloc(), "allocate codec parameters")
        alpha = nil
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id =
            avcodec_find_encoder_by_name(settings.encoder)?.pointee.id ?? AV_CODEC_ID_NONE
        parameters.pointee.format = settings.pixelFormat.format.rawValue
        parameters.pointee.width = Int32(settings.width)
        parameters.pointee.height = Int32(settings.height)
        guard !header.isEmpty else { return }
        // libav's parsers read past the end.
        let padded = header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        let data = try unwrap(av_mallocz(padded), "allocate codec parameters")
        data.copyMemory(from: header, byteCount: header.count)
        parameters.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(header.count)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&pointer)
    }

    /// FFmpeg's name of the codec, such as `h264`.
    package var codecName: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }
    /// Width in pixels.
    package var width: Int { Int(parameters.pointee.width) }
    /// Height in pixels.
    package var height: Int { Int(parameters.pointee.height) }
    /// The pixel format of the frames.
    package var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(parameters.pointee.format)) }
    /// The number of frames that a decoder delays to reorder them.
    package var videoDelay: Int { Int(parameters.pointee.video_delay) }

    /// The codec's global header, such as H.264's parameter sets.
    package var header: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    }

    /// Returns true if two streams can be concatenated: they have the same codec, size, format and
    /// header bytes.
    package static func == (a: CodecParameters, b: CodecParameters) -> Bool {
        let p = a.parameters.pointee
        let q = b.parameters.pointee
        return p.codec_id == q.codec_id && p.width == q.width && p.height == q.height && p.format == q.format
            && a.header.elementsEqual(b.header) && a.alpha == b.alpha
    }
}
