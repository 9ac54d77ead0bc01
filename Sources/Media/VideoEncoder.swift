import CLibAV
import Motion
import Platform
import Synchronization

/// Everything that determines what an encoder makes of its pictures.
public struct EncoderSettings: Sendable, Hashable {
    /// The encoder's name in FFmpeg, such as `libx264`.
    public var encoder: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// The format of the pictures.
    public var pixelFormat: PixelFormat
    /// Pictures a second; the time base is its inverse.
    public var frameRate: FrameRate
    /// Most frames from one key frame to the next.
    public var keyFrameInterval: Int
    /// Threads within the encoder; 0 leaves them to it.
    public var threads: Int
    /// Options of the encoder by its own names.
    public var options: [String: String]
    /// Whether the codec's header goes into the container instead of the packets.
    public var usesGlobalHeader: Bool
    /// Whether it goes on where another encoder of the stream ended, so that its first picture shall be as good as a running
    /// encoder's key frames.
    public var continuesStream = false
    /// What the pictures' red, green and blue are.
    public var gamut = ColorGamut.bt709
    /// How pictures of few colours are made, if it makes such.
    public var indexing = Indexing()

    /// What is true of this encoder alone.
    public var traits: EncoderTraits { .of(encoder) }

    /// How the pictures' luma and chroma must be made.
    public var matrix: ColorMatrix { traits.matrix }

    /// How many threads the encoder starts when it is opened, at most.
    public var startedThreads: Int { traits.startedThreads ?? (threads > 1 ? threads + 1 : 0) }

    /// Settings of all kinds.
    public init(
        encoder: String, width: Int, height: Int, pixelFormat: PixelFormat, frameRate: FrameRate, keyFrameInterval: Int,
        threads: Int, options: [String: String], usesGlobalHeader: Bool
    ) {
        (self.encoder, self.width, self.height, self.pixelFormat) = (encoder, width, height, pixelFormat)
        (self.frameRate, self.keyFrameInterval, self.threads) = (frameRate, keyFrameInterval, threads)
        (self.options, self.usesGlobalHeader) = (options, usesGlobalHeader)
    }
}

/// An encoder of libavcodec. Not for use from two threads at once.
public final class VideoEncoder: PictureEncoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// What it was opened with.
    public let settings: EncoderSettings
    private let traits: EncoderTraits
    /// For the first packet.
    private var filter: BitstreamFilter?
    private var hasPictures = false
    private var isFinished = false

    private static let lock = Mutex(())

    /// Asked for before an encoder is opened whose bytes depend on memory that nobody wrote: from then on fresh memory is the
    /// same in every run. It is the whole process's, and others would only lose time by it, so nobody else asks.
    private static let freshMemoryIsFilled: Void = Malloc.settlesFreshMemory()

    /// Asked for before an encoder is opened that writes to standard error by itself. Once for all of them, since no thread may
    /// read the environment meanwhile; what is there already is the user's, and stays.
    private static let librariesAreQuiet: Void = {
        for (name, value) in EncoderTraits.table.values.flatMap(\.quietVariables) { setenv(name, value, 0) }
    }()

    /// Opens or closes an encoder; one after the other where its library takes no other.
    private static func alone<Result>(_ traits: EncoderTraits, _ body: () -> Result) -> Result {
        traits.opensAlone ? lock.withLock { _ in body() } : body()
    }

    /// Opens an encoder. Throws `AVERROR_ENCODER_NOT_FOUND` if FFmpeg lacks it, and its own words if it refuses.
    public init(_ settings: EncoderSettings) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "open encoder \(settings.encoder)"
        guard let codec = avcodec_find_encoder_by_name(settings.encoder) else {
            throw FFmpegError(code: FFmpegError.encoderNotFound, operation: operation)
        }
        context = try unwrap(avcodec_alloc_context3(codec), operation)
        (self.settings, traits) = (settings, settings.traits)
        if traits.readsFreshMemory { VideoEncoder.freshMemoryIsFilled }
        if !traits.quietVariables.isEmpty { VideoEncoder.librariesAreQuiet }
        configure()
        let options = settings.options.filter { $0.key != CodecProfile.fixedQuantizer }
        let (status, unused) = options.withAVDictionary { dictionary in
            VideoEncoder.alone(traits) { avcodec_open2(context, codec, dictionary) }
        }
        try check(status, operation)
        guard unused.isEmpty else {
            let names = unused.joined(separator: ", ")
            throw FFmpegError(code: FFmpegError.optionNotFound, operation: "\(operation) with \(names)")
        }
        if let text = traits.firstPacketFilter { filter = try BitstreamFilter(text, parameters: parameters()) }
    }

    /// What the quantizer of the next picture is lowered by, so that a first one is as good as key frames that follow others.
    private var quantizerOffset: Double {
        guard !hasPictures, settings.continuesStream, settings.keyFrameInterval > 1,
            !traits.presetsWithoutOffset.contains(settings.options["preset"] ?? "")
        else { return 0 }
        return traits.laterKeyFrameOffset
    }

    deinit {
        endStream()
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        VideoEncoder.alone(traits) { avcodec_free_context(&pointer) }
    }

    /// Gives an encoder that cannot be closed otherwise a picture, and tells it that this was the last.
    private func endStream() {
        guard traits.needsPicture, avcodec_is_open(context) != 0, !isFinished else { return }
        if !hasPictures {
            let size = (width: settings.width, height: settings.height)
            guard let frame = try? VideoFrame(width: size.width, height: size.height, format: settings.pixelFormat)
            else { return }
            frame.pts = 0
            avcodec_send_frame(context, frame.frame)
        }
        avcodec_send_frame(context, nil)
    }

    private func configure() {
        let rate = settings.frameRate.framesPerSecond
        context.pointee.width = Int32(settings.width)
        context.pointee.height = Int32(settings.height)
        context.pointee.pix_fmt = settings.pixelFormat.format
        context.pointee.time_base = AVRational(1 / rate)
        context.pointee.framerate = AVRational(rate)
        context.pointee.sample_aspect_ratio = av_make_q(1, 1)
        context.pointee.gop_size = Int32(settings.keyFrameInterval)
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
        context.pointee.color_trc = settings.gamut.transfer
        context.pointee.color_range = settings.pixelFormat.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        // The converter takes the mean of the pixels around, so chroma lies in their middle.
        context.pointee.chroma_sample_location = AVCHROMA_LOC_CENTER
    }

    /// What a container must know of the stream.
    public func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(encoder: context) }

    /// Encodes a picture that is shown from `pts` on, in units of the time base (frames). Returns what is ready.
    public func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        // Always, since the frame may have been another encoder's before.
        try frame.setQuantizerOffset(quantizerOffset)
        describeColors(of: frame)
        frame.pts = Int64(pts)
        frame.frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
        hasPictures = true
        try check(avcodec_send_frame(context, frame.frame), "encode a picture with \(settings.encoder)")
        return try receive()
    }

    /// Says of a frame what was said of the stream: ProRes and others write that of each frame into it.
    private func describeColors(of frame: VideoFrame) {
        frame.frame.pointee.colorspace = context.pointee.colorspace
        frame.frame.pointee.color_primaries = context.pointee.color_primaries
        frame.frame.pointee.color_trc = context.pointee.color_trc
        frame.frame.pointee.color_range = context.pointee.color_range
    }

    /// Ends the stream and returns all that is left. Nothing can be encoded afterwards.
    public func finish() throws(FFmpegError) -> [Packet] {
        // SVT-AV1 waits for ever when it is asked for what is left of nothing.
        guard hasPictures else { return [] }
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
            try filter?.apply(to: packet)
            filter = nil
            packets.append(packet)
        }
    }
}

extension FFmpegError {
    /// The status for an encoder that this FFmpeg was built without.
    public static let encoderNotFound = LV_ERROR_ENCODER_NOT_FOUND
    /// The status for a file without a stream of the kind that was looked for.
    public static let streamNotFound = LV_ERROR_STREAM_NOT_FOUND
    /// What was read is damaged.
    public static let invalidData = LV_ERROR_INVALIDDATA
    /// The status for a picture that is larger than was asked for.
    public static let tooManyPixels = LV_ERROR_EFBIG
    /// The status for an option that an encoder does not have.
    public static let optionNotFound = LV_ERROR_OPTION_NOT_FOUND
}

extension AVRational {
    /// libav's form of a fraction, which must fit into 32 bits.
    init(_ rational: Rational) { self.init(num: Int32(rational.numerator), den: Int32(rational.denominator)) }
}

extension Rational {
    /// A fraction of libav's, whose denominator must not be 0.
    init(_ rational: AVRational) { self.init(Int128(rational.num), Int128(rational.den)) }
}
