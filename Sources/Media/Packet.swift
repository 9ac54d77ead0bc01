import CLibAV

/// A packet of an encoded stream. Owns an `AVPacket`.
///
/// Sendable because only the encoder writes its bytes, before anything else reads them.
package final class Packet: @unchecked Sendable {
    let packet: UnsafeMutablePointer<AVPacket>
    /// The packet of the same frame's alpha, if it is a stream of its own; nil otherwise.
    var alphaPacket: Packet?

    /// An empty packet, for an encoder or demuxer to fill.
    init() throws(FFmpegError) { packet = try unwrap(av_packet_alloc(), "allocate a packet") }

    /// A packet with a copy of `bytes`.
    convenience init(_ bytes: [UInt8]) throws(FFmpegError) {
        try self.init()
        try check(av_new_packet(packet, Int32(bytes.count)), "allocate a packet")
        bytes.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { packet.pointee.data.update(from: first, count: source.count) }
        }
    }

    /// A packet of a frame, presented at `pts` for one frame, from an encoder without reordering.
    package convenience init(_ bytes: [UInt8], pts: Int, isKeyFrame: Bool) throws(FFmpegError) {
        try self.init(bytes)
        packet.pointee.pts = Int64(pts)
        packet.pointee.dts = Int64(pts)
        packet.pointee.duration = 1
        if isKeyFrame { packet.pointee.flags |= AV_PKT_FLAG_KEY }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&pointer)
    }

    /// Presentation time in units of the time base; nil if unknown.
    package var pts: Int64? { packet.pointee.pts == LV_NOPTS_VALUE ? nil : packet.pointee.pts }
    /// Decoding time in units of the time base; nil if unknown.
    package var dts: Int64? { packet.pointee.dts == LV_NOPTS_VALUE ? nil : packet.pointee.dts }
    /// Duration in units of the time base; 0 if unknown.
    package var duration: Int64 { packet.pointee.duration }
    /// True if decoding can start with this packet.
    package var isKeyFrame: Bool { packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Size in bytes.
    package var byteCount: Int { Int(packet.pointee.size) }
    /// The encoded bytes; valid while the packet lives.
    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: packet.pointee.data, count: byteCount) }
    /// The index of its stream in the container.
    package var streamIndex: Int { Int(packet.pointee.stream_index) }
}
