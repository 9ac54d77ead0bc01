import CLibAV
import GIF
import Motion
import Scene

/// How pictures of few colours are made of all colours.
public struct Indexing: Sendable, Hashable {
    /// The clip's colours; nil as long as they are not known.
    public var palette: Palette?
    /// Whether colours that are not in the palette are mixed of two that are.
    public var dithers = false
    /// The colour that is behind what is half transparent, where all or nothing is to be had; nil leaves the half that is
    /// more transparent out, and shows the other as if it were opaque.
    public var matte: Color?

    /// No palette, no mixtures and no matte.
    public init() {}
}

/// An encoder whose pictures depend on those around its segment.
public protocol NeighbourEncoder: PictureEncoder {
    /// Begins a segment that is not the clip's first, after a picture that is not its own.
    func begin(after frame: VideoFrame)
    /// Ends the stream as `finish` does, where a picture follows.
    func finish(before frame: VideoFrame) throws(FFmpegError) -> [Packet]
}

/// Encodes pictures for a GIF: frames of BGRA, opaque or all zeros. Each packet is a picture as it stands in the file, but
/// for its delay.
final class GIFEncoder: NeighbourEncoder {
    let settings: EncoderSettings
    private let palette: Palette
    private let coder: PictureCoder
    private let bounds: PixelRect
    private var waitingTime = 0
    private var hasPackets = false

    init(_ settings: EncoderSettings) {
        self.settings = settings
        palette = settings.indexing.palette ?? .none
        coder = PictureCoder(
            width: settings.width, height: settings.height,
            GIFCoding(palette: palette, dithers: settings.indexing.dithers))
        bounds = PixelRect(x: 0, y: 0, width: settings.width, height: settings.height)
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(settings, header: palette.table) }

    func begin(after frame: VideoFrame) { frame.withPixels { coder.begin(after: $0) } }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        let picture = frame.withPixels { coder.add($0, changedIn: [bounds]) }
        defer { waitingTime = pts }
        return try packets(picture)
    }

    func finish() throws(FFmpegError) -> [Packet] { try packets(coder.finish(before: nil)) }

    func finish(before frame: VideoFrame) throws(FFmpegError) -> [Packet] {
        try packets(frame.withPixels { coder.finish(before: $0) })
    }

    /// What became of the picture that waited.
    private func packets(_ picture: CodedPicture?) throws(FFmpegError) -> [Packet] {
        guard let picture else { return [] }
        let packet = try Packet(picture.bytes.bytes)
        (packet.packet.pointee.pts, packet.packet.pointee.dts) = (Int64(waitingTime), Int64(waitingTime))
        packet.packet.pointee.duration = 1
        if !hasPackets { packet.packet.pointee.flags |= AV_PKT_FLAG_KEY }
        hasPackets = true
        return [packet]
    }
}

extension VideoFrame {
    /// The pixels of a picture of BGRA in which each is opaque or all zeros.
    public func withPixels<Result>(_ body: (PixelView) -> Result) -> Result {
        guard let plane = plane(0) else { preconditionFailure("a picture without pixels") }
        return plane.data.withMemoryRebound(to: UInt32.self, capacity: plane.stride / 4 * height) {
            body(PixelView($0, width: width, height: height, stride: plane.stride / 4))
        }
    }
}

/// GIF's frame around pictures.
struct GIFAnimation: AnimationFile {
    private var file: GIFFile

    init(_ head: AnimationHead) {
        file = GIFFile(
            width: head.width, height: head.height, table: head.header, plays: head.plays,
            mergesEqual: head.pictureCount == nil)
    }

    mutating func beginning() -> [UInt8] { file.beginning }

    mutating func picture(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8] {
        file.add(CodedPicture.Bytes(packet), delay: delay)
    }

    mutating func end() -> [UInt8] { file.end }

    func corrections(fileSize: Int) -> [(offset: Int, bytes: [UInt8])] { [] }
}
