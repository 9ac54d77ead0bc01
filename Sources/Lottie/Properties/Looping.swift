import Platform

/// What After Effects' loopIn and loopOut do before the first and after the last keyframe.
struct Looping: Sendable, Equatable {
    enum Kind: String, Sendable { case cycle, pingpong, offset, `continue` }

    /// How the stretch is repeated.
    var kind: Kind
    /// Whether before the first keyframe rather than after the last.
    var isIn: Bool
    /// How much is repeated: from so many keyframes on (0 for all of them), or for so many seconds.
    var extent: Extent

    enum Extent: Sendable, Equatable {
        case keyframes(Int)
        case seconds(Double)
    }

    /// A property's value at a frame.
    func value<Value: Animatable>(of property: Property<Value>, at frame: Double, rate: Double) -> Value {
        // Not a list of all of them: it would be made for every value.
        let segmentCount = property.segments.count
        guard segmentCount > 0 else { return property.keyframed(at: frame) }
        let (first, last) = (property.keyTime(0), property.keyTime(segmentCount))
        guard first < last else { return property.keyframed(at: frame) }
        guard isIn ? frame < first : frame > last else { return property.keyframed(at: frame) }
        // The stretch that is repeated, from its edge at the first or last keyframe inwards.
        let edge = isIn ? first : last
        var inner: Double
        switch extent {
        case .keyframes(let count):
            let steps = count > 0 ? min(count, segmentCount) : segmentCount
            inner = property.keyTime(isIn ? steps : segmentCount - steps)
        case .seconds(let seconds):
            let length = seconds > 0 ? min(seconds * rate, last - first) : last - first
            inner = isIn ? first + length : last - length
        }
        if inner == edge { inner = isIn ? last : first }
        let (start, end) = (min(inner, edge), max(inner, edge))
        if kind == .continue { return continued(property, at: frame, edge: edge) }
        let duration = end - start
        let turns = ((frame - start) / duration).rounded(.down)
        let place = frame - start - turns * duration
        switch kind {
        case .pingpong where turns.truncatingRemainder(dividingBy: 2) != 0: return property.keyframed(at: end - place)
        case .offset:
            let (from, to) = (property.keyframed(at: start), property.keyframed(at: end))
            return property.keyframed(at: start + place).offset(from: from, to: to, times: turns)
        default: return property.keyframed(at: start + place)
        }
    }

    /// At the speed that it has at the edge.
    private func continued<Value: Animatable>(_ property: Property<Value>, at frame: Double, edge: Double) -> Value {
        // After Effects takes the speed from one instant to the next; a thousandth of a frame is near enough.
        let step = isIn ? 0.001 : -0.001
        let (value, neighbour) = (property.keyframed(at: edge), property.keyframed(at: edge + step))
        return value.offset(from: neighbour, to: value, times: (frame - edge) / -step)
    }
}
