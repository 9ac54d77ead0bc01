import Animations
import Core

/// A search for the animated layers of an animation, including those of nested compositions.
struct LayerSearch {
    /// The paths of the layers that move, the topmost first.
    private(set) var moving: [[Int]] = []
    /// The number of layers that may still be visited. A hostile file can nest compositions to have
    /// billions.
    private var remainingVisits = 20_000

    /// The maximum number of layers that are reported: more than any published loader has.
    private static let maxLayers = 400

    init(_ animation: Animation) {
        _ = collect(animation.composition, [], from: animation.start.double, to: animation.end.double)
    }

    /// Adds the layers of a composition that move in it. Returns true if it also shows layers that
    /// do not.
    ///
    /// A precomposition that moves as a whole is an object of its own only if it shows layers that
    /// stand still in it.
    private mutating func collect(_ composition: Composition, _ path: [Int], from start: Double, to end: Double) -> Bool
    {
        var hasStill = false
        for (index, layer) in composition.layers.enumerated() where remainingVisits > 0 {
            remainingVisits -= 1
            guard !layer.isHidden, layer.start < end, layer.end > start else { continue }
            if case .null = layer.content { continue }
            let own = path + [index]
            var isAnimated = layer.isTransformAnimated(in: composition)
            if case .composition(let inner) = layer.content {
                let position = moving.count
                // The inner layers' times are in frames of the inner composition.
                let shows = collect(inner.composition, own, from: -.infinity, to: .infinity)
                guard moving.count == position || shows && isAnimated else {
                    hasStill = hasStill || shows && !isAnimated
                    continue
                }
                hasStill = hasStill || shows && !isAnimated
                if isAnimated, moving.count < Self.maxLayers { moving.insert(own, at: position) }
            } else {
                isAnimated = isAnimated || layer.content.isAnimated
                hasStill = hasStill || !isAnimated
                if isAnimated, moving.count < Self.maxLayers { moving.append(own) }
            }
        }
        return hasStill
    }
}

extension Layer {
    /// Returns true if the layer's position, opacity, masks or matte change over time.
    fileprivate func isTransformAnimated(in composition: Composition) -> Bool {
        let matteLayer = matte.map { composition.layers[$0.source] }
        let movers = withParents(in: composition) + (matteLayer?.withParents(in: composition) ?? [])
        return movers.contains { !$0.transform.isMatrixConstant } || !transform.opacity.isConstant
            || masks.contains { !$0.path.isConstant || !$0.opacity.isConstant || !$0.expansion.isConstant }
            || matteLayer.map { !$0.transform.opacity.isConstant || $0.content.isAnimated } ?? false
    }
}

/// The names of the layers that move.
struct LayerNames {
    /// The names in telemetry, which are unique.
    let names: [String]

    init(_ paths: [[Int]], in animation: Animation) {
        let given = paths.map { path in
            let name = animation.layers(along: path).last.map { Self.plain($0.name) } ?? ""
            return name.isEmpty ? "layer \(path[path.count - 1] + 1)" : name
        }
        let shared = Dictionary(zip(given, paths).map { ($0, [$1]) }, uniquingKeysWith: +)
        let telling = zip(given, paths).map { name, path in
            Self.outerName(path, among: shared[name] ?? [], in: animation) ?? name
        }
        var counts: [String: Int] = [:]
        var used = Set(telling)
        names = telling.map { base in
            counts[base, default: 0] += 1
            guard var count = counts[base], count > 1 else { return base }
            while !used.insert("\(base) (\(count))").inserted { count += 1 }
            counts[base] = count
            return "\(base) (\(count))"
        }
    }

    /// Returns the name of the outermost layer that tells paths with the same name apart; nil if
    /// none does.
    private static func outerName(_ path: [Int], among others: [[Int]], in animation: Animation) -> String? {
        guard others.count > 1 else { return nil }
        let names = others.map { animation.layers(along: $0).dropLast().map { plain($0.name) } }
        let depth = names.map(\.count).min() ?? 0
        let level = (0..<depth).first { level in
            let column = names.map { $0[level] }
            return !column.contains("") && Set(column).count == column.count
        }
        guard let level, let index = others.firstIndex(of: path) else { return nil }
        return names[index][level]
    }

    /// Returns a layer's name without characters that would need escaping in CSV or YAML.
    private static func plain(_ name: String) -> String {
        // Filters scalars: a quote with a combining mark after it is a single `Character`, which is
        // not equal to the quote.
        let scalars = name.singleLine(atMost: 80).unicodeScalars.filter { $0 != "\"" && $0 != "\\" }
        return String(String.UnicodeScalarView(scalars)).singleLine(atMost: 40)
    }

    /// The words that exporters add to the names of outlines, in several languages.
    private static let addedWords: Set = ["Outlines", "Outline", "contornos", "Silhouettes", "Konturen"]

    /// Returns the names in captions: without the words that After Effects adds, unless two objects
    /// would have the same one. `Shape Layer 3` becomes `shape 3`, and `cube/art Outlines` `cube`.
    var titles: [String] {
        let titles = names.map(Self.title)
        let counts = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(names, titles).map { name, title in counts[title] == 1 ? title : name }
    }

    private static func title(_ name: String) -> String {
        var words = name.split(separator: " ").map { $0.split(separator: "/").first.map(String.init) ?? "" }
        if words.count > 2, words[0] == "Shape", words[1] == "Layer" { words.replaceSubrange(0...1, with: ["shape"]) }
        words = [words[0]] + words.dropFirst().filter { !addedWords.contains($0) }
        let title = words.joined(separator: " ").drop { !$0.isLetter && !$0.isNumber }
        return title.isEmpty ? name : String(title)
    }
}

extension Layer.Content {
    /// True if the contents change over time.
    var isAnimated: Bool {
        switch self {
        case .null, .solid, .image: false
        case .shapes(let group): group.isAnimated
        case .composition(let inner):
            inner.timeRemap?.isConstant == false
                || inner.composition.layers.contains { !$0.transform.isConstant || $0.content.isAnimated }
        case .text: true
        }
    }

    /// Returns the drawn part of strokes with an animated Trim Paths; nil without any.
    func strokeTrim(at frame: Double, in context: FrameContext) -> MovingObject.StrokeTrim? {
        guard case .shapes(let group) = self, isDrawnGradually else { return nil }
        let trims = group.trims.map { $0.map { $0.value(at: frame, in: context) } }
        let lengths = trims.map { min(100, abs($0[1] - $0[0])) }
        return MovingObject.StrokeTrim(
            limits: trims.flatMap(\.self), length: lengths.reduce(0, +) / Double(max(1, lengths.count)))
    }

    /// True if an animated Trim Paths draws the contents.
    var isDrawnGradually: Bool {
        if case .shapes(let group) = self { group.isDrawnGradually } else { false }
    }
}

extension ShapeGroup {
    /// The start, end and offset of each Trim Paths.
    fileprivate var trims: [[Property<Double>]] {
        items.flatMap { item -> [[Property<Double>]] in
            switch item {
            case .group(let group): group.trims
            case .modifier(.trim(let start, let end, let offset, _)): [[start, end, offset]]
            default: []
            }
        }
    }

    fileprivate var isDrawnGradually: Bool {
        items.contains { item in
            switch item {
            case .group(let group): group.isDrawnGradually
            case .modifier(.trim(let start, let end, let offset, _)):
                !start.isConstant || !end.isConstant || !offset.isConstant
            default: false
            }
        }
    }

    fileprivate var isAnimated: Bool {
        items.contains { item in
            switch item {
            case .group(let group): !group.transform.isConstant || group.isAnimated
            case .path(let path, _): !path.isConstant
            case .primitive(.rectangle(let position, let size, let roundness), _):
                !position.isConstant || !size.isConstant || !roundness.isConstant
            case .primitive(.ellipse(let position, let size), _): !position.isConstant || !size.isConstant
            case .primitive(.star(let star), _):
                !star.position.isConstant || !star.rotation.isConstant || !star.outerRadius.isConstant
                    || !star.innerRadius.isConstant || !star.points.isConstant
            case .style(let style): style.isAnimated
            case .modifier(.trim(let start, let end, let offset, _)):
                !start.isConstant || !end.isConstant || !offset.isConstant
            case .modifier(.roundCorners(let amount)), .modifier(.puckerBloat(let amount)),
                .modifier(.offset(let amount, _, _)):
                !amount.isConstant
            case .modifier(.twist(let angle, _)): !angle.isConstant
            case .modifier(.zigZag(let size, _, _)): !size.isConstant
            case .modifier(.merge): false
            case .repeater(let repeater): !repeater.transform.isConstant || !repeater.copies.isConstant
            }
        }
    }
}

extension ShapeStyle {
    fileprivate var isAnimated: Bool {
        var isRepainted = !opacity.isConstant
        switch paint {
        case .color(let color): isRepainted = isRepainted || !color.isConstant
        case .gradient(let gradient): isRepainted = isRepainted || !gradient.isConstant
        }
        return isRepainted || stroke.map { !$0.width.isConstant || !$0.dashOffset.isConstant } ?? false
    }
}
