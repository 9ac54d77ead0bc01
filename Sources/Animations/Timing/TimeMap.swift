import Core

/// The mapping from frames of a clip to model time. Slow motion shows new instants; within a
/// cycle, frames repeat only in holds.
public struct TimeMap: Sendable {
    /// The relation between frames and cycles.
    public enum Timing: String, CaseIterable, Sendable, Codable {
        /// A cycle is a whole number of frames, so that all cycles have the same frames.
        case seamless
        /// Frame k shows the timeline at exactly k / fps.
        case exact
    }

    /// The length of a clip.
    public enum Extent: Sendable, Hashable {
        /// A number of whole cycles, at least one.
        case cycles(Int)
        /// A duration in seconds of output.
        case duration(Rational)
    }

    /// The timeline of one cycle.
    public let timeline: Timeline
    /// The number of frames in the clip; 0 if the duration is shorter than half a frame.
    public let frameCount: Int
    /// The number of frames in a cycle; nil if the clip is not seamless.
    public let cycleFrames: Int?
    /// The timeline interval between frames in seconds: 1/fps if exact, close to that if seamless.
    public let step: Rational
    /// The speed relative to the requested one. It differs from 1 if a cycle was fitted to whole
    /// frames.
    public let speedChange: Rational
    private let frameDuration: Rational

    /// Maps frames to a timeline of D seconds.
    ///
    /// Seamless: one cycle is m = max(1, round(D x fps)) frames, and frame k shows the time
    /// (k mod m) x D / m. Exact: frame k shows k / fps, and N cycles are round(N x D x fps) frames.
    /// By default, cycles are seamless and durations exact.
    public init(_ timeline: Timeline, frameRate: FrameRate, extent: Extent, timing: Timing? = nil) {
        let fps = frameRate.framesPerSecond
        let fitted = max(1, (timeline.duration * fps).rounded)
        let isSeamless: Bool
        switch extent {
        case .cycles(let cycles):
            isSeamless = timing != .exact
            // On overflow, the count exceeds every limit anyway.
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

    /// Maps frames to a whole period, evenly slowed down by the factor `slowmo`.
    public init(period: Rational, frameRate: FrameRate, slowmo: Rational, extent: Extent, timing: Timing? = nil) {
        let timeline = Timeline(.zero..<period, boundaries: [], style: Timeline.Style(slowmo: slowmo))
        self.init(timeline, frameRate: frameRate, extent: extent, timing: timing)
    }

    /// Returns the position of a frame on the timeline, in seconds.
    public func position(ofFrame frame: Int) -> Rational { step * Rational(cycleFrames.map { frame % $0 } ?? frame) }

    /// Returns the model time in seconds that a frame shows.
    public func modelTime(ofFrame frame: Int) -> Rational { timeline.modelTime(at: position(ofFrame: frame)) }

    /// Returns `count` model times, evenly spread over the exposure of a frame. `shutter` is the
    /// exposure as a fraction of the frame duration, in 0...1.
    public func modelTimes(ofFrame frame: Int, shutter: Rational, count: Int) -> [Rational] {
        let start = position(ofFrame: frame)
        let interval = step * shutter / Rational(count)
        return (0..<count).map { timeline.modelTime(at: start + interval * Rational($0)) }
    }

    /// Returns the number of frames after which the clip repeats: a cycle if seamless; if exact,
    /// the smallest number of frames that is a whole number of passes.
    ///
    /// - Parameter besideNormal: true if the clip also shows normal speed, which must repeat at the
    ///   same frame.
    public func repetitionFrames(besideNormal: Bool) -> Int {
        if let cycleFrames { return cycleFrames }
        let length = timeline.range.upperBound - timeline.range.lowerBound
        let clip = step * Rational(max(1, frameCount))
        let pass = besideNormal ? timeline.duration.commonMultiple(length, atMost: clip) : timeline.duration
        // A repetition after the end of the clip does not count.
        return pass?.commonMultiple(step, atMost: clip).map { ($0 / step).floor } ?? frameCount
    }

    /// The speed of the panel at normal speed, relative to real time: 1 if timing is exact. In a
    /// seamless clip, a cycle contains a whole number of the panel's passes, which changes the
    /// speed.
    public var normalSpeed: Rational {
        guard cycleFrames != nil else { return 1 }
        let length = timeline.range.upperBound - timeline.range.lowerBound
        return Rational(max(1, (timeline.duration / length).rounded)) * length / timeline.duration
    }

    /// Returns the model time that a frame shows in the panel at normal speed, over the same range.
    public func normalTime(ofFrame frame: Int) -> Rational {
        let length = timeline.range.upperBound - timeline.range.lowerBound
        return timeline.range.lowerBound + (position(ofFrame: frame) * normalSpeed).modulo(length)
    }

    /// The boundaries that the clip passes: the time at which each is first shown, in seconds of
    /// output, and its model time.
    public var boundaries: [(output: Rational, model: Rational)] { boundaries(maxCount: .max) }

    /// Returns the first of these boundaries, at most `maxCount`.
    package func boundaries(maxCount: Int) -> [(output: Rational, model: Rational)] {
        let end = Rational(frameCount) * frameDuration
        // Fitting a cycle to whole frames scales the times of its boundaries.
        let scale = frameDuration / step
        let pass = timeline.duration * scale
        var result: [(output: Rational, model: Rational)] = []
        var start = Rational.zero
        while start < end {
            for boundary in timeline.boundaries where start + boundary.output * scale < end {
                guard result.count < maxCount else { return result }
                result.append((start + boundary.output * scale, boundary.model))
            }
            start = start + pass
        }
        return result
    }
}
