import Core
import Media
import Raster

/// A single frame as an image file of a format other than PNG.
public struct StillImage {
    private let scenes: [Scene]
    private let size: FrameSize

    /// A frame that is the average of one or several scenes, in pixels.
    public init(_ scenes: [Scene], width: Int, height: Int) {
        self.scenes = scenes
        size = .pixels(width: width, height: height)
    }

    /// The extensions of the files that `file` writes, with the formats whose frames they have.
    public static let formats: [String: Container] = [
        "jpg": .jpegSequence, "jpeg": .jpegSequence, "webp": .webpSequence, "tif": .tiffSequence,
        "tiff": .tiffSequence, "avif": .avif,
    ]

    /// Returns the file. Throws `LoadervidError` if the format does not support the frame, such as
    /// transparency in JPEG, or the quality.
    ///
    /// - Parameter quality: the quality on the encoder's scale; nil for the format's default.
    public func file(_ container: Container, quality: String? = nil) throws -> [UInt8] {
        try file(container, quality: quality, of: nil)
    }

    /// Returns the file of a bitmap of the frame's size.
    ///
    /// - Parameter drawn: the bitmap; nil draws the scenes.
    func file(_ container: Container, quality: String? = nil, of drawn: Pixmap?) throws -> [UInt8] {
        var request = EncodingRequest(container: container)
        request.quality = quality
        let plan = try RenderPlan(StillSource(scenes: scenes), size: size, request)
        do {
            let settings = plan.encoder
            let encoder = try settings.makeEncoder()
            let frame = try VideoFrame(width: settings.width, height: settings.height, format: settings.pixelFormat)
            let pixmap = try drawn ?? PlanPainter(plan).draw(scenes)
            try settings.makeConverter().convert(pixmap.data, stride: pixmap.stride, into: frame, boxes: nil)
            let packets = try encoder.encode(frame, pts: 0) + encoder.finish()
            guard container == .avif else { return packets.flatMap { Array($0.bytes) } }
            let sink = MemorySink()
            let muxer = try Muxer(
                container, to: sink, parameters: encoder.parameters(), frameRate: settings.frameRate)
            for packet in packets { try muxer.write(packet, pts: 0, dts: 0, duration: 1) }
            try muxer.finish()
            return sink.bytes
        } catch { throw LoadervidError(error) }
    }
}

/// A clip of one frame.
private struct StillSource: ClipSource {
    let scenes: [Scene]

    var size: Size { scenes[0].size }
    var background: Color { scenes[0].background }
    var defaultScale: Rational { 1 }
    var frameCount: Int { 1 }

    func scenes(ofFrame frame: Int) -> [Scene] { scenes }
}

/// A file in memory. Not thread-safe.
private final class MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private var position = 0

    let isSeekable = true

    func write(_ other: UnsafeRawBufferPointer) {
        let end = position + other.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(position..<end, with: other)
        position = end
    }

    func seek(to offset: Int64) { position = Int(offset) }

    func reader() -> InputFile? { nil }
}
