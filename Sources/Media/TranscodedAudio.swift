import CLibAV
import Core

/// Audio packets with exact times for a container.
package protocol AudioPackets: AnyObject {
    /// FFmpeg's name of the codec, such as `aac`.
    var codecName: String { get }
    /// The sample rate in Hz, and the unit of all times.
    var sampleRate: Int { get }
    /// The stream's parameters for a container.
    var parameters: CodecParameters { get }
    /// The three-letter language code; nil if there is none.
    var language: String? { get }
    /// The decoding time of the next packet in seconds; nil if there is none.
    var nextTime: Rational? { get }
    /// Returns the next packet, with times in samples; nil if there is none.
    func next() throws(FFmpegError) -> Packet?
    /// Reads all remaining packets of the file, and returns a summary of it. Throws an
    /// `FFmpegError` if it is damaged or truncated.
    func summary() throws(FFmpegError) -> AudioSource.Summary
}

/// The audio of a file in another codec. Not thread-safe.
package final class TranscodedAudio: AudioPackets {
    package let codecName: String
    package let parameters: CodecParameters
    private let source: AudioSource
    private let decoderOwner: OwnedCodecContext
    private let encoderOwner: OwnedCodecContext
    private var decoder: UnsafeMutablePointer<AVCodecContext> { decoderOwner.context }
    private var encoder: UnsafeMutablePointer<AVCodecContext> { encoderOwner.context }
    private var resampler: OpaquePointer?
    private let frame: VideoFrame
    private let operation: String
    /// The time of the next samples to encode, in samples; nil before the first ones.
    private var position: Int64?
    private var ready: [Packet] = []
    private var isAtEnd = false

    /// The bitrate per channel of lossy codecs, in bits per second: transparent for most sounds.
    private static let bitsPerChannel: Int64 = 96_000
    /// The number of samples per packet of codecs that take any.
    private static let pcmSamples: Int32 = 1024

    /// Opens a decoder for a source and an encoder by FFmpeg's name. Throws an `FFmpegError` if one
    /// does not work.
    package init(_ source: AudioSource, encoder name: String) throws(FFmpegError) {
        self.source = source
        operation = "encode audio with \(name)"
        guard let codec = avcodec_find_encoder_by_name(name),
            let sourceCodec = avcodec_find_decoder(source.parameters.parameters.pointee.codec_id)
        else { throw FFmpegError(code: LV_ERROR_ENCODER_NOT_FOUND, operation: "encode audio with \(name)") }
        frame = try VideoFrame()
        decoderOwner = try OwnedCodecContext(sourceCodec, operation)
        encoderOwner = try OwnedCodecContext(codec, operation)
        let decoder = decoderOwner.context
        let encoder = encoderOwner.context
        let given = source.parameters.parameters
        try check(avcodec_parameters_to_context(decoder, given), operation)
        decoder.pointee.pkt_timebase = av_make_q(1, Int32(source.sampleRate))
        decoder.pointee.thread_count = 1
        try check(avcodec_open2(decoder, sourceCodec, nil), operation)
        // At a lower rate, FFmpeg declares the encoder's delay in samples of that rate, but players
        // take it for samples at 48 kHz (RFC 7845, section 4.2).
        let isOpus = codec.pointee.id == AV_CODEC_ID_OPUS
        let rate = isOpus ? 48_000 : lv_nearest_sample_rate(codec, given.pointee.sample_rate)
        encoder.pointee.sample_rate = rate
        encoder.pointee.sample_fmt = lv_nearest_sample_format(codec, decoder.pointee.sample_fmt)
        lv_set_channels(encoder, given)
        encoder.pointee.time_base = av_make_q(1, rate)
        encoder.pointee.bit_rate = Self.bitsPerChannel * Int64(lv_channels(given))
        encoder.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        encoder.pointee.thread_count = 1
        try Self.open(encoder, codec, channels: lv_channels(given), operation)
        parameters = try CodecParameters(encoder: encoder)
        codecName = parameters.codecName
        try fill()
    }

    /// The maximum number of channels that FFmpeg's encoders of AAC, FLAC and Opus take, except for
    /// the 16 channels that AAC also takes.
    private static let maxChannels: Int32 = 8

    /// Opens the encoder. Throws an `FFmpegError`, which says so if there are too many channels.
    private static func open(
        _ encoder: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>, channels: Int32,
        _ operation: String
    ) throws(FFmpegError) {
        let status = avcodec_open2(encoder, codec, nil)
        guard status == -EINVAL, channels > maxChannels else {
            try check(status, operation)
            return
        }
        let name = String(cString: avcodec_get_name(codec.pointee.id))
        let limits = "1...\(maxChannels)" + (codec.pointee.id == AV_CODEC_ID_AAC ? " or 16" : "")
        throw FFmpegError(
            code: status, operation: operation,
            reason: "it has \(channels) channels, but \(name) takes \(limits)",
            remedy: "use .mov or .mkv with pcm, or at most \(maxChannels) channels")
    }

    deinit { swr_free(&resampler) }

    package var sampleRate: Int { Int(encoder.pointee.sample_rate) }
    package var language: String? { source.language }
    package var nextTime: Rational? { ready.first?.dts.map { Rational(Int128($0), Int128(sampleRate)) } }

    package func next() throws(FFmpegError) -> Packet? {
        guard !ready.isEmpty else { return nil }
        let packet = ready.removeFirst()
        try fill()
        return packet
    }

    package func summary() throws(FFmpegError) -> AudioSource.Summary { try source.summary() }

    /// Encodes until a packet is ready or the source ends.
    private func fill() throws(FFmpegError) {
        while ready.isEmpty, !isAtEnd {
            let packet = try source.next()
            try checkDecoder(avcodec_send_packet(decoder, packet?.packet))
            while true {
                let status = avcodec_receive_frame(decoder, frame.frame)
                if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { break }
                try checkDecoder(status)
                try add(frame.frame)
            }
            guard packet == nil else { continue }
            try encodeSamples(all: true)
            try send(nil)
            isAtEnd = true
        }
    }

    /// Throws an `FFmpegError` for a failed status of the decoder, which is due to the file if its
    /// data are invalid.
    private func checkDecoder(_ status: Int32) throws(FFmpegError) {
        guard status != LV_ERROR_INVALIDDATA else { throw source.damageError("an audio packet is damaged") }
        try check(status, operation)
    }

    /// Converts the samples of a decoded frame.
    private func add(_ decoded: UnsafeMutablePointer<AVFrame>) throws(FFmpegError) {
        if resampler == nil { resampler = try unwrap(lv_resampler(decoded, encoder), operation) }
        if position == nil {
            let start = decoded.pointee.pts == LV_NOPTS_VALUE ? 0 : max(0, decoded.pointee.pts)
            position = av_rescale(start, Int64(sampleRate), Int64(source.sampleRate))
        }
        try check(lv_resample(resampler, nil, 0, decoded, 0), operation)
        try encodeSamples(all: false)
    }

    /// The maximum number of output samples that the resampler may hold back: its filter has at
    /// most 64 samples at the source's rate, which `swr_get_out_samples` counts as available. If
    /// fewer come out than a frame needs, the rest of the frame becomes a gap in the sound.
    private var heldSamples: Int32 {
        64 + Int32(clamping: 64 * Int64(sampleRate) / Int64(max(1, source.sampleRate)))
    }

    /// Encodes the converted samples in frames of the encoder's size; the last one may be shorter.
    private func encodeSamples(all: Bool) throws(FFmpegError) {
        guard let resampler else { return }
        let size = encoder.pointee.frame_size > 0 ? encoder.pointee.frame_size : Self.pcmSamples
        let least = all ? 1 : size + heldSamples
        while swr_get_out_samples(resampler, 0) >= least {
            let output = try VideoFrame()
            output.frame.pointee.format = encoder.pointee.sample_fmt.rawValue
            output.frame.pointee.nb_samples = size
            output.frame.pointee.sample_rate = encoder.pointee.sample_rate
            lv_set_frame_channels(output.frame, encoder)
            try check(av_frame_get_buffer(output.frame, 0), operation)
            let count = try check(lv_resample(resampler, output.frame, size, nil, all ? 1 : 0), operation)
            guard count > 0 else { return }
            output.frame.pointee.nb_samples = count
            output.frame.pointee.pts = position ?? 0
            position = (position ?? 0) + Int64(count)
            try send(output)
        }
    }

    private func send(_ frame: VideoFrame?) throws(FFmpegError) {
        try check(avcodec_send_frame(encoder, frame?.frame), operation)
        while true {
            let packet = try Packet()
            let status = avcodec_receive_packet(encoder, packet.packet)
            if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { return }
            try check(status, operation)
            ready.append(packet)
        }
    }
}

/// A codec context that is freed even if the rest of its owner's initializer throws.
private final class OwnedCodecContext {
    let context: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: UnsafePointer<AVCodec>, _ operation: String) throws(FFmpegError) {
        context = try unwrap(avcodec_alloc_context3(codec), operation)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&pointer)
    }
}
