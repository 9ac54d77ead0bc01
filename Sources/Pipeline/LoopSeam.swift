import Loaders
import Motion
import Timing

/// A jump where a clip that is played in a loop begins again, because it ends within a pass.
public struct LoopSeam: Sendable, Hashable {
    /// How many passes the clip shows; not a whole number.
    public let passes: Rational
    /// How long a pass takes, in seconds of output.
    public let passDuration: Rational

    /// Whether it is there because only a part of the period is shown, so that whole passes have it too.
    public let isOfCut: Bool

    /// A jump after so many passes of so many seconds.
    public init(passes: Rational, passDuration: Rational, isOfCut: Bool = false) {
        (self.passes, self.passDuration, self.isOfCut) = (passes, passDuration, isOfCut)
    }

    /// The seam of a clip that is meant to loop: of so many seconds, without a cut, and not one of stills. Animated pictures
    /// loop by themselves, so that their cuts count too, unless they are played once.
    ///
    /// Nil if it ends within half a frame of a whole pass, or if what comes next looks like its beginning.
    init?(_ request: RenderRequest, _ loader: any Loader, _ map: TimeMap) {
        guard !request.isStepped, request.plays != 1 else { return nil }
        if request.from != nil || request.to != nil {
            guard request.container.isAnimation else { return nil }
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
        let (next, first) = (map.modelTime(ofFrame: map.frameCount), map.modelTime(ofFrame: 0))
        guard loader.scene(at: next) != loader.scene(at: first) else { return nil }
        self.init(passes: length / pass, passDuration: pass)
    }

    /// The seam between the end of a cut and its beginning; nil if they look the same.
    private init?(ofCut request: RenderRequest, _ loader: any Loader, _ map: TimeMap) {
        guard let start = try? request.start(in: loader),
            let end = try? request.end(in: loader) ?? loader.period * Rational((start / loader.period).floor + 1),
            loader.scene(at: end) != loader.scene(at: start)
        else { return nil }
        let length = Rational(map.frameCount) * request.frameRate.frameDuration
        self.init(passes: length / map.timeline.duration, passDuration: map.timeline.duration, isOfCut: true)
    }

    /// The whole passes nearest to it, at least one, both if it lies between: what a clip without the seam may have.
    public var wholePasses: ClosedRange<Int> { max(1, passes.floor)...passes.floor + 1 }
}
