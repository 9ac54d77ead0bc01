import Animations
import Core

/// The elements of a loader that draw each of its named parts.
struct DrawnParts {
    /// Part names by element index, for the parts that a single element draws.
    private(set) var names: [Int: String] = [:]
    /// The parts that several elements draw, such as a record with its grooves.
    private(set) var composites: [(name: String, members: Set<Int>)] = []

    /// The number of instants of the period at which parts are looked for, because some are
    /// invisible at others.
    private static let samples = 4

    /// - Parameters:
    ///   - count: the number of the loader's elements.
    ///   - keyed: returns the nodes with their elements at a time.
    init(_ loader: any Loader, count: Int, keyed: (Rational) -> [KeyedNode]) {
        var order: [String] = []
        var elements: [String: Set<Int>] = [:]
        for step in 0..<Self.samples {
            let time = loader.period * Rational(Int128(step), Int128(Self.samples))
            let scene = keyed(time)
            for part in loader.parts(at: time) {
                if elements[part.name] == nil { order.append(part.name) }
                // Equal nodes, such as two shapes whose size is still zero, belong to any of their
                // parts.
                let own = scene.filter { drawn in
                    part.nodes.contains(drawn.node)
                        && !scene.contains { $0.element != drawn.element && $0.node == drawn.node }
                }.compactMap(\.element)
                elements[part.name, default: []].formUnion(own)
            }
        }
        for name in order {
            let members = elements[name] ?? []
            if members.count == 1, let element = members.first {
                names[element] = names[element] ?? name
            } else if members.count > 1, members.count < count {
                composites.append((name, members))
            }
        }
        if let loader = loader as? any KeyframedLoader { nameLayers(of: loader, keyed) }
    }

    /// Names each element that alone draws a layer of a Lottie file after that layer. Layers and
    /// nodes are matched by drawing order, because layers may draw the same at all times, such as
    /// copies of a trimmed path.
    private mutating func nameLayers(of loader: any KeyframedLoader, _ keyed: (Rational) -> [KeyedNode]) {
        var layers: [Int: Set<Int>] = [:]
        var elements: [Int: Set<Int>] = [:]
        for step in 0..<Self.samples {
            let time = loader.period * Rational(Int128(step), Int128(Self.samples))
            let owners = loader.layers(at: time).flatMap { layer in layer.nodes.map { _ in layer.index } }
            let scene = keyed(time)
            guard owners.count == scene.count else { return }
            for (owner, node) in zip(owners, scene) {
                guard let element = node.element else { continue }
                layers[element, default: []].insert(owner)
                elements[owner, default: []].insert(element)
            }
        }
        for (element, owners) in layers where names[element] == nil && owners.count == 1 {
            guard let layer = owners.first, elements[layer]?.count == 1 else { continue }
            names[element] = loader.layerName(layer)
        }
    }

    /// Groups the elements that share a colour, such as the ticks of an activity indicator, if all
    /// elements of a group have names.
    ///
    /// - Parameter numbered: the elements with numbers instead of names.
    static func ofOneColor(
        _ names: [String], _ colors: [Color?], numbered: Set<Int>
    ) -> [(name: String, members: Set<Int>)] {
        let groups = Dictionary(grouping: names.indices.filter { colors[$0] != nil }) { colors[$0] }
        return groups.values.sorted { $0[0] < $1[0] }.compactMap { group in
            guard group.count > 1, group.count < names.count, numbered.isDisjoint(with: group) else { return nil }
            let ends = [names[group[0]], names[group[group.count - 1]]].sorted { ($0.count, $0) < ($1.count, $1) }
            return (ends.joined(separator: " to "), Set(group))
        }
    }
}
