import CLibAV

extension Demuxer {
    /// libavformat's names of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

    /// The number of frames according to the container; nil if it declares none.
    package var declaredFrameCount: Int? { stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil }

    /// True if the container declares a second bitstream of alpha. Players of VP8 and VP9 require
    /// the declaration.
    package var declaresAlpha: Bool {
        av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0).map { String(cString: $0.pointee.value) } == "1"
    }

    /// Seeks to the last keyframe at or before a time in units of the time base. Decoders must be
    /// flushed afterwards.
    package func seek(to pts: Int64) throws(FFmpegError) {
        try source.check(av_seek_frame(context, stream.pointee.index, pts, AVSEEK_FLAG_BACKWARD), "seek")
    }
}

extension VideoDecoder {
    /// Discards the decoder's state after a seek.
    package func flush() { avcodec_flush_buffers(context) }
}

extension Packet {
    /// Returns the packet of the alpha bitstream, which Matroska stores in a BlockAdditional
    /// element, with this packet's times; nil if there is none.
    package func alpha() throws(FFmpegError) -> Packet? {
        var size = 0
        guard let data = lv_packet_alpha(packet, &size), size > 8 else { return nil }
        let alpha = try Packet(Array(UnsafeBufferPointer(start: data, count: size).dropFirst(8)))
        alpha.packet.pointee.pts = packet.pointee.pts
        alpha.packet.pointee.dts = packet.pointee.dts
        alpha.packet.pointee.duration = packet.pointee.duration
        alpha.packet.pointee.flags = packet.pointee.flags
        return alpha
    }

    /// True if the demuxer marked the packet as damaged.
    package var isCorrupt: Bool { packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
}
