import Core

/// A range of frames in which a property changes, in frames of the main composition.
struct MotionSpan {
    /// The frames of the main composition in which a composition is visible, and the map from its
    /// frames to them: `frame * stretch + offset`.
    struct Window {
        var start: Double
        var end: Double
        var offset = 0.0
        var stretch = 1.0
    }

    var start: Double
    var end: Double

    /// The spans found so far, and the remaining work.
    struct Collector {
        fileprivate(set) var spans: [MotionSpan] = []
        /// The frames within the spans at which a property turns back.
        fileprivate(set) var turns: [Double] = []
        /// The number of keyframes that may still be visited. Phases do not improve with more of
        /// them.
        fileprivate var remainingVisits = 300_000
    }

    /// Adds the spans of the layers along a path, of their parents, and of the last one's contents.
    static func collect(_ path: [Int], in animation: Animation, into spans: inout Collector) {
        var window = Window(start: animation.start.double, end: animation.end.double)
        var composition = animation.composition
        for (depth, index) in path.enumerated() {
            let layer = composition.layers[index]
            window.start = max(window.start, layer.start * window.stretch + window.offset)
            window.end = min(window.end, layer.end * window.stretch + window.offset)
            guard window.start < window.end else { return }
            for ancestor in layer.withParents(in: composition) { add(ancestor.transform, window, &spans) }
            for mask in layer.masks { add(mask.path, window, &spans) }
            if case .shapes(let group) = layer.content { add(group, window, &spans) }
            guard case .composition(let inner) = layer.content, depth < path.count - 1 else { return }
            if let remap = inner.timeRemap { add(remap, window, &spans) }
            // Skips reversed compositions (a negative stretch). They are rare, and their keyframes
            // would be in the wrong order.
            guard inner.timeRemap == nil, inner.stretch > 0 else { return }
            window.offset += inner.startTime * window.stretch
            window.stretch *= inner.stretch
            composition = inner.composition
        }
    }

    /// A frame number that is later than any frame.
    private static let unbounded = 1e9

    private static func add<Value>(_ property: Property<Value>, _ window: Window, _ spans: inout Collector) {
        var current: (start: Double, end: Double)?
        func close() {
            guard let current else { return }
            let start = max(current.start * window.stretch + window.offset, window.start)
            let end = min(current.end * window.stretch + window.offset, window.end)
            if start < end { spans.spans.append(MotionSpan(start: start, end: end)) }
        }
        if let expression = property.expression {
            // A loop continues after the last keyframe or before the first one. Any other
            // expression is assumed to follow the keyframes, or to change all the time without any.
            let isAnimated = property.segments.contains { $0.from != $0.to || $0.spatialPath != nil }
            if let loopExpression = expression.loopExpression {
                guard isAnimated, let first = property.segments.first, let last = property.segments.last else { return }
                current = loopExpression.isIn ? (-unbounded, last.end) : (first.activeStart, unbounded)
                return close()
            }
            guard isAnimated else {
                current = (-unbounded, unbounded)
                return close()
            }
        }
        var last: Property<Value>.KeyframeSegment?
        for segment in property.segments.prefix(max(0, spans.remainingVisits)) {
            spans.remainingVisits -= 1
            guard segment.ease != .hold, segment.from != segment.to || segment.spatialPath != nil else {
                close()
                current = nil
                last = nil
                continue
            }
            if let before = last, before.end == segment.start, before.turnsBack(before: segment) {
                let frame = segment.start * window.stretch + window.offset
                if frame > window.start, frame < window.end { spans.turns.append(frame) }
            }
            last = segment
            current = (current?.start ?? segment.start, segment.end)
        }
        close()
    }

    private static func add(_ transform: LayerTransform, _ window: Window, _ spans: inout Collector) {
        switch transform.position {
        case .joined(let position): add(position, window, &spans)
        case .split(let x, let y):
            add(x, window, &spans)
            add(y, window, &spans)
        }
        add(transform.anchor, window, &spans)
        add(transform.rotation, window, &spans)
        add(transform.scale, window, &spans)
        add(transform.opacity, window, &spans)
        add(transform.skew, window, &spans)
    }

    private static func add(_ group: ShapeGroup, _ window: Window, _ spans: inout Collector) {
        add(group.transform, window, &spans)
        for item in group.items {
            switch item {
            case .group(let inner): add(inner, window, &spans)
            case .path(let path, _): add(path, window, &spans)
            case .primitive(let shape, _): add(shape, window, &spans)
            case .style(let style):
                add(style.opacity, window, &spans)
                switch style.paint {
                case .color(let color): add(color, window, &spans)
                case .gradient(let gradient):
                    for point in [gradient.start, gradient.end] { add(point, window, &spans) }
                    for value in [gradient.highlightLength, gradient.highlightAngle] { add(value, window, &spans) }
                    add(gradient.stops, window, &spans)
                }
                if let stroke = style.stroke { add(stroke.width, window, &spans) }
            case .modifier(.trim(let start, let end, let offset, _)):
                for property in [start, end, offset] { add(property, window, &spans) }
            case .repeater(let repeater): add(repeater.transform, window, &spans)
            case .modifier: break
            }
        }
    }

    private static func add(_ shape: PrimitiveShape, _ window: Window, _ spans: inout Collector) {
        switch shape {
        case .rectangle(let position, let size, let roundness):
            add(position, window, &spans)
            add(size, window, &spans)
            add(roundness, window, &spans)
        case .ellipse(let position, let size):
            add(position, window, &spans)
            add(size, window, &spans)
        case .star(let star):
            add(star.position, window, &spans)
            add(star.rotation, window, &spans)
            for property in [star.points, star.outerRadius, star.innerRadius] { add(property, window, &spans) }
        }
    }
}

extension Property.KeyframeSegment {
    /// Returns true if the value changes its direction by more than 60 degrees at the start of the
    /// next segment.
    fileprivate func turnsBack(before next: Self) -> Bool {
        let first = from.distance(to: to)
        let second = next.from.distance(to: next.to)
        let both = from.distance(to: next.to)
        // The law of cosines, with a cosine of one half.
        return first > 0 && second > 0 && both * both - first * first - second * second < first * second
    }
}
