import Annotations
import Loaders
import Media
import Motion
import Scene
import Timing

/// A loader in slow motion: all instants or a stretch, held, ramped, stepped or blurred, alone or beside normal speed.
public struct LoaderClip: Subject {
    /// The loader on its background, with the notes that were asked for.
    public let canvas: LoaderCanvas
    /// Which instant each frame shows.
    public let timeMap: TimeMap
    /// The clip's chapters, one for each phase that it passes; empty unless asked for.
    public let chapters: [Chapter]
    /// Where the clip jumps when it is played in a loop.
    public let seam: LoopSeam?
    public var omissions: [String] { canvas.loader.omissions }
    /// How long the shutter is open, 0...1 of a frame.
    let shutter: Rational
    /// Whether normal speed is shown beside.
    private let isSideBySide: Bool

    /// How many instants make a picture with motion blur.
    private static let blurSamples = 32

    /// Checks a request for pictures. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: RenderRequest) throws {
        canvas = try LoaderCanvas(request.loader, captions: PictureCaptions(request))
        timeMap = try request.timeMap(for: canvas.loader)
        shutter = try request.checkedShutter()
        isSideBySide = request.isSideBySide
        chapters =
            request.hasChapters
            ? try timeMap.chapters(
                for: canvas.loader, frameRate: request.frameRate, language: request.loader.language) : []
        seam = LoopSeam(request, canvas.loader, timeMap)
    }

    public var size: Size { canvas.size }
    public var background: Color { canvas.background }
    public var defaultScale: Rational { canvas.defaultScale }
    public var frameCount: Int { timeMap.frameCount }
    public var hasText: Bool { canvas.hasText }
    public var speedChange: Rational { timeMap.speedChange }

    public func scenes(ofFrame frame: Int) -> [Scene] {
        let normal = isSideBySide ? timeMap.normalTime(ofFrame: frame) : .zero
        return instants(ofFrame: frame).map { canvas.scene(at: $0, normal: normal) }
    }

    /// The model times in seconds whose scenes make a frame.
    private func instants(ofFrame frame: Int) -> [Rational] {
        shutter == .zero
            ? [timeMap.modelTime(ofFrame: frame)]
            : timeMap.modelTimes(ofFrame: frame, shutter: shutter, count: Self.blurSamples)
    }

    /// What comes again, found in model time.
    public var repetition: Repetition {
        let cycle = min(frameCount, timeMap.repetitionFrames(besideNormal: isSideBySide))
        // Nothing is still beside normal speed, and holds are looked for in clips of up to some hours.
        guard timeMap.timeline.standsStill, !isSideBySide, cycle <= 1_000_000 else {
            return Repetition(cycleFrames: cycle)
        }
        var stills: [Range<Int>] = []
        var (start, shown) = (0, instants(ofFrame: 0))
        for frame in 1..<cycle + 1 {
            let next = frame < cycle ? instants(ofFrame: frame) : []
            guard next != shown else { continue }
            if frame - start > 1, Set(shown).count == 1 { stills.append(start..<frame) }
            (start, shown) = (frame, next)
        }
        return Repetition(cycleFrames: cycle, stills: stills)
    }
}
