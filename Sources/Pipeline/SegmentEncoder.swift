import Platform
import Media

/// A worker's tools, all its own. Every segment gets encoders of its own.
final class SegmentEncoder {
    private let plans: [RenderPlan]
    private let pictures: PictureMaker
    /// Which kind of picture each plan's encoder takes: those of one format, matrix and gamut share it.
    private let kindOfPlan: [Int]
    private var clock = StageClock()

    /// Tools for plans of the same pictures.
    ///
    /// - Parameter drawsAhead: whether there is a core to spare that draws the next pictures while one is encoded.
    init(_ plans: [RenderPlan], drawsAhead: Bool) throws {
        self.plans = plans
        var kinds: [EncoderSettings] = []
        kindOfPlan = plans.map(\.encoder).map { settings in
            let known = kinds.firstIndex {
                $0.pixelFormat == settings.pixelFormat && $0.matrix == settings.matrix && $0.gamut == settings.gamut
            }
            if known == nil { kinds.append(settings) }
            return known ?? kinds.count - 1
        }
        pictures = try PictureMaker(plans[0], kinds: kinds, drawsAhead: drawsAhead)
    }

    /// Draws, converts and encodes all frames of a segment, once for each plan; `checkpoint` throws before a frame to
    /// stop it.
    func encode(
        _ segment: Segment, progress: RenderProgress, profile: RenderProfile, checkpoint: () throws -> Void
    ) throws -> [EncodedSegment] {
        pictures.begin(segment)
        defer { pictures.end() }
        clock.restart()
        let encoders = try plans.map { try openEncoder($0.encoder, for: segment) }
        var packets = [[Packet]](repeating: [], count: plans.count)
        var counts = [Int](repeating: 0, count: plans.count)
        for number in 0..<segment.frameCount {
            try checkpoint()
            clock.lap(.encode)
            let picture = try pictures.fetch()
            clock.restart()
            for index in encoders.indices
            where !picture.changes.isEmpty || number == 0 || !plans[index].isLong(number, in: segment) {
                let frame = picture.frames[kindOfPlan[index]]
                packets[index] += try encoders[index].encode(frame, pts: number)
                counts[index] += 1
            }
            progress.countFrame()
        }
        let segments = try encoders.indices.map { index in
            try SegmentEncoder.segment(
                packets[index] + encoders[index].finish(), of: counts[index], from: encoders[index])
        }
        clock.lap(.encode)
        pictures.end()
        profile.add(&clock)
        profile.add(&pictures.clock)
        return segments
    }

    private static func segment(
        _ packets: [Packet], of frameCount: Int, from encoder: any PictureEncoder
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

    private func openEncoder(_ settings: EncoderSettings, for segment: Segment) throws -> any PictureEncoder {
        var settings = settings
        settings.continuesStream = segment.firstFrame > 0
        let threads = settings.startedThreads
        guard threads > 0 else { return try SegmentEncoder.open(settings) }
        // One after the other, so that none finds the threads of another one's trial. Those that may stay in there for ever
        // are not to keep the others.
        let turn = settings.traits.opensAlone ? SegmentEncoder.turnOfLoners : SegmentEncoder.turn
        return try turn.withLock { _ in
            try Headroom.check(threads: threads, for: settings.encoder)
            return try SegmentEncoder.open(settings)
        }
    }

    private static let turn = Locked(())
    private static let turnOfLoners = Locked(())

    /// Only opening an encoder tells whether it works on this machine and takes these pictures.
    private static func open(_ settings: EncoderSettings) throws -> any PictureEncoder {
        do throws(FFmpegError) { return try settings.pictureEncoder() } catch {
            if error.isMemoryShort { throw error }
            throw RenderError(
                .unavailable,
                "\(settings.encoder) cannot be opened here for \(settings.width)x\(settings.height) \(settings.pixelFormat) "
                    + "(\(error.reason))", wayOut: .otherCodec)
        }
    }
}
