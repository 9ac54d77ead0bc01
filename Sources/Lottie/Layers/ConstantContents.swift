import Core
import Raster

/// The contents of a layer if they never change, kept from the first frame that draws them.
final class ConstantContents: Sendable {
    private enum State {
        case unknown
        case changing
        case constant([Node], microseconds: Int)
    }

    private let state = Locked(State.unknown)

    /// Returns the contents, which `make` makes for the current frame. Known contents cost as much
    /// of the budget for path operations as new ones, so that a frame does not depend on those
    /// before it.
    func nodes(in context: FrameContext, _ make: () -> [Node]) -> [Node] {
        let budget = context.pathBudget
        switch state.withLock({ $0 }) {
        case .changing: return make()
        case .constant(let nodes, let microseconds):
            return budget.spend(microseconds: microseconds) ? nodes : make()
        case .unknown: break
        }
        let before = budget.remaining
        let (nodes, isConstant) = context.watchingChanges(make)
        guard !budget.isExhausted else { return nodes }
        let found = isConstant ? State.constant(nodes, microseconds: before - budget.remaining) : .changing
        state.withLock { $0 = found }
        return nodes
    }
}

/// The path of a style if it never changes, kept from the first frame that draws it. Unlike
/// `ConstantContents`, it does not detect changes: callers use it only for paths that never change.
final class ConstantPath: Sendable {
    private let known = Locked<Path?>(nil)

    func path(_ make: () -> Path) -> Path {
        if let path = known.withLock({ $0 }) { return path }
        let path = make()
        known.withLock { $0 = path }
        return path
    }
}
