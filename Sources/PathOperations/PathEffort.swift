/// How much work operations on paths may still take, for whoever does many of them. Not for use from two threads at once.
package final class PathEffort {
    /// Microseconds or so. Below 0 there was too little.
    package private(set) var left: Int

    /// A meeting of two edges.
    private static let meeting = 40
    /// An edge among others.
    private static let edge = 4
    /// So many pairs of boxes are looked at in one.
    private static let looks = 400

    /// Enough for anything within the limits of one operation.
    package convenience init() { self.init(microseconds: .max / 2) }

    /// What takes so long at most.
    package init(microseconds: Int) { left = microseconds }

    /// Whether something could not be done for want of it.
    package var isSpent: Bool { left < 0 }

    /// So many meetings are affordable.
    var meetings: Int { max(0, left) / Self.meeting }

    func spend(meetings: Int) { left -= Self.meeting * meetings }

    func spend(edges: Int) { left -= Self.edge * edges }

    /// Lets `body` look at pairs, at most `limit` of them, from which it subtracts. Nil if they are too many.
    func looking<Result>(atMost limit: Int, _ body: (inout Int) -> Result?) -> Result? {
        let most = left > limit / Self.looks ? limit : max(0, left) * Self.looks
        var rest = most
        let result = body(&rest)
        left -= (most - max(0, rest)) / Self.looks
        if result == nil, most < limit { giveUp() }
        return result
    }

    /// Says that there was too little.
    func giveUp() { left = -1 }
}
