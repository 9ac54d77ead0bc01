import CLibAV
import Core

/// The file-level properties of an animated image.
struct AnimationHeader {
    /// Width in pixels.
    let width: Int
    /// Height in pixels.
    let height: Int
    /// The pixel format of the encoded frames.
    let pixelFormat: PixelFormat
    /// The colour gamut of the frames.
    let gamut: ColorGamut
    /// The number of times that the animation plays; nil for endless.
    let plays: Int?
    /// The number of stored frames; nil if it is not known in advance, since equal frames are
    /// merged.
    let frameCount: Int?
    /// The codec's header.
    let codecHeader: [UInt8]
}

/// A writer for one animated image format.
protocol AnimationFile {
    /// Returns the start of the file.
    mutating func header() -> [UInt8]
    /// Returns the bytes of a frame, from its packet and its delay in ticks of the container.
    mutating func frame(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8]
    /// Returns the end of the file.
    mutating func trailer() -> [UInt8]
    /// Returns the bytes that must be overwritten at earlier offsets after the last frame, for a
    /// file of `fileSize` bytes. Throws an `FFmpegError` if the file is too large for the format.
    func patches(fileSize: Int) throws(FFmpegError) -> [(offset: Int, bytes: [UInt8])]
}

/// A writer of the packets of an animated image into a file.
///
/// Not thread-safe.
package final class AnimationMuxer: PacketMuxer {
    private let sink: any ByteSink
    private let clock: AnimationClock
    private var file: any AnimationFile
    private var buffer: [UInt8] = []
    private var byteCount = 0

    /// The bytes that are collected before a write to the sink.
    private static let bufferSize = 1 << 16

    /// Writes the start of a file. Throws an `FFmpegError` if the container is not an animated
    /// image format, or the sink's error.
    ///
    /// - Parameters:
    ///   - container: an animated image format that supports the frame rate.
    ///   - sink: the destination, which must be seekable if `Container.needsSeeking` is true.
    ///   - parameters: the encoder's stream parameters.
    ///   - frameRate: the frame rate, whose inverse is the unit of the packets' times.
    ///   - gamut: the colour gamut of the frames. Only APNG can store another one than sRGB.
    ///   - plays: the number of times that the animation plays, 1...65535; nil for endless.
    ///   - frameCount: the number of packets, if it is known.
    package init(
        _ container: Container, to sink: any ByteSink, parameters: CodecParameters, frameRate: FrameRate,
        gamut: ColorGamut = .bt709, plays: Int? = nil, frameCount: Int? = nil
    ) throws {
        let header = AnimationHeader(
            width: parameters.width, height: parameters.height, pixelFormat: parameters.pixelFormat, gamut: gamut,
            plays: plays, frameCount: frameCount, codecHeader: Array(parameters.header))
        file = try AnimationMuxer.file(container, header)
        self.sink = sink
        clock = AnimationClock(container, frameRate)
        try append(file.header())
    }

    private static func file(
        _ container: Container, _ header: AnimationHeader
    ) throws(FFmpegError) -> any AnimationFile {
        switch container {
        case .gif: return GIFAnimation(header)
        case .apng: return APNGFile(header)
        case .webp: return WebPFile(header)
        default:
            throw FFmpegError(
                code: LV_ERROR_INVALIDDATA, operation: "open muxer \(container)",
                reason: "it is not an animated image format")
        }
    }

    package func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try append(file.frame(packet.bytes, delay: clock.delay(of: pts..<pts + duration)))
    }

    package func finish() throws {
        try append(file.trailer())
        try flush()
        for (offset, bytes) in try file.patches(fileSize: byteCount) {
            try sink.seek(to: Int64(offset))
            try bytes.withUnsafeBytes { try sink.write($0) }
        }
    }

    private func append(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= AnimationMuxer.bufferSize { try flush() }
    }

    private func flush() throws {
        guard !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes { try sink.write($0) }
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
