import Loaders
import Motion
import Scene

/// The phases of an animation: its markers, or else what its keyframes tell.
enum AnimationPhases {
    /// At most so many phases come from keyframes.
    private static let most = 12

    typealias Phases = [(name: LocalizedText, duration: Rational)]

    /// Names and lengths in seconds, which add up to the period.
    static func durations(of animation: Animation) -> Phases {
        let marked = marked(animation)
        return marked.isEmpty ? inferred(animation) : marked
    }

    /// Whether phases come from markers.
    static func areMarked(_ animation: Animation) -> Bool { !marked(animation).isEmpty }

    // MARK: Markers

    private static func marked(_ animation: Animation) -> Phases {
        let markers = animation.markers.filter { $0.start >= animation.start && $0.start < animation.end }
            .sorted { $0.start < $1.start }
        guard !markers.isEmpty else { return [] }
        var (phases, time): (Phases, Rational) = ([], animation.start)
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

    /// Stretches between times at which several properties begin or end to move.
    private static func inferred(_ animation: Animation) -> Phases {
        var found = MotionSpan.Found()
        MotionSpan.collect(
            animation.composition,
            MotionSpan.Window(start: animation.start.double, end: animation.end.double), into: &found)
        let spans = found.spans
        let cuts = cuts(spans, from: animation.start.double, to: animation.end.double).map(Animation.frame)
        var (phases, time): (Phases, Rational) = ([], animation.start)
        for cut in cuts + [animation.end] where cut > time {
            let middle = ((time + cut) / 2).double
            let kinds = spans.filter { $0.start <= middle && $0.end > middle }.map(\.kind)
            phases.append((MotionSpan.Kind.name(of: kinds), (cut - time) / animation.rate))
            time = cut
        }
        return phases
    }

    /// The frames at which most begins or ends, not nearer than a frame, in order.
    private static func cuts(_ spans: [MotionSpan], from start: Double, to end: Double) -> [Double] {
        var counts: [(frame: Double, count: Int)] = []
        for frame in spans.flatMap({ [$0.start, $0.end] }).sorted() where frame > start + 0.5 && frame < end - 0.5 {
            // What lies within a frame of the first is the same moment.
            if let last = counts.last, frame - last.frame <= 1 {
                counts[counts.count - 1].count += 1
            } else {
                counts.append((frame, 1))
            }
        }
        // One property alone tells phases only where no two agree.
        let several = counts.filter { $0.count > 1 }
        let ranked = (several.isEmpty ? counts : several).sorted { ($1.count, $0.frame) < ($0.count, $1.frame) }
        return ranked.prefix(most - 1).map(\.frame).sorted()
    }
}

/// A stretch of frames of the whole animation in which a property moves.
struct MotionSpan {
    /// What the property changes.
    enum Kind: Int, CaseIterable { case move, turn, scale, fade, draw, morph, color }

    /// Frames of the whole animation that a composition is seen in, and how its own frames become those.
    struct Window {
        var start: Double
        var end: Double
        var offset = 0.0
        var stretch = 1.0
    }

    var kind: Kind
    var start: Double
    var end: Double

    /// What was found, with what may still be looked at: a composition's keyframes count for each place where it is seen.
    struct Found {
        fileprivate(set) var spans: [MotionSpan] = []
        /// More keyframes tell no more.
        fileprivate var looks = 300_000
    }

    static func collect(_ composition: Composition, _ window: Window, into spans: inout Found) {
        for layer in composition.layers where spans.looks > 0 {
            spans.looks -= 1
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
                // Backwards is seldom, and its keyframes would come in the wrong order.
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
        _ kind: Kind, _ property: Property<Value>, _ window: Window, _ spans: inout Found
    ) {
        var current: (start: Double, end: Double)?
        func close() {
            guard let current else { return }
            let start = max(current.start * window.stretch + window.offset, window.start)
            let end = min(current.end * window.stretch + window.offset, window.end)
            if start < end { spans.spans.append(MotionSpan(kind: kind, start: start, end: end)) }
        }
        if let expression = property.expression {
            // A loop goes on where the keyframes end; what other expressions do with the time is theirs.
            let moves = property.segments.contains { $0.from != $0.to || $0.course != nil }
            let far = 1e9
            guard let looping = expression.looping else {
                current = (-far, far)
                return close()
            }
            guard moves, let first = property.segments.first, let last = property.segments.last else { return }
            current = looping.isIn ? (-far, last.end) : (first.begin, far)
            return close()
        }
        for segment in property.segments.prefix(max(0, spans.looks)) {
            spans.looks -= 1
            guard segment.ease != .hold, segment.from != segment.to || segment.course != nil else {
                close()
                current = nil
                continue
            }
            current = (current?.start ?? segment.start, segment.end)
        }
        close()
    }

    private static func add(_ transform: LayerTransform, _ window: Window, _ spans: inout Found) {
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

    private static func add(_ group: ShapeGroup, _ window: Window, _ spans: inout Found) {
        add(group.transform, window, &spans)
        for item in group.items {
            switch item {
            case .group(let inner): add(inner, window, &spans)
            case .path(let path, _): add(.morph, path, window, &spans)
            case .primitive(let shape, _): add(shape, window, &spans)
            case .style(let style):
                add(.fade, style.opacity, window, &spans)
                if case .color(let color) = style.paint { add(.color, color, window, &spans) }
                if let line = style.line { add(.morph, line.width, window, &spans) }
            case .modifier(.trim(let start, let end, let offset, _)):
                for property in [start, end, offset] { add(.draw, property, window, &spans) }
            case .repeater(let repeater): add(repeater.transform, window, &spans)
            case .modifier: break
            }
        }
    }

    private static func add(_ shape: PrimitiveShape, _ window: Window, _ spans: inout Found) {
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

    /// What a phase is called in which properties of these kinds move: the two that most do.
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
