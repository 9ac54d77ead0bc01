import Core

/// A call of After Effects' `loopIn`, `loopOut`, `loopInDuration` or `loopOutDuration`, which
/// repeats keyframes before the first or after the last one.
struct LoopExpression: Sendable, Equatable {
    enum Kind: String, Sendable { case cycle, pingpong, offset, `continue` }

    /// The type of repetition.
    var kind: Kind
    /// True for `loopIn`, before the first keyframe; false for `loopOut`, after the last one.
    var isIn: Bool
    /// The part of the keyframes that is repeated.
    var extent: Extent

    /// The repeated part, counted from the first or last keyframe.
    enum Extent: Sendable, Equatable {
        /// A number of segments; 0 for all.
        case keyframes(Int)
        case seconds(Double)
        /// The keyframes up to a frame of the composition.
        case frame(Double)
    }

    /// Returns a property's value at a frame of the composition. `rate` is in frames per second.
    func value<Value: Animatable>(of property: Property<Value>, at frame: Double, rate: Double) -> Value {
        // Uses `frameOfKeyframe` rather than an array of all frames, which would be allocated for
        // each value.
        let segmentCount = property.segments.count
        guard segmentCount > 0 else { return property.keyframed(at: frame) }
        let first = property.frameOfKeyframe(0)
        let last = property.frameOfKeyframe(segmentCount)
        guard first < last else { return property.keyframed(at: frame) }
        guard isIn ? frame < first : frame > last else { return property.keyframed(at: frame) }
        // The loop runs from `edge`, the first or last keyframe, to `inner`, which can be beyond
        // the other keyframes.
        let edge = isIn ? first : last
        var inner: Double
        switch extent {
        case .keyframes(let count):
            let looped = count > 0 ? min(count, segmentCount) : segmentCount
            inner = property.frameOfKeyframe(isIn ? looped : segmentCount - looped)
        case .seconds(let seconds):
            inner = isIn ? first + seconds * rate : last - seconds * rate
        case .frame(let frame): inner = isIn ? max(frame, first) : min(frame, last)
        }
        if inner == edge { inner = isIn ? last : first }
        let start = min(inner, edge)
        let end = max(inner, edge)
        if kind == .continue { return continued(property, at: frame, edge: edge) }
        let duration = end - start
        let iteration = ((frame - start) / duration).rounded(.down)
        let elapsed = frame - start - iteration * duration
        switch kind {
        case .pingpong where iteration.truncatingRemainder(dividingBy: 2) != 0:
            return property.keyframed(at: end - elapsed)
        case .offset:
            let from = property.keyframed(at: start)
            let to = property.keyframed(at: end)
            return property.keyframed(at: start + elapsed).offset(from: from, to: to, times: iteration)
        default: return property.keyframed(at: start + elapsed)
        }
    }

    /// Returns the value extrapolated from the edge at the speed that it has there.
    private func continued<Value: Animatable>(_ property: Property<Value>, at frame: Double, edge: Double) -> Value {
        // Differences over a thousandth of a frame approximate the derivative well enough.
        let step = isIn ? 0.001 : -0.001
        let value = property.keyframed(at: edge)
        let neighbour = property.keyframed(at: edge + step)
        return value.offset(from: neighbour, to: value, times: (frame - edge) / -step)
    }
}
