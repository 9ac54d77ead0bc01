import Core

/// A type of value that keyframes can animate.
protocol Animatable: Equatable, Sendable {
    /// Returns the value between this one and another. `fraction` gives the progress of a component
    /// by its index; it can be outside of 0...1.
    func interpolated(to other: Self, by fraction: (Int) -> Double) -> Self
    /// Returns the distance to another value, to tell jumps from motion.
    func distance(to other: Self) -> Double
    /// Returns this value plus `times` the difference from one value to another.
    func offset(from start: Self, to end: Self, times: Double) -> Self
    /// The value as expressions see it.
    var expressionResult: ExpressionResult { get }
    /// Returns the value with which an expression replaces this one; nil if it has another type or
    /// exceeds a limit.
    func replaced(by result: ExpressionResult) -> Self?
    /// Returns the value for a point on a spatial path; nil if the type has no spatial paths.
    static func spatialValue(_ point: Point) -> Self?
}

extension Animatable {
    /// True unless extrapolation has exceeded the limit of expressions' results.
    var isWithinLimits: Bool { replaced(by: expressionResult) != nil }

    /// Returns as many components as `count` of an expression's result: a number counts for each
    /// of them. Returns nil if there are too few, or one is beyond the limit.
    func components(of result: ExpressionResult, count: Int) -> [Double]? {
        let numbers: [Double]
        switch result {
        case .number(let number): numbers = Array(repeating: number, count: count)
        case .numbers(let list) where list.count == 1: numbers = Array(repeating: list[0], count: count)
        case .numbers(let list): numbers = Array(list.prefix(count))
        case .text(let text): numbers = Array(repeating: text.expressionNumber, count: count)
        case .none, .path: return nil
        }
        // The comparison is false for NaN.
        guard numbers.count >= count, numbers.allSatisfy({ abs($0) <= LottieLimits.maxResult }) else { return nil }
        return numbers
    }

    static func spatialValue(_ point: Point) -> Self? { nil }
}

/// The temporal interpolation from one keyframe to the next.
enum Ease: Sendable, Equatable {
    /// Hold: the value stays until the next keyframe.
    case hold
    /// One timing function for all components.
    case curve(TimingFunction)
    /// A timing function for each component.
    case curves([TimingFunction])

    /// A range that contains the progress of each component.
    fileprivate var range: ClosedRange<Double> {
        switch self {
        case .hold: 0...1
        case .curve(let timing): timing.range
        case .curves(let timings):
            (timings.map(\.range.lowerBound).min() ?? 0)...(timings.map(\.range.upperBound).max() ?? 1)
        }
    }
}

/// A property of After Effects: a constant value, keyframes or an expression.
struct Property<Value: Animatable>: Sendable {
    /// The interval from one keyframe to the next, in frames.
    struct KeyframeSegment: Sendable {
        var start: Double
        var end: Double
        var from: Value
        var to: Value
        var ease: Ease
        /// The curve between the two positions; nil if it is a straight line.
        var spatialPath: SpatialCurve?
        /// The first frame at which the segment applies. It is after `start` if the previous
        /// segment ends later than that.
        var activeStart: Double

        init(start: Double, end: Double, from: Value, to: Value, ease: Ease) {
            self.start = start
            self.end = end
            self.from = from
            self.to = to
            self.ease = ease
            activeStart = start
        }

        func value(at frame: Double) -> Value {
            let time = (frame - start) / (end - start)
            switch ease {
            case .hold: return from
            case .curve(let timing):
                let fraction = timing(time)
                if let spatialPath, let position = Value.spatialValue(spatialPath.point(at: fraction)) {
                    return position
                }
                return from.interpolated(to: to) { _ in fraction }
            case .curves(let timings):
                return from.interpolated(to: to) { timings[min($0, timings.count - 1)](time) }
            }
        }
    }

    /// The keyframes and the expression. Shared, because properties are copied much more often than
    /// they are changed.
    private final class Changes: Sendable {
        let segments: [KeyframeSegment]
        let final: Value?
        let expression: Expression?
        /// The frame of the only keyframe; nil if there are several or none.
        let singleKey: Double?

        init(_ segments: [KeyframeSegment], final: Value?, expression: Expression?, singleKey: Double? = nil) {
            self.segments = segments
            self.final = final
            self.expression = expression
            self.singleKey = singleKey
        }
    }

    /// The value before the first segment, or the constant value.
    let initial: Value
    /// Nil for a constant property.
    private var changes: Changes?
    /// The segments in ascending order, without gaps.
    var segments: [KeyframeSegment] { changes?.segments ?? [] }
    /// The expression that replaces the value.
    var expression: Expression? { changes?.expression }
    /// The value after the last segment if a second keyframe at its end has another value.
    var final: Value? {
        get { changes?.final }
        set { changes = Changes(segments, final: newValue, expression: expression, singleKey: changes?.singleKey) }
    }

    /// Creates a property with a constant value.
    init(_ value: Value) { initial = value }

    /// Creates a property with keyframes or an expression.
    ///
    /// - Parameter singleKey: the frame of the only keyframe, which expressions can read.
    init(
        initial: Value, segments: [KeyframeSegment], expression: Expression? = nil, singleKey: Double? = nil
    ) {
        self.initial = initial
        guard !segments.isEmpty || expression != nil || singleKey != nil else { return }
        changes = Changes(segments, final: nil, expression: expression, singleKey: singleKey)
    }

    /// True if the property has neither keyframes nor an expression.
    var isConstant: Bool { changes.map { $0.segments.isEmpty && $0.expression == nil } ?? true }

    /// The number of keyframes.
    var keyCount: Int { segments.isEmpty ? (changes?.singleKey == nil ? 0 : 1) : segments.count + 1 }

    /// Returns the value at a frame of the layer's composition. An expression that fails or exceeds
    /// a limit is not applied, as in After Effects; the context records why.
    func value(at frame: Double, in context: FrameContext) -> Value {
        guard let changes, !isConstant else { return keyframed(at: frame) }
        context.recordChange()
        guard let expression = changes.expression else { return keyframed(at: frame) }
        // A single loop, the usual case, works on values as a whole.
        if let loopExpression = expression.loopExpression {
            let value = loopExpression.value(of: self, at: frame, rate: context.rate)
            return value.isWithinLimits ? value : keyframed(at: frame)
        }
        let value = keyframed(at: frame)
        guard let result = try? context.result(of: expression, self, at: frame), result != .none else { return value }
        guard let replaced = value.replaced(by: result) else {
            context.record(EvaluationError(result.problem), of: expression)
            return value
        }
        return replaced
    }

    /// Returns the value at a frame without the expression.
    func keyframed(at frame: Double) -> Value {
        guard let changes, let index = segmentIndex(at: frame) else { return final ?? initial }
        guard frame >= changes.segments[0].start else { return initial }
        return frame < changes.segments[index].end
            ? changes.segments[index].value(at: frame) : changes.final ?? changes.segments[index].to
    }

    /// Returns the segment that applies at a frame: the last one that has started, or the first
    /// one. Returns nil if there are no segments.
    func segment(at frame: Double) -> KeyframeSegment? { segmentIndex(at: frame).map { segments[$0] } }

    private func segmentIndex(at frame: Double) -> Int? {
        guard let segments = changes?.segments, !segments.isEmpty else { return nil }
        var low = 0
        var high = segments.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].activeStart <= frame { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the frame of the keyframe with an index below `keyCount`.
    func frameOfKeyframe(_ index: Int) -> Double {
        guard let first = segments.first else { return changes?.singleKey ?? 0 }
        return index == 0 ? first.activeStart : segments[index - 1].end
    }

    /// The values of all keyframes, or the constant value.
    var keyValues: [Value] { [initial] + segments.flatMap { [$0.from, $0.to] } + (final.map { [$0] } ?? []) }

    /// Returns an upper bound of a component of the value without the expression. Easing can
    /// overshoot the values of both keyframes.
    func maximum(of component: (Value) -> Double) -> Double {
        let maximum = max(component(initial), final.map(component) ?? -.infinity)
        return segments.reduce(maximum) { maximum, segment in
            let from = component(segment.from)
            let to = component(segment.to)
            let range = segment.ease.range
            return max(maximum, lerp(from, to, range.lowerBound), lerp(from, to, range.upperBound))
        }
    }

    /// The maximum length of a segment that can be a jump, in frames: one, with a margin for
    /// rounding in exporters.
    private static var maxJumpLength: Double { 1.001 }
    /// The ratio of speeds to the neighbouring segments above which a segment is a jump.
    private static var jumpSpeedRatio: Double { 4 }

    /// Changes segments that are jumps from one frame to the next to hold keyframes, so that no
    /// intermediate values appear between the two frames.
    mutating func holdJumps() {
        var segments = segments
        guard !segments.isEmpty else { return }
        let speeds = segments.map { segment in
            segment.ease == .hold ? 0 : segment.from.distance(to: segment.to) / (segment.end - segment.start)
        }
        for index in segments.indices where segments[index].ease != .hold {
            let length = segments[index].end - segments[index].start
            guard length <= Self.maxJumpLength, speeds[index] > 0 else { continue }
            let before = index > 0 ? speeds[index - 1] : 0
            let after = index + 1 < speeds.count ? speeds[index + 1] : 0
            // Baked motion, with a keyframe at each frame, has neighbours that move about as fast.
            if speeds[index] > Self.jumpSpeedRatio * max(before, after) { segments[index].ease = .hold }
        }
        changes = Changes(segments, final: final, expression: expression)
    }
}

extension Double: Animatable {
    func interpolated(to other: Double, by fraction: (Int) -> Double) -> Double { self + (other - self) * fraction(0) }
    func distance(to other: Double) -> Double { abs(other - self) }
    func offset(from start: Double, to end: Double, times: Double) -> Double { self + (end - start) * times }
    var expressionResult: ExpressionResult { .number(self) }
    func replaced(by result: ExpressionResult) -> Double? {
        if case .numbers(let list) = result { return list.first.flatMap { replaced(by: .number($0)) } }
        return components(of: result, count: 1)?.first
    }
}

extension Point: Animatable {
    func interpolated(to other: Point, by fraction: (Int) -> Double) -> Point {
        Point(x + (other.x - x) * fraction(0), y + (other.y - y) * fraction(1))
    }
    func offset(from start: Point, to end: Point, times: Double) -> Point { self + (end - start) * times }
    var expressionResult: ExpressionResult { .numbers([x, y]) }
    func replaced(by result: ExpressionResult) -> Point? {
        components(of: result, count: 2).map { Point($0[0], $0[1]) }
    }
    static func spatialValue(_ point: Point) -> Point? { point }
}

extension [Double]: Animatable {
    func interpolated(to other: [Double], by fraction: (Int) -> Double) -> [Double] {
        // Colours can have an alpha component at one keyframe and none at the next.
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
    var expressionResult: ExpressionResult { count == 1 ? .number(self[0]) : .numbers(self) }
    func replaced(by result: ExpressionResult) -> [Double]? {
        // A colour without alpha, or a position without z, keeps its own.
        if case .numbers(let list) = result, list.count > 1, list.count < count {
            return components(of: .numbers(list + dropFirst(list.count)), count: count)
        }
        return components(of: result, count: count)
    }
}
