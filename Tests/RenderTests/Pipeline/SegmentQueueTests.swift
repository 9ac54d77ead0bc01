import Core
import Dispatch
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

@testable import Render

private struct Broken: Error, Equatable { var number: Int }

/// Workers that deliver a prepared result for each number of a queue.
private final class QueueWorkers: Sendable {
    let queue: SegmentQueue<EncodedSegment>
    let results: [EncodedSegment]
    let taken = Atomic<Int>(0)
    private let group = DispatchGroup()

    init(workers: Int, count: Int, capacity: Int, failing: [Int] = [], cancellation: CancellationToken = .init()) throws
    {
        queue = SegmentQueue<EncodedSegment>(count: count, capacity: capacity, cancellation: cancellation)
        let encoder = try VideoEncoder(RenderPlan(request()).encoder)
        results = try (0..<count).map { _ in EncodedSegment(packets: [], parameters: try encoder.parameters()) }
        for _ in 0..<workers {
            DispatchQueue(label: "workers").async(group: group) { [self] in
                while let number = queue.take() {
                    taken.add(1, ordering: .relaxed)
                    queue.run(number) {
                        if failing.contains(number) { throw Broken(number: number) }
                        try queue.check()
                        return results[number]
                    }
                }
            }
        }
    }

    /// Stops the queue. Returns true if all workers end within five seconds.
    func dismiss() -> Bool {
        queue.stop()
        return group.wait(timeout: .now() + 5) == .success
    }

    var count: Int { taken.load(ordering: .relaxed) }
}

@Suite struct SegmentQueueTests {
    @Test(arguments: [(1, 1), (1, 2), (3, 2), (4, 8), (8, 3)])
    func resultsComeInOrder(workers: Int, capacity: Int) throws {
        let pool = try QueueWorkers(workers: workers, count: 40, capacity: capacity)
        for number in 0..<40 {
            // All parameters are equal, so their identity distinguishes the results.
            #expect(try pool.queue.collect().parameters === pool.results[number].parameters)
        }
        #expect(pool.dismiss())
        #expect(pool.count == 40)
    }

    @Test(arguments: [(1, 1), (4, 2), (2, 5), (8, 4)])
    func workersWaitForRoom(workers: Int, capacity: Int) throws {
        let pool = try QueueWorkers(workers: workers, count: 30, capacity: capacity)
        for collected in 0..<10 {
            try wait { pool.count >= collected + capacity }
            usleep(10_000)
            #expect(pool.count == collected + capacity)
            _ = try pool.queue.collect()
        }
        #expect(pool.dismiss())
    }

    @Test func theFirstErrorIsThrown() throws {
        for failing in [0, 3, 19] {
            let pool = try QueueWorkers(workers: 3, count: 20, capacity: 6, failing: [failing])
            #expect(throws: Broken(number: failing)) {
                for _ in 0..<20 { _ = try pool.queue.collect() }
            }
            // A second call throws the same error.
            #expect(throws: Broken(number: failing)) { try pool.queue.collect() }
            #expect(pool.dismiss())
        }
    }

    @Test func anErrorStopsTheOtherWorkers() throws {
        let pool = try QueueWorkers(workers: 2, count: 1000, capacity: 4, failing: [1])
        #expect(throws: Broken(number: 1)) { for _ in 0..<1000 { _ = try pool.queue.collect() } }
        #expect(pool.dismiss())
        #expect(pool.count < 10)
        #expect(throws: LoadervidError.self) { try pool.queue.check() }
        #expect(pool.queue.take() == nil)
    }

    @Test func cancellationReachesTheCollector() throws {
        let token = CancellationToken()
        token.cancel()
        let pool = try QueueWorkers(workers: 2, count: 10, capacity: 4, cancellation: token)
        let error = try #require(throws: LoadervidError.self) { try pool.queue.collect() }
        #expect(error.kind == .interrupted)
        #expect(pool.dismiss())
    }

    @Test func stoppingEndsWaitingWorkers() throws {
        let pool = try QueueWorkers(workers: 6, count: 100, capacity: 2)
        try wait { pool.count == 2 }
        #expect(pool.dismiss())
        #expect(pool.count == 2)
    }

    /// A worker that waits for cores of other pipelines does not count as stalled.
    @Test(.slow) func waitingForCoresIsNotAStall() throws {
        let queue = SegmentQueue<Int>(count: 1, capacity: 1, cancellation: CancellationToken())
        #expect(queue.take() == 0)
        let asked = Locked(0)
        let made = try queue.collect(StallWatch(timeout: 1, clock: { 7 })) {
            let count = asked.withLock { count in
                count += 1
                return count
            }
            if count == 2 { queue.run(0) { 5 } }
            return false
        }
        #expect(made == 5 && asked.withLock { $0 } == 2 && !queue.isStalled)
    }

    /// The cores of a stalled worker are released for others, and only once if it continues after
    /// all.
    @Test func leasesOfStalledWorkersCanBeReleased() {
        let budget = ResourceSemaphore(2)
        let stuck = Lease(of: budget, count: .max)
        let other = Lease(of: budget, count: 2)
        let third = Locked(false)
        stuck.acquire()
        #expect(stuck.isHeld && !other.isHeld)
        stuck.release()
        other.acquire()
        stuck.release()
        let thread = Thread {
            budget.acquire(1)
            third.withLock { $0 = true }
        }
        thread.start()
        usleep(100_000)
        #expect(other.isHeld && !third.withLock { $0 })
        other.release()
        let deadline = Date().addingTimeInterval(5)
        while !third.withLock({ $0 }), Date() < deadline { usleep(1000) }
        #expect(third.withLock { $0 })
    }

    /// A worker without CPU time counts as stalled, but not a slow one.
    @Test(.slow) func stalledWorkersAreNotWaitedFor() throws {
        let queue = SegmentQueue<Int>(count: 1, capacity: 1, cancellation: CancellationToken())
        #expect(queue.take() == 0)
        let error = try #require(throws: LoadervidError.self) {
            try queue.collect(StallWatch(timeout: 2, clock: { 7 }))
        }
        #expect(error.kind == .internal && error.description.contains("no progress for 2 s"))
        #expect(queue.isStalled)
        let spent = Locked(0.0)
        var watch = StallWatch(timeout: 2) { spent.withLock { $0 } }
        for _ in 0..<20 {
            spent.withLock { $0 += 0.5 }
            try watch.check()
        }
        try watch.check()
        #expect(throws: LoadervidError.self) { try watch.check() }
    }
}
