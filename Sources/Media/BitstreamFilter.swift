import CLibAV

/// A filter of libavcodec on encoded packets, one packet in, one out.
final class BitstreamFilter {
    private var context: UnsafeMutablePointer<AVBSFContext>

    /// A filter from FFmpeg's notation, such as `filter_units=remove_types=6`, for a stream.
    init(_ text: String, parameters: CodecParameters) throws(FFmpegError) {
        var pointer: UnsafeMutablePointer<AVBSFContext>?
        try check(av_bsf_list_parse_str(text, &pointer), "bitstream filter \(text)")
        context = try unwrap(pointer, "bitstream filter \(text)")
        try check(avcodec_parameters_copy(context.pointee.par_in, parameters.parameters), "bitstream filter \(text)")
        try check(av_bsf_init(context), "bitstream filter \(text)")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVBSFContext>? = context
        av_bsf_free(&pointer)
    }

    /// Replaces a packet's contents by what the filter makes of it.
    func apply(to packet: Packet) throws(FFmpegError) {
        try check(av_bsf_send_packet(context, packet.packet), "filter a packet")
        try check(av_bsf_receive_packet(context, packet.packet), "filter a packet")
    }
}
