import Core
import Media

/// An encoder of segments, which also draws them. Each worker has its own, and each segment gets
/// new encoders. Not thread-safe.
final class SegmentEncoder {
    private let plans: [RenderPlan]
    private let renderer: FrameRenderer
    /// The index of each plan's frame format. Encoders that take the same format share the frames.
    private let kindOfPlan: [Int]
    private var clock = StageClock()

    /// An encoder for the segments of one or more plans.
    ///
    /// - Parameters:
    ///   - plans: plans that show the same frames.
    ///   - drawsAhead: true to draw the next frames on a spare core during encoding.
    init(_ plans: [RenderPlan], drawsAhead: Bool) throws {
        self.plans = plans
        var kinds: [EncoderSettings] = []
        kindOfPlan = plans.map(\.encoder).map { settings in
            let known = kinds.firstIndex { $0.acceptsFrames(of: settings) }
            if known == nil { kinds.append(settings) }
            return known ?? kinds.count - 1
        }
        renderer = try FrameRenderer(plans[0], kinds: kinds, drawsAhead: drawsAhead)
    }

    /// Draws, converts and encodes all frames of a segment, once for each plan.
    ///
    /// - Parameter checkpoint: called before each frame; throws to stop the work.
    func encode(
        _ segment: Segment, progress: RenderProgress, profile: RenderProfile, checkpoint: () throws -> Void
    ) throws -> [EncodedSegment] {
        let context = plans[0].contextFrames(of: segment, for: plans)
        renderer.begin(segment.widened(by: context))
        defer { renderer.end() }
        clock.restart()
        let encoders = try plans.map { try openEncoder($0.encoder, for: segment) }
        if context.before > 0 { try begin(encoders) }
        var packets = [[Packet]](repeating: [], count: plans.count)
        var counts = [Int](repeating: 0, count: plans.count)
        for number in 0..<segment.frameCount {
            try checkpoint()
            clock.lap(.encode)
            let rendered = try renderer.fetch()
            clock.restart()
            for index in encoders.indices
            where !rendered.changes.isEmpty || number == 0 || !plans[index].isLong(number, in: segment) {
                let frame = rendered.frames[kindOfPlan[index]]
                packets[index] += try encoders[index].encode(frame, pts: number)
                counts[index] += 1
            }
            progress.countFrame()
        }
        let after = context.after > 0 ? try renderer.fetch() : nil
        let segments = try encoders.indices.map { index in
            let last = try finish(encoders[index], before: after?.frames[kindOfPlan[index]])
            return try SegmentEncoder.segment(
                packets[index] + last, of: counts[index], from: encoders[index])
        }
        clock.lap(.encode)
        renderer.end()
        profile.add(&clock)
        profile.add(&renderer.clock)
        return segments
    }

    /// Passes the frame before the segment to the encoders that need it as context.
    private func begin(_ encoders: [any FrameEncoder]) throws {
        let before = try renderer.fetch()
        for (encoder, kind) in zip(encoders, kindOfPlan) {
            (encoder as? any ContextualEncoder)?.begin(after: before.frames[kind])
        }
    }

    private func finish(_ encoder: any FrameEncoder, before after: VideoFrame?) throws -> [Packet] {
        guard let after, let encoder = encoder as? any ContextualEncoder else { return try encoder.finish() }
        return try encoder.finish(before: after)
    }

    private static func segment(
        _ packets: [Packet], of frameCount: Int, from encoder: any FrameEncoder
    ) throws -> EncodedSegment {
        // One packet per frame, the first one a keyframe: otherwise frames would be lost, or the
        // segment could not be decoded alone.
        guard packets.count == frameCount, packets.first?.isKeyFrame == true else {
            let problem =
                packets.count == frameCount
                ? "does not mark its first packet as a keyframe"
                : "made \(packets.count) packets of \(frameCount) frames"
            throw LoadervidError(.unavailable, "\(encoder.settings.encoder) \(problem); use another codec")
        }
        guard packets.allSatisfy({ $0.byteCount > 0 }) else {
            throw LoadervidError(
                .unavailable,
                "\(encoder.settings.encoder) makes empty packets for unchanged frames, which containers drop; use "
                    + "another codec")
        }
        return EncodedSegment(packets: packets, parameters: try encoder.parameters())
    }

    private func openEncoder(_ settings: EncoderSettings, for segment: Segment) throws -> any FrameEncoder {
        var settings = settings
        settings.continuesStream = segment.firstFrame > 0
        let threads = settings.maxStartedThreads
        guard threads > 0 else { return try SegmentEncoder.open(settings) }
        // Under a lock, because threads that another check has started would count against the
        // limit. Encoders whose opening may hang have their own lock, so they do not block others.
        let lock = settings.traits.opensExclusively ? SegmentEncoder.exclusiveOpeningLock : SegmentEncoder.openingLock
        return try lock.withLock { _ in
            try Headroom.check(threads: threads, for: settings.encoder)
            return try SegmentEncoder.open(settings)
        }
    }

    private static let openingLock = Locked(())
    private static let exclusiveOpeningLock = Locked(())

    /// Opens an encoder. Throws `LoadervidError` if it does not work on this machine or does not
    /// support these frames, which only opening it can tell.
    private static func open(_ settings: EncoderSettings) throws -> any FrameEncoder {
        if settings.traits.takesBitmaps { return BitmapEncoder(settings) }
        do throws(FFmpegError) { return try settings.makeEncoder() } catch {
            if error.isOutOfMemory { throw error }
            if let options = settings.requestedOptions, error.isRefusal {
                throw refusal(of: options, settings, error)
            }
            throw LoadervidError(
                .unavailable,
                "\(settings.encoder) cannot be opened here for \(settings.width)x\(settings.height) \(settings.pixelFormat) "
                    + "(\(error.reason))", hint: .otherCodec)
        }
    }

    private static func refusal(
        of options: String, _ settings: EncoderSettings, _ error: FFmpegError
    ) -> LoadervidError {
        // libvpx refuses this switch beside a quality.
        let isLossless = options.split(separator: ",").contains { $0.hasPrefix("lossless=") }
        let remedy =
            isLossless
            ? "use \(option: "quality") 0" : "run ffmpeg -h encoder=\(settings.encoder) to list its options"
        return LoadervidError(
            .usage,
            "\(option: "encoder-option"): \(settings.encoder) refuses \(options) (\(error.reason)); \(remedy)",
            subjects: .options("encoder-option"))
    }
}
