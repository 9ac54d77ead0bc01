import Media
import Motion
import Scene
import SlowMotion

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
    /// Whether a run of equal frames is stored as one long frame.
    public let hasLongFrames: Bool
    /// Which segments there are, and when each is played.
    let order: PlayOrder
    /// The clip's chapters, one for each phase that it passes; empty unless asked for.
    public let chapters: [Chapter]
    /// Where the clip jumps when it is played in a loop; nil if it does not, or is not meant to be.
    public let seam: LoopSeam?
    /// What players show as its title.
    let title: String?
    /// How long the shutter is open, 0...1 of a frame.
    public let shutter: Rational
    /// Whether normal speed is shown beside.
    public let isSideBySide: Bool
    /// The least number of frames by which decoding runs ahead of presentation.
    let reorderDelay: Int
    /// Whether the encoder uses the machine best alone, with its own threads.
    public let encoderThreadsItself: Bool
    private let isLarge: Bool

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
        (container, title) = (request.container, request.title)
        timeMap = try request.timeMap(for: stage.loader)
        shutter = try request.checkedShutter()
        isSideBySide = request.isSideBySide
        chapters =
            request.hasChapters
            ? try timeMap.chapters(
                for: stage.loader, frameRate: request.frameRate, language: request.loader.language) : []
        seam = LoopSeam(request, stage.loader, timeMap)
        let interval = try RenderPlan.keyFrameInterval(of: request)
        hasLongFrames = request.hasLongFrames
        let repetition = request.usesRepetition ? RenderPlan.repetition(in: timeMap, of: request) : .init()
        let bytesPerFrame = max(1, stage.width * stage.height / 50)
        order = PlayOrder(
            frameCount: timeMap.frameCount, interval: interval, repetition: repetition,
            keeping: RenderPlan.replayBudget / bytesPerFrame)
        let choice = try CodecChoice(request, stage: stage)
        encoderThreadsItself = choice.profile.threadsItself
        reorderDelay = choice.profile.reorderDelay
        isLarge = stage.width * stage.height > RenderPlan.largePicture
        let threads = isLarge ? 2 : order.workCount == 1 ? choice.profile.threadsAlone : 1
        encoder = EncoderSettings(
            encoder: choice.profile.encoder, width: stage.width, height: stage.height, pixelFormat: choice.pixelFormat,
            frameRate: request.frameRate, keyFrameInterval: interval, threads: encoderThreadsItself ? 0 : threads,
            options: choice.options, usesGlobalHeader: container.usesGlobalHeader)
    }

    /// What comes again in a clip, found in model time.
    private static func repetition(in map: TimeMap, of request: RenderRequest) -> PlayOrder.Repetition {
        let cycle = min(map.frameCount, map.repetitionFrames(besideNormal: request.isSideBySide))
        // Nothing is still beside normal speed, and holds are looked for in clips of up to some hours.
        guard map.timeline.standsStill, !request.isSideBySide, cycle <= 1_000_000 else {
            return .init(cycleFrames: cycle)
        }
        let samples = request.motionBlur == .zero ? 1 : blurSamples
        func instants(_ frame: Int) -> [Rational] {
            map.modelTimes(ofFrame: frame, shutter: request.motionBlur, count: samples)
        }
        var stills: [Range<Int>] = []
        var (start, shown) = (0, instants(0))
        for frame in 1..<cycle + 1 {
            let next = frame < cycle ? instants(frame) : []
            guard next != shown else { continue }
            if frame - start > 1, Set(shown).count == 1 { stills.append(start..<frame) }
            (start, shown) = (frame, next)
        }
        return .init(cycleFrames: cycle, stills: stills)
    }

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
    func isLong(_ frame: Int, in segment: Segment) -> Bool { hasLongFrames && frame < segment.frameCount - 4 }

    /// How many instants make a picture with motion blur.
    private static let blurSamples = 32

    /// The scene of a frame of a segment, or with motion blur those that are mixed.
    func scenes(ofFrame frame: Int, in segment: Segment) -> [Scene] { scenes(ofFrame: segment.firstFrame + frame) }

    /// The scene of a frame of the clip, or with motion blur those whose mean the picture is.
    public func scenes(ofFrame frame: Int) -> [Scene] {
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
            && playCount == other.playCount
    }

    // MARK: What it costs

    /// A generous estimate of the memory that one worker needs, in bytes: an encoder with its look-ahead and references
    /// holds some sixty pictures with their side data, and its threads hold more. Of x264 at 1920x1080 some 200 bytes a
    /// pixel were measured, of x265 at 4096x4096 190, of SVT-AV1 at 1280x720 320.
    public var bytesPerWorker: Int { stage.width * stage.height * (encoderThreadsItself ? 400 : 220) + (16 << 20) }

    /// How many cores a worker keeps busy. An encoder of a single segment has threads to be done sooner where nothing else
    /// is done; they wait for each other so much that several of them side by side count as one core each.
    var coresPerWorker: Int { encoderThreadsItself ? .max : isLarge ? 2 : 1 }

    /// How many segments to work on at once with `jobs` cores and `memory` bytes at hand.
    public func workers(jobs: Int, memory: Int) -> Int {
        if encoderThreadsItself { return 1 }
        return max(1, min(jobs / coresPerWorker, order.workCount, memory / bytesPerWorker))
    }

    // MARK: Checks

    private static func keyFrameInterval(of request: RenderRequest) throws -> Int {
        guard keyFrameLimits.contains(request.keyFrameInterval) else {
            let (low, high) = (keyFrameLimits.lowerBound, keyFrameLimits.upperBound)
            throw RenderError(
                .usage, "gop \(request.keyFrameInterval) is not possible: it takes \(low)...\(high) seconds",
                about: .options("gop"))
        }
        return max(1, (request.keyFrameInterval * request.frameRate.framesPerSecond).rounded)
    }
}
