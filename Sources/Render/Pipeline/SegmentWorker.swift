/// A worker that takes segments from a queue. Not thread-safe.
///
/// Sendable: it stays on the thread that created it, or on the collecting one.
final class SegmentWorker<Result: Sendable>: @unchecked Sendable {
    private let schedule: SegmentSchedule
    private let lease: Lease
    private let makeProcess: () throws -> WorkerPool<Result>.Process
    private var process: WorkerPool<Result>.Process?

    init(
        _ schedule: SegmentSchedule, _ lease: Lease,
        _ makeProcess: @escaping () throws -> WorkerPool<Result>.Process
    ) {
        self.schedule = schedule
        self.lease = lease
        self.makeProcess = makeProcess
    }

    /// Processes segments until none is left, or only one segment if `once` is true.
    func work(on queue: SegmentQueue<Result>, once: Bool = false) {
        while let number = queue.take() {
            queue.run(number) {
                lease.acquire()
                defer { lease.release() }
                let process = try process ?? makeProcess()
                self.process = process
                return try process(schedule.work(number), queue.check)
            }
            if once { return }
        }
    }
}
