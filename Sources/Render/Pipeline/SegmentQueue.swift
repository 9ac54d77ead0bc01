import Core
import Dispatch

/// A queue that distributes numbered work items to workers in order, and returns their results in
/// order.
///
/// The number of items that are in work or not yet collected is limited, so workers that are too
/// far ahead wait. The first error stops all workers.
final class SegmentQueue<Output: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var collected = 0
        var finished: [Int: Output] = [:]
        var failure: (any Error)?
        var isStopped = false
        var isStalled = false
    }

    private let count: Int
    private let cancellation: CancellationToken
    private let state = Locked(State())
    // Both start at 0 and are signalled up, because a dispatch semaphore must not be destroyed with
    // a value below its initial one.
    private let room = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    /// A queue of the work items 0..<`count`.
    ///
    /// - Parameters:
    ///   - count: the number of work items.
    ///   - capacity: the maximum number of items that are taken but not yet collected.
    init(count: Int, capacity: Int, cancellation: CancellationToken) {
        self.count = count
        self.cancellation = cancellation
        for _ in 0..<capacity { room.signal() }
    }

    /// Waits until there is room for another result, and returns the number of the next work item;
    /// nil if there is none.
    func take() -> Int? {
        room.wait()
        let number = state.withLock { state -> Int? in
            guard !state.isStopped, state.taken < count else { return nil }
            defer { state.taken += 1 }
            return state.taken
        }
        // Wakes the next waiting worker, which must see the end too.
        if number == nil { room.signal() }
        return number
    }

    /// Runs the work of an item and stores its result or error.
    func run(_ number: Int, _ work: () throws -> Output) {
        let result = Result(catching: work)
        state.withLock { state in
            switch result {
            case .success(let made): state.finished[number] = made
            case .failure(let error):
                // Later errors are consequences of the first one.
                state.failure = state.failure ?? error
                state.isStopped = true
            }
        }
        arrivals.signal()
        if case .failure = result { room.signal() }
    }

    /// Throws `LoadervidError` if the work is cancelled, another worker has failed, or `stop` was
    /// called.
    func check() throws {
        try cancellation.check()
        if state.withLock({ $0.isStopped }) { throw LoadervidError(.interrupted, "stopped after a failure elsewhere") }
    }

    /// True if the workers have made no progress for too long, so that waiting for them is useless.
    var isStalled: Bool { state.withLock { $0.isStalled } }

    /// Waits for the next result in order, and makes room for another. Throws the first error.
    /// Call it once per item.
    ///
    /// - Parameter isAtWork: returns true if any worker holds its share of the CPU cores. While
    ///   none does, the time does not count as a stall.
    func collect(_ watch: StallWatch = StallWatch(), isAtWork: () -> Bool = { true }) throws -> Output {
        var watch = watch
        while true {
            let (made, failure) = state.withLock { state in
                let made = state.finished.removeValue(forKey: state.collected)
                if made != nil { state.collected += 1 }
                return (made, state.failure)
            }
            if let failure { throw failure }
            if let made {
                room.signal()
                return made
            }
            guard arrivals.wait(timeout: .now() + 1) == .timedOut else { continue }
            guard isAtWork() else {
                watch.restart()
                continue
            }
            do { try watch.check() } catch {
                state.withLock { $0.isStalled = true }
                throw error
            }
        }
    }

    /// Makes workers stop after their current frame.
    func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
