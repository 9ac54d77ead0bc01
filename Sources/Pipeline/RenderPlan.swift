import Media
import Motion
import Scene
import SlowMotion

/// A closed group of pictures with an encoder of its own.
public struct Segment: Sendable, Hashable {
    /// Position among the unique segments.
    public let index: Int
    /// Its first frame within the cycle, or within the clip if nothing repeats.
    public let firstFrame: Int
    /// How many frames it has, at least one.
    public let frameCount: Int
}

/// A clip with everything decided and checked. The bytes of the output follow from it alone.
public struct RenderPlan: Sendable {
    /// What is shown, at which size.
    public let stage: LoaderStage
    /// Which instant each frame shows.
    public let timeMap: TimeMap
    /// How it is encoded.
    public let encoder: EncoderSettings
    /// The container it goes into.
    public let container: Container
    /// The unique segments, in order; together one cycle, or the whole clip if nothing repeats.
    public let segments: [Segment]
    /// How often the segments are played.
    public let cycles: Int
    /// The clip's chapters, one for each phase that it passes; empty unless asked for.
    public let chapters: [Chapter]
    /// How long the shutter is open, 0...1 of a frame.
    public let shutter: Rational
    /// Whether normal speed is shown beside.
    public let isSideBySide: Bool
    /// The least number of frames by which decoding runs ahead of presentation.
    let reorderDelay: Int
    /// Whether the encoder uses the machine best alone, with its own threads.
    public let encoderThreadsItself: Bool

    /// The most frames a clip may have.
    public static let mostFrames = 10_000_000
    /// The shortest and longest time between key frames, in seconds.
    public static let keyFrameLimits = Rational(1, 20)...Rational(60)
    /// Above this many pixels a picture is large: an encoder takes two threads, and fewer run at once.
    private static let largePicture = 1920 * 1088
    /// How many bytes of packets may be kept for replaying. A longer cycle is encoded again instead.
    private static let replayBudget = 256 << 20

    /// Checks a request and decides everything. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: RenderRequest) throws {
        stage = try LoaderStage(request.loader, panels: request.isSideBySide ? 2 : 1)
        container = request.container
        timeMap = try request.timeMap(for: stage.loader)
        shutter = try request.checkedShutter()
        isSideBySide = request.isSideBySide
        chapters = request.hasChapters ? try timeMap.chapters(for: stage.loader, frameRate: request.frameRate) : []
        let interval = try RenderPlan.keyFrameInterval(of: request)
        let choice = try CodecChoice(request, stage: stage)
        let isLarge = stage.width * stage.height > RenderPlan.largePicture
        encoderThreadsItself = choice.profile.threadsItself
        reorderDelay = choice.profile.reorderDelay
        encoder = EncoderSettings(
            encoder: choice.profile.encoder, width: stage.width, height: stage.height, pixelFormat: choice.pixelFormat,
            frameRate: request.frameRate, keyFrameInterval: interval,
            threads: encoderThreadsItself ? 0 : isLarge ? 2 : 1, options: choice.options,
            usesGlobalHeader: container.usesGlobalHeader)
        let total = timeMap.frameCount
        let unique = timeMap.cycleFrames.flatMap { total % $0 == 0 ? $0 : nil } ?? total
        cycles = total / unique
        segments = stride(from: 0, to: unique, by: interval).enumerated().map { index, first in
            Segment(index: index, firstFrame: first, frameCount: min(interval, unique - first))
        }
    }

    // MARK: What is played when

    /// Frames in one cycle.
    public var cycleFrames: Int { timeMap.frameCount / cycles }
    /// How many segments the output plays, repeats included.
    public var playCount: Int { segments.count * cycles }

    /// Segments from the first on whose packets are kept and played again in later cycles.
    var replayedSegments: Int {
        guard cycles > 1 else { return 0 }
        let bytesPerFrame = max(1, stage.width * stage.height / 50)
        return segments.prefix { ($0.firstFrame + $0.frameCount) * bytesPerFrame <= RenderPlan.replayBudget }.count
    }

    /// How many segments are encoded in all.
    var workCount: Int { segments.count + (cycles - 1) * (segments.count - replayedSegments) }

    /// Frames that are drawn and encoded in all; the others are played again from packets.
    public var framesToEncode: Int {
        let replayed = segments.prefix(replayedSegments).reduce(0) { $0 + $1.frameCount }
        return timeMap.frameCount - (cycles - 1) * replayed
    }

    /// A segment at its place in the output, and whether its packets are there from an earlier cycle.
    typealias Played = (segment: Segment, firstFrame: Int, isReplay: Bool)

    /// The segment that the output plays as its `position`th, and the frame at which it begins.
    func played(at position: Int) -> Played {
        let (cycle, index) = position.quotientAndRemainder(dividingBy: segments.count)
        let segment = segments[index]
        return (segment, cycle * cycleFrames + segment.firstFrame, cycle > 0 && index < replayedSegments)
    }

    /// The segment that is encoded as the `number`th.
    func work(_ number: Int) -> Segment {
        guard number >= segments.count else { return segments[number] }
        let again = segments.count - replayedSegments
        return segments[replayedSegments + (number - segments.count) % again]
    }

    /// How many instants make a picture with motion blur.
    private static let blurSamples = 32

    /// The scene of a frame of a segment, or with motion blur those that are mixed.
    func scenes(ofFrame frame: Int, in segment: Segment) -> [Scene] {
        let frame = segment.firstFrame + frame
        let times =
            shutter == .zero
            ? [timeMap.modelTime(ofFrame: frame)]
            : timeMap.modelTimes(ofFrame: frame, shutter: shutter, count: RenderPlan.blurSamples)
        let scenes = times.map { stage.scene(at: $0) }
        guard isSideBySide else { return scenes }
        let normal = stage.scene(at: timeMap.normalTime(ofFrame: frame))
        return scenes.map { Storyboard.sideBySide(normal, $0) }
    }

    /// Whether the pictures are those of another plan, in size and order; which loader they show is not asked.
    func showsPictures(of other: RenderPlan) -> Bool {
        stage.width == other.stage.width && stage.height == other.stage.height && segments == other.segments
            && cycles == other.cycles
    }

    // MARK: What it costs

    /// A generous estimate of the memory that one worker needs, in bytes: an encoder with its look-ahead and references
    /// holds some sixty pictures with their side data.
    public var bytesPerWorker: Int { stage.width * stage.height * 150 + (16 << 20) }

    /// How many segments to work on at once with `jobs` threads and `memory` bytes at hand.
    public func workers(jobs: Int, memory: Int) -> Int {
        if encoderThreadsItself { return 1 }
        return max(1, min(jobs / encoder.threads, workCount, memory / bytesPerWorker))
    }

    // MARK: Checks

    private static func keyFrameInterval(of request: RenderRequest) throws -> Int {
        guard keyFrameLimits.contains(request.keyFrameInterval) else {
            let (low, high) = (keyFrameLimits.lowerBound, keyFrameLimits.upperBound)
            throw RenderError(
                .usage, "gop \(request.keyFrameInterval) is not possible: it takes \(low)...\(high) seconds")
        }
        return max(1, (request.keyFrameInterval * request.frameRate.framesPerSecond).rounded)
    }
}
