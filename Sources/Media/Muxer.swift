import CLibAV
import Core

/// A writer of packets, in decoding order, into a file. The same packets give the same bytes.
///
/// Not thread-safe.
package protocol PacketMuxer: AnyObject {
    /// Writes a packet with the times `pts` and `dts` and a duration, all in frames of the clip.
    /// Does not change the packet, so it can be written again.
    func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws
    /// Writes the end of the file and flushes it to the sink.
    func finish() throws
}

extension PacketMuxer {
    /// Writes a packet with a duration of one frame.
    package func write(_ packet: Packet, pts: Int, dts: Int) throws {
        try write(packet, pts: pts, dts: dts, duration: 1)
    }
}

/// A writer of packets of one video stream into a container. Interleaves the packets of captions
/// and audio in decoding order. The same packets give the same bytes.
///
/// Not thread-safe.
package final class Muxer: PacketMuxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>
    /// The stream of alpha; nil if there is none.
    private var alphaStream: UnsafeMutablePointer<AVStream>?
    private let output: SinkContext
    /// The sink's bytes while libav reads them back.
    private var input: SourceContext?
    /// The first error in reading them, which libav treats as the end of the file.
    private var readFailure: (any Error)?
    private let scratch: Packet
    private let frameDuration: AVRational
    private let framesPerSecond: Rational
    private var sideStreams: [any SideStream] = []

    /// Writes the header of a container.
    package init(
        _ container: Container, to sink: any ByteSink, parameters: CodecParameters, frameRate: FrameRate,
        metadata: [String: String] = [:], title: String? = nil, chapters: [Chapter] = [],
        tracks: SideTracks = SideTracks()
    ) throws {
        _ = FFmpegLog.silenced
        output = try SinkContext(sink)
        scratch = try Packet()
        frameDuration = AVRational(frameRate.frameDuration)
        framesPerSecond = frameRate.framesPerSecond
        var pointer: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&pointer, nil, container.muxerName, ""), "open muxer \(container)")
        context = try unwrap(pointer, "open muxer \(container)")
        guard let stream = avformat_new_stream(context, nil) else {
            avformat_free_context(context)
            throw FFmpegError(code: LV_ERROR_ENOMEM, operation: "open muxer \(container)")
        }
        self.stream = stream
        context.pointee.pb = output.context
        context.pointee.flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO
        restrictInputToSink()
        // Presentation begins at 0 and decoding earlier, which all containers support.
        context.pointee.avoid_negative_ts = 0
        try configureStream(container, parameters, frameRate, metadata)
        if let alpha = parameters.alpha { alphaStream = try addAlpha(alpha) }
        if let title { av_dict_set(&context.pointee.metadata, "title", title, 0) }
        try Chapter.add(chapters, to: context)
        let poster = try add(tracks, container)
        // The muxer makes a track of it.
        if let timecode = tracks.timecode { av_dict_set(&stream.pointee.metadata, "timecode", timecode.text, 0) }
        let options = Muxer.options(of: container, frameRate: frameRate, isSeekable: sink.isSeekable)
        try rootCause {
            try check(options.withAVDictionary { avformat_write_header(context, $0) }.0, "write header")
            if let poster { try check(av_write_frame(context, poster.packet), "mux the poster") }
        }
    }

    deinit { avformat_free_context(context) }

    /// Makes libav read the sink when it reopens the output to move MP4's index to the front. It
    /// must not open the output's path, which may name another file by then.
    private func restrictInputToSink() {
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, opened, _, flags, _ in
            guard let opaque = context?.pointee.opaque, let opened, flags & AVIO_FLAG_WRITE == 0 else { return -EACCES }
            return Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().openInput(opened)
        }
        context.pointee.io_close2 = { context, _ in
            guard let opaque = context?.pointee.opaque else { return 0 }
            Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().closeInput()
            return 0
        }
    }

    /// Opens the sink for reading by libav. Returns 0 or an `AVERROR` code.
    private func openInput(_ opened: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>) -> Int32 {
        do {
            guard input == nil, let file = try output.sink.reader() else { return -EACCES }
            let source = try SourceContext(file)
            input = source
            opened.pointee = source.context
            return 0
        } catch {
            readFailure = readFailure ?? error
            return LV_ERROR_EIO
        }
    }

    private func closeInput() {
        readFailure = readFailure ?? input?.failure
        input = nil
    }

    private func configureStream(
        _ container: Container, _ parameters: CodecParameters, _ frameRate: FrameRate, _ metadata: [String: String]
    ) throws(FFmpegError) {
        try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters.parameters), "describe the stream")
        // The encoder's tag is kept, since the tags of ProRes and others name the profile. Without
        // a tag, the muxer uses its first one for the codec, but Apple's players require `hvc1` for
        // HEVC.
        let isHEVC = parameters.parameters.pointee.codec_id == AV_CODEC_ID_HEVC
        if isHEVC, container != .mkv { stream.pointee.codecpar.pointee.codec_tag = LV_TAG_HVC1 }
        stream.pointee.time_base = frameDuration
        stream.pointee.avg_frame_rate = AVRational(frameRate.framesPerSecond)
        // FFmpeg declares the duration of Matroska's frames only if it is above a tick of a
        // millisecond. Without it, the last frame has none, and players skip it.
        if [.mkv, .webm].contains(container), frameRate.framesPerSecond == 1000 {
            stream.pointee.avg_frame_rate = AVRational(num: 999_999, den: 1000)
        }
        stream.pointee.r_frame_rate = stream.pointee.avg_frame_rate
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
    }

    private func addAlpha(_ parameters: CodecParameters) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
        let alpha = try unwrap(avformat_new_stream(context, nil), "add a stream of alpha")
        try check(avcodec_parameters_copy(alpha.pointee.codecpar, parameters.parameters), "describe the stream")
        alpha.pointee.time_base = stream.pointee.time_base
        alpha.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
        return alpha
    }

    /// Adds the streams of captions, audio and poster. Returns the poster's packet, which must be
    /// written after the header, or nil.
    private func add(_ tracks: SideTracks, _ container: Container) throws(FFmpegError) -> Packet? {
        if let audio = tracks.audio { sideStreams.append(try AudioStream(audio, in: context, container)) }
        if let captions = tracks.captions {
            sideStreams.append(
                try CaptionStream(
                    captions, in: context, container, beside: stream, soundClock: Int32(tracks.audio?.sampleRate ?? 0)))
        }
        // Players select the default streams. If only other streams had this flag, players would
        // not show the video.
        if !sideStreams.isEmpty { stream.pointee.disposition |= AV_DISPOSITION_DEFAULT }
        guard let poster = tracks.poster, container.supportsPoster else { return nil }
        return try Poster.add(poster, to: context, container, beside: stream)
    }

    private static func options(of container: Container, frameRate: FrameRate, isSeekable: Bool) -> [String: String] {
        switch container {
        case .mp4, .mov, .m4v:
            // The movie header has its own timescale, in which frame times must be whole numbers,
            // too.
            let rate = Int(frameRate.framesPerSecond.numerator)
            return [
                "movflags": isSeekable ? "+faststart" : "+frag_keyframe+delay_moov+default_base_moof",
                "movie_timescale": String(rate < 1000 ? rate * 1000 : rate),
            ]
        default: return [:]
        }
    }

    /// Writes a packet with the times `pts` and `dts` and a duration, all in frames of the clip.
    /// Does not change the packet, so it can be written again.
    package func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try writeSideStreams(before: Rational(dts) / framesPerSecond)
        try write(packet, to: stream, pts: pts, dts: dts, duration: duration)
        if let alphaStream, let alpha = packet.alphaPacket {
            try write(alpha, to: alphaStream, pts: pts, dts: dts, duration: duration)
        }
    }

    private func write(
        _ packet: Packet, to stream: UnsafeMutablePointer<AVStream>, pts: Int, dts: Int, duration: Int
    ) throws {
        let target = scratch.packet
        try check(av_packet_ref(target, packet.packet), "mux a packet")
        defer { av_packet_unref(target) }
        target.pointee.stream_index = stream.pointee.index
        target.pointee.pts = Int64(pts)
        target.pointee.dts = Int64(dts)
        target.pointee.duration = Int64(duration)
        av_packet_rescale_ts(target, frameDuration, stream.pointee.time_base)
        // The difference of rounded times, so that rounding to a coarse time base does not
        // accumulate.
        let end = av_rescale_q(Int64(pts + duration), frameDuration, stream.pointee.time_base)
        target.pointee.duration = end - target.pointee.pts
        try rootCause { try check(av_write_frame(context, target), "mux a packet") }
    }

    /// Writes the packets of captions and audio before a time in seconds, or all remaining ones if
    /// it is nil. Containers require packets of all streams in decoding order.
    private func writeSideStreams(before time: Rational?) throws {
        while true {
            let due = sideStreams.compactMap { side in side.nextTime.map { (side, $0) } }.min { $0.1 < $1.1 }
            guard let (side, next) = due, time.map({ next < $0 }) ?? true, let packet = try side.next() else { return }
            packet.packet.pointee.stream_index = side.stream.pointee.index
            try rootCause { try check(av_write_frame(context, packet.packet), "mux a packet") }
        }
    }

    /// Writes the container's trailer and flushes it to the sink.
    package func finish() throws {
        try writeSideStreams(before: nil)
        try rootCause {
            try check(av_write_trailer(context), "write the trailer")
            avio_flush(output.context)
            try check(lv_avio_error(output.context), "write the trailer")
        }
    }

    /// Runs `body`. Throws the sink's error, if there is one, instead of libav's.
    private func rootCause(_ body: () throws -> Void) throws {
        do { try body() } catch { throw output.failure ?? readFailure ?? error }
        if let failure = output.failure ?? readFailure { throw failure }
    }
}
