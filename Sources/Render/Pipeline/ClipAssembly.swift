import Media

/// The assembly of segments into a clip, which shifts their times, muxes them, and keeps the ones
/// that will be replayed.
final class ClipAssembly {
    private let plan: RenderPlan
    private let target: RenderTarget
    private let poster: [UInt8]?
    private let limit: Int?
    private var audio: (any AudioPackets)?
    private var muxer: (any PacketMuxer)?
    private var parameters: CodecParameters?
    private var delay = 0
    private var keptSegments: [Int: EncodedSegment] = [:]
    /// The frame and byte counts of the packets at the start that are larger than the following
    /// ones: in GIF the first packet, otherwise those of the first segment.
    private var firstPart = SizeSample()
    /// The frame and byte counts of all packets so far.
    private var written = SizeSample()
    /// The predicted size of all packets in bytes, once those written exceed the limit; nil before
    /// that.
    private(set) var overrun: Int?

    /// The number of frames that were not encoded, because they are kept.
    var skippedFrames = 0

    private struct SizeSample {
        var bytes = 0
        var frames = 0
    }

    /// Draws the clip's poster, if its container supports one. Throws `LoadervidError` if the
    /// container cannot be written to the target.
    ///
    /// - Parameter limit: the maximum file size in bytes; `overrun` is set when the file exceeds
    ///   it. Nil for no limit.
    init(_ plan: RenderPlan, to target: RenderTarget, limit: Int?) throws {
        self.plan = plan
        self.target = target
        self.limit = limit
        if case .standardOutput = target, plan.container.needsSeeking(hasLongFrames: plan.hasLongFrames) {
            throw LoadervidError(
                .usage,
                "\(plan.container) cannot be written to standard output, because its header is complete only at the "
                    + "end; write to a file")
        }
        poster = plan.tracks.posterFrame == nil ? nil : try plan.poster()
        sequence?.keepOnly(plan.startNumber..<plan.startNumber + plan.frameCount)
    }

    private var sequence: OutputSequence? {
        if case .sequence(let sequence) = target { sequence } else { nil }
    }

    /// The number of the output's frames that are kept from a killed process.
    var keptFrames: Int { sequence?.keptCount ?? 0 }

    /// Returns true if all these frames of the output are kept from a killed process.
    func keeps(_ frames: Range<Int>) -> Bool {
        sequence?.keeps(plan.startNumber + frames.lowerBound..<plan.startNumber + frames.upperBound) ?? false
    }

    /// Muxes the next segment.
    ///
    /// - Parameter encoded: the encoded segment; nil to replay a kept one.
    func append(_ encoded: EncodedSegment?, as scheduled: SegmentSchedule.ScheduledSegment) throws {
        guard let segment = encoded ?? keptSegments[scheduled.segment.index] else {
            throw LoadervidError(.internal, "segment \(scheduled.segment.index) is replayed but was not kept")
        }
        if scheduled.isKept { keptSegments[scheduled.segment.index] = segment }
        let muxer = try self.muxer ?? openMuxer(for: segment)
        guard segment.parameters == parameters else {
            throw LoadervidError(
                .internal, "\(plan.encoder.encoder) made segments with different headers; use another codec")
        }
        let times = segment.decodingTimes(delay: delay) + [scheduled.segment.frameCount - delay]
        for (number, packet) in segment.packets.enumerated() {
            let pts = segment.times[number]
            let dts = times[number]
            guard dts <= pts else {
                throw LoadervidError(
                    .internal, "\(plan.encoder.encoder) reorders more frames than it reports; use another codec")
            }
            // A packet lasts as long as its frame is shown. The last packet in decoding order lasts
            // until the next segment's first one is decoded.
            let isLast = number == segment.packets.count - 1
            let duration = isLast ? times[number + 1] - dts : segment.duration(of: number, in: scheduled.segment)
            try muxer.write(
                packet, pts: scheduled.firstFrame + pts, dts: scheduled.firstFrame + dts, duration: duration)
        }
        noteSize(of: segment, scheduled.segment.frameCount)
        try sequence?.finishFrames()
    }

    /// Predicts the size of all packets once those so far exceed the limit. The first segment holds
    /// the keyframe that later frames refer to, so the prediction extrapolates from the frames
    /// after it. In GIF only the first frame is complete, and that of an annotated clip is larger
    /// than all the changes after it, so there the prediction extrapolates from the second frame
    /// on.
    private func noteSize(of segment: EncodedSegment, _ frames: Int) {
        written.bytes += segment.packets.reduce(0) { $0 + $1.byteCount }
        written.frames += frames
        if firstPart.frames == 0 {
            let hasOneCompleteFrame = plan.encoder.traits.needsColorHistogram
            firstPart = hasOneCompleteFrame ? SizeSample(bytes: segment.packets[0].byteCount, frames: 1) : written
        }
        guard let limit, overrun == nil, written.bytes > limit else { return }
        let isFirst = written.frames == firstPart.frames
        let (bytes, frames) =
            isFirst
            ? (written.bytes, written.frames)
            : (written.bytes - firstPart.bytes, written.frames - firstPart.frames)
        let perFrame = Double(bytes) / Double(max(1, frames))
        overrun = written.bytes + Int(perFrame * Double(max(0, plan.frameCount - written.frames)))
    }

    private func openMuxer(for first: EncodedSegment) throws -> any PacketMuxer {
        let sideAlpha = plan.encoder.pixelFormat.hasAlpha ? plan.encoder.traits.sideAlpha : nil
        audio = try plan.tracks.audio?.open()
        let muxer: any PacketMuxer =
            switch target {
            case .file(let file): try self.muxer(for: first.parameters, file, sideAlpha?.metadata ?? [:])
            case .standardOutput(let output): try self.muxer(for: first.parameters, output, sideAlpha?.metadata ?? [:])
            case .sequence(let output): SequenceMuxer(output, startNumber: plan.startNumber)
            }
        delay = max(first.reorderDelay, plan.encoder.traits.reorderDelay)
        self.muxer = muxer
        parameters = first.parameters
        return muxer
    }

    /// Opens the muxer. Throws `LoadervidError` if the container does not support the stream, which
    /// only opening it can tell.
    private func muxer(
        for parameters: CodecParameters, _ sink: any ByteSink, _ metadata: [String: String]
    ) throws -> any PacketMuxer {
        guard !plan.container.isRaw else {
            return try RawMuxer(
                plan.container, to: sink, parameters: parameters, frameRate: plan.encoder.frameRate)
        }
        guard !plan.container.isAnimatedImage else {
            return try AnimationMuxer(
                plan.container, to: sink, parameters: parameters, frameRate: plan.encoder.frameRate,
                gamut: plan.encoder.gamut, plays: plan.plays, frameCount: plan.hasLongFrames ? nil : plan.frameCount)
        }
        do {
            return try Muxer(
                plan.container, to: sink, parameters: parameters, frameRate: plan.encoder.frameRate,
                metadata: metadata, title: plan.title, chapters: plan.source.chapters,
                tracks: SideTracks(
                    captions: plan.tracks.captions, audio: audio, poster: poster, timecode: plan.tracks.timecode))
        } catch let error as FFmpegError where !error.isOutOfMemory {
            throw LoadervidError(
                .usage,
                "\(plan.container) does not support \(parameters.codecName) in \(plan.encoder.pixelFormat) "
                    + "(\(error.reason)); use another container or codec")
        }
    }

    /// Writes the end of the container.
    func finishContainer() throws {
        try muxer?.finish()
        if let audio { try plan.tracks.audio?.check(audio) }
    }

    /// The number of bytes written so far.
    var byteCount: Int {
        switch target {
        case .file(let file): file.byteCount
        case .standardOutput(let output): output.byteCount
        case .sequence(let sequence): sequence.byteCount
        }
    }

    /// Gives the file its name. Returns its size in bytes. Throws `LoadervidError` if the work is
    /// cancelled.
    func commit(_ cancellation: CancellationToken) throws -> Int {
        try cancellation.check()
        switch target {
        case .file(let file): return try file.commit()
        case .standardOutput(let output): return output.byteCount
        case .sequence(let sequence): return try sequence.commit()
        }
    }
}
