import Loaders
import Motion
import Timing

/// A jump where a clip that is played in a loop begins again, because it ends within a pass.
public struct LoopSeam: Sendable, Hashable {
    /// How many passes the clip shows; not a whole number.
    public let passes: Rational
    /// How long a pass takes, in seconds of output.
    public let passDuration: Rational

    /// A jump after so many passes of so many seconds.
    public init(passes: Rational, passDuration: Rational) { (self.passes, self.passDuration) = (passes, passDuration) }

    /// The seam of a clip that is meant to loop: of so many seconds, without a cut, and not one of stills.
    ///
    /// Nil if it ends within half a frame of a whole pass, or if what comes next looks like its beginning.
    init?(_ request: RenderRequest, _ loader: any Loader, _ map: TimeMap) {
        guard case .duration = request.extent, request.from == nil, request.to == nil, !request.isStepped else {
            return nil
        }
        let frame = request.frameRate.frameDuration
        let pass = map.cycleFrames.map { Rational($0) * frame } ?? map.timeline.duration
        let length = Rational(map.frameCount) * frame
        let rest = length.modulo(pass)
        guard min(rest, pass - rest) > frame / 2 else { return nil }
        let (next, first) = (map.modelTime(ofFrame: map.frameCount), map.modelTime(ofFrame: 0))
        guard loader.scene(at: next) != loader.scene(at: first) else { return nil }
        (passes, passDuration) = (length / pass, pass)
    }

    /// The whole passes nearest to it, at least one, both if it lies between: what a clip without the seam may have.
    public var wholePasses: ClosedRange<Int> { max(1, passes.floor)...passes.floor + 1 }
}
