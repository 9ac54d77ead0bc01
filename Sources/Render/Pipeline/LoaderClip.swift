import Animations
import Core
import Media

/// A loader in slow motion: a whole period or a part, with holds, ramps, steps and motion blur, and
/// optionally next to the loader at normal speed.
public struct LoaderClip: ClipSource {
    /// The loader on its background with its annotations.
    public let renderer: LoaderRenderer
    public let background: Color
    /// The map from frames to model times.
    public let timeMap: TimeMap
    /// The clip's chapters, one for each phase that it passes; empty unless requested.
    public let chapters: [Chapter]
    /// The jump when the clip is looped; nil if there is none.
    public let seam: LoopSeam?
    public var omissions: [String] { renderer.loader.omissions }
    public let notes: [String]
    /// The shutter time as a share of the frame duration, 0...1.
    let shutter: Rational
    /// True to show the loader at normal speed too.
    private let isSideBySide: Bool
    /// The part of the canvas that a trimmed clip shows; nil for all of it.
    let part: Rect?
    public private(set) var posterFrame: Int?
    /// The requested options that draw texts and images around or over the loader.
    let overlayOptions: [String]

    /// The number of instants that are averaged for a frame with motion blur.
    private static let blurSamples = 32

    /// Checks a request. Throws `LoadervidError` with the first problem.
    public init(_ request: RenderRequest) throws {
        renderer = try LoaderRenderer(request.loader, captions: FrameCaptions(request))
        background = renderer.frameBackground
        timeMap = try request.timeMap(for: renderer.loader, isTranslucent: background.alpha < 1)
        shutter = try request.checkedShutter()
        overlayOptions = [
            ("title", request.title != nil), ("mark", request.loader.mark != nil),
            ("annotate", !request.loader.annotations.isEmpty),
        ].filter(\.1).map(\.0)
        isSideBySide = request.isSideBySide
        chapters =
            request.hasChapters
            ? try timeMap.chapters(
                for: renderer.loader, frameRate: request.frameRate, language: request.loader.language) : []
        seam = LoopSeam(request, renderer.loader, timeMap)
        part = try request.loader.trimmedCanvas(
            of: renderer, at: TrimTimes(timeMap.timeline, request, period: renderer.loader.period))
        guard !request.hasPoster || !request.container.isFrameSequence else {
            throw LoadervidError(
                .usage, "\(option: "poster"): an image sequence has no poster; leave it out",
                subjects: .options("poster"))
        }
        guard request.hasPoster || request.encoding.posterFormat == .png else {
            throw LoadervidError(
                .usage, "\(option: "poster-format"): the clip has no poster; add \(option: "poster")",
                subjects: .options("poster-format"))
        }
        guard request.encoding.posterFormat == .png || background.alpha == 1 else {
            throw LoadervidError(
                .usage,
                "\(option: "poster-format"): JPEG has no alpha, which the translucent background needs; use png",
                subjects: .options("poster-format"))
        }
        notes =
            renderer.notes + request.ineffectiveOptions(hasText: renderer.hasText) + request.panelNotes(timeMap)
        posterFrame = try request.hasPoster ? representativeFrame() : nil
    }

    public var size: Size { part.map { Size($0.width, $0.height) } ?? renderer.size }
    public var trimmedFrom: Size? { part == nil ? nil : renderer.size }
    public var defaultScale: Rational { renderer.defaultScale }
    public var frameCount: Int { timeMap.frameCount }
    public var hasText: Bool { renderer.hasText }
    public var speedChange: Rational { timeMap.speedChange }
    public var timing: TimeMap.Timing? { timeMap.cycleFrames == nil ? .exact : .seamless }

    public func scenes(ofFrame frame: Int) -> [Scene] {
        let normal = isSideBySide ? timeMap.normalTime(ofFrame: frame) : .zero
        return instants(ofFrame: frame).map { shown(renderer.scene(at: $0, normal: normal)) }
    }

    /// The share of a frame by which the scene before a frame is earlier: enough for a loader to be
    /// before a jump, and too little for it to move visibly.
    private static let leadBeforeFrame = Rational(1, 1_000_000)

    /// Returns the scene just before a frame, which differs from the frame if the loader jumps
    /// there. Without motion blur.
    func scene(beforeFrame frame: Int) -> Scene {
        let position = timeMap.position(ofFrame: frame - 1) + timeMap.step * (1 - Self.leadBeforeFrame)
        let range = timeMap.timeline.range
        let length = range.upperBound - range.lowerBound
        let normal = isSideBySide ? range.lowerBound + (position * timeMap.normalSpeed).modulo(length) : .zero
        return shown(renderer.scene(at: timeMap.timeline.modelTime(at: position), normal: normal))
    }

    private func shown(_ scene: Scene) -> Scene { part.map(scene.trimmed) ?? scene }

    public func invisibility(cancellation: CancellationToken) throws -> Invisibility? {
        let shown = min(frameCount, timeMap.cycleFrames ?? frameCount)
        return try Invisibility.find(in: renderer, cancellation: cancellation) { count in
            let count = min(count, shown)
            return (0..<count).map { timeMap.modelTime(ofFrame: (2 * $0 + 1) * shown / (2 * count)) }
        }
    }

    /// Returns the model times of a frame's scenes, in seconds.
    private func instants(ofFrame frame: Int) -> [Rational] {
        shutter == .zero
            ? [timeMap.modelTime(ofFrame: frame)]
            : timeMap.modelTimes(ofFrame: frame, shutter: shutter, count: Self.blurSamples)
    }

    /// The maximum number of frames in a cycle that is searched for holds: four hours at 60 fps.
    private static let maxSearchedFrames = 1_000_000

    /// The frames that repeat, found by comparing model times.
    public var repetition: Repetition {
        let cycle = min(frameCount, timeMap.repetitionFrames(besideNormal: isSideBySide))
        // Next to normal speed, no frame equals the previous one.
        guard timeMap.timeline.standsStill, !isSideBySide, cycle <= Self.maxSearchedFrames else {
            return Repetition(cycleFrames: cycle)
        }
        var stills: [Range<Int>] = []
        var start = 0
        var shown = instants(ofFrame: 0)
        for frame in 1..<cycle + 1 {
            let next = frame < cycle ? instants(ofFrame: frame) : []
            guard next != shown else { continue }
            if frame - start > 1, Set(shown).count == 1 { stills.append(start..<frame) }
            start = frame
            shown = next
        }
        return Repetition(cycleFrames: cycle, stills: stills)
    }
}

extension RenderRequest {
    /// Returns a note that the panel at normal speed jumps where an animated image repeats, unless
    /// the user chose the timing.
    fileprivate func panelNotes(_ map: TimeMap) -> [String] {
        guard isSideBySide, timing == nil, map.cycleFrames == nil, case .cycles = extent,
            encoding.container.isAnimatedImage, encoding.plays != 1
        else { return [] }
        let range = map.timeline.range
        let end = map.normalTime(ofFrame: map.frameCount)
        guard min(end - range.lowerBound, range.upperBound - end) > map.step / 2 else { return [] }
        return [
            "the panel at normal speed jumps where the clip repeats; to fit its speed to the clip, use "
                + "\(option: "timing") seamless"
        ]
    }

    /// Returns a note for each requested option that changes nothing beside the others.
    fileprivate func ineffectiveOptions(hasText: Bool) -> [String] {
        var notes: [String] = []
        if isStepped, slowmo != 1 {
            notes.append(
                "\(option: "slowmo") has no effect with \(option: "step"), which shows each step for the duration "
                    + "of \(option: "hold")")
        }
        // Files draw their own texts as outlines, in this font.
        if loader.font != nil, !hasText, !loader.definition.hasParameter("font") {
            notes.append("\(option: "font") has no effect, because the frames have no text")
        }
        return notes
    }
}
