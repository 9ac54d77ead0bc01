import CLibAV

extension Demuxer {
    /// libavformat's names of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

    /// How many pictures the container says there are; nil if it says nothing.
    public var saidFrameCount: Int? { stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil }

    /// Whether the container says that transparency goes beside the pictures, as players of VP8 and VP9 want to be told.
    public var saysAlpha: Bool {
        av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0).map { String(cString: $0.pointee.value) } == "1"
    }

    /// Goes to the last key frame that is not behind an instant in units of the time base. A decoder must be flushed then.
    public func seek(to pts: Int64) throws(FFmpegError) {
        try check(av_seek_frame(context, stream.pointee.index, pts, AVSEEK_FLAG_BACKWARD), "seek")
    }
}

extension VideoDecoder {
    /// Forgets what was decoded, after a seek.
    public func flush() { avcodec_flush_buffers(context) }
}

extension Packet {
    /// What goes beside the picture in Matroska as its transparency, with the packet's times; nil if there is nothing.
    public func alpha() throws(FFmpegError) -> Packet? {
        var size = 0
        guard let data = lv_packet_alpha(packet, &size), size > 8 else { return nil }
        let alpha = try Packet(Array(UnsafeBufferPointer(start: data, count: size).dropFirst(8)))
        alpha.packet.pointee.pts = packet.pointee.pts
        alpha.packet.pointee.dts = packet.pointee.dts
        alpha.packet.pointee.duration = packet.pointee.duration
        alpha.packet.pointee.flags = packet.pointee.flags
        return alpha
    }

    /// Whether the container knows it to be damaged.
    public var isCorrupt: Bool { packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
}
