import Media

/// Puts segments together into a clip: shifts their times, muxes them, and keeps those that will be played again.
final class ClipAssembly {
    private let plan: RenderPlan
    private let target: RenderTarget
    private let poster: [UInt8]?
    private var audio: AudioSource?
    private var muxer: (any PacketMuxer)?
    private var parameters: CodecParameters?
    private var delay = 0
    private var keptSegments: [Int: EncodedSegment] = [:]

    /// Draws the clip's poster, if its container has a place for one. Throws `RenderError` if the container cannot go where
    /// the clip shall go.
    init(_ plan: RenderPlan, to target: RenderTarget) throws {
        (self.plan, self.target) = (plan, target)
        if case .standardOutput = target, plan.container.needsSeeking(hasLongFrames: plan.hasLongFrames) {
            throw RenderError(
                .usage,
                "\(plan.container) cannot be written to standard output, since what is known at its end stands at its "
                    + "beginning: write it to a file")
        }
        poster = plan.tracks.posterFrame == nil ? nil : try plan.poster()
    }

    /// Muxes a segment in its place: one that was just encoded, or nil for the one that was kept.
    func append(_ encoded: EncodedSegment?, as play: PlayOrder.Play) throws {
        guard let segment = encoded ?? keptSegments[play.segment.index] else {
            throw RenderError(.internal, "segment \(play.segment.index) is played again but was not kept")
        }
        if play.isKept { keptSegments[play.segment.index] = segment }
        let muxer = try self.muxer ?? openMuxer(for: segment)
        guard segment.parameters == parameters else {
            throw RenderError(
                .internal, "\(plan.encoder.encoder) made segments with different headers: it cannot be used")
        }
        let times = segment.decodingTimes(delay: delay) + [play.segment.frameCount - delay]
        for (number, packet) in segment.packets.enumerated() {
            let (pts, dts) = (segment.times[number], times[number])
            guard dts <= pts else {
                throw RenderError(
                    .internal, "\(plan.encoder.encoder) reorders more pictures than it says: it cannot be used")
            }
            // Of the last one decoded it counts until what is decoded next, of the others how long they are shown.
            let isLast = number == segment.packets.count - 1
            let duration = isLast ? times[number + 1] - dts : segment.duration(of: number, in: play.segment)
            try muxer.write(packet, pts: play.firstFrame + pts, dts: play.firstFrame + dts, duration: duration)
        }
    }

    private func openMuxer(for first: EncodedSegment) throws -> any PacketMuxer {
        let sideAlpha = plan.encoder.pixelFormat.hasAlpha ? plan.encoder.traits.sideAlpha : nil
        let (sink, url): (any ByteSink, String) =
            switch target {
            case .file(let file): (file, "file:" + file.temporaryPath)
            case .standardOutput(let output): (output, "")
            }
        audio = try plan.tracks.audio?.open()
        let muxer = try self.muxer(for: first.parameters, sink, url, sideAlpha?.metadata ?? [:])
        delay = max(first.reorderDelay, plan.encoder.traits.reorderDelay)
        (self.muxer, parameters) = (muxer, first.parameters)
        return muxer
    }

    /// Only beginning a container tells whether it takes this stream.
    private func muxer(
        for parameters: CodecParameters, _ sink: any ByteSink, _ url: String, _ metadata: [String: String]
    ) throws -> any PacketMuxer {
        guard !plan.container.isAnimation else {
            return try AnimationMuxer(
                plan.container, to: sink, parameters: parameters, frameRate: plan.encoder.frameRate,
                gamut: plan.encoder.gamut, plays: plan.plays, pictureCount: plan.hasLongFrames ? nil : plan.frameCount)
        }
        do {
            return try Muxer(
                plan.container, to: sink, url: url, parameters: parameters, frameRate: plan.encoder.frameRate,
                metadata: metadata, title: plan.title, chapters: plan.subject.chapters,
                tracks: SideTracks(captions: plan.tracks.captions, audio: audio, poster: poster))
        } catch let error as FFmpegError where !error.isMemoryShort {
            throw RenderError(
                .usage,
                "\(plan.container) does not take \(parameters.codecName) in \(plan.encoder.pixelFormat) "
                    + "(\(error.reason)): choose another container or codec")
        }
    }

    /// Writes the container's end.
    func finishContainer() throws {
        try muxer?.finish()
        if let audio { try plan.tracks.audio?.check(audio) }
    }

    /// Bytes that were written.
    var byteCount: Int {
        switch target {
        case .file(let file): file.byteCount
        case .standardOutput(let output): output.byteCount
        }
    }

    /// Gives the file its name, unless that is no longer wanted. Returns the size in bytes.
    func commit(_ cancellation: CancellationToken) throws -> Int {
        try cancellation.check()
        switch target {
        case .file(let file): return try file.commit()
        case .standardOutput(let output): return output.byteCount
        }
    }
}
