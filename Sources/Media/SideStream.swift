import CLibAV
import Motion

/// What a clip has beside its pictures.
public struct SideTracks {
    /// Captions as a stream of their own; nil for none.
    public var captions: CaptionTrack?
    /// Sound; nil for none.
    public var audio: AudioSource?
    /// A picture that stands for the clip, as a PNG file; nil for none. Containers that have no place for one leave it out.
    public var poster: [UInt8]?

    /// Nothing, or what is given.
    public init(captions: CaptionTrack? = nil, audio: AudioSource? = nil, poster: [UInt8]? = nil) {
        (self.captions, self.audio, self.poster) = (captions, audio, poster)
    }
}

/// A stream that is muxed beside the video, packet by packet as the video gets there.
protocol SideStream: AnyObject {
    /// The container's stream.
    var stream: UnsafeMutablePointer<AVStream> { get }
    /// When the next packet is decoded, in seconds; nil if there is none.
    var nextTime: Rational? { get }
    /// The next packet, in units of the stream's clock; nil if there is none.
    func next() throws(FFmpegError) -> Packet?
}

/// A poster: an attached picture in MP4, and an attached file in Matroska.
enum Poster {
    /// Describes a PNG file in a container that has not begun. Returns a packet to be written when it has, if there is one.
    static func add(
        _ png: [UInt8], to context: UnsafeMutablePointer<AVFormatContext>, _ container: Container,
        beside video: UnsafeMutablePointer<AVStream>
    ) throws(FFmpegError) -> Packet? {
        let stream = try unwrap(avformat_new_stream(context, nil), "add a poster")
        guard container != .mkv else {
            stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
            try stream.setHeader(png)
            av_dict_set(&stream.pointee.metadata, "filename", "cover.png", 0)
            av_dict_set(&stream.pointee.metadata, "mimetype", "image/png", 0)
            return nil
        }
        let picture = video.pointee.codecpar.pointee
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_PNG
        (stream.pointee.codecpar.pointee.width, stream.pointee.codecpar.pointee.height) = (
            picture.width, picture.height
        )
        stream.pointee.time_base = video.pointee.time_base
        stream.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC
        let packet = try Packet(png)
        packet.packet.pointee.stream_index = stream.pointee.index
        (packet.packet.pointee.pts, packet.packet.pointee.dts) = (0, 0)
        packet.packet.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }
}

extension Container {
    /// Whether it has a place for a poster. QuickTime's muxer writes none, and WebM's standard knows none.
    public var holdsPoster: Bool { [.mp4, .m4v, .mkv].contains(self) }
}

extension UnsafeMutablePointer<AVStream> {
    /// Gives a stream without one a header, or the contents of an attached file.
    func setHeader(_ bytes: [UInt8]) throws(FFmpegError) {
        let memory = try unwrap(
            av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "describe a stream")
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        pointee.codecpar.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.codecpar.pointee.extradata_size = Int32(bytes.count)
    }
}
