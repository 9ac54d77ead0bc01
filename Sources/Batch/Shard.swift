import Render

/// One of several parts of a batch that run independently.
package struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The index, from 0.
    package let index: Int
    /// The number of shards.
    package let count: Int

    /// The maximum number of shards of a batch.
    package static let maxCount = 10_000

    /// A shard. Throws `LoadervidError` if the count or the index is out of range.
    package init(index: Int, count: Int) throws {
        guard (1...Shard.maxCount).contains(count), (0..<count).contains(index) else {
            throw LoadervidError(
                .usage,
                "shard \(index)/\(count) is out of range; use K/N with N in 1...\(Shard.maxCount) and K in 0...N-1")
        }
        self.index = index
        self.count = count
    }

    /// The shard as `K/N`.
    package var description: String { "\(index)/\(count)" }

    /// Returns the shard index of each piece of work. Assigns pieces in descending order of cost,
    /// each to the shard with the smallest load so far.
    ///
    /// The result does not depend on the order of `work`: pieces of equal cost are sorted by name,
    /// and shards with equal load by index.
    package static func assignment(of work: [(name: String, cost: Int)], count: Int) -> [String: Int] {
        var loads = [Int](repeating: 0, count: count)
        var result: [String: Int] = [:]
        for (name, cost) in work.sorted(by: { ($1.cost, $0.name) < ($0.cost, $1.name) }) {
            let shard = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
            loads[shard] += cost
            result[name] = shard
        }
        return result
    }
}
