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

/// The last result of a Merge Paths modifier, whose paths are often the same for many frames.
final class LastMerge: Sendable {
    private struct Merge {
        let operands: [[BezierContour]]
        let result: [BezierContour]
        let microseconds: Int
    }

    private let known = Locked<Merge?>(nil)
    /// The maximum number of vertices of a result that is kept, per vertex of the operands, whose
    /// number `StaticCost` limits. A quarter of a circle has about 40 lines if its
    /// radius is 100 points.
    private static let maxGrowth = 40

    /// Returns the merged operands, which `make` merges. A known result costs as much of the budget
    /// as a new one, so that a frame does not depend on those before it.
    func result(
        of operands: [[BezierContour]], _ budget: WorkBudget, _ make: () -> [BezierContour]
    ) -> [BezierContour] {
        if let known = known.withLock({ $0 }), known.operands == operands,
            budget.spend(microseconds: known.microseconds)
        {
            return known.result
        }
        let before = budget.remaining
        let result = make()
        let limit = Self.maxGrowth * operands.reduce(0) { $0 + $1.vertexCount }
        guard !budget.isExhausted, result.vertexCount <= limit else { return result }
        known.withLock { $0 = Merge(operands: operands, result: result, microseconds: before - budget.remaining) }
        return result
    }
}

extension [BezierContour] {
    fileprivate var vertexCount: Int { reduce(0) { $0 + $1.vertices.count } }
}
