import GIF
import Media
import Motion
import Scene

/// A clip with everything decided and checked. The bytes of the output follow from it alone.
public struct RenderPlan: Sendable {
    /// What is shown.
    public let subject: any Subject
    /// Width of the pictures in pixels.
    public var width: Int { encoder.width }
    /// Height of the pictures in pixels.
    public var height: Int { encoder.height }
    /// Frames in the clip.
    public let frameCount: Int
    /// The clip's length in seconds.
    public var duration: Rational { Rational(frameCount) * encoder.frameRate.frameDuration }
    /// How it is encoded.
    public private(set) var encoder: EncoderSettings
    /// The container it goes into.
    public let container: Container
    /// Whether a run of equal frames is stored as one long frame.
    public let hasLongFrames: Bool
    /// Which segments there are, and when each is played.
    let order: PlayOrder
    /// How many times an animated picture plays; nil for without end.
    public let plays: Int?
    /// What players show as its title.
    let title: String?
    /// What goes with the pictures.
    let tracks: PlannedTracks
    /// The most bytes of the file; nil for as many as it takes.
    public let mostBytes: Int?
    /// The clip with concessions, planned anew.
    private var replanned: @Sendable (Concession) throws -> RenderPlan
    /// Whether another rate may be among them.
    private(set) var mayChangeRate = false
    /// Whether the encoder uses the machine best alone, with its own threads.
    public let encoderThreadsItself: Bool
    private let isLarge: Bool

    /// The most frames a clip may have.
    public static let mostFrames = 10_000_000
    /// The shortest and longest time between key frames, in seconds.
    public static let keyFrameLimits = Rational(1, 20)...Rational(60)
    /// Segments of a clip that is indexed have at most so many frames: they cost nothing there, and more are made side by side.
    private static let indexedSegment = 12
    /// Above this many pixels a picture is large: an encoder takes two threads, and fewer run at once.
    private static let largePicture = 1920 * 1088
    /// How many bytes of packets may be kept for replaying. A longer cycle is encoded again instead.
    private static let replayBudget = 256 << 20

    /// Checks a request and decides everything. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: RenderRequest) throws {
        try request.encoding.checkAnimation(hasChapters: request.hasChapters)
        try self.init(LoaderClip(request), size: request.loader.pictureSize, request.encoding)
        mayChangeRate = true
        replanned = { concession in
            var other = request
            other.encoding.concede(concession)
            return try RenderPlan(LoaderClip(other), size: concession.size ?? other.loader.pictureSize, other.encoding)
        }
    }

    /// Checks how a subject shall be encoded, and decides everything. Without a `size` it takes the subject's own scale. Throws
    /// `RenderError` with the first thing that is wrong.
    public init(_ subject: any Subject, size: PictureSize? = nil, _ request: EncodingRequest) throws {
        try request.checkAnimation()
        let (width, height) = try (size ?? .scale(subject.defaultScale)).pixels(of: subject.size)
        (self.subject, container, hasLongFrames) = (subject, request.container, request.hasLongFrames)
        (title, plays, mostBytes) = (request.title, request.plays, request.mostBytes)
        replanned = { concession in
            var other = request
            other.concede(concession)
            return try RenderPlan(subject, size: concession.size ?? size, other)
        }
        frameCount = subject.frameCount
        let choice = try CodecChoice(request, background: subject.background, width: width, height: height)
        let isIndexed = choice.profile.traits.countsColors
        // A picture that rests on the one before cannot be played again after another.
        let repetition = request.usesRepetition && !isIndexed ? subject.repetition : Repetition()
        guard (1...RenderPlan.mostFrames).contains(frameCount), repetition.fits(frameCount) else {
            throw RenderError(
                .usage,
                "a clip of \(frameCount) frames with \(repetition) is not possible: it takes 1...\(RenderPlan.mostFrames) "
                    + "frames, a cycle of at least one, and stills within it, in order")
        }
        tracks = try PlannedTracks(subject, request)
        let asked = try RenderPlan.keyFrameInterval(of: request)
        let interval = isIndexed ? min(asked, RenderPlan.indexedSegment) : asked
        // Stills without loss can be as large as the pictures.
        let bytesPerFrame = max(1, choice.profile.traits.stills == nil ? width * height / 50 : width * height)
        order = PlayOrder(
            frameCount: frameCount, interval: interval,
            repetition: repetition,
            keeping: RenderPlan.replayBudget / bytesPerFrame)
        encoderThreadsItself = choice.profile.traits.threadsItself
        isLarge = width * height > RenderPlan.largePicture
        let threads = isLarge ? 2 : order.workCount == 1 ? choice.profile.traits.threadsAlone : 1
        var encoder = EncoderSettings(
            encoder: choice.profile.encoder, width: width, height: height, pixelFormat: choice.pixelFormat,
            frameRate: request.frameRate, keyFrameInterval: interval, threads: encoderThreadsItself ? 0 : threads,
            options: choice.options, usesGlobalHeader: container.usesGlobalHeader)
        encoder.gamut = request.gamut
        (encoder.indexing.dithers, encoder.indexing.matte) = (request.dithers, request.matte)
        self.encoder = encoder
    }

    /// The clip with something given up, which has no limit of bytes any more. Throws `RenderError` if there is none such.
    public func making(_ concession: Concession) throws -> RenderPlan { try replanned(concession) }

    // MARK: What is played when

    /// The unique segments, in the order in which they are played first.
    public var segments: [Segment] { order.segments }
    /// Frames after which all is played again.
    public var cycleFrames: Int { order.cycleFrames }
    /// How many segments the output plays, repeats included.
    public var playCount: Int { order.count }
    /// Frames that are drawn and encoded in all; the others are played again from packets.
    public var framesToEncode: Int { order.framesToEncode }

    /// Whether a frame that shows what the one before shows makes that one longer. A segment's last ones never do: MP4
    /// counts time by when pictures are decoded, which is up to three pictures before they are shown.
    func isLong(_ frame: Int, in segment: Segment) -> Bool {
        guard hasLongFrames, frame < segment.frameCount - 4 else { return false }
        return container.mostFramesTogether(at: encoder.frameRate).map { frame % $0 != 0 } ?? true
    }

    /// How many pictures before and after a segment the encoders of plans must see.
    func sides(of segment: Segment, for plans: [RenderPlan]) -> (before: Int, after: Int) {
        let palettes = plans.compactMap(\.encoder.indexing.palette)
        let isLast = segment.firstFrame + segment.frameCount == frameCount
        return (
            palettes.isEmpty || segment.firstFrame == 0 ? 0 : 1,
            isLast || !palettes.contains(where: \.hasTransparency) ? 0 : 1
        )
    }

    /// The plan with the colours of its pictures.
    func with(_ palette: Palette) -> RenderPlan {
        var plan = self
        plan.encoder.indexing.palette = palette
        return plan
    }

    /// The scenes of a frame of a segment: one, or with motion blur those that are mixed.
    func scenes(ofFrame frame: Int, in segment: Segment) -> [Scene] {
        subject.scenes(ofFrame: segment.firstFrame + frame)
    }

    /// Whether the pictures are those of another plan, in size and number; what they show is not asked.
    public func showsPictures(of other: RenderPlan) -> Bool {
        width == other.width && height == other.height && frameCount == other.frameCount
    }

    /// Whether pictures that were drawn for another plan can be encoded by this one, too.
    func isCut(like other: RenderPlan) -> Bool { segments == other.segments && playCount == other.playCount }

    // MARK: What it costs

    /// A generous estimate of the memory that one worker needs, in bytes.
    public var bytesPerWorker: Int { width * height * encoder.traits.bytesPerPixel + (16 << 20) }

    /// How many cores a worker keeps busy. An encoder of a single segment has threads to be done sooner where nothing else
    /// is done; they wait for each other so much that several of them side by side count as one core each.
    var coresPerWorker: Int { encoderThreadsItself ? .max : isLarge ? 2 : 1 }

    /// How many segments to work on at once with `jobs` cores and `memory` bytes at hand.
    public func workers(jobs: Int, memory: Int) -> Int {
        if encoderThreadsItself { return 1 }
        return max(1, min(jobs / coresPerWorker, order.workCount, memory / bytesPerWorker))
    }

    // MARK: Checks

    private static func keyFrameInterval(of request: EncodingRequest) throws -> Int {
        guard keyFrameLimits.contains(request.keyFrameInterval) else {
            let (low, high) = (keyFrameLimits.lowerBound, keyFrameLimits.upperBound)
            throw RenderError(
                .usage, "gop \(request.keyFrameInterval) is not possible: it takes \(low)...\(high) seconds",
                about: .options("gop"))
        }
        return max(1, (request.keyFrameInterval * request.frameRate.framesPerSecond).rounded)
    }
}

extension EncodingRequest {
    /// Gives something up, and the limit with it.
    fileprivate mutating func concede(_ concession: Concession) {
        mostBytes = nil
        if let other = concession.quality { quality = other }
        if let rate = concession.frameRate { frameRate = rate }
    }
}
