import Animations
import Core

extension LoaderElements {
    /// Returns the nodes of a loader that a variant of it draws differently at some instants of the
    /// period; nil if their numbers differ.
    func changedNodes(of loader: any Loader, in variant: any Loader, samples: Int) -> [KeyedNode]? {
        var changed: [KeyedNode] = []
        for step in 0..<samples {
            let time = loader.period * Rational(Int128(step), Int128(samples))
            let before = keyed(loader, at: time)
            // A recoloured node has another signature, but keeps its index.
            let after = variant.nodes(at: time)
            guard before.count == after.count else { return nil }
            changed += zip(before, after).filter { $0.node != $1 }.map(\.0)
        }
        return changed
    }
}
