import Animations
import Core

/// A node of a scene with the element that it belongs to.
struct KeyedNode {
    /// The index of the element; nil if it belongs to none.
    var element: Int?
    var node: Node
}

/// The parts of a loader that are judged on their own: the nodes of its scenes, recognized at all
/// times.
struct LoaderElements: Sendable {
    /// The element's names.
    private(set) var names: [String]
    /// The only colour of each element; nil if it has none, or several.
    let colors: [Color?]
    /// The element of each signature; nil if nodes are recognized by their indices.
    private let signatures: [String: Int]?

    /// The number of instants of the period at which nodes are sampled.
    private static let samples = 32
    /// The maximum number of elements. More are judged as a whole.
    private static let maxElements = 12

    init(_ loader: any Loader) {
        let scenes = (0..<Self.samples).map { loader.nodes(at: loader.period * Rational(Int128($0), 32)) }
        let lists = scenes.map { $0.map(\.signature) }
        let isStable = lists.allSatisfy { $0 == lists[0] }
        let isUnique = lists.allSatisfy { Set($0).count == $0.count }
        let hasStableCount = lists.allSatisfy { $0.count == lists[0].count }
        var kinds: [String] = []
        for signature in lists.joined() where !kinds.contains(signature) && kinds.count <= Self.maxElements {
            kinds.append(signature)
        }
        let usesIndices = isStable || (hasStableCount && !isUnique)
        let count = usesIndices ? lists[0].count : kinds.count
        guard count <= Self.maxElements else {
            signatures = [:]
            names = []
            colors = []
            return
        }
        signatures = usesIndices ? nil : Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
        let colorSets = (0..<count).map { element in
            let nodes = scenes.flatMap { scene in
                scene.enumerated().filter { usesIndices ? $0 == element : $1.signature == kinds[element] }.map(
                    \.element)
            }
            return Set(nodes.flatMap(\.paintColors))
        }
        colors = colorSets.map { $0.count == 1 ? $0.first : nil }
        names = Self.names(loader, colors)
    }

    /// Returns the nodes of a scene with their elements.
    func keyed(_ nodes: [Node]) -> [KeyedNode] {
        nodes.enumerated().map { index, node in
            let element = signatures.map { $0[node.signature] } ?? (index < names.count ? index : nil)
            return KeyedNode(element: element, node: node)
        }
    }

    /// Names elements after the only object of the same colour, or by their number.
    private static func names(_ loader: any Loader, _ colors: [Color?]) -> [String] {
        let objects = loader.objects(at: 0)
        return colors.enumerated().map { element, color in
            let same = objects.filter { $0.color == color }
            let isOnly = colors.filter { $0 == color }.count == 1
            if same.count == 1, isOnly { return same[0].name }
            return colors.count == 1 ? loader.id : "element \(element + 1)"
        }
    }

    /// Names elements after the parameters that change them alone: `ringWidth` changes the ring.
    mutating func rename(by variants: [(parameter: String, loader: any Loader)], of loader: any Loader) {
        guard names.count > 1 else { return }
        for (parameter, variant) in variants.reversed() {
            var changed: Set<Int?> = []
            for step in 0..<8 {
                let before = keyed(loader.nodes(at: loader.period * Rational(Int128(step), 8)))
                let after = keyed(variant.nodes(at: loader.period * Rational(Int128(step), 8)))
                // A recoloured node has another signature, but stays in its place.
                guard before.count == after.count else { return }
                for (a, b) in zip(before, after) where a.node != b.node { changed.insert(a.element) }
            }
            guard changed.count == 1, let only = changed.first, let element = only else { continue }
            let word = String(parameter.prefix { $0.isLowercase })
            if !Self.generalWords.contains(word) { names[element] = word }
        }
    }

    /// The first words of parameters that name a property instead of an element.
    private static let generalWords: Set<String> = [
        "color", "radius", "line", "opacity", "stroke", "duration", "offset", "unit", "path", "rest", "pull",
    ]
}

/// A change of one element.
struct ElementEdit: Sendable {
    enum Change: Sendable {
        /// Moves it, in points.
        case move(Point)
        /// Scales it about the middle of its bounds.
        case resize(Double)
        /// Multiplies its opacity.
        case fade(Double)
        /// Gives it one colour.
        case recolor(Color)
        /// Shows it as it was some seconds earlier.
        case delay(Double)
        /// Moves it over (+1) or under (-1) the element that is next in drawing order.
        case raise(Int)
    }

    var element: Int
    var change: Change

    /// Changes the nodes of the element. `earlier` returns the nodes some seconds earlier.
    func apply(to nodes: inout [KeyedNode], earlier: (Double) -> [KeyedNode]) {
        let own = nodes.indices.filter { nodes[$0].element == element }
        switch change {
        case .delay(let delay):
            let replacements = earlier(delay).filter { $0.element == element }
            guard let first = own.first ?? (replacements.isEmpty ? nil : nodes.endIndex) else { return }
            for index in own.reversed() { nodes.remove(at: index) }
            nodes.insert(contentsOf: replacements, at: min(first, nodes.endIndex))
        case .raise(let direction):
            guard let index = own.first, nodes.indices.contains(index + direction) else { return }
            nodes.swapAt(index, index + direction)
        case .move(let offset):
            for index in own { nodes[index].node = nodes[index].node.grouped(.translation(offset)) }
        case .resize(let factor):
            guard let bounds = Node.bounds(of: own.map { nodes[$0].node }) else { return }
            let transform = AffineTransform.scale(factor).about(bounds.center)
            for index in own { nodes[index].node = nodes[index].node.grouped(transform) }
        case .fade(let factor):
            for index in own { nodes[index].node = nodes[index].node.faded(by: factor) }
        case .recolor(let color):
            for index in own { nodes[index].node = nodes[index].node.recolored(color) }
        }
    }
}

extension Node {
    /// The colours of all paints, without alpha.
    var paintColors: [Color] {
        switch self {
        case .shape(let shape):
            return [shape.fill, shape.stroke?.paint].flatMap { paint -> [Color] in
                switch paint {
                case .color(let color): color.alpha > 0 ? [color.opacity(1)] : []
                case .linearGradient(let gradient): gradient.stops.map { $0.color.opacity(1) }
                case .radialGradient(let gradient): gradient.stops.map { $0.color.opacity(1) }
                case nil: []
                }
            }
        case .image: return []
        case .text(let text): return [text.color.opacity(1)]
        case .group(let group): return group.nodes.flatMap(\.paintColors)
        }
    }

    /// A text that is the same for a node at different times: its kind and its paints.
    fileprivate var signature: String {
        switch self {
        case .shape(let shape):
            let colors = paintColors.map(\.hexString).joined(separator: ",")
            return (shape.fill == nil ? "" : "fill ") + (shape.stroke == nil ? "" : "stroke ") + colors
        case .image: return "image"
        case .text(let text): return "text " + text.color.hexString
        case .group(let group): return "(" + group.nodes.map(\.signature).joined(separator: ";") + ")"
        }
    }

    fileprivate func grouped(_ transform: AffineTransform) -> Node {
        .group(Group(transform: transform, nodes: [self]))
    }

    /// Returns the node with its opacity multiplied. A group's opacity is changed itself, so that
    /// it can also grow.
    fileprivate func faded(by factor: Double) -> Node {
        guard case .group(var group) = self else {
            return .group(Group(opacity: min(1, max(0, factor)), nodes: [self]))
        }
        group.opacity = min(1, max(0, group.opacity * factor))
        return .group(group)
    }

    fileprivate func recolored(_ color: Color) -> Node {
        func paint(_ paint: Paint) -> Paint {
            guard case .color(let old) = paint else { return paint }
            return .color(color.opacity(old.alpha))
        }
        switch self {
        case .shape(var shape):
            shape.fill = shape.fill.map(paint)
            if let stroke = shape.stroke { shape.stroke?.paint = paint(stroke.paint) }
            return .shape(shape)
        case .group(var group):
            group.nodes = group.nodes.map { $0.recolored(color) }
            return .group(group)
        case .text(var text):
            text.color = color
            return .text(text)
        case .image: return self
        }
    }
}
