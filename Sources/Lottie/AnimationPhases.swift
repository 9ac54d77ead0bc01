import Animations
import Core

/// The phases of an animation, from its markers or, without markers, from its keyframes.
enum AnimationPhases {
    /// The maximum number of phases inferred from keyframes. More labels do not fit on a timeline.
    private static let maxInferredPhases = 12

    typealias Phases = [(name: LocalizedText, duration: Rational)]

    /// Returns the names and the durations in seconds. The durations add up to the period.
    static func durations(of animation: Animation) -> Phases {
        let fromMarkers = phasesFromMarkers(of: animation)
        return fromMarkers.isEmpty ? phasesFromKeyframes(of: animation) : fromMarkers
    }

    /// Returns true if the phases come from markers.
    static func comeFromMarkers(_ animation: Animation) -> Bool { !phasesFromMarkers(of: animation).isEmpty }

    // MARK: Markers

    private static func phasesFromMarkers(of animation: Animation) -> Phases {
        let markers = animation.markers.filter { $0.start >= animation.start && $0.start < animation.end }
            .sorted { $0.start < $1.start }
        guard !markers.isEmpty else { return [] }
        var phases: Phases = []
        var time = animation.start
        func add(_ name: LocalizedText, until end: Rational) {
            guard end > time else { return }
            phases.append((name, (end - time) / animation.rate))
            time = end
        }
        for (index, marker) in markers.enumerated() {
            add(LocalizedText("unmarked", zh: "未标记"), until: marker.start)
            let next = index + 1 < markers.count ? markers[index + 1].start : animation.end
            let end = marker.duration > .zero ? min(next, marker.start + marker.duration) : next
            add(LocalizedText(marker.name.isEmpty ? "marker \(index + 1)" : marker.name), until: end)
        }
        add(LocalizedText("unmarked", zh: "未标记"), until: animation.end)
        return phases
    }

    // MARK: Keyframes

    /// Returns the phases between the times at which several properties start or stop moving.
    private static func phasesFromKeyframes(of animation: Animation) -> Phases {
        var collector = MotionSpan.Collector()
        MotionSpan.collect(
            animation.composition,
            MotionSpan.Window(start: animation.start.double, end: animation.end.double), into: &collector)
        let spans = collector.spans
        let boundaries = boundaries(of: spans, from: animation.start.double, to: animation.end.double)
            .map(Animation.frame)
        var phases: Phases = []
        var time = animation.start
        for boundary in boundaries + [animation.end] where boundary > time {
            let middle = ((time + boundary) / 2).double
            let kinds = spans.filter { $0.start <= middle && $0.end > middle }.map(\.kind)
            phases.append((MotionSpan.Kind.name(of: kinds), (boundary - time) / animation.rate))
            time = boundary
        }
        return phases
    }

    /// Returns the frames at which the most spans start or end, in ascending order and more than a
    /// frame apart.
    private static func boundaries(of spans: [MotionSpan], from start: Double, to end: Double) -> [Double] {
        var counts: [(frame: Double, count: Int)] = []
        for frame in spans.flatMap({ [$0.start, $0.end] }).sorted() where frame > start + 0.5 && frame < end - 0.5 {
            // Changes within a frame of the first one count as one boundary.
            if let last = counts.last, frame - last.frame <= 1 {
                counts[counts.count - 1].count += 1
            } else {
                counts.append((frame, 1))
            }
        }
        // A single property makes a boundary only if no two properties share one.
        let shared = counts.filter { $0.count > 1 }
        let ranked = (shared.isEmpty ? counts : shared).sorted { ($1.count, $0.frame) < ($0.count, $1.frame) }
        return ranked.prefix(maxInferredPhases - 1).map(\.frame).sorted()
    }
}

/// A range of frames in which a property changes, in frames of the main composition.
struct MotionSpan {
    /// The kind of change.
    enum Kind: Int, CaseIterable { case move, turn, scale, fade, draw, morph, color }

    /// The frames of the main composition in which a composition is visible, and the map from its
    /// frames to them: `frame * stretch + offset`.
    struct Window {
        var start: Double
        var end: Double
        var offset = 0.0
        var stretch = 1.0
    }

    var kind: Kind
    var start: Double
    var end: Double

    /// The spans found so far, and the remaining work. The keyframes of a precomposition count once
    /// for each layer that shows it.
    struct Collector {
        fileprivate(set) var spans: [MotionSpan] = []
        /// The number of layers and keyframes that may still be visited. Phases do not improve with
        /// more of them, and a hostile file can nest compositions to have billions.
        fileprivate var remainingVisits = 300_000
    }

    /// Adds the spans of a composition's layers.
    static func collect(_ composition: Composition, _ window: Window, into spans: inout Collector) {
        for layer in composition.layers where spans.remainingVisits > 0 {
            spans.remainingVisits -= 1
            var own = window
            own.start = max(window.start, layer.start * window.stretch + window.offset)
            own.end = min(window.end, layer.end * window.stretch + window.offset)
            guard own.start < own.end else { continue }
            add(layer.transform, own, &spans)
            for mask in layer.masks { add(.morph, mask.path, own, &spans) }
            switch layer.content {
            case .shapes(let group): add(group, own, &spans)
            case .composition(let inner):
                if let remap = inner.timeRemap { add(.move, remap, own, &spans) }
                // Skips reversed compositions (a negative stretch). They are rare, and their
                // keyframes would be in the wrong order.
                guard inner.timeRemap == nil, inner.stretch > 0 else { continue }
                var window = own
                window.offset = own.offset + inner.startTime * own.stretch
                window.stretch = own.stretch * inner.stretch
                collect(inner.composition, window, into: &spans)
            case .null, .solid, .image, .text: break
            }
        }
    }

    private static func add<Value>(
        _ kind: Kind, _ property: Property<Value>, _ window: Window, _ spans: inout Collector
    ) {
        var current: (start: Double, end: Double)?
        func close() {
            guard let current else { return }
            let start = max(current.start * window.stretch + window.offset, window.start)
            let end = min(current.end * window.stretch + window.offset, window.end)
            if start < end { spans.spans.append(MotionSpan(kind: kind, start: start, end: end)) }
        }
        if let expression = property.expression {
            // A loop continues after the last keyframe or before the first one. Any other
            // expression is assumed to change all the time.
            let isAnimated = property.segments.contains { $0.from != $0.to || $0.spatialPath != nil }
            let unbounded = 1e9
            guard let loopExpression = expression.loopExpression else {
                current = (-unbounded, unbounded)
                return close()
            }
            guard isAnimated, let first = property.segments.first, let last = property.segments.last else { return }
            current = loopExpression.isIn ? (-unbounded, last.end) : (first.activeStart, unbounded)
            return close()
        }
        for segment in property.segments.prefix(max(0, spans.remainingVisits)) {
            spans.remainingVisits -= 1
            guard segment.ease != .hold, segment.from != segment.to || segment.spatialPath != nil else {
                close()
                current = nil
                continue
            }
            current = (current?.start ?? segment.start, segment.end)
        }
        close()
    }

    private static func add(_ transform: LayerTransform, _ window: Window, _ spans: inout Collector) {
        switch transform.position {
        case .joined(let position): add(.move, position, window, &spans)
        case .split(let x, let y):
            add(.move, x, window, &spans)
            add(.move, y, window, &spans)
        }
        add(.move, transform.anchor, window, &spans)
        add(.turn, transform.rotation, window, &spans)
        add(.scale, transform.scale, window, &spans)
        add(.fade, transform.opacity, window, &spans)
        add(.morph, transform.skew, window, &spans)
    }

    private static func add(_ group: ShapeGroup, _ window: Window, _ spans: inout Collector) {
        add(group.transform, window, &spans)
        for item in group.items {
            switch item {
            case .group(let inner): add(inner, window, &spans)
            case .path(let path, _): add(.morph, path, window, &spans)
            case .primitive(let shape, _): add(shape, window, &spans)
            case .style(let style):
                add(.fade, style.opacity, window, &spans)
                if case .color(let color) = style.paint { add(.color, color, window, &spans) }
                if let stroke = style.stroke { add(.morph, stroke.width, window, &spans) }
            case .modifier(.trim(let start, let end, let offset, _)):
                for property in [start, end, offset] { add(.draw, property, window, &spans) }
            case .repeater(let repeater): add(repeater.transform, window, &spans)
            case .modifier: break
            }
        }
    }

    private static func add(_ shape: PrimitiveShape, _ window: Window, _ spans: inout Collector) {
        switch shape {
        case .rectangle(let position, let size, let roundness):
            add(.move, position, window, &spans)
            add(.morph, size, window, &spans)
            add(.morph, roundness, window, &spans)
        case .ellipse(let position, let size):
            add(.move, position, window, &spans)
            add(.morph, size, window, &spans)
        case .star(let star):
            add(.move, star.position, window, &spans)
            add(.turn, star.rotation, window, &spans)
            for property in [star.points, star.outerRadius, star.innerRadius] { add(.morph, property, window, &spans) }
        }
    }
}

extension MotionSpan.Kind {
    private static let names: [Self: LocalizedText] = [
        .move: LocalizedText("move", zh: "移动"), .turn: LocalizedText("turn", zh: "旋转"),
        .scale: LocalizedText("scale", zh: "缩放"), .fade: LocalizedText("fade", zh: "渐变"),
        .draw: LocalizedText("draw", zh: "描线"), .morph: LocalizedText("morph", zh: "变形"),
        .color: LocalizedText("color", zh: "变色"),
    ]

    /// Returns the name of a phase in which properties of these kinds change: the two most frequent
    /// kinds.
    fileprivate static func name(of kinds: [Self]) -> LocalizedText {
        let counts = Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
        let ranked = allCases.filter { counts[$0] != nil }.sorted {
            (counts[$1] ?? 0, $0.rawValue) < (counts[$0] ?? 0, $1.rawValue)
        }
        let names = ranked.prefix(2).compactMap { Self.names[$0] }
        guard !names.isEmpty else { return LocalizedText("rest", zh: "静止") }
        return LocalizedText(
            names.map(\.english).joined(separator: " and "), zh: names.map { $0.text(in: .zh) }.joined(separator: "与"))
    }
}
