import Core

/// A cache of the nodes around a canvas: those that never change and those that change once a
/// phase.
///
/// Thread-safe. The cache does not affect the result, because a miss makes the same nodes again.
final class BandCache: Sendable {
    /// The state that determines the nodes of a phase.
    struct Key: Hashable {
        let phase: Int
        let steps: [Int?]
    }

    /// The maximum number of phases in the cache.
    private static let maxPhases = 16
    private let entries = Locked(Entries())

    private struct Entries {
        var fixed: [Node]?
        var phases: [Key: [Node]] = [:]
        var ghosts: [Int: [Node]] = [:]
    }

    /// Returns the nodes that never change.
    func fixed(_ make: () -> [Node]) -> [Node] {
        if let known = entries.withLock({ $0.fixed }) { return known }
        let made = make()
        entries.withLock { $0.fixed = made }
        return made
    }

    /// Returns the ghosts of a phase.
    func ghosts(ofPhase phase: Int, _ make: () -> [Node]) -> [Node] { cached(\.ghosts, phase, make) }

    /// Returns the nodes that stay the same during a phase.
    func phase(_ key: Key, _ make: () -> [Node]) -> [Node] { cached(\.phases, key, make) }

    private func cached<EntryKey: Hashable>(
        _ dictionary: WritableKeyPath<Entries, [EntryKey: [Node]]>, _ key: EntryKey, _ make: () -> [Node]
    ) -> [Node] {
        if let known = entries.withLock({ $0[keyPath: dictionary][key] }) { return known }
        let made = make()
        entries.withLock { entries in
            if entries[keyPath: dictionary].count >= Self.maxPhases { entries[keyPath: dictionary] = [:] }
            entries[keyPath: dictionary][key] = made
        }
        return made
    }
}
