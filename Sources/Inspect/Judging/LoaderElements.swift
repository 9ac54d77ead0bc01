import Animations
import Core

/// A node of a scene with the element that it belongs to.
struct KeyedNode {
    /// The index of the element; nil if it belongs to none.
    var element: Int?
    var node: Node
}

/// The parts of a loader that are judged on their own: the nodes of its scenes, recognized at all
/// times, and groups of them that have a name.
struct LoaderElements: Sendable {
    /// The element's names, which are unique. Elements of several nodes come last.
    private(set) var names: [String] = []
    /// The nodes of each element, by the number of the element that consists of that node alone.
    private var members: [Set<Int>] = []
    /// The elements that have a number instead of a name.
    private var numbered: Set<Int> = []
    /// The only colour of each element; nil if it has none, or several.
    private(set) var colors: [Color?] = []
    /// The largest line width of each element in points; nil if it has no lines.
    private(set) var lineWidths: [Double?] = []
    /// The ends of each element's open lines; nil if it has none, or several kinds.
    private(set) var lineCaps: [Stroke.Cap?] = []
    /// The pairs of elements of which the first covers a part of the second at some time, and which
    /// do not have the same colour.
    private(set) var overlaps: [(upper: Int, lower: Int)] = []
    /// The number of elements that consist of a single node.
    private var nodeCount = 0
    private let recognition: Recognition

    /// The elements that are judged: all but the unnamed nodes of named elements.
    var judged: [Int] {
        let shared = members[nodeCount...].reduce(into: Set<Int>()) { $0.formUnion($1) }
        return names.indices.filter { !shared.contains($0) || !numbered.contains($0) }
    }

    /// Returns true if a node belongs to an element.
    func shows(_ node: KeyedNode, _ element: Int) -> Bool { node.element.map(members[element].contains) ?? false }

    private mutating func add(_ composites: [(name: String, members: Set<Int>)]) {
        for (name, nodes) in composites where !names.contains(name) && !members.contains(nodes) {
            let own = Set(nodes.map { colors[$0] })
            names.append(name)
            members.append(nodes)
            colors.append(own.count == 1 ? own.first ?? nil : nil)
            lineWidths.append(nodes.compactMap { lineWidths[$0] }.max())
            let caps = Set(nodes.map { lineCaps[$0] })
            lineCaps.append(caps.count == 1 ? caps.first ?? nil : nil)
        }
    }

    /// The property by which the elements of nodes are recognized.
    private enum Recognition {
        case index
        case signature([String])
        /// The loader's object that they show.
        case object
        /// The layer of a Lottie file that they draw, of these.
        case layer([Int])
    }

    /// The number of instants of the period at which nodes are sampled.
    private static let samples = 32
    /// The maximum number of elements. A loader with more is judged as a whole. Activity indicators
    /// have twelve ticks, or sixteen, and a background.
    private static let maxElements = 20

    init(_ loader: any Loader) {
        let times = (0..<Self.samples).map { loader.period * Rational(Int128($0), Int128(Self.samples)) }
        let count: Int
        (recognition, count) = Self.recognition(loader, times)
        guard count <= Self.maxElements else { return }
        members = (0..<count).map { [$0] }
        nodeCount = count
        names = (0..<count).map { "element \($0 + 1)" }
        let numbers = names
        let scenes = times.map { keyed(loader, at: $0) }
        colors = (0..<count).map { element in
            let colors = Set(scenes.joined().filter { $0.element == element }.flatMap { $0.node.paintColors })
            return colors.count == 1 ? colors.first : nil
        }
        lineWidths = (0..<count).map { element in
            scenes.joined().filter { $0.element == element }.compactMap { $0.node.lineWidth(scale: 1) }.max()
        }
        lineCaps = (0..<count).map { element in
            let caps = Set(scenes.joined().filter { $0.element == element }.flatMap { $0.node.openLineCaps })
            return caps.count == 1 ? caps.first : nil
        }
        let parts = DrawnParts(loader, count: count) { keyed(loader, at: $0) }
        names = self.names(loader, parts.names, moving: Self.moving(scenes, count))
        numbered = Set(names.indices.filter { names[$0] == numbers[$0] })
        if case .object = recognition {} else { add(parts.composites) }
        // Built-in loaders have parameters for the colours of several elements.
        if loader is any KeyframedLoader {
            add(DrawnParts.ofOneColor(Array(names[..<count]), colors, numbered: numbered))
        }
        overlaps = overlaps(scenes)
    }

    /// Returns the property by which the elements of a loader are recognized at all times, and
    /// their number.
    private static func recognition(_ loader: any Loader, _ times: [Rational]) -> (Recognition, count: Int) {
        let lists = times.map { loader.nodes(at: $0).map(\.signature) }
        let isStable = lists.allSatisfy { $0 == lists[0] }
        let isUnique = lists.allSatisfy { Set($0).count == $0.count }
        let hasStableCount = lists.allSatisfy { $0.count == lists[0].count }
        guard !isStable, !hasStableCount || isUnique else { return (.index, lists[0].count) }
        // Layers that appear and vanish may look alike and cover each other, as ripples do.
        let layers = Self.layers(loader, times)
        guard layers.count <= 1 else { return (.layer(layers), layers.count) }
        var kinds: [String] = []
        for signature in lists.joined() where !kinds.contains(signature) && kinds.count <= maxElements {
            kinds.append(signature)
        }
        let objects = loader.objects(at: 0)
        if !isUnique, kinds.count < objects.count, objects.allSatisfy({ $0.radius > 0 }) {
            return (.object, objects.count)
        }
        return (.signature(kinds), kinds.count)
    }

    /// Returns the indices of the layers of a Lottie file that are visible at some times; empty for
    /// other loaders.
    private static func layers(_ loader: any Loader, _ times: [Rational]) -> [Int] {
        guard let loader = loader as? any KeyframedLoader else { return [] }
        return times.reduce(into: Set<Int>()) { $0.formUnion(loader.layers(at: $1).map(\.index)) }.sorted()
    }

    /// Returns the nodes of a loader at a time within its period, with their elements.
    func keyed(_ loader: any Loader, at time: Rational) -> [KeyedNode] {
        if case .layer(let known) = recognition, let loader = loader as? any KeyframedLoader {
            return loader.layers(at: time).flatMap { index, nodes in
                nodes.map { KeyedNode(element: known.firstIndex(of: index), node: $0) }
            }
        }
        let nodes = loader.nodes(at: time)
        switch recognition {
        case .index:
            return nodes.enumerated().map { KeyedNode(element: $0 < nodeCount ? $0 : nil, node: $1) }
        case .signature(let kinds):
            return nodes.map { node in
                KeyedNode(element: names.isEmpty ? nil : kinds.firstIndex(of: node.signature), node: node)
            }
        case .object: return Self.assigned(nodes, to: loader.objects(at: time))
        case .layer: return nodes.map { KeyedNode(element: nil, node: $0) }
        }
    }

    /// Returns nodes with the objects that they show. A node shows an object if the object's disc
    /// lies within it: its own disc, or one that the node connects with another.
    private static func assigned(_ nodes: [Node], to objects: [MovingObject]) -> [KeyedNode] {
        // A shape may be a little smaller than the disc, such as at a bend.
        let slack = 0.6
        var isAssigned = objects.map { _ in false }
        var previous: Int?
        return nodes.map { node in
            guard let bounds = node.bounds else { return KeyedNode(element: nil, node: node) }
            let within = objects.indices.filter { index in
                let center = objects[index].discCenter
                let radius = objects[index].radius
                let disc = Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
                return bounds.expanded(by: slack).contains(disc)
            }
            let exact = within.first {
                !isAssigned[$0] && bounds.width < 2 * objects[$0].radius + slack
                    && bounds.height < 2 * objects[$0].radius + slack
            }
            let connected = previous.flatMap { within.contains($0) ? $0 : nil }
            let element = exact ?? connected ?? within.first { !isAssigned[$0] } ?? within.first ?? previous
            if let element { isAssigned[element] = true }
            previous = element
            return KeyedNode(element: element, node: node)
        }
    }

    /// Returns the elements that change within the period.
    private static func moving(_ scenes: [[KeyedNode]], _ count: Int) -> Set<Int> {
        Set(
            (0..<count).filter { element in
                let nodes = scenes.map { scene in scene.first { $0.element == element }?.node }
                return nodes.contains { $0 != nodes[0] }
            })
    }

    /// Returns the name of each element: that of the part that it alone draws, that of the object
    /// of its colour, or its number.
    private func names(_ loader: any Loader, _ drawn: [Int: String], moving: Set<Int>) -> [String] {
        let objects = loader.objects(at: 0)
        if case .object = recognition { return Self.unique(objects.map(\.name)) }
        let hasOwnObjects = objects.count == colors.count && colors == objects.map(\.color)
        return Self.unique(
            colors.enumerated().map { element, color in
                if let name = drawn[element] { return name }
                if hasOwnObjects { return objects[element].name }
                let same = objects.filter { $0.color == color }
                let all = colors.indices.filter { colors[$0] == color }
                // Elements at rest may have the colour of the objects, too.
                let alike = all.count > same.count ? all.filter(moving.contains) : all
                // Objects of one colour are drawn in their order.
                if same.count == alike.count, let index = alike.firstIndex(of: element) { return same[index].name }
                return colors.count == 1 ? loader.id : names[element]
            })
    }

    /// Returns the names, with a number after each repeated one.
    private static func unique(_ names: [String]) -> [String] {
        names.enumerated().map { index, name in
            let earlier = names[..<index].count { $0 == name }
            return earlier == 0 ? name : "\(name) (\(earlier + 1))"
        }
    }

    private func overlaps(_ scenes: [[KeyedNode]]) -> [(upper: Int, lower: Int)] {
        var found: [(upper: Int, lower: Int)] = []
        for upper in colors.indices {
            for lower in colors.indices where members[upper].isDisjoint(with: members[lower]) {
                if let color = colors[upper], color == colors[lower] { continue }
                let isOver = scenes.contains { scene in
                    guard let top = scene.lastIndex(where: { shows($0, upper) }),
                        let bottom = scene[..<top].firstIndex(where: { shows($0, lower) }),
                        let above = scene[top].node.bounds, let below = scene[bottom].node.bounds
                    else { return false }
                    return above.intersection(below) != nil
                }
                if isOver { found.append((upper, lower)) }
            }
        }
        return found
    }

    /// Names elements after the parameters that change them alone: `ringWidth` changes the ring.
    mutating func rename(by variants: [(parameter: String, loader: any Loader)], of loader: any Loader) {
        guard names.count > 1 else { return }
        for (parameter, variant) in variants.reversed() {
            let changed = Set(changedNodes(of: loader, in: variant, samples: 8)?.map(\.element) ?? [])
            guard changed.count == 1, let only = changed.first, let element = only else { continue }
            let word = String(parameter.prefix { $0.isLowercase })
            guard !Self.generalWords.contains(word), !names.contains(word) else { continue }
            names[element] = word
            numbered.remove(element)
        }
    }

    /// The first words of parameters that name a property instead of an element.
    private static let generalWords: Set<String> = [
        "color", "radius", "line", "opacity", "stroke", "duration", "offset", "unit", "path", "rest", "pull",
    ]
}

extension Node {
    /// A text that is the same for a node at different times: its kind and its paints.
    fileprivate var signature: String {
        switch self {
        case .shape(let shape):
            let colors = paintColors.map(\.hexString).joined(separator: ",")
            return (shape.fill == nil ? "" : "fill ") + (shape.stroke == nil ? "" : "stroke ") + colors
        case .image: return "image"
        case .text(let text): return "text " + text.color.hexString
        case .group(let group):
            // A group may exist only while the opacity of its node is less than 1.
            if group.nodes.count == 1 { return group.nodes[0].signature }
            return "(" + group.nodes.map(\.signature).joined(separator: ";") + ")"
        }
    }
}
