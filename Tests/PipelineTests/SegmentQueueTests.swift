import Platform
import Dispatch
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

private struct Broken: Error, Equatable { var number: Int }

/// Workers that take from a queue and hand in what is prepared for each number.
private final class Crew: Sendable {
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
            DispatchQueue(label: "crew").async(group: group) { [self] in
                while let number = queue.take() {
                    taken.add(1, ordering: .relaxed)
                    queue.deliver(of: number) {
                        if failing.contains(number) { throw Broken(number: number) }
                        try queue.check()
                        return results[number]
                    }
                }
            }
        }
    }

    /// Ends the work. Returns whether all workers came home within five seconds.
    func dismiss() -> Bool {
        queue.stop()
        return group.wait(timeout: .now() + 5) == .success
    }

    var count: Int { taken.load(ordering: .relaxed) }
}

@Suite struct SegmentQueueTests {
    @Test(arguments: [(1, 1), (1, 2), (3, 2), (4, 8), (8, 3)])
    func resultsComeInOrder(workers: Int, capacity: Int) throws {
        let crew = try Crew(workers: workers, count: 40, capacity: capacity)
        for number in 0..<40 {
            // Parameters are equal throughout; the object tells which one it is.
            #expect(try crew.queue.collect().parameters === crew.results[number].parameters)
        }
        #expect(crew.dismiss())
        #expect(crew.count == 40)
    }

    @Test(arguments: [(1, 1), (4, 2), (2, 5), (8, 4)])
    func workersWaitForRoom(workers: Int, capacity: Int) throws {
        let crew = try Crew(workers: workers, count: 30, capacity: capacity)
        for collected in 0..<10 {
            try wait { crew.count >= collected + capacity }
            usleep(10_000)
            #expect(crew.count == collected + capacity)
            _ = try crew.queue.collect()
        }
        #expect(crew.dismiss())
    }

    @Test func theFirstFailureIsTheCause() throws {
        for failing in [0, 3, 19] {
            let crew = try Crew(workers: 3, count: 20, capacity: 6, failing: [failing])
            #expect(throws: Broken(number: failing)) {
                for _ in 0..<20 { _ = try crew.queue.collect() }
            }
            // Asked again, it says the same.
            #expect(throws: Broken(number: failing)) { try crew.queue.collect() }
            #expect(crew.dismiss())
        }
    }

    @Test func aFailureStopsTheOthers() throws {
        let crew = try Crew(workers: 2, count: 1000, capacity: 4, failing: [1])
        #expect(throws: Broken(number: 1)) { for _ in 0..<1000 { _ = try crew.queue.collect() } }
        #expect(crew.dismiss())
        #expect(crew.count < 10)
        #expect(throws: RenderError.self) { try crew.queue.check() }
        #expect(crew.queue.take() == nil)
    }

    @Test func cancellationReachesTheCollector() throws {
        let token = CancellationToken()
        token.cancel()
        let crew = try Crew(workers: 2, count: 10, capacity: 4, cancellation: token)
        let error = try #require(throws: RenderError.self) { try crew.queue.collect() }
        #expect(error.kind == .interrupted)
        #expect(crew.dismiss())
    }

    @Test func workersWithoutRoomGoHome() throws {
        let crew = try Crew(workers: 6, count: 100, capacity: 2)
        try wait { crew.count == 2 }
        #expect(crew.dismiss())
        #expect(crew.count == 2)
    }

    /// Who waits for cores that others have does not stand still itself.
    @Test func whoHasNoCoresIsWaitedFor() throws {
        let queue = SegmentQueue<Int>(count: 1, capacity: 1, cancellation: CancellationToken())
        #expect(queue.take() == 0)
        let asked = Locked(0)
        let made = try queue.collect(StallWatch(patience: 1, clock: { 7 })) {
            let count = asked.withLock { count in
                count += 1
                return count
            }
            if count == 2 { queue.deliver(of: 0) { 5 } }
            return false
        }
        #expect(made == 5 && asked.withLock { $0 } == 2 && !queue.isStalled)
    }

    /// What a worker has that never comes back is there for others, and once only if it comes back after all.
    @Test func coresCanBeTakenFromAWorker() {
        let budget = CoreBudget(2)
        let (stuck, other, third) = (CoreShare(of: budget, count: .max), CoreShare(of: budget, count: 2), Locked(false))
        stuck.take()
        #expect(stuck.isTaken && !other.isTaken)
        stuck.giveBack()
        other.take()
        stuck.giveBack()
        let thread = Thread {
            budget.take(1)
            third.withLock { $0 = true }
        }
        thread.start()
        usleep(100_000)
        #expect(other.isTaken && !third.withLock { $0 })
        other.giveBack()
        let deadline = Date().addingTimeInterval(5)
        while !third.withLock({ $0 }), Date() < deadline { usleep(1000) }
        #expect(third.withLock { $0 })
    }

    /// An encoder that waits for itself never comes back; one that is slow does.
    @Test func whoStandsStillIsNotWaitedFor() throws {
        let queue = SegmentQueue<Int>(count: 1, capacity: 1, cancellation: CancellationToken())
        #expect(queue.take() == 0)
        let error = try #require(throws: RenderError.self) {
            try queue.collect(StallWatch(patience: 2, clock: { 7 }))
        }
        #expect(error.kind == .internal && error.description.contains("stood still for 2 s"))
        #expect(queue.isStalled)
        let spent = Locked(0.0)
        var watch = StallWatch(patience: 2) { spent.withLock { $0 } }
        for _ in 0..<20 {
            spent.withLock { $0 += 0.5 }
            try watch.check()
        }
        try watch.check()
        #expect(throws: RenderError.self) { try watch.check() }
    }
}
