import Motion

/// Which instant of model time each frame of a clip shows. Uniform slow motion: new instants, no frame repeated.
public struct TimeMap: Sendable, Hashable {
    /// How a clip's frames are laid over its cycles.
    public enum Timing: String, CaseIterable, Sendable {
        /// A cycle takes a whole number of frames, so that all cycles are the same pictures.
        case seamless
        /// Frame k shows exactly k / (fps x slowmo).
        case exact
    }

    /// How much is shown.
    public enum Extent: Sendable, Hashable {
        /// Whole cycles, at least one.
        case cycles(Int)
        /// Seconds of output.
        case duration(Rational)
    }

    /// Frames in the whole clip; 0 if the duration is shorter than half a frame.
    public let frameCount: Int
    /// Frames after which the pictures repeat, if the clip is seamless.
    public let cycleFrames: Int?
    /// Model time from one frame to the next, in seconds.
    public let step: Rational
    /// How much faster than asked for the motion runs because a cycle was fitted to whole frames; 1 if exact.
    public let speedChange: Rational

    /// Lays a clip over a period (seconds of model time) at `slowmo` times slower, both positive.
    ///
    /// Seamless: one cycle is m = max(1, round(period x slowmo x fps)) frames, and frame k shows (k mod m) x period / m.
    /// Exact: frame k shows k / (fps x slowmo). By default cycles are seamless and durations exact.
    public init(period: Rational, frameRate: FrameRate, slowmo: Rational, extent: Extent, timing: Timing? = nil) {
        let outputPeriod = period * slowmo
        let fps = frameRate.framesPerSecond
        let fitted = max(1, (outputPeriod * fps).rounded)
        let isSeamless: Bool
        switch extent {
        case .cycles(let cycles):
            isSeamless = timing != .exact
            frameCount = isSeamless ? fitted * cycles : max(1, (outputPeriod * Rational(cycles) * fps).rounded)
        case .duration(let seconds):
            isSeamless = timing == .seamless
            frameCount = (seconds * fps).rounded
        }
        cycleFrames = isSeamless ? fitted : nil
        step = isSeamless ? period / Rational(fitted) : 1 / (fps * slowmo)
        speedChange = isSeamless ? outputPeriod * fps / Rational(fitted) : 1
    }

    /// The model time in seconds that a frame shows.
    public func modelTime(ofFrame frame: Int) -> Rational {
        step * Rational(cycleFrames.map { frame % $0 } ?? frame)
    }
}
