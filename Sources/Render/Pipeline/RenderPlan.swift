import Core
import Media

/// A checked and complete description of a clip's rendering. It alone determines the output's
/// bytes.
package struct RenderPlan: Sendable {
    /// The source of the frames.
    package let source: any ClipSource
    /// The width of the frames in pixels.
    package var width: Int { vector?.width ?? encoder.width }
    /// The height of the frames in pixels.
    package var height: Int { vector?.height ?? encoder.height }
    /// The size of the frame's upper left part that shows the clip's content. The rest is
    /// background padding, which the pixel format needs.
    package let content: (width: Int, height: Int)
    /// The number of frames.
    package let frameCount: Int
    /// True if the size was requested in pixels.
    private let hasExactSize: Bool
    /// The clip's length in seconds.
    package var duration: Rational { Rational(frameCount) * encoder.frameRate.frameDuration }
    /// The encoder settings.
    package private(set) var encoder: EncoderSettings
    /// The container.
    package let container: Container
    /// The vector graphics to write instead of frames; nil for frames.
    package let vector: VectorOutput?
    /// True if a run of equal frames is stored as one long frame.
    package let hasLongFrames: Bool
    /// The segments and the order in which the output plays them.
    let schedule: SegmentSchedule
    /// The play count of an animated image; nil for endless.
    package let plays: Int?
    /// The number of a sequence's first file.
    package let startNumber: Int
    /// The file format of the poster beside the clip.
    let posterFormat: PosterFormat
    /// The title in the container's metadata.
    let title: String?
    /// The streams besides the video.
    let tracks: PlannedTracks
    /// The timecode of the first frame; nil if the clip has none.
    package var timecode: Timecode? { tracks.timecode }
    /// The duration of the audio in seconds; nil without audio.
    package var audioSeconds: Double? { tracks.audio?.seconds }
    /// The maximum file size in bytes; nil for no limit.
    package let maxBytes: Int?
    /// Plans the clip again with the settings of a quality step.
    private var replan: @Sendable (_ step: QualityStep) throws -> RenderPlan
    /// True if a quality step may change the frame rate.
    private(set) var mayChangeRate = false
    /// True if the encoder uses the machine best alone, with its own threads.
    package let encoderThreadsItself: Bool
    private let isLarge: Bool

    /// The maximum number of frames in a clip.
    package static let maxFrames = 10_000_000
    /// The range of the keyframe interval, in seconds.
    package static let keyFrameLimits = Rational(1, 20)...Rational(60)
    /// The maximum number of frames in a segment of a clip with a palette, or of a sequence. Short
    /// segments cost no bytes there, and allow more workers.
    private static let maxIndexedSegmentFrames = 12
    /// The frame size in pixels, that of 1080p in whole macroblocks, above which an encoder gets
    /// two threads and fewer encoders run in parallel.
    private static let largeFramePixels = 1920 * 1088
    /// The maximum number of bytes of packets that are kept for replaying. The segments of longer
    /// cycles are encoded again.
    private static let maxReplayBytes = 256 << 20

    /// Plans a request. Throws `LoadervidError` with the first problem.
    package init(_ request: RenderRequest) throws {
        try request.encoding.checkContainerSupport(hasChapters: request.hasChapters)
        try self.init(LoaderClip(request), size: request.loader.frameSize, request.encoding)
        mayChangeRate = true
        replan = { step in
            var other = request
            other.encoding.apply(step)
            return try RenderPlan(LoaderClip(other), size: step.size ?? other.loader.frameSize, other.encoding)
        }
    }

    /// Plans the encoding of a clip source. Throws `LoadervidError` with the first problem.
    ///
    /// - Parameter size: the size of the frames; nil uses the source's default scale.
    package init(_ source: any ClipSource, size: FrameSize? = nil, _ request: EncodingRequest) throws {
        try request.checkVectorSupport()
        try request.checkContainerSupport()
        vector = try request.vector.map { format in
            let sides = try (size ?? .scale(1)).pixels(of: source.size)
            return VectorOutput(format: format, width: sides.width, height: sides.height)
        }
        content = try (size ?? .scale(source.defaultScale)).pixels(of: source.size)
        self.source = source
        container = request.container
        hasLongFrames = request.hasLongFrames
        title = request.title
        posterFormat = request.posterFormat
        plays = request.plays
        startNumber = request.startNumber ?? 0
        maxBytes = request.maxBytes
        replan = { step in
            var other = request
            other.apply(step)
            return try RenderPlan(source, size: step.size ?? size, other)
        }
        frameCount = source.frameCount
        hasExactSize = size?.isExact ?? source.hasExactSize
        let choice = try CodecChoice(
            request, background: source.background, content: content, isExact: hasExactSize)
        let (width, height) = choice.size
        let isIndexed = choice.profile.traits.needsColorHistogram
        // A frame that depends on the previous one cannot be repeated after a different frame.
        let repetition = request.usesRepetition && !isIndexed ? source.repetition : Repetition()
        try RenderPlan.check(frameCount, repetition)
        tracks = try PlannedTracks(source, request)
        let interval = try RenderPlan.keyFrameInterval(of: request, isIndexed: isIndexed)
        schedule = SegmentSchedule(
            frameCount: frameCount, interval: interval, repetition: repetition,
            keeping: RenderPlan.maxReplayBytes / RenderPlan.bytesPerFrame(container, pixels: width * height))
        encoderThreadsItself = choice.profile.traits.prefersOwnThreads
        isLarge = width * height > RenderPlan.largeFramePixels
        let threads = isLarge ? 2 : schedule.workCount == 1 ? choice.profile.traits.singleSegmentThreads : 1
        encoder = RenderPlan.settings(
            choice, request, interval: interval, threads: encoderThreadsItself ? 0 : threads)
    }

    /// Throws `LoadervidError` if a clip source has no valid number of frames or repetition.
    private static func check(_ frameCount: Int, _ repetition: Repetition) throws {
        guard (1...maxFrames).contains(frameCount), repetition.fits(frameCount) else {
            throw LoadervidError(
                .usage,
                "a clip of \(frameCount) frames with \(repetition) is invalid; it needs 1...\(maxFrames) "
                    + "frames, a cycle of at least one frame, and stills within it, in order")
        }
    }

    /// Returns an estimate of the bytes of an encoded frame, for the memory of replayed packets:
    /// video needs a fraction of the pixels, but a lossless image can be as large as the frame.
    private static func bytesPerFrame(_ container: Container, pixels: Int) -> Int {
        max(1, container.isVideo ? pixels / 50 : container.isRaw ? 4 * pixels : pixels)
    }

    private static func settings(
        _ choice: CodecChoice, _ request: EncodingRequest, interval: Int, threads: Int
    ) -> EncoderSettings {
        var encoder = EncoderSettings(
            encoder: choice.profile.encoder, width: choice.size.width, height: choice.size.height,
            pixelFormat: choice.pixelFormat, frameRate: request.frameRate, keyFrameInterval: interval,
            threads: threads, options: choice.options, usesGlobalHeader: request.container.usesGlobalHeader)
        encoder.traits = choice.profile.traits
        encoder.gamut = request.gamut
        encoder.indexing.dithers = request.dithers
        encoder.indexing.matte = request.matte
        encoder.requestedOptions = request.encoderOptions?.text
        return encoder
    }

    /// Returns the clip with the settings of a quality step and without a file size limit. Throws
    /// `LoadervidError` if it cannot be made.
    package func making(_ step: QualityStep) throws -> RenderPlan { try replan(step) }

    // MARK: Schedule

    /// The unique segments, in the order of their first use.
    package var segments: [Segment] { schedule.segments }
    /// The number of frames after which the clip repeats.
    package var cycleFrames: Int { schedule.cycleFrames }
    /// The number of segments that the output plays, including repeats.
    package var playCount: Int { schedule.count }
    /// The number of frames to draw and encode. The other frames replay packets.
    package var framesToEncode: Int { schedule.framesToEncode }

    /// Returns true if a frame that equals the previous one extends it instead of being encoded.
    /// False for the last four frames of a segment: MP4 measures durations by decoding times, which
    /// are up to three frames before the presentation times.
    func isLong(_ frame: Int, in segment: Segment) -> Bool {
        guard hasLongFrames, frame < segment.frameCount - 4 else { return false }
        return container.maxFramesPerStoredFrame(at: encoder.frameRate).map { frame % $0 != 0 } ?? true
    }

    /// Returns the numbers of frames before and after a segment that the plans' encoders need as
    /// context.
    func contextFrames(of segment: Segment, for plans: [RenderPlan]) -> (before: Int, after: Int) {
        let palettes = plans.compactMap(\.encoder.indexing.palette)
        let isLast = segment.firstFrame + segment.frameCount == frameCount
        return (
            palettes.isEmpty || segment.firstFrame == 0 ? 0 : 1,
            isLast || !palettes.contains(where: \.hasTransparency) ? 0 : 1
        )
    }

    /// Returns the plan with the palette of its frames.
    func with(_ palette: Palette) -> RenderPlan {
        var plan = self
        plan.encoder.indexing.palette = palette
        return plan
    }

    /// Returns the scenes of a segment's frame: one, or several to average for motion blur.
    func scenes(ofFrame frame: Int, in segment: Segment) -> [Scene] {
        source.scenes(ofFrame: segment.firstFrame + frame)
    }

    /// Returns true if the frames have the size, number and timing of another plan's. Ignores their
    /// content.
    package func hasSameFrames(as other: RenderPlan) -> Bool {
        content == other.content && frameCount == other.frameCount && source.timing == other.source.timing
    }

    /// Returns true if frames drawn for another plan can be encoded by this one.
    func hasSameSegments(as other: RenderPlan) -> Bool { segments == other.segments && playCount == other.playCount }

    /// Notes about the frames, one per line, such as a note about their padding.
    package var notes: [String] {
        trimNote + source.notes + paddingNote
    }

    private var trimNote: [String] {
        guard let whole = source.trimmedFrom, whole != source.size else { return [] }
        func points(_ size: Size) -> String {
            let sides = [size.width, size.height].map { NumberText.decimal($0, places: 2) }
            return sides.joined(separator: "x")
        }
        let shown = vector.map { ($0.width, $0.height) } ?? content
        // A part that is fitted into a requested size has another scale than the whole canvas.
        guard !hasExactSize else { return ["trimmed from \(points(whole)) to \(points(source.size)) points"] }
        let scale = Double(shown.0) / source.size.width
        let width = Int((whole.width * scale).rounded())
        let height = Int((whole.height * scale).rounded())
        return ["trimmed from \(width)x\(height) to \(shown.0)x\(shown.1) pixels"]
    }

    private var paddingNote: [String] {
        guard vector == nil, content != (width, height) else { return [] }
        return [
            "\(content.width)x\(content.height) pixels are padded to \(width)x\(height) with the background: "
                + "\(encoder.pixelFormat) takes \(encoder.pixelFormat.sidesText)"
        ]
    }

    // MARK: Resources

    /// A generous estimate of the memory that one worker needs, in bytes.
    package var bytesPerWorker: Int { width * height * encoder.traits.bytesPerPixel + (16 << 20) }

    /// The number of cores that a worker keeps busy; all of them for an encoder with its own
    /// threads. The second thread of a single segment's encoder does not count, because the two
    /// mostly wait for each other.
    var coresPerWorker: Int { encoderThreadsItself ? .max : isLarge ? 2 : 1 }

    /// Returns the number of segments to encode in parallel on `jobs` cores with `memory` bytes.
    package func workers(jobs: Int, memory: Int) -> Int {
        if encoderThreadsItself { return 1 }
        return max(1, min(jobs / coresPerWorker, schedule.workCount, memory / bytesPerWorker))
    }

    // MARK: Checks

    /// Returns the number of frames between keyframes.
    ///
    /// - Parameter isIndexed: true if all frames share a palette.
    private static func keyFrameInterval(of request: EncodingRequest, isIndexed: Bool) throws -> Int {
        guard keyFrameLimits.contains(request.keyFrameInterval) else {
            throw LoadervidError(
                .usage,
                "\(option: "gop"): \(request.keyFrameInterval) is outside the range \(keyFrameLimits.lowerBound)..."
                    + "\(keyFrameLimits.upperBound) seconds",
                subjects: .options("gop"))
        }
        let interval = max(1, (request.keyFrameInterval * request.frameRate.framesPerSecond).rounded)
        return isIndexed || request.container.isFrameSequence ? min(interval, maxIndexedSegmentFrames) : interval
    }
}

extension EncodingRequest {
    /// Applies the settings of a quality step, and removes the file size limit.
    fileprivate mutating func apply(_ step: QualityStep) {
        maxBytes = nil
        if let other = step.quality { quality = other }
        if let rate = step.frameRate { frameRate = rate }
    }
}
