import CLibAV
import Core

/// A second reading of a stream's packets. It finds damaged data that a decoder takes for frames,
/// because the codec has no checksums and an entropy decoder accepts any bits.
///
/// Not thread-safe.
package final class DamageDetector {
    private enum Method {
        /// Another decoder that rejects packets whose data ends too early or too late.
        case strictDecoder(VideoDecoder)
        /// The same decoder. After each packet's data it gets further bytes, which it must not
        /// need, and it begins each row of blocks where the packet says that it begins.
        case extendedPackets(VideoDecoder, ExtendedPackets)
        /// The checksums of FFV1's slices, which the decoder only logs.
        case checksums(SliceChecksums)
    }

    private var method: Method
    /// True once a keyframe was read.
    private var hasStarted = false
    /// True if the strict decoder has decoded a packet, false if it has only rejected some; nil
    /// before the first one.
    private var isSupported: Bool?
    /// The frames of one of the two decoders whose counterparts the other one has not returned yet.
    private var waiting: (decoded: [VideoFrame], repeated: [VideoFrame]) = ([], [])

    /// The decoders that reject a packet if its frame needs more data than the packet has, and in
    /// AV1 also if it needs less.
    private static let strictDecoders = ["vp9": "libvpx-vp9", "av1": "libaom-av1"]
    /// The maximum number of frames by which one decoder may be ahead of the other, so that memory
    /// is bounded: 16 of the codec's reordering, and as many of libavcodec's threads.
    private static let maxWaiting = 32

    /// Opens what the codec needs; nil if its own decoder finds damage, or if this FFmpeg has no
    /// other one.
    package init?(_ parameters: CodecParameters) throws(FFmpegError) {
        switch parameters.codecName {
        case "vp9", "av1":
            guard let name = Self.strictDecoders[parameters.codecName],
                let decoder = try VideoDecoder(parameters, named: name)
            else { return nil }
            method = .strictDecoder(decoder)
        case "vp8": method = .extendedPackets(try VideoDecoder(parameters), .wholePackets)
        case "hevc":
            // With several threads, libavcodec decodes each row of blocks from its own offset, and
            // otherwise from the end of the previous row.
            let decoder = try VideoDecoder(parameters, sliceThreads: 2)
            method = .extendedPackets(decoder, .sliceUnits(lengthSize: parameters.unitLengthSize))
        case "ffv1":
            // Versions without a header have one slice and no checksum.
            method =
                parameters.hasHeader
                ? .checksums(SliceChecksums()) : .extendedPackets(try VideoDecoder(parameters), .wholePackets)
        default: return nil
        }
    }

    /// Reads a packet that the decoder has decoded to some frames; nil at the end. Throws
    /// `FFmpegError` if it is damaged.
    package func check(_ packet: Packet?, decodedTo frames: [VideoFrame]) throws(FFmpegError) {
        hasStarted = hasStarted || packet?.isKeyFrame == true
        switch method {
        case .strictDecoder(let decoder):
            // Every strict decoder knows this format, so it rejected a damaged packet.
            let isKnown = frames.contains { $0.format == .yuv420p }
            if isSupported == false, isKnown { throw Self.damage("an earlier frame is damaged") }
            // A copied part of a clip may begin with frames whose references are missing.
            guard hasStarted, isSupported != false || packet?.isKeyFrame == true else { return }
            do throws(FFmpegError) { _ = try decoder.decode(packet) } catch {
                if isKnown { throw Self.damage("the frame is damaged") }
                // The strict decoder may not know the stream's profile, such as one of 10 bits.
                guard isSupported == true else {
                    isSupported = false
                    return
                }
                throw error
            }
            // If it decodes a later keyframe, it knows the profile.
            if isSupported == false { throw Self.damage("an earlier frame is damaged") }
            isSupported = true
        case .extendedPackets(let decoder, let format):
            waiting.decoded += frames
            waiting.repeated += try decoder.decode(format.extended(packet))
            try compare()
            // Both decoders have returned all frames.
            if packet == nil, !waiting.decoded.isEmpty || !waiting.repeated.isEmpty { throw Self.differentCount }
        case .checksums(var checksums):
            guard let packet else { return }
            let isDamaged = checksums.isDamaged(packet.bytes)
            method = .checksums(checksums)
            if isDamaged { throw Self.damage("the checksum of a slice is wrong") }
        }
    }

    private func compare() throws(FFmpegError) {
        let count = min(waiting.decoded.count, waiting.repeated.count)
        for (a, b) in zip(waiting.decoded, waiting.repeated) where a.squaredError(from: b)?.psnr.isFinite == true {
            throw Self.damage("the compressed data does not end where the frame ends")
        }
        waiting.decoded.removeFirst(count)
        waiting.repeated.removeFirst(count)
        if max(waiting.decoded.count, waiting.repeated.count) > Self.maxWaiting {
            throw Self.differentCount
        }
    }

    private static var differentCount: FFmpegError { damage("a second reading has another number of frames") }

    private static func damage(_ reason: String) -> FFmpegError {
        FFmpegError(code: FFmpegError.invalidData, operation: "decode a packet", reason: reason)
    }
}

/// Copies of packets with added bytes after the data, which decoders do not read.
enum ExtendedPackets {
    /// The packet's data ends with the last partition or slice, as in VP8.
    case wholePackets
    /// The packet has units of HEVC, each after its length in bytes; nil if each follows a start
    /// code.
    case sliceUnits(lengthSize: Int?)

    /// The added bytes: no start code, and neither all zeros nor all ones.
    static let addition = [UInt8](repeating: 0xb5, count: 32)
    /// The types of units that contain a slice are below this number.
    private static let firstOtherType: UInt8 = 32

    /// Returns a copy of a packet with additional bytes; nil for nil, the end of a stream.
    func extended(_ packet: Packet?) throws(FFmpegError) -> Packet? {
        guard let packet, packet.byteCount > 0 else { return packet }
        let bytes = Array(packet.bytes)
        let result: [UInt8]
        switch self {
        case .wholePackets: result = bytes + Self.addition
        case .sliceUnits(let size?): result = Self.extended(bytes, lengthSize: size)
        case .sliceUnits(nil): result = Self.extendedAfterStartCodes(bytes)
        }
        let copy = try Packet(result)
        try check(av_packet_copy_props(copy.packet, packet.packet), "copy a packet")
        return copy
    }

    /// Returns units with additional bytes at the end of each slice.
    static func extended(_ bytes: [UInt8], lengthSize: Int) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        while offset + lengthSize < bytes.count {
            let start = offset + lengthSize
            let length = bytes[offset..<start].reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, length <= bytes.count - start else { break }
            let isSlice = bytes[start] >> 1 & 63 < firstOtherType
            let newLength = length + (isSlice ? addition.count : 0)
            // A length of one byte may have no room for more.
            guard newLength < 1 << (8 * lengthSize) else { break }
            result += (0..<lengthSize).map { UInt8(truncatingIfNeeded: newLength >> (8 * (lengthSize - 1 - $0))) }
            result += bytes[start..<start + length] + (isSlice ? addition : [])
            offset = start + length
        }
        return result + bytes[offset...]
    }

    /// Returns units with additional bytes at the end of each slice, before the zeros that belong
    /// to the next start code.
    static func extendedAfterStartCodes(_ bytes: [UInt8]) -> [UInt8] {
        func startCode(from first: Int) -> Int? {
            (first..<max(first, bytes.count - 3)).first {
                bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1
            }
        }
        guard var start = startCode(from: 0) else { return bytes }
        var result = Array(bytes[..<start])
        while true {
            let next = startCode(from: start + 3)
            var end = next ?? bytes.count
            while end > start + 3, bytes[end - 1] == 0 { end -= 1 }
            result += bytes[start..<end]
            if bytes[start + 3] >> 1 & 63 < firstOtherType { result += addition }
            result += bytes[end..<(next ?? bytes.count)]
            guard let next else { return result }
            start = next
        }
    }
}

extension CodecParameters {
    /// True if the container stores a header of the codec.
    fileprivate var hasHeader: Bool { parameters.pointee.extradata_size > 0 }

    /// The size in bytes of the length before each unit of HEVC in a packet; nil if units follow
    /// start codes.
    fileprivate var unitLengthSize: Int? {
        // The configuration record of ISO/IEC 14496-15, section 8.3.2.
        guard let header = parameters.pointee.extradata, parameters.pointee.extradata_size > 22, header[0] == 1 else {
            return nil
        }
        return Int(header[21] & 3) + 1
    }
}

/// The checksums of FFV1's slices (RFC 9043, section 4.9): each slice ends with its length in three
/// bytes and, if the stream has checksums, a byte and a CRC, over which the CRC is zero.
struct SliceChecksums {
    /// True if all slices of a packet had right checksums, which cannot be chance.
    private var hasChecksums = false
    /// True if a packet had a wrong checksum or none. It may be the first one.
    private var hasOthers = false

    /// The size of the end of a slice in bytes.
    private static let footerSize = 8

    init() {}

    /// Returns true if the stream has checksums and one of this or of an earlier packet is wrong.
    mutating func isDamaged(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return false }
        if Self.areRight(bytes) { hasChecksums = true } else { hasOthers = true }
        return hasChecksums && hasOthers
    }

    private static func areRight(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var end = bytes.count
        while end > 0 {
            guard end >= footerSize else { return false }
            let length = (0..<3).reduce(0) { $0 << 8 | Int(bytes[end - footerSize + $1]) } + footerSize
            guard length <= end, let first = bytes.baseAddress else { return false }
            let checksum = av_crc(av_crc_get_table(AV_CRC_32_IEEE), 0, first + end - length, length)
            guard checksum == 0 else { return false }
            end -= length
        }
        return true
    }
}
