import CLibAV
import Core

/// The settings for indexed colours.
package struct IndexedColorSettings: Sendable, Hashable {
    /// The palette of the clip; nil until the colours are counted.
    package var palette: Palette?
    /// True to dither colours that are not in the palette.
    package var dithers = false
    /// The colour behind translucent pixels in formats with one bit of alpha. If it is nil, pixels
    /// with less than half alpha become transparent, and the others opaque.
    package var matte: Color?

    /// Settings without a palette, dithering or matte.
    package init() {}
}

/// An encoder that needs the frames before and after its segment.
package protocol ContextualEncoder: FrameEncoder {
    /// Starts a segment after the clip's first one. `frame` is the last frame of the segment
    /// before.
    func begin(after frame: VideoFrame)
    /// Ends the stream like `finish()`. `frame` is the first frame of the next segment.
    func finish(before frame: VideoFrame) throws(FFmpegError) -> [Packet]
}

/// An encoder of GIF frames. Takes frames in BGRA whose pixels are opaque or all zeros. Each packet
/// is a frame as stored in the file, except for its delay.
final class GIFEncoder: ContextualEncoder {
    let settings: EncoderSettings
    private let palette: Palette
    private let encoder: GIFFrameEncoder
    private let bounds: PixelRect
    /// The presentation time of the frame that the encoder holds back.
    private var pendingTime = 0
    private var hasPackets = false

    init(_ settings: EncoderSettings) {
        self.settings = settings
        palette = settings.indexing.palette ?? .empty
        encoder = GIFFrameEncoder(
            width: settings.width, height: settings.height,
            GIFEncodingOptions(palette: palette, dithers: settings.indexing.dithers))
        bounds = PixelRect(x: 0, y: 0, width: settings.width, height: settings.height)
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(settings, header: palette.table) }

    func begin(after frame: VideoFrame) { frame.withPixels { encoder.begin(after: $0) } }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        let finished = frame.withPixels { encoder.add($0, changedIn: [bounds]) }
        defer { pendingTime = pts }
        return try packets(finished)
    }

    func finish() throws(FFmpegError) -> [Packet] { try packets(encoder.finish(before: nil)) }

    func finish(before frame: VideoFrame) throws(FFmpegError) -> [Packet] {
        try packets(frame.withPixels { encoder.finish(before: $0) })
    }

    /// Returns the packet of the pending frame; empty if there is none.
    private func packets(_ frame: EncodedGIFFrame?) throws(FFmpegError) -> [Packet] {
        guard let frame else { return [] }
        let packet = try Packet(frame.bytes.bytes, pts: pendingTime, isKeyFrame: !hasPackets)
        hasPackets = true
        return [packet]
    }
}

extension VideoFrame {
    /// Calls `body` with a view of the pixels of a BGRA frame, each of which must be opaque or all
    /// zeros.
    package func withPixels<Result>(_ body: (PixelView) -> Result) -> Result {
        guard let plane = plane(0) else { preconditionFailure("the frame has no pixels") }
        return plane.data.withMemoryRebound(to: UInt32.self, capacity: plane.stride / 4 * height) {
            body(PixelView($0, width: width, height: height, stride: plane.stride / 4))
        }
    }
}

/// A GIF file as an animated image format.
struct GIFAnimation: AnimationFile {
    private var file: GIFFile

    init(_ header: AnimationHeader) {
        file = GIFFile(
            width: header.width, height: header.height, colorTable: header.codecHeader, plays: header.plays,
            mergesEqual: header.frameCount == nil)
    }

    mutating func header() -> [UInt8] { file.header }

    mutating func frame(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        file.add(EncodedGIFFrame.Bytes(packet), delay: delay)
    }

    mutating func trailer() -> [UInt8] { file.lastFrameAndTrailer }

    func patches(fileSize: Int) -> [(offset: Int, bytes: [UInt8])] { [] }
}
