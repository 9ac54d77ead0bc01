import Animations
import Core

/// A jump when a looped clip restarts, because it ends within a pass.
public struct LoopSeam: Sendable, Hashable {
    /// The number of passes that the clip shows; not a whole number.
    public let passes: Rational
    /// The duration of a pass in seconds of output.
    public let passDuration: Rational

    /// True if the clip shows only a part of the period, so that even whole passes have the jump.
    public let isOfCut: Bool

    /// A jump after `passes` passes of `passDuration` seconds each.
    public init(passes: Rational, passDuration: Rational, isOfCut: Bool = false) {
        self.passes = passes
        self.passDuration = passDuration
        self.isOfCut = isOfCut
    }

    /// The seam of a clip that is meant to loop: one with a duration, without a cut, and not
    /// stepped. Animated images loop in players, so cuts of them count too, unless they play once.
    ///
    /// Nil if the clip ends within half a frame of a whole pass, if the scene after its end equals
    /// its first one, or if it is a single frame, which does not move.
    init?(_ request: RenderRequest, _ loader: any Loader, _ map: TimeMap) {
        guard !request.isStepped, request.plays != 1, map.frameCount > 1 else { return nil }
        if request.from != nil || request.to != nil {
            guard request.container.isAnimatedImage else { return nil }
            if let seam = LoopSeam(ofCut: request, loader, map) {
                self = seam
                return
            }
        }
        guard case .duration = request.extent else { return nil }
        let frame = request.frameRate.frameDuration
        let pass = map.cycleFrames.map { Rational($0) * frame } ?? map.timeline.duration
        let length = Rational(map.frameCount) * frame
        let rest = length.modulo(pass)
        guard min(rest, pass - rest) > frame / 2 else { return nil }
        let next = map.modelTime(ofFrame: map.frameCount)
        let first = map.modelTime(ofFrame: 0)
        guard loader.scene(at: next) != loader.scene(at: first) else { return nil }
        self.init(passes: length / pass, passDuration: pass)
    }

    /// The seam between the end of a cut and its start; nil if their scenes are equal.
    private init?(ofCut request: RenderRequest, _ loader: any Loader, _ map: TimeMap) {
        guard let start = try? request.start(in: loader),
            let end = try? request.end(in: loader) ?? loader.period * Rational((start / loader.period).floor + 1),
            loader.scene(at: end) != loader.scene(at: start)
        else { return nil }
        let length = Rational(map.frameCount) * request.frameRate.frameDuration
        self.init(passes: length / map.timeline.duration, passDuration: map.timeline.duration, isOfCut: true)
    }

    /// The numbers of whole passes below and above `passes`, at least one: a clip of as many passes
    /// has no seam.
    public var wholePasses: ClosedRange<Int> { max(1, passes.floor)...passes.floor + 1 }
}
