import Media
import Raster
import Scene

/// The packets of a segment, in decoding order, with times from its first frame on.
struct EncodedSegment: Sendable {
    let packets: [Packet]
    let parameters: CodecParameters

    /// How many frames decoding must run ahead of presentation, as the encoder says or as this segment shows.
    var reorderDelay: Int {
        packets.enumerated().reduce(parameters.videoDelay) { delay, entry in
            max(delay, entry.offset - Int(entry.element.pts ?? 0))
        }
    }
}

/// A worker's tools: surface, converter and frame, all its own. Every segment gets an encoder of its own.
final class SegmentEncoder {
    private let plan: RenderPlan
    private let rasterizer: Rasterizer
    private let converter: PixelConverter
    private let frame: VideoFrame
    private lazy var mixer = LightMixer()
    /// What `frame` shows. An unchanged scene is encoded again without drawing.
    private var shown: [Scene] = []

    init(_ plan: RenderPlan) throws {
        self.plan = plan
        let (width, height) = (plan.stage.width, plan.stage.height)
        rasterizer = try Rasterizer(width: width, height: height)
        converter = try PixelConverter(
            width: width, height: height, to: plan.encoder.pixelFormat, matrix: plan.encoder.matrix)
        frame = try VideoFrame(width: width, height: height, format: plan.encoder.pixelFormat)
    }

    /// Draws, converts and encodes all frames of a segment; `checkpoint` throws before a frame to stop it.
    func encode(_ segment: Segment, progress: RenderProgress, checkpoint: () throws -> Void) throws -> EncodedSegment {
        let encoder = try openEncoder()
        var packets: [Packet] = []
        for number in 0..<segment.frameCount {
            try checkpoint()
            try show(plan.scenes(ofFrame: number, in: segment))
            packets += try encoder.encode(frame, pts: number)
            progress.countFrame()
        }
        packets += try encoder.finish()
        // A packet a frame, the first one a key frame: otherwise frames would be lost or a cut not decode.
        guard packets.count == segment.frameCount, packets.first?.isKeyFrame == true else {
            throw RenderError(
                .internal,
                "\(plan.encoder.encoder) made \(packets.count) packets of \(segment.frameCount) frames: this encoder cannot be used"
            )
        }
        return EncodedSegment(packets: packets, parameters: try encoder.parameters())
    }

    /// Only opening an encoder tells whether it works on this machine and takes these pictures.
    private func openEncoder() throws -> VideoEncoder {
        do throws(FFmpegError) { return try VideoEncoder(plan.encoder) } catch {
            let settings = plan.encoder
            throw RenderError(
                .unavailable,
                "\(settings.encoder) cannot be opened here for \(settings.width)x\(settings.height) \(settings.pixelFormat) "
                    + "(\(error.reason)): choose another codec, or see which work with loadervid doctor")
        }
    }

    private func show(_ scenes: [Scene]) throws {
        guard scenes != shown else { return }
        try draw(scenes)
        try frame.makeWritable()
        try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: frame)
        shown = scenes
    }

    /// Draws a scene, or mixes several in linear light.
    private func draw(_ scenes: [Scene]) throws {
        let isStill = scenes.allSatisfy { $0 == scenes[0] }
        if isStill { try rasterizer.draw(scenes[0]) } else { try mixer.draw(scenes, with: rasterizer) }
    }
}
