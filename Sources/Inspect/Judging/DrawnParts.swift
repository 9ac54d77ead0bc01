import Animations
import Core

/// The elements of a loader that draw each of its named parts.
struct DrawnParts {
    /// The names of the parts that a single element draws.
    private(set) var names: [Int: String] = [:]
    /// The parts that several elements draw, such as a record with its grooves.
    private(set) var composites: [(name: String, members: Set<Int>)] = []

    /// The number of instants of the period at which parts are looked for, because some are
    /// invisible at others.
    private static let samples = 4

    /// - Parameter keyed: returns the nodes with their elements at a time.
    init(_ loader: any Loader, count: Int, keyed: (Rational) -> [KeyedNode]) {
        var order: [String] = []
        var elements: [String: Set<Int>] = [:]
        for step in 0..<Self.samples {
            let time = loader.period * Rational(Int128(step), Int128(Self.samples))
            let scene = keyed(time)
            for part in loader.parts(at: time) {
                if elements[part.name] == nil { order.append(part.name) }
                let own = scene.filter { part.nodes.contains($0.node) }.compactMap(\.element)
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
    }
}
