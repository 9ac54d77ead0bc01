import Platform
import Scene

/// The curved way of a position between two keyframes, passed at a speed that the easing alone decides: After Effects' spatial
/// interpolation, a cubic Bézier curve by its length.
struct SpatialCurve: Sendable {
    private let curve: Cubic
    /// The length up to each of so many steps of the parameter.
    private let lengths: [Double]

    private static let steps = 128

    /// A curve that leaves `start` by one tangent and comes to `end` by the other; both are vectors from those points.
    init(from start: Point, to end: Point, out: Point, in: Point) {
        curve = Cubic(start, start + out, end + `in`, end)
        var (sum, last, lengths) = (0.0, start, [0.0])
        for step in 1...Self.steps {
            // Chords of eighths: the error is below a millionth of the length.
            for part in 1...8 {
                let next = curve.point((Double(step - 1) + Double(part) / 8) / Double(Self.steps))
                sum += last.distance(to: next)
                last = next
            }
            lengths.append(sum)
        }
        self.lengths = lengths
    }

    /// The parameter at which a fraction of the length is passed.
    private func parameter(at fraction: Double) -> Double {
        let length = lengths[Self.steps] * fraction
        var (low, high) = (0, Self.steps)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lengths[middle] <= length { low = middle } else { high = middle }
        }
        let span = lengths[high] - lengths[low]
        return (Double(low) + (span > 0 ? (length - lengths[low]) / span : 0)) / Double(Self.steps)
    }

    /// The point after a fraction of the way; beyond the ends it goes straight on.
    func point(at fraction: Double) -> Point {
        let length = lengths[Self.steps]
        if fraction < 0 { return curve.p0 + direction(at: 0) * (fraction * length) }
        if fraction > 1 { return curve.p3 + direction(at: 1) * ((fraction - 1) * length) }
        return curve.point(parameter(at: fraction))
    }

    /// The direction of motion after a fraction of the way, of length 1; (1, 0) if there is none.
    func direction(at fraction: Double) -> Point {
        let direction = curve.direction(parameter(at: min(max(fraction, 0), 1)))
        return direction == .zero ? Point(1, 0) : direction
    }
}

extension Property where Value == Point {
    /// The angle of the way at a frame, in radians; nil where nothing moves.
    func direction(at frame: Double) -> Double? {
        guard let segment = segment(at: frame) else { return nil }
        let time = min(max((frame - segment.start) / (segment.end - segment.start), 0), 1)
        guard case .curve(let timing) = segment.ease, let course = segment.course else {
            let way = segment.to - segment.from
            return way == .zero ? nil : atan2(way.y, way.x)
        }
        let direction = course.direction(at: timing(time))
        return atan2(direction.y, direction.x)
    }
}
