import Pipeline
import Presets

/// One of several parts of a batch.
public struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Which one, from 0.
    public let index: Int
    /// Of how many.
    public let count: Int

    /// The most shards of a batch.
    public static let most = 10_000

    /// A shard. Throws `RenderError` if there is no such one.
    public init(index: Int, count: Int) throws {
        guard (1...Shard.most).contains(count), (0..<count).contains(index) else {
            throw RenderError(
                .usage,
                "shard \(index)/\(count) is not possible: give K/N with N in 1...\(Shard.most) and K in 0...N-1")
        }
        (self.index, self.count) = (index, count)
    }

    /// As one writes it: `K/N`.
    public var description: String { "\(index)/\(count)" }

    /// Which shard each piece of work falls to: the costliest first, each to the shard that has least to do so far.
    ///
    /// The same for the same work whatever its order: pieces of one cost go by their names, and shards that have as much
    /// to do by their numbers.
    public static func assignment(of work: [(name: String, cost: Int)], count: Int) -> [String: Int] {
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
