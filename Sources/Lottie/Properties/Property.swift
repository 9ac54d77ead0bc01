import Motion
import Scene

/// What a property can hold.
protocol Animatable: Equatable, Sendable {
    /// The value between this and another, each component by a fraction of its own.
    func mixed(with other: Self, by fraction: (Int) -> Double) -> Self
    /// How far another is, to tell a jump from motion.
    func distance(to other: Self) -> Double
    /// This and `times` the way from one value to another.
    func offset(from start: Self, to end: Self, times: Double) -> Self
    /// Its numbers, for expressions.
    var components: [Double] { get }
    /// The value of numbers; nil if it takes more.
    init?(components: [Double])
    /// A place on a path of motion; nil for all but positions.
    static func place(_ point: Point) -> Self?
}

extension Animatable {
    static func place(_ point: Point) -> Self? { nil }
}

/// How progress runs from one keyframe to the next.
enum Ease: Sendable, Equatable {
    /// It stays until the next keyframe.
    case hold
    /// One curve for all components.
    case curve(TimingFunction)
    /// A curve for each component.
    case curves([TimingFunction])
}

/// A value that changes over frames: After Effects' property.
struct Property<Value: Animatable>: Sendable {
    /// From one keyframe to the next.
    struct Segment: Sendable {
        /// Frames at which it begins and ends.
        var start: Double
        var end: Double
        var from: Value
        var to: Value
        var ease: Ease
        /// The way between them, if it is not straight.
        var course: SpatialCurve?
        /// From where on it counts: later than its start where the segment before is not over then.
        var begin: Double

        init(start: Double, end: Double, from: Value, to: Value, ease: Ease) {
            (self.start, self.end, self.from, self.to, self.ease, begin) = (start, end, from, to, ease, start)
        }

        func value(at frame: Double) -> Value {
            let time = (frame - start) / (end - start)
            switch ease {
            case .hold: return from
            case .curve(let timing):
                let fraction = timing(time)
                if let course, let place = Value.place(course.point(at: fraction)) { return place }
                return from.mixed(with: to) { _ in fraction }
            case .curves(let timings):
                return from.mixed(with: to) { timings[min($0, timings.count - 1)](time) }
            }
        }
    }

    /// The value before the first segment, and of a property without any.
    let initial: Value
    /// In order, without gaps between them.
    private(set) var segments: [Segment]
    /// The value after the last segment, if another keyframe at its end says so.
    var final: Value?
    /// What is done to the value.
    private(set) var expression: Expression?

    /// A value that stays.
    init(_ value: Value) { (initial, segments) = (value, []) }

    init(initial: Value, segments: [Segment], expression: Expression? = nil) {
        (self.initial, self.segments, self.expression) = (initial, segments, expression)
    }

    /// Whether it is the same at all times.
    var isConstant: Bool { segments.isEmpty && expression == nil }

    /// The value at a frame of its layer.
    func value(at frame: Double, rate: Double) -> Value {
        guard let expression else { return keyframed(at: frame) }
        let value = expression.value(of: self, at: frame, rate: rate)
        // Beyond this, and with what is no number, nothing can be computed.
        return value.components.allSatisfy { abs($0) <= LottieLimits.largestResult } ? value : keyframed(at: frame)
    }

    /// The value without an expression.
    func keyframed(at frame: Double) -> Value {
        guard let segment = segment(at: frame) else { return final ?? initial }
        guard frame >= segments[0].start else { return initial }
        return frame < segment.end ? segment.value(at: frame) : final ?? segment.to
    }

    /// The last segment that has begun at a frame, or the first; nil if there is none.
    func segment(at frame: Double) -> Segment? {
        guard !segments.isEmpty else { return nil }
        var (low, high) = (0, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].begin <= frame { low = middle } else { high = middle }
        }
        return segments[low]
    }

    /// The frame of a keyframe by its number; there is one more than there are segments.
    func keyTime(_ number: Int) -> Double { number == 0 ? segments[0].begin : segments[number - 1].end }

    /// All values that it is at a keyframe.
    var keyValues: [Value] { [initial] + segments.flatMap { [$0.from, $0.to] } + (final.map { [$0] } ?? []) }

    /// The property with segments that jump, so that between two frames nothing is shown that no frame shows.
    mutating func makeJumps() {
        let speeds = segments.map { segment in
            segment.ease == .hold ? 0 : segment.from.distance(to: segment.to) / (segment.end - segment.start)
        }
        for index in segments.indices where segments[index].ease != .hold {
            guard segments[index].end - segments[index].start <= 1.001, speeds[index] > 0 else { continue }
            let before = index > 0 ? speeds[index - 1] : 0
            let after = index + 1 < speeds.count ? speeds[index + 1] : 0
            // What moves from frame to frame has neighbours that move as well.
            if speeds[index] > 4 * max(before, after) { segments[index].ease = .hold }
        }
    }
}

extension Double: Animatable {
    func mixed(with other: Double, by fraction: (Int) -> Double) -> Double { self + (other - self) * fraction(0) }
    func distance(to other: Double) -> Double { abs(other - self) }
    func offset(from start: Double, to end: Double, times: Double) -> Double { self + (end - start) * times }
    var components: [Double] { [self] }
    init?(components: [Double]) {
        guard let first = components.first else { return nil }
        self = first
    }
}

extension Point: Animatable {
    func mixed(with other: Point, by fraction: (Int) -> Double) -> Point {
        Point(x + (other.x - x) * fraction(0), y + (other.y - y) * fraction(1))
    }
    func offset(from start: Point, to end: Point, times: Double) -> Point { self + (end - start) * times }
    var components: [Double] { [x, y] }
    init?(components: [Double]) {
        guard components.count >= 2 else { return nil }
        self.init(components[0], components[1])
    }
    static func place(_ point: Point) -> Point? { point }
}

extension [Double]: Animatable {
    func mixed(with other: [Double], by fraction: (Int) -> Double) -> [Double] {
        // Colours have an alpha here and none there.
        guard count <= other.count else { return self }
        return indices.map { self[$0] + (other[$0] - self[$0]) * fraction($0) }
    }
    func distance(to other: [Double]) -> Double { zip(self, other).reduce(0) { Swift.max($0, abs($1.1 - $1.0)) } }
    func offset(from start: [Double], to end: [Double], times: Double) -> [Double] {
        indices.map { index in
            guard index < start.count, index < end.count else { return self[index] }
            return self[index] + (end[index] - start[index]) * times
        }
    }
    var components: [Double] { self }
    init?(components: [Double]) { self = components }
}
