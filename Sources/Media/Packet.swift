import CLibAV

/// A piece of an encoded stream: owns an `AVPacket`.
///
/// Sendable: its bytes are written once, by the encoder that makes it, and only read afterwards.
public final class Packet: @unchecked Sendable {
    let packet: UnsafeMutablePointer<AVPacket>

    /// An empty packet, for an encoder or demuxer to fill.
    init() throws(FFmpegError) { packet = try unwrap(av_packet_alloc(), "allocate a packet") }

    /// A packet with a copy of bytes.
    convenience init(_ bytes: [UInt8]) throws(FFmpegError) {
        try self.init()
        try check(av_new_packet(packet, Int32(bytes.count)), "allocate a packet")
        for (index, byte) in bytes.enumerated() { packet.pointee.data[index] = byte }
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&pointer)
    }

    /// Presentation time in units of the time base; nil if unknown.
    public var pts: Int64? { packet.pointee.pts == LV_NOPTS_VALUE ? nil : packet.pointee.pts }
    /// Decoding time in units of the time base; nil if unknown.
    public var dts: Int64? { packet.pointee.dts == LV_NOPTS_VALUE ? nil : packet.pointee.dts }
    /// Length in units of the time base; 0 if unknown.
    public var duration: Int64 { packet.pointee.duration }
    /// Whether decoding can begin here.
    public var isKeyFrame: Bool { packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Size in bytes.
    public var byteCount: Int { Int(packet.pointee.size) }
    /// The bytes.
    public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: packet.pointee.data, count: byteCount) }
    /// The stream it belongs to in its container.
    public var streamIndex: Int { Int(packet.pointee.stream_index) }
}
