/// The work that path operations may still do, shared by several operations. Not thread-safe.
package final class WorkBudget {
    /// The remaining work in microseconds, estimated; below 0 once an operation has failed.
    package private(set) var remaining: Int

    /// The cost of an intersection of two edges in microseconds.
    private static let intersectionCost = 40
    /// The cost of an edge in microseconds.
    private static let edgeCost = 4
    /// The number of pairs of boxes compared per microsecond.
    private static let pairsPerMicrosecond = 400

    /// A budget that suffices for every operation within its own limits.
    package convenience init() { self.init(microseconds: .max / 2) }

    /// A budget of at most the given time.
    package init(microseconds: Int) { remaining = microseconds }

    /// True if an operation failed because the budget was too small.
    package var isExhausted: Bool { remaining < 0 }

    /// The number of intersections that the budget allows.
    var affordableIntersections: Int { max(0, remaining) / Self.intersectionCost }

    func spend(intersections: Int) { remaining -= Self.intersectionCost * intersections }

    /// Spends the work of an operation whose result is known. Returns false, and spends nothing, if
    /// the budget is too small.
    package func spend(microseconds: Int) -> Bool {
        guard remaining >= microseconds else { return false }
        remaining -= microseconds
        return true
    }

    func spend(edges: Int) { remaining -= Self.edgeCost * edges }

    /// Calls `body` with the number of pairs that it may compare, at most `limit`. `body` subtracts
    /// the pairs that it compared. The budget is exhausted if `body` returns nil although the
    /// budget allowed fewer than `limit`.
    func comparing<Result>(atMost limit: Int, _ body: (inout Int) -> Result?) -> Result? {
        let rate = Self.pairsPerMicrosecond
        let maxPairs = remaining > limit / rate ? limit : max(0, remaining) * rate
        var remainingPairs = maxPairs
        let result = body(&remainingPairs)
        remaining -= (maxPairs - max(0, remainingPairs)) / rate
        if result == nil, maxPairs < limit { exhaust() }
        return result
    }

    /// Records that the budget was too small.
    func exhaust() { remaining = -1 }
}
