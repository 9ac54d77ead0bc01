/// The length of a path, and the part of it between two fractions of the length.
///
/// This implements Core Animation's `strokeStart` and `strokeEnd`: fractions run over all subpaths.
public struct PathMeasure: Sendable {
    private struct Segment {
        var start: Point
        var element: Path.Element
        var length: Double
        /// True for the first segment of a subpath.
        var opensSubpath: Bool
        /// True for the last segment of a closed subpath.
        var closesSubpath = false
    }

    private var segments: [Segment] = []

    /// The maximum distance in points of two ends that count as the same point. It is above the
    /// rounding errors of arcs.
    private static let maxGap = 1e-9

    /// The total length in points.
    public private(set) var length = 0.0

    /// Measures a path: arcs and lines exactly, curves to about 1e-9 of their size.
    public init(_ path: Path) {
        var current = Point.zero
        var first = Point.zero
        var hasBegun = false
        /// The number of segments before the current subpath.
        var count = 0
        for element in path.elements {
            switch element {
            case .move(let point):
                current = point
                first = point
                count = segments.count
            case .arc(let center, let radius, let start, _):
                let entry = center.moved(by: radius, towards: start)
                if !hasBegun {
                    first = entry
                } else if entry.distance(to: current) > Self.maxGap {
                    add(current, .line(entry), toSegmentsFrom: count)
                }
                add(entry, element, toSegmentsFrom: count)
                current = element.end(closingAt: first)
            case .close:
                if current.distance(to: first) > Self.maxGap {
                    add(current, .line(first), toSegmentsFrom: count)
                }
                if segments.count > count { segments[segments.count - 1].closesSubpath = true }
                current = first
                count = segments.count
            case .line, .quadratic, .cubic:
                add(current, element, toSegmentsFrom: count)
                current = element.end(closingAt: first)
            }
            hasBegun = true
        }
    }

    /// Adds a segment to a subpath whose first segment has the index `first`.
    private mutating func add(_ start: Point, _ element: Path.Element, toSegmentsFrom first: Int) {
        let length = element.length(from: start)
        segments.append(
            Segment(start: start, element: element, length: length, opensSubpath: segments.count == first))
        self.length += length
    }

    /// Returns the part between two fractions of the length, clamped to 0...1; empty if `start >=
    /// end`. Subpaths stay separate, even if they touch, and those that are closed and lie within
    /// the part stay closed.
    public func trimmed(from start: Double, to end: Double) -> Path {
        var result = Path()
        let low = max(0, start) * length
        let high = min(1, end) * length
        guard low < high else { return result }
        var offset = 0.0
        var isDrawing = false
        var isWhole = false
        for segment in segments {
            if segment.opensSubpath {
                isDrawing = false
                isWhole = low <= offset
            }
            let from = max(low, offset)
            let to = min(high, offset + segment.length)
            if from < to {
                let part = segment.element.part(
                    from: from - offset, to: to - offset, of: segment.length, start: segment.start)
                if !isDrawing { result.move(to: part.start) }
                result.append(part.element)
                isDrawing = true
            }
            offset += segment.length
            if segment.closesSubpath, isDrawing, isWhole, offset <= high { result.close() }
        }
        return result
    }
}

extension Path.Element {
    /// Returns the end of the segment; `first` is the start of its subpath.
    package func end(closingAt first: Point) -> Point {
        switch self {
        case .move(let point), .line(let point): point
        case .quadratic(_, let end), .cubic(_, _, let end): end
        case .arc(let center, let radius, _, let end): center.moved(by: radius, towards: end)
        case .close: first
        }
    }

    /// Returns the length in points of a segment that begins at `start`.
    func length(from start: Point) -> Double {
        switch self {
        case .move, .close: 0
        case .line(let end): start.distance(to: end)
        case .arc(_, let radius, let from, let to): radius * abs(to - from)
        case .quadratic, .cubic: CubicCurve(self, from: start).length(to: 1)
        }
    }

    /// Returns the part of a segment between two lengths along it, and the start of that part.
    func part(from low: Double, to high: Double, of length: Double, start: Point) -> (
        start: Point, element: Path.Element
    ) {
        let f = low / length
        let g = high / length
        switch self {
        case .move, .close: return (start, self)
        case .line(let end):
            return (start + (end - start) * f, .line(start + (end - start) * g))
        case .arc(let center, let radius, let from, let to):
            let first = from + (to - from) * f
            let last = from + (to - from) * g
            let element = Path.Element.arc(center: center, radius: radius, startAngle: first, endAngle: last)
            return (center.moved(by: radius, towards: first), element)
        case .quadratic, .cubic:
            let curve = CubicCurve(self, from: start)
            let segment = curve.part(from: curve.parameter(atLength: low), to: curve.parameter(atLength: high))
            return (segment.p0, .cubic(control1: segment.p1, control2: segment.p2, end: segment.p3))
        }
    }
}
