import CLibAV
import Platform
import Motion

/// Reads the packets of a file's video stream, or of its sound. It opens that file and nothing else, whatever the file says.
public final class Demuxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    private let source: SourceContext
    /// Where the packets so far lie in time, in seconds: those of the video stream, and those of all streams.
    private var (videoSpan, span): (TimeSpan, TimeSpan) = (TimeSpan(), TimeSpan())

    /// Opens a file and finds its best video stream. Throws if there is no such file, it has none of the formats, or it
    /// has no video.
    public convenience init(path: String, formats: InputFormats = .videos) throws(FFmpegError) {
        try self.init(InputFile(path: path), formats: formats)
    }

    /// Finds the best video stream of a file.
    public convenience init(_ file: InputFile, formats: InputFormats = .videos) throws(FFmpegError) {
        try self.init(file, formats: formats, kind: AVMEDIA_TYPE_VIDEO)
    }

    /// Finds the best stream of a kind.
    init(_ file: InputFile, formats: InputFormats, kind: AVMediaType) throws(FFmpegError) {
        _ = FFmpegLog.silenced
        let operation = "open \(file.path)"
        source = try SourceContext(file)
        let format = try formats.probe(source.context, operation)
        var pointer = avformat_alloc_context()
        let opened = try unwrap(pointer, operation)
        opened.pointee.pb = source.context
        opened.pointee.io_open = { _, _, _, _, _ in -EACCES }
        // A format within the format is opened by itself, with the lists alone. No decoder: it would run before anybody can
        // bound the size of its pictures. GIFs say 10 ms where 60 frames a second are meant, which FFmpeg by itself takes
        // for a mistake, and for 100 ms.
        let options = [
            "format_whitelist": formats.list, "protocol_whitelist": "none", "codec_whitelist": "none", "min_delay": "1",
        ]
        // Without a name, since FFmpeg reads more out of names than is meant.
        let (status, _) = options.withAVDictionary { avformat_open_input(&pointer, "", format, $0) }
        try source.check(status, operation)
        context = opened
        do throws(FFmpegError) {
            if !formats.isDescribed { try source.check(avformat_find_stream_info(opened, nil), "read \(file.path)") }
            let operation = "find \(kind == AVMEDIA_TYPE_VIDEO ? "video" : "sound") in \(file.path)"
            let index = try check(av_find_best_stream(opened, kind, -1, -1, nil, 0), operation)
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

    /// What a decoder must know of the stream.
    public func parameters() throws(FFmpegError) -> CodecParameters {
        try CodecParameters(copying: stream.pointee.codecpar)
    }

    /// The unit of the stream's times, in seconds.
    public var timeBase: Rational { Rational(stream.pointee.time_base) }

    /// What the container says of the stream's mean frame rate, in frames a second; nil if it says nothing.
    public var averageFrameRate: Rational? {
        let rate = stream.pointee.avg_frame_rate
        return rate.num > 0 && rate.den > 0 ? Rational(Int128(rate.num), Int128(rate.den)) : nil
    }

    /// How many streams of the same kind there are.
    var streamCount: Int {
        let kind = stream.pointee.codecpar.pointee.codec_type
        return (0..<Int(context.pointee.nb_streams)).filter { index in
            context.pointee.streams[index]?.pointee.codecpar.pointee.codec_type == kind
        }.count
    }

    /// The stream's language as the container has it, in three letters; nil if it says none.
    var language: String? {
        av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
    }

    /// The next packet of the video stream; nil at the end.
    public func read() throws(FFmpegError) -> Packet? {
        while let (packet, isVideo) = try readAny() {
            if isVideo { return packet }
        }
        return nil
    }

    /// The next packet of any stream, and whether that is the video stream; nil at the end.
    public func readAny() throws(FFmpegError) -> (packet: Packet, isVideo: Bool)? {
        let packet = try Packet()
        let status = av_read_frame(context, packet.packet)
        if status == LV_ERROR_EOF, source.failure == nil { return nil }
        try source.check(status, "read a packet")
        let isVideo = packet.streamIndex == Int(stream.pointee.index)
        guard let owner = context.pointee.streams[packet.streamIndex] else { return (packet, isVideo) }
        span.add(packet, unit: av_q2d(owner.pointee.time_base))
        if isVideo { videoSpan.add(packet, unit: av_q2d(owner.pointee.time_base)) }
        return (packet, isVideo)
    }

    // MARK: What the container promises

    /// Length in seconds that the container says the video stream has; nil if it says nothing of this stream. To be asked
    /// when all packets are read: Matroska tells ends instead of lengths.
    public var duration: Double? {
        if tellsEnds, let tag = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0) {
            return TimeSpan.seconds(String(cString: tag.pointee.value)).flatMap(videoSpan.length(to:))
        }
        let isAlone = context.pointee.nb_streams == 1
        guard stream.pointee.duration != LV_NOPTS_VALUE, stream.pointee.duration > 0, !tellsEnds else {
            return isAlone ? fileDuration : nil
        }
        // Where a container tells the length of the whole only, libavformat may give it to the streams, too.
        let duration = Double(stream.pointee.duration) * timeBase.double
        return isAlone || abs(duration - (fileDuration ?? 0)) > 0.002 ? duration : nil
    }

    /// Length in seconds that the container says the longest of its streams has, and how much of that was read. To be asked
    /// when all packets are read.
    public var wholeDuration: (promised: Double, read: Double)? {
        guard let promised = fileDuration, let read = span.length else { return nil }
        return (promised, read)
    }

    private var fileDuration: Double? {
        guard context.pointee.duration != LV_NOPTS_VALUE, context.pointee.duration > 0 else { return nil }
        let duration = Double(context.pointee.duration) / Double(AV_TIME_BASE)
        return tellsEnds ? span.length(to: duration) : duration
    }

    /// Whether the container is Ogg.
    var isOgg: Bool { String(cString: context.pointee.iformat.pointee.name) == "ogg" }

    private var tellsEnds: Bool { String(cString: context.pointee.iformat.pointee.name).hasPrefix("matroska") }
}

/// From the earliest to the latest instant of some packets, in seconds.
private struct TimeSpan {
    private var (start, end): (Double, Double) = (.infinity, -.infinity)

    mutating func add(_ packet: Packet, unit: Double) {
        guard let time = packet.pts ?? packet.dts else { return }
        start = min(start, Double(time) * unit)
        end = max(end, (Double(time) + Double(packet.duration)) * unit)
    }

    var length: Double? { start <= end ? end - start : nil }

    /// From the start to another end; nil if that lies before it.
    func length(to end: Double) -> Double? { start < end ? end - start : nil }

    /// The seconds of `00:00:02.500000000`.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        let sum = hours * 3600 + minutes * 60 + seconds
        // Longer ones, and such as are no number, are nobody's lengths.
        return sum >= 0 && sum < 1e9 ? sum : nil
    }
}
