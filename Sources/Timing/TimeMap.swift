import Motion

/// Which instant of model time each frame of a clip shows. New instants are shown; no frame is repeated but in holds.
public struct TimeMap: Sendable {
    /// How a clip's frames are laid over its cycles.
    public enum Timing: String, CaseIterable, Sendable {
        /// A cycle takes a whole number of frames, so that all cycles are the same pictures.
        case seamless
        /// Frame k shows exactly what the timeline has at k / fps.
        case exact
    }

    /// How much is shown.
    public enum Extent: Sendable, Hashable {
        /// Whole cycles, at least one.
        case cycles(Int)
        /// Seconds of output.
        case duration(Rational)
    }

    /// What one cycle shows.
    public let timeline: Timeline
    /// Frames in the whole clip; 0 if the duration is shorter than half a frame.
    public let frameCount: Int
    /// Frames after which the pictures repeat, if the clip is seamless.
    public let cycleFrames: Int?
    /// Seconds on the timeline from one frame to the next: 1/fps if exact, and nearly so if seamless.
    public let step: Rational
    /// How much faster than asked for the motion runs because a cycle was fitted to whole frames; 1 if exact.
    public let speedChange: Rational
    private let frameDuration: Rational

    /// Lays a clip over a timeline of D seconds.
    ///
    /// Seamless: one cycle is m = max(1, round(D x fps)) frames, and frame k shows (k mod m) x D / m. Exact: frame k shows
    /// k / fps, and N cycles are round(N x D x fps) frames. By default cycles are seamless and durations exact.
    public init(_ timeline: Timeline, frameRate: FrameRate, extent: Extent, timing: Timing? = nil) {
        let fps = frameRate.framesPerSecond
        let fitted = max(1, (timeline.duration * fps).rounded)
        let isSeamless: Bool
        switch extent {
        case .cycles(let cycles):
            isSeamless = timing != .exact
            // More than there can be is more than any limit.
            let (product, overflows) = fitted.multipliedReportingOverflow(by: cycles)
            let whole = overflows ? Int.max : product
            frameCount = isSeamless ? whole : max(1, (timeline.duration * Rational(cycles) * fps).rounded)
        case .duration(let seconds):
            isSeamless = timing == .seamless
            frameCount = (seconds * fps).rounded
        }
        self.timeline = timeline
        cycleFrames = isSeamless ? fitted : nil
        frameDuration = frameRate.frameDuration
        step = isSeamless ? timeline.duration / Rational(fitted) : frameDuration
        speedChange = step / frameDuration
    }

    /// Even slow motion over a whole period, `slowmo` times slower.
    public init(period: Rational, frameRate: FrameRate, slowmo: Rational, extent: Extent, timing: Timing? = nil) {
        let timeline = Timeline(.zero..<period, boundaries: [], style: Timeline.Style(slowmo: slowmo))
        self.init(timeline, frameRate: frameRate, extent: extent, timing: timing)
    }

    /// Where on the timeline a frame is, in seconds.
    public func position(ofFrame frame: Int) -> Rational { step * Rational(cycleFrames.map { frame % $0 } ?? frame) }

    /// The model time in seconds that a frame shows.
    public func modelTime(ofFrame frame: Int) -> Rational { timeline.modelTime(at: position(ofFrame: frame)) }

    /// The model times at `count` instants, evenly spread over `shutter`, the part of a frame's time in which a shutter is
    /// open: 0...1 of the frame.
    public func modelTimes(ofFrame frame: Int, shutter: Rational, count: Int) -> [Rational] {
        let (start, interval) = (position(ofFrame: frame), step * shutter / Rational(count))
        return (0..<count).map { timeline.modelTime(at: start + interval * Rational($0)) }
    }

    /// Frames after which all pictures come again: a cycle if seamless; if exact, the fewest frames that take whole passes.
    ///
    /// - Parameter besideNormal: whether normal speed is shown as well, and shall come again with them.
    public func repetitionFrames(besideNormal: Bool) -> Int {
        if let cycleFrames { return cycleFrames }
        let length = timeline.range.upperBound - timeline.range.lowerBound
        let clip = step * Rational(max(1, frameCount))
        let pass = besideNormal ? timeline.duration.commonMultiple(length, atMost: clip) : timeline.duration
        // Beyond the clip's end nothing repeats.
        return pass?.commonMultiple(step, atMost: clip).map { ($0 / step).floor } ?? frameCount
    }

    /// The model time that a frame would show at normal speed, over the same stretch. If the clip is seamless, whole
    /// passes at nearly normal speed fill one cycle.
    public func normalTime(ofFrame frame: Int) -> Rational {
        let length = timeline.range.upperBound - timeline.range.lowerBound
        let passes =
            cycleFrames == nil ? timeline.duration / length : Rational(max(1, (timeline.duration / length).rounded))
        let passed = position(ofFrame: frame) / timeline.duration * passes
        return timeline.range.lowerBound + passed.modulo(1) * length
    }

    /// Each boundary that the clip passes: when it begins to show, in seconds of output, and its model time.
    public var boundaries: [(output: Rational, model: Rational)] {
        let end = Rational(frameCount) * frameDuration
        // A fitted cycle takes whole frames, and its boundaries move along.
        let scale = frameDuration / step
        let pass = timeline.duration * scale
        var result: [(output: Rational, model: Rational)] = []
        var start = Rational.zero
        while start < end {
            for boundary in timeline.boundaries where start + boundary.output * scale < end {
                result.append((start + boundary.output * scale, boundary.model))
            }
            start = start + pass
        }
        return result
    }
}
