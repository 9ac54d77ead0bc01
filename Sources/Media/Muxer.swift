import CLibAV
import Motion

/// Takes a clip's packets in order of decoding and makes a file of them: always the same bytes for the same packets.
///
/// Not for use from two threads at once.
public protocol PacketMuxer: AnyObject {
    /// Writes a packet at `pts` and `dts`, in frames of the clip, shown for `duration` frames. The packet stays as it is,
    /// so that it can be written again.
    func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws
    /// Writes the file's end. Everything is in the sink afterwards.
    func finish() throws
}

extension PacketMuxer {
    /// Writes a packet that is shown for one frame.
    public func write(_ packet: Packet, pts: Int, dts: Int) throws {
        try write(packet, pts: pts, dts: dts, duration: 1)
    }
}

/// Writes packets of one video stream into a container, and between them those of what goes with it in order of decoding:
/// always the same bytes for the same packets.
///
/// Not for use from two threads at once.
public final class Muxer: PacketMuxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>
    private let output: SinkContext
    private let scratch: Packet
    private let frameDuration: AVRational
    private let framesPerSecond: Rational
    private var sideStreams: [any SideStream] = []

    /// Begins a container. `url` is where the sink's bytes can be read again (MP4's index goes to the front in the end).
    public init(
        _ container: Container, to sink: any ByteSink, url: String, parameters: CodecParameters, frameRate: FrameRate,
        metadata: [String: String] = [:], title: String? = nil, chapters: [Chapter] = [],
        tracks: SideTracks = SideTracks()
    ) throws {
        _ = FFmpegLog.silenced
        output = try SinkContext(sink)
        scratch = try Packet()
        (frameDuration, framesPerSecond) = (AVRational(frameRate.frameDuration), frameRate.framesPerSecond)
        var pointer: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&pointer, nil, container.muxerName, url), "open muxer \(container)")
        context = try unwrap(pointer, "open muxer \(container)")
        guard let stream = avformat_new_stream(context, nil) else {
            avformat_free_context(context)
            throw FFmpegError(code: LV_ERROR_ENOMEM, operation: "open muxer \(container)")
        }
        self.stream = stream
        context.pointee.pb = output.context
        context.pointee.flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO
        // Presentation begins at 0 and decoding before it, which all containers can say.
        context.pointee.avoid_negative_ts = 0
        try configureStream(container, parameters, frameRate, metadata)
        if let title { av_dict_set(&context.pointee.metadata, "title", title, 0) }
        try Chapter.add(chapters, to: context)
        let poster = try add(tracks, container)
        let options = Muxer.options(of: container, frameRate: frameRate, isSeekable: sink.isSeekable)
        try rootCause {
            try check(options.withAVDictionary { avformat_write_header(context, $0) }.0, "write header")
            if let poster { try check(av_write_frame(context, poster.packet), "mux the poster") }
        }
    }

    deinit { avformat_free_context(context) }

    private func configureStream(
        _ container: Container, _ parameters: CodecParameters, _ frameRate: FrameRate, _ metadata: [String: String]
    ) throws(FFmpegError) {
        try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters.parameters), "describe the stream")
        // The encoder's own tag stays, since that of ProRes and others tells the profile. Where it has none, the muxer takes
        // its first one for the codec; but Apple's players take HEVC under this tag only.
        let isHEVC = parameters.parameters.pointee.codec_id == AV_CODEC_ID_HEVC
        if isHEVC, container != .mkv { stream.pointee.codecpar.pointee.codec_tag = LV_TAG_HVC1 }
        stream.pointee.time_base = frameDuration
        stream.pointee.avg_frame_rate = AVRational(frameRate.framesPerSecond)
        stream.pointee.r_frame_rate = stream.pointee.avg_frame_rate
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
    }

    /// Describes what goes with the video. Returns a poster to be written when the container has begun.
    private func add(_ tracks: SideTracks, _ container: Container) throws(FFmpegError) -> Packet? {
        if let audio = tracks.audio { sideStreams.append(try AudioStream(audio, in: context, container)) }
        if let captions = tracks.captions {
            sideStreams.append(
                try CaptionStream(
                    captions, in: context, container, beside: stream, soundClock: Int32(tracks.audio?.sampleRate ?? 0)))
        }
        // Players begin with what is marked so: were only others, the pictures would be left out.
        if !sideStreams.isEmpty { stream.pointee.disposition |= AV_DISPOSITION_DEFAULT }
        guard let poster = tracks.poster, container.holdsPoster else { return nil }
        return try Poster.add(poster, to: context, container, beside: stream)
    }

    private static func options(of container: Container, frameRate: FrameRate, isSeekable: Bool) -> [String: String] {
        switch container {
        case .mp4, .mov, .m4v:
            // The movie has a clock of its own, in which whole frames shall be whole numbers too.
            let rate = Int(frameRate.framesPerSecond.numerator)
            return [
                "movflags": isSeekable ? "+faststart" : "+frag_keyframe+delay_moov+default_base_moof",
                "movie_timescale": String(rate < 1000 ? rate * 1000 : rate),
            ]
        case .mkv, .webm, .gif, .apng, .webp: return [:]
        }
    }

    /// Writes a packet at `pts` and `dts`, in frames of the clip, shown for `duration` frames. The packet stays as it is,
    /// so that it can be written again.
    public func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try writeSideStreams(before: Rational(dts) / framesPerSecond)
        let target = scratch.packet
        try check(av_packet_ref(target, packet.packet), "mux a packet")
        defer { av_packet_unref(target) }
        target.pointee.stream_index = stream.pointee.index
        target.pointee.pts = Int64(pts)
        target.pointee.dts = Int64(dts)
        target.pointee.duration = Int64(duration)
        av_packet_rescale_ts(target, frameDuration, stream.pointee.time_base)
        // From the ends, so that rounding to a coarse clock never adds up.
        let end = av_rescale_q(Int64(pts + duration), frameDuration, stream.pointee.time_base)
        target.pointee.duration = end - target.pointee.pts
        try rootCause { try check(av_write_frame(context, target), "mux a packet") }
    }

    /// Writes what goes with the video up to an instant in seconds, or all that is left: containers want packets in the
    /// order in which they are decoded.
    private func writeSideStreams(before time: Rational?) throws {
        while true {
            let due = sideStreams.compactMap { side in side.nextTime.map { (side, $0) } }.min { $0.1 < $1.1 }
            guard let (side, next) = due, time.map({ next < $0 }) ?? true, let packet = try side.next() else { return }
            packet.packet.pointee.stream_index = side.stream.pointee.index
            try rootCause { try check(av_write_frame(context, packet.packet), "mux a packet") }
        }
    }

    /// Writes the container's end. Everything is in the sink afterwards.
    public func finish() throws {
        try writeSideStreams(before: nil)
        try rootCause {
            try check(av_write_trailer(context), "write the container's end")
            avio_flush(output.context)
            try check(lv_avio_error(output.context), "write the container's end")
        }
    }

    /// Throws what the sink had thrown rather than what libav made of it.
    private func rootCause(_ body: () throws -> Void) throws {
        do { try body() } catch { throw output.failure ?? error }
        if let failure = output.failure { throw failure }
    }
}
