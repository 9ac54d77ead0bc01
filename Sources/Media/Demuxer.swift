import CLibAV
import Motion

/// Reads the packets of a file's video stream.
public final class Demuxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>

    /// Opens a file and finds its best video stream. Throws if there is no such file, it is none that FFmpeg knows, or
    /// it has no video.
    public init(path: String) throws(FFmpegError) {
        var pointer: UnsafeMutablePointer<AVFormatContext>?
        // A picture's name such as `shot-%03d.png` is a name and not the pattern of many. GIFs say 10 ms where 60 frames a
        // second are meant, which FFmpeg by itself takes for a mistake, and for 100 ms.
        let (status, _) = ["pattern_type": "none", "min_delay": "1"].withAVDictionary {
            avformat_open_input(&pointer, "file:" + path, nil, $0)
        }
        try check(status, "open \(path)")
        context = try unwrap(pointer, "open \(path)")
        let opened = context
        do throws(FFmpegError) {
            try check(avformat_find_stream_info(opened, nil), "read \(path)")
            let index = try check(
                av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0), "find video in \(path)")
            stream = try unwrap(opened.pointee.streams[Int(index)], "find video in \(path)")
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
    public var timeBase: Rational {
        Rational(Int128(stream.pointee.time_base.num), Int128(stream.pointee.time_base.den))
    }

    /// What the container says of the stream's mean frame rate, in frames a second; nil if it says nothing.
    public var averageFrameRate: Rational? {
        let rate = stream.pointee.avg_frame_rate
        return rate.num > 0 && rate.den > 0 ? Rational(Int128(rate.num), Int128(rate.den)) : nil
    }

    /// What the container says of the length in seconds, of the stream or else of the file; nil if it says nothing.
    public var duration: Double? {
        if stream.pointee.duration != LV_NOPTS_VALUE, stream.pointee.duration > 0 {
            return Double(stream.pointee.duration) * timeBase.double
        }
        guard context.pointee.duration != LV_NOPTS_VALUE, context.pointee.duration > 0 else { return nil }
        return Double(context.pointee.duration) / Double(AV_TIME_BASE)
    }

    /// The next packet of the video stream; nil at the end.
    public func read() throws(FFmpegError) -> Packet? {
        while true {
            let packet = try Packet()
            let status = av_read_frame(context, packet.packet)
            if status == LV_ERROR_EOF { return nil }
            try check(status, "read a packet")
            if packet.streamIndex == Int(stream.pointee.index) { return packet }
        }
    }
}
