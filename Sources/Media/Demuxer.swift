import CLibAV
import Core

/// A reader of the packets of a file's video or audio stream. It never opens other files, even if
/// the file refers to them.
package final class Demuxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    let source: SourceContext
    /// The time span of the packets of the selected stream so far, in seconds.
    private var selectedSpan = TimeSpan()
    /// The time span of the packets of all streams so far, in seconds.
    private var span = TimeSpan()

    /// Opens a file and selects its best video stream. Throws an `FFmpegError` if the file does not
    /// exist, has another format, or has no video.
    package convenience init(path: String, formats: InputFormats = .videos) throws(FFmpegError) {
        try self.init(InputFile(path: path), formats: formats)
    }

    /// Selects the best video stream of an open file. Throws the errors of `init(path:formats:)`.
    package convenience init(_ file: InputFile, formats: InputFormats = .videos) throws(FFmpegError) {
        try self.init(file, formats: formats, kind: AVMEDIA_TYPE_VIDEO)
    }

    /// Selects the best stream of a media type. Throws the errors of `init(path:formats:)`.
    init(_ file: InputFile, formats: InputFormats, kind: AVMediaType) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "open \(file.path)"
        source = try SourceContext(file)
        let format = try formats.probe(source.context, operation)
        var pointer = avformat_alloc_context()
        let opened = try unwrap(pointer, operation)
        opened.pointee.pb = source.context
        opened.pointee.io_open = { _, _, _, _, _ in -EACCES }
        // Demuxers open nested formats with these whitelists only. No decoder is allowed, since it
        // would run before the frame size is limited. Some GIFs of 60 frames per second have delays
        // of 10 ms, which FFmpeg by default replaces by 100 ms; `min_delay` keeps them.
        let options = [
            "format_whitelist": formats.list, "protocol_whitelist": "none", "codec_whitelist": "none", "min_delay": "1",
        ]
        // Without a file name, since FFmpeg interprets names as URLs or patterns.
        let (status, _) = options.withAVDictionary { avformat_open_input(&pointer, "", format, $0) }
        try source.check(status, operation)
        context = opened
        do throws(FFmpegError) {
            if !formats.hasCompleteHeaders {
                try source.check(avformat_find_stream_info(opened, nil), "read \(file.path)")
            }
            if opened.pointee.nb_streams == 1, let only = opened.pointee.streams[0] {
                lv_complete_flac(only.pointee.codecpar)
            }
            let operation = "find \(kind == AVMEDIA_TYPE_VIDEO ? "video" : "audio") in \(file.path)"
            let index = try source.check(av_find_best_stream(opened, kind, -1, -1, nil, 0), operation)
            stream = try unwrap(opened.pointee.streams[Int(index)], operation)
        } catch {
            avformat_close_input(&pointer)
            throw error
        }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&pointer)
    }

    /// Returns the stream's parameters for a decoder.
    package func parameters() throws(FFmpegError) -> CodecParameters {
        try CodecParameters(copying: stream.pointee.codecpar)
    }

    /// The stream's time base in seconds.
    package var timeBase: Rational { Rational(stream.pointee.time_base) }

    /// The stream's mean frame rate according to the container, in frames per second; nil if
    /// unknown.
    package var averageFrameRate: Rational? {
        let rate = stream.pointee.avg_frame_rate
        return rate.num > 0 && rate.den > 0 ? Rational(Int128(rate.num), Int128(rate.den)) : nil
    }

    /// Returns the sample aspect ratio of the container, or else that of a decoded frame or of the
    /// codec, width by height; 1 if none is declared.
    package func pixelAspect(of frame: VideoFrame? = nil) -> Double {
        let ratio = av_guess_sample_aspect_ratio(context, stream, frame?.frame)
        return ratio.num > 0 && ratio.den > 0 ? av_q2d(ratio) : 1
    }

    /// The angle by which players rotate the frames clockwise, in 0..<360 degrees.
    package var rotation: Int {
        let angle = lv_stream_rotation(stream)
        return angle.isFinite ? (Int(angle.rounded()) % 360 + 360) % 360 : 0
    }

    /// True if players mirror the frames horizontally before they rotate them.
    package var isMirrored: Bool { lv_stream_is_mirrored(stream) != 0 }

    /// Returns the index and the parameters of the first other video stream with the time base of
    /// the selected one; nil if there is none. In an AVIF it is the alpha.
    package func otherVideoStream() throws(FFmpegError) -> (index: Int, parameters: CodecParameters)? {
        for index in 0..<Int(context.pointee.nb_streams) where index != Int(stream.pointee.index) {
            guard let other = context.pointee.streams[index], let parameters = other.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
                av_cmp_q(other.pointee.time_base, stream.pointee.time_base) == 0
            else { continue }
            return (index, try CodecParameters(copying: parameters))
        }
        return nil
    }

    /// The timecode of the first frame, `HH:MM:SS:FF`; nil if the container has none.
    package var timecode: String? {
        let dictionaries = (0..<Int(context.pointee.nb_streams)).map { context.pointee.streams[$0]?.pointee.metadata }
        return dictionaries.lazy.compactMap { av_dict_get($0, "timecode", nil, 0) }.first
            .map { String(cString: $0.pointee.value) }
    }

    /// The number of streams of the selected media type.
    var streamCount: Int {
        let kind = stream.pointee.codecpar.pointee.codec_type
        return (0..<Int(context.pointee.nb_streams)).filter { index in
            context.pointee.streams[index]?.pointee.codecpar.pointee.codec_type == kind
        }.count
    }

    /// The stream's three-letter language code in the container; nil if there is none.
    var language: String? {
        av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
    }

    /// Returns the next packet of the selected stream; nil at the end.
    package func read() throws(FFmpegError) -> Packet? {
        while let (packet, isSelected) = try readAny() {
            if isSelected { return packet }
        }
        return nil
    }

    /// Returns the next packet of any stream, and whether it belongs to the selected one; nil at
    /// the end.
    package func readAny() throws(FFmpegError) -> (packet: Packet, isSelected: Bool)? {
        let packet = try Packet()
        let status = av_read_frame(context, packet.packet)
        if status == LV_ERROR_EOF, source.failure == nil { return nil }
        try source.check(status, "read a packet")
        let isSelected = packet.streamIndex == Int(stream.pointee.index)
        guard let owner = context.pointee.streams[packet.streamIndex] else { return (packet, isSelected) }
        span.add(packet, unit: av_q2d(owner.pointee.time_base))
        if isSelected { selectedSpan.add(packet, unit: av_q2d(owner.pointee.time_base)) }
        return (packet, isSelected)
    }

    // MARK: Declared durations

    /// The duration of the selected stream according to the container, in seconds; nil if it
    /// declares none. Valid after the last packet, since Matroska stores end times instead of
    /// durations.
    package var duration: Double? {
        if declaresEndTimes, let tag = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0) {
            return TimeSpan.seconds(String(cString: tag.pointee.value)).flatMap(selectedSpan.length(to:))
        }
        let isAlone = context.pointee.nb_streams == 1
        guard stream.pointee.duration != LV_NOPTS_VALUE, stream.pointee.duration > 0, !declaresEndTimes else {
            return isAlone ? fileDuration : nil
        }
        // If a container only declares the duration of the file, libavformat may assign it to the
        // streams.
        let duration = Double(stream.pointee.duration) * timeBase.double
        return isAlone || abs(duration - (fileDuration ?? 0)) > 0.002 ? duration : nil
    }

    /// The declared duration of the container's longest stream and the part that was read, in
    /// seconds; nil if either is unknown. Valid after the last packet.
    package var wholeDuration: (declared: Double, read: Double)? {
        guard let declared = fileDuration, let read = span.length else { return nil }
        return (declared, read)
    }

    /// The duration of the selected stream according to the container, or else that of its longest
    /// stream, in seconds; nil if it declares neither. Valid after the last packet.
    package var declaredDuration: Double? { duration ?? wholeDuration?.declared }

    /// The duration of the selected stream's packets that were read, in seconds; nil if there were
    /// none.
    package var readDuration: Double? { selectedSpan.length }

    private var fileDuration: Double? {
        guard context.pointee.duration != LV_NOPTS_VALUE, context.pointee.duration > 0 else { return nil }
        let duration = Double(context.pointee.duration) / Double(AV_TIME_BASE)
        return declaresEndTimes ? span.length(to: duration) : duration
    }

    /// True if the container is Ogg.
    var isOgg: Bool { formatName == "ogg" }

    private var declaresEndTimes: Bool { formatName.hasPrefix("matroska") }
}

/// The span from the earliest to the latest time of a set of packets, in seconds.
private struct TimeSpan {
    private var start = Double.infinity
    private var end = -Double.infinity

    mutating func add(_ packet: Packet, unit: Double) {
        guard let time = packet.pts ?? packet.dts else { return }
        start = min(start, Double(time) * unit)
        end = max(end, (Double(time) + Double(packet.duration)) * unit)
    }

    var length: Double? { start <= end ? end - start : nil }

    /// Returns the length from the start to another end; nil if it is not positive.
    func length(to end: Double) -> Double? { start < end ? end - start : nil }

    /// Returns the seconds of a time such as `00:00:02.500000000`; nil if it is invalid.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        let sum = hours * 3600 + minutes * 60 + seconds
        // Rejects NaN, and more than 30 years.
        return sum >= 0 && sum < 1e9 ? sum : nil
    }
}
