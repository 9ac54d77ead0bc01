import CLibAV
import Core

/// The tracks of a clip other than video.
package struct SideTracks {
    /// The caption track; nil for none.
    package var captions: CaptionTrack?
    /// The audio track; nil for none.
    package var audio: (any AudioPackets)?
    /// The poster image as a PNG file; nil for none. Omitted from containers that do not support
    /// it.
    package var poster: [UInt8]?
    /// The timecode of the first frame; nil for none.
    package var timecode: Timecode?

    /// A set of tracks, by default empty.
    package init(
        captions: CaptionTrack? = nil, audio: (any AudioPackets)? = nil, poster: [UInt8]? = nil,
        timecode: Timecode? = nil
    ) {
        self.captions = captions
        self.audio = audio
        self.poster = poster
        self.timecode = timecode
    }
}

/// A stream whose packets are interleaved with those of the video.
protocol SideStream: AnyObject {
    /// The container's stream.
    var stream: UnsafeMutablePointer<AVStream> { get }
    /// The decoding time of the next packet, in seconds; nil if there is none.
    var nextTime: Rational? { get }
    /// Returns the next packet, with times in the stream's time base; nil if there is none.
    func next() throws(FFmpegError) -> Packet?
}

/// A poster image: an attached picture in MP4, an attachment in Matroska.
enum Poster {
    /// Adds a PNG file to a container before its header is written. Returns the packet that must be
    /// written after the header; nil if there is none.
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
        let videoParameters = video.pointee.codecpar.pointee
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_PNG
        stream.pointee.codecpar.pointee.width = videoParameters.width
        stream.pointee.codecpar.pointee.height = videoParameters.height
        stream.pointee.time_base = video.pointee.time_base
        stream.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC
        let packet = try Packet(png)
        packet.packet.pointee.stream_index = stream.pointee.index
        packet.packet.pointee.pts = 0
        packet.packet.pointee.dts = 0
        packet.packet.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }
}

extension Container {
    /// True if the container supports a poster. FFmpeg's QuickTime muxer does not write one, and
    /// the WebM specification has no attachments.
    package var supportsPoster: Bool { [.mp4, .m4v, .mkv].contains(self) }
}

extension UnsafeMutablePointer<AVStream> {
    /// Sets the codec header of a stream that has none, or the contents of an attachment.
    func setHeader(_ bytes: [UInt8]) throws(FFmpegError) {
        let memory = try unwrap(
            av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "set a stream's header")
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        pointee.codecpar.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.codecpar.pointee.extradata_size = Int32(bytes.count)
    }
}
