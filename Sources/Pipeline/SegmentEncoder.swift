import Media
import Raster
import Scene

/// A worker's tools: surface, converters and frames, all its own. Every segment gets encoders of its own.
final class SegmentEncoder {
    /// A picture as encoders take it.
    private struct Picture {
        let converter: PixelConverter
        let frame: VideoFrame

        init(_ settings: EncoderSettings) throws {
            let (width, height, format) = (settings.width, settings.height, settings.pixelFormat)
            converter = try PixelConverter(width: width, height: height, to: format, matrix: settings.matrix)
            frame = try VideoFrame(width: width, height: height, format: format)
        }
    }

    private let plans: [RenderPlan]
    private let rasterizer: Rasterizer
    private let pictures: [Picture]
    /// Which picture each plan's encoder takes: those of one format and matrix share it.
    private let pictureOfPlan: [Int]
    private lazy var mixer = LightMixer()
    /// The scenes of which the pictures show the mean; empty without motion blur.
    private var mixed: [Scene] = []
    /// What its time was spent on.
    var clock = StageClock()

    /// Tools for plans of the same pictures.
    init(_ plans: [RenderPlan]) throws {
        self.plans = plans
        rasterizer = try Rasterizer(width: plans[0].stage.width, height: plans[0].stage.height)
        var kinds: [EncoderSettings] = []
        pictureOfPlan = plans.map(\.encoder).map { settings in
            let known = kinds.firstIndex { $0.pixelFormat == settings.pixelFormat && $0.matrix == settings.matrix }
            if known == nil { kinds.append(settings) }
            return known ?? kinds.count - 1
        }
        pictures = try kinds.map(Picture.init)
        clock.lap(.raster)
    }

    /// Draws, converts and encodes all frames of a segment, once for each plan; `checkpoint` throws before a frame to
    /// stop it.
    func encode(
        _ segment: Segment, progress: RenderProgress, checkpoint: () throws -> Void
    ) throws -> [EncodedSegment] {
        clock.restart()
        let encoders = try plans.map { try openEncoder($0.encoder) }
        var packets = [[Packet]](repeating: [], count: plans.count)
        var counts = [Int](repeating: 0, count: plans.count)
        for number in 0..<segment.frameCount {
            try checkpoint()
            clock.lap(.encode)
            let scenes = plans[0].scenes(ofFrame: number, in: segment)
            clock.lap(.scene)
            let changes = try show(scenes)
            clock.lap(.convert)
            for index in encoders.indices
            where !changes.isEmpty || number == 0 || !plans[index].isLong(number, in: segment) {
                let picture = pictures[pictureOfPlan[index]]
                packets[index] += try encoders[index].encode(picture.frame, pts: number, changes: changes)
                counts[index] += 1
            }
            progress.countFrame()
        }
        return try encoders.indices.map { index in
            try SegmentEncoder.segment(
                packets[index] + encoders[index].finish(), of: counts[index], from: encoders[index])
        }
    }

    private static func segment(
        _ packets: [Packet], of frameCount: Int, from encoder: VideoEncoder
    ) throws -> EncodedSegment {
        // A packet a frame, the first one a key frame: otherwise frames would be lost or a cut not decode.
        guard packets.count == frameCount, packets.first?.isKeyFrame == true else {
            throw RenderError(
                .internal,
                "\(encoder.settings.encoder) made \(packets.count) packets of \(frameCount) frames: "
                    + "this encoder cannot be used")
        }
        return EncodedSegment(packets: packets, parameters: try encoder.parameters())
    }

    /// Only opening an encoder tells whether it works on this machine and takes these pictures.
    private func openEncoder(_ settings: EncoderSettings) throws -> VideoEncoder {
        do throws(FFmpegError) { return try VideoEncoder(settings) } catch {
            throw RenderError(
                .unavailable,
                "\(settings.encoder) cannot be opened here for \(settings.width)x\(settings.height) \(settings.pixelFormat) "
                    + "(\(error.reason)): choose another codec, or see which work with loadervid doctor")
        }
    }

    /// Draws and converts what differs from the pictures before. Returns the pixels that may have changed.
    private func show(_ scenes: [Scene]) throws -> [PixelRect] {
        let damage = try draw(scenes)
        clock.lap(.raster)
        guard !damage.isEmpty else { return damage }
        let pixmap = rasterizer.pixmap
        for picture in pictures {
            try picture.frame.makeWritable()
            try picture.converter.convert(pixmap.data, stride: pixmap.stride, into: picture.frame, boxes: damage)
        }
        return damage
    }

    /// Draws a scene, or mixes several in linear light. Returns the pixels that may have changed.
    private func draw(_ scenes: [Scene]) throws -> [PixelRect] {
        guard scenes.count > 1 else { return try rasterizer.draw(scenes[0]) }
        guard scenes != mixed else { return [] }
        mixed = scenes
        return try mixer.draw(scenes, with: rasterizer)
    }
}
