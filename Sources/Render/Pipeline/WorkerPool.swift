import Core

/// A pool of threads that process a clip's segments. Results are collected in order.
final class WorkerPool<Result: Sendable>: Sendable {
    /// Processes a segment. `checkpoint` throws if the work should stop.
    typealias Process = (_ segment: Segment, _ checkpoint: () throws -> Void) throws -> Result

    private let queue: SegmentQueue<Result>
    private let threads = ThreadGroup()
    private let leases: [Lease]
    /// The worker that runs on the collecting thread; nil if at least one thread was started.
    private let inlineWorker: SegmentWorker<Result>?

    /// Starts `workers` threads, or fewer if the system refuses more.
    ///
    /// - Parameters:
    ///   - cores: the cores shared with other pipelines; nil if this is the only one.
    ///   - makeProcess: returns a worker's function. Called on the worker's thread for its first
    ///     segment. `isAlone` is true if it runs on the collecting thread.
    init(
        _ schedule: SegmentSchedule, workers: Int, cores: ResourceSemaphore?, coresPerWorker: Int,
        _ cancellation: CancellationToken,
        makeProcess: @escaping @Sendable (_ isAlone: Bool) throws -> Process
    ) {
        let queue = SegmentQueue<Result>(
            count: schedule.workCount, capacity: 2 * workers, cancellation: cancellation)
        let leases = (0..<workers).map { _ in Lease(of: cores, count: coresPerWorker) }
        var inlineWorker: SegmentWorker<Result>?
        for (number, lease) in leases.enumerated() {
            let isStarted = threads.start {
                SegmentWorker(schedule, lease) { try makeProcess(false) }.work(on: queue)
            }
            guard !isStarted else { continue }
            if number == 0 { inlineWorker = SegmentWorker(schedule, lease) { try makeProcess(true) } }
            break
        }
        self.queue = queue
        self.leases = leases
        self.inlineWorker = inlineWorker
    }

    /// Waits for the result of the next segment in order. Throws the first error.
    func collect() throws -> Result {
        inlineWorker?.work(on: queue, once: true)
        return try queue.collect { leases.contains(where: \.isHeld) }
    }

    /// Stops the work, finished or not, and waits for the threads unless they have stalled.
    func end() {
        queue.stop()
        // A stalled worker never returns its cores, so they are released for other pipelines.
        if queue.isStalled { leases.forEach { $0.release() } } else { threads.wait() }
    }
}
