import Platform
import Dispatch

/// Hands out segments in order to workers, and their packets in order to the muxer.
///
/// Back pressure: only so many segments are being worked on or waiting for the muxer; a worker that is further ahead
/// waits. The first failure stops everything.
final class SegmentQueue<Result: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var collected = 0
        var finished: [Int: Result] = [:]
        var failure: (any Error)?
        var isStopped = false
        var isStalled = false
    }

    private let count: Int
    private let cancellation: CancellationToken
    private let state = Locked(State())
    // Both begin at 0 and are signalled up: a semaphore must not end below the value it was made with.
    private let room = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    /// A queue of `count` pieces of work, at most `capacity` of them taken but not yet collected.
    init(count: Int, capacity: Int, cancellation: CancellationToken) {
        (self.count, self.cancellation) = (count, cancellation)
        for _ in 0..<capacity { room.signal() }
    }

    /// The next piece of work, as soon as there is room for its result; nil if there is no more.
    func take() -> Int? {
        room.wait()
        let number = state.withLock { state -> Int? in
            guard !state.isStopped, state.taken < count else { return nil }
            defer { state.taken += 1 }
            return state.taken
        }
        // Whoever else waits for room shall learn of the end as well.
        if number == nil { room.signal() }
        return number
    }

    /// Does a piece of work and hands in its result.
    func deliver(of number: Int, _ work: () throws -> Result) {
        let result = Swift.Result(catching: work)
        state.withLock { state in
            switch result {
            case .success(let made): state.finished[number] = made
            case .failure(let error):
                // What other workers fail with because of the first failure is not the cause.
                state.failure = state.failure ?? error
                state.isStopped = true
            }
        }
        arrivals.signal()
        if case .failure = result { room.signal() }
    }

    /// Throws if work shall end early, because the user wants it or another worker has failed.
    func check() throws {
        try cancellation.check()
        if state.withLock({ $0.isStopped }) { throw RenderError(.interrupted, "stopped after a failure elsewhere") }
    }

    /// Whether its workers have stood still for so long that nobody should wait for them.
    var isStalled: Bool { state.withLock { $0.isStalled } }

    /// Waits for the next result, in the order of the work, and makes room for another. Throws the first failure.
    ///
    /// - Parameter isAtWork: whether any worker has what it needs; as long as none has, others stand still.
    func collect(_ watch: StallWatch = StallWatch(), isAtWork: () -> Bool = { true }) throws -> Result {
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

    /// Lets workers end at the frame they are at.
    func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
