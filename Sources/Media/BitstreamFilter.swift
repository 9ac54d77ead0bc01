import CLibAV

/// A bitstream filter of libavcodec that returns one packet for each packet.
final class BitstreamFilter {
    private var context: UnsafeMutablePointer<AVBSFContext>

    /// A filter for a stream, in FFmpeg's syntax, such as `filter_units=remove_types=6`.
    init(_ text: String, parameters: CodecParameters) throws(FFmpegError) {
        var pointer: UnsafeMutablePointer<AVBSFContext>?
        try check(av_bsf_list_parse_str(text, &pointer), "create the bitstream filter \(text)")
        context = try unwrap(pointer, "create the bitstream filter \(text)")
        try check(
            avcodec_parameters_copy(context.pointee.par_in, parameters.parameters),
            "create the bitstream filter \(text)")
        try check(av_bsf_init(context), "create the bitstream filter \(text)")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVBSFContext>? = context
        av_bsf_free(&pointer)
    }

    /// Filters a packet in place.
    func apply(to packet: Packet) throws(FFmpegError) {
        try check(av_bsf_send_packet(context, packet.packet), "filter a packet")
        try check(av_bsf_receive_packet(context, packet.packet), "filter a packet")
    }
}
