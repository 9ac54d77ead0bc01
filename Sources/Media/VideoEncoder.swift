import CLibAV
import Core
import Synchronization

/// All settings that an encoder's output depends on, apart from the frames.
package struct EncoderSettings: Sendable, Hashable {
    /// The encoder's name in FFmpeg, such as `libx264`.
    package var encoder: String
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int
    /// The pixel format of the frames.
    package var pixelFormat: PixelFormat
    /// The frame rate; the time base is its inverse.
    package var frameRate: FrameRate
    /// The maximum distance between keyframes, in frames.
    package var keyFrameInterval: Int
    /// The number of encoder threads; 0 lets the encoder choose.
    package var threads: Int
    /// Encoder options by FFmpeg's names.
    package var options: [String: String]
    /// The options that the user set with `--encoder-option`, as text; nil for none.
    package var requestedOptions: String?
    /// True if the codec's header goes into the container instead of the packets.
    package var usesGlobalHeader: Bool
    /// True if the user set a list of parameters of the encoder's library, such as `x264-params`.
    var hasRequestedParameters: Bool {
        requestedOptions.map { $0.contains("params=") || $0.contains("opts=") } ?? false
    }
    /// True if the encoder continues a stream where another one ended. Its first frame then gets
    /// the quality that a running encoder gives its keyframes.
    package var continuesStream = false
    /// The colour gamut of the frames.
    package var gamut = ColorGamut.bt709
    /// True to store full range in a format that does not imply it, as AVIF's alpha requires.
    package var isFullRange = false
    /// The settings for indexed colours, which only GIF uses.
    package var indexing = IndexedColorSettings()

    /// The encoder's special properties, initially those of its entry in the encoder table.
    package var traits: EncoderTraits

    /// The matrix that converts RGB to luma and chroma.
    package var matrix: ColorMatrix { traits.matrix }

    /// True if the frames have full range.
    package var hasFullRange: Bool {
        isFullRange || pixelFormat.isFullRange || traits.hasFullRangeGray && pixelFormat.isGray
    }

    /// The maximum number of threads that the encoder starts when it is opened.
    package var maxStartedThreads: Int { traits.maxStartedThreads ?? (threads > 1 ? threads + 1 : 0) }

    /// Settings of an encoder of BT.709 frames that begins a stream.
    package init(
        encoder: String, width: Int, height: Int, pixelFormat: PixelFormat, frameRate: FrameRate, keyFrameInterval: Int,
        threads: Int, options: [String: String], usesGlobalHeader: Bool
    ) {
        self.encoder = encoder
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.keyFrameInterval = keyFrameInterval
        self.threads = threads
        self.options = options
        self.usesGlobalHeader = usesGlobalHeader
        traits = .of(encoder)
    }
}

/// An encoder of libavcodec. Not thread-safe.
package final class VideoEncoder: FrameEncoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// The settings that the encoder was opened with.
    package let settings: EncoderSettings
    private let traits: EncoderTraits
    /// The filter for the first packet; nil if there is none, or afterwards.
    private var firstPacketFilter: BitstreamFilter?
    private var hasFrames = false
    private var isFinished = false

    private static let lock = Mutex(())

    /// Runs `body`, which opens or closes an encoder, under a lock if the library requires it.
    private static func openingOrClosing<Result>(_ traits: EncoderTraits, _ body: () -> Result) -> Result {
        traits.opensExclusively ? lock.withLock { _ in body() } : body()
    }

    /// Opens an encoder. Throws `AVERROR_ENCODER_NOT_FOUND` if FFmpeg was built without it, or the
    /// encoder's own error.
    package init(_ settings: EncoderSettings) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "open encoder \(settings.encoder)"
        guard let codec = avcodec_find_encoder_by_name(settings.encoder) else {
            throw FFmpegError(code: FFmpegError.encoderNotFound, operation: operation)
        }
        context = try unwrap(avcodec_alloc_context3(codec), operation)
        self.settings = settings
        traits = settings.traits
        ProcessSettings.prepare(for: traits)
        configure()
        let options = settings.options.filter { $0.key != CodecProfile.fixedQuantizer }
        let ((status, warnings), unused) = options.withAVDictionary { dictionary -> (Int32, warnings: [String]) in
            guard settings.hasRequestedParameters else {
                return (VideoEncoder.openingOrClosing(traits) { avcodec_open2(context, codec, dictionary) }, [])
            }
            return FFmpegLog.recordingWarnings(of: context) {
                VideoEncoder.openingOrClosing(traits) { avcodec_open2(context, codec, dictionary) }
            }
        }
        // "Error parsing option 'a = b'." of x264 and SVT-AV1; "Unknown option: a." and "Invalid
        // value for a: b." of x265.
        let refused = warnings.first { $0.contains(" option") || $0.contains("Invalid value") }
        if let refused {
            throw FFmpegError(code: FFmpegError.optionNotFound, operation: operation, reason: refused)
        }
        try check(status, operation)
        guard unused.isEmpty else {
            let names = unused.joined(separator: ", ")
            throw FFmpegError(code: FFmpegError.optionNotFound, operation: "\(operation) with \(names)")
        }
        if let text = traits.firstPacketFilter {
            firstPacketFilter = try BitstreamFilter(text, parameters: parameters())
        }
    }

    /// The quantizer offset of the next frame. It gives the first frame of a continued stream the
    /// quality of later keyframes.
    private var quantizerOffset: Double {
        guard !hasFrames, settings.continuesStream, settings.keyFrameInterval > 1,
            !traits.presetsWithoutQuantizerOffset.contains(settings.options["preset"] ?? "")
        else { return 0 }
        return traits.continuationQuantizerOffset
    }

    deinit {
        endStream()
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        VideoEncoder.openingOrClosing(traits) { avcodec_free_context(&pointer) }
    }

    /// Ends the stream of an encoder that hangs if it is closed earlier. Sends a frame with
    /// arbitrary contents first if it has received none.
    private func endStream() {
        guard traits.needsFrameBeforeClosing, avcodec_is_open(context) != 0, !isFinished else { return }
        if !hasFrames {
            let size = (width: settings.width, height: settings.height)
            guard let frame = try? VideoFrame(width: size.width, height: size.height, format: settings.pixelFormat)
            else { return }
            frame.pts = 0
            avcodec_send_frame(context, frame.frame)
        }
        avcodec_send_frame(context, nil)
    }

    private func configure() {
        let rate = max(settings.frameRate.framesPerSecond, traits.minFrameRate)
        context.pointee.width = Int32(settings.width)
        context.pointee.height = Int32(settings.height)
        context.pointee.pix_fmt = settings.pixelFormat.format
        context.pointee.time_base = AVRational(1 / rate)
        context.pointee.framerate = AVRational(rate)
        context.pointee.sample_aspect_ratio = av_make_q(1, 1)
        context.pointee.gop_size = Int32(settings.keyFrameInterval)
        // A minimum keyframe interval equal to the maximum prevents additional keyframes. They
        // would occur in the colour stream only, and alpha could not be decoded after a seek to
        // one.
        if traits.sideAlpha != nil, settings.pixelFormat.hasAlpha {
            context.pointee.keyint_min = context.pointee.gop_size
        }
        context.pointee.thread_count = Int32(settings.threads)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if settings.usesGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        if let quantizer = settings.options[CodecProfile.fixedQuantizer].flatMap(Double.init) {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = Int32(quantizer * Double(FF_QP2LAMBDA))
        }
        let isRGB = settings.pixelFormat.isRGB
        context.pointee.colorspace = isRGB ? AVCOL_SPC_RGB : settings.matrix.space
        context.pointee.color_primaries = settings.gamut.primaries
        context.pointee.color_trc = traits.usesSRGBTransfer ? AVCOL_TRC_IEC61966_2_1 : settings.gamut.transfer
        context.pointee.color_range = settings.hasFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        // The converter averages the pixels of a chroma sample, so the sample lies at their centre.
        context.pointee.chroma_sample_location = AVCHROMA_LOC_CENTER
    }

    /// Returns the stream's parameters for a container.
    package func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(encoder: context) }

    /// Encodes a frame with the presentation time `pts`, in units of the time base (frames).
    /// Returns the finished packets.
    package func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        // Set even if it is 0, since another encoder may have used the frame before.
        try frame.setQuantizerOffset(quantizerOffset)
        setColorTags(of: frame)
        frame.pts = Int64(pts)
        frame.frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
        // Encoders of the MPEG family, such as mjpeg, read a fixed quantizer from the frame.
        frame.frame.pointee.quality = context.pointee.global_quality
        hasFrames = true
        try check(avcodec_send_frame(context, frame.frame), "encode a frame with \(settings.encoder)")
        return try receive()
    }

    /// Sets a frame's colour tags to those of the stream. ProRes and others store them in each
    /// frame.
    private func setColorTags(of frame: VideoFrame) {
        frame.frame.pointee.colorspace = context.pointee.colorspace
        frame.frame.pointee.color_primaries = context.pointee.color_primaries
        frame.frame.pointee.color_trc = context.pointee.color_trc
        frame.frame.pointee.color_range = context.pointee.color_range
    }

    /// Ends the stream and returns the remaining packets. `encode` must not be called afterwards.
    package func finish() throws(FFmpegError) -> [Packet] {
        // SVT-AV1 hangs when it is flushed before its first frame.
        guard hasFrames else { return [] }
        isFinished = true
        try check(avcodec_send_frame(context, nil), "finish encoder \(settings.encoder)")
        return try receive()
    }

    private func receive() throws(FFmpegError) -> [Packet] {
        var packets: [Packet] = []
        while true {
            let packet = try Packet()
            let status = avcodec_receive_packet(context, packet.packet)
            if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { return packets }
            try check(status, "encode with \(settings.encoder)")
            try firstPacketFilter?.apply(to: packet)
            firstPacketFilter = nil
            packets.append(packet)
        }
    }
}

extension AVRational {
    /// A libav fraction. Traps if the numerator or denominator does not fit into 32 bits.
    init(_ rational: Rational) { self.init(num: Int32(rational.numerator), den: Int32(rational.denominator)) }
}

extension Rational {
    /// The value of a libav fraction, whose denominator must not be 0.
    init(_ rational: AVRational) { self.init(Int128(rational.num), Int128(rational.den)) }
}
