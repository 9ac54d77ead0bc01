import Core
import Dispatch

/// A counting semaphore for a limited resource, such as the machine's cores, that pipelines share.
/// First come, first served. Thread-safe.
package final class ResourceSemaphore: Sendable {
    private struct State {
        var free: Int
        /// The waiting requests, in the order in which they came.
        var waiting: [(count: Int, turn: DispatchSemaphore)] = []
    }

    /// The total number of units.
    package let count: Int
    private let state: Locked<State>

    /// A semaphore of `count` units, at least one.
    package init(_ count: Int) {
        self.count = max(1, count)
        state = Locked(State(free: max(1, count)))
    }

    /// Waits until `wanted` units are free, and takes them; all units if there are fewer in total.
    package func acquire(_ wanted: Int) {
        let wanted = min(wanted, count)
        let turn = state.withLock { state -> DispatchSemaphore? in
            if state.waiting.isEmpty, state.free >= wanted {
                state.free -= wanted
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            state.waiting.append((wanted, turn))
            return turn
        }
        turn?.wait()
    }

    /// Returns units. Takes the same number as `acquire`.
    package func release(_ wanted: Int) {
        state.withLock { state in
            state.free += min(wanted, count)
            while let next = state.waiting.first, next.count <= state.free {
                state.free -= next.count
                state.waiting.removeFirst()
                next.turn.signal()
            }
        }
    }
}

/// A worker's share of a semaphore. Another thread can release it if the worker hangs. Thread-safe.
final class Lease: Sendable {
    private let semaphore: ResourceSemaphore?
    private let count: Int
    private let heldState = Locked(false)

    /// A lease of `count` units, not yet acquired. Without a semaphore it is always held.
    init(of semaphore: ResourceSemaphore?, count: Int) {
        self.semaphore = semaphore
        self.count = count
    }

    /// True if the units are acquired, or if there is no semaphore.
    var isHeld: Bool { semaphore == nil || heldState.withLock { $0 } }

    /// Waits until the units are free, and takes them.
    func acquire() {
        semaphore?.acquire(count)
        heldState.withLock { $0 = true }
    }

    /// Returns the units, unless they were returned before.
    func release() {
        let wasHeld = heldState.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { semaphore?.release(count) }
    }
}
