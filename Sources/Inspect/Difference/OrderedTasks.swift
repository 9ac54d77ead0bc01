import Core
import Dispatch
import Render

/// A task queue that runs its tasks on threads and returns their results in order of submission.
///
/// Not thread-safe: one thread submits and collects. If the system refuses threads, tasks run when
/// they are collected.
final class OrderedTasks<Value> {
    /// A submitted task. Sendable: `result` is written before `done` is signalled and read after.
    private final class Task: @unchecked Sendable {
        let work: () throws -> Value
        let done = DispatchSemaphore(value: 0)
        var result: Result<Value, any Error>?

        init(_ work: @escaping () throws -> Value) { self.work = work }

        func run() {
            result = Result(catching: work)
            done.signal()
        }
    }

    /// The tasks that no thread has taken.
    private final class Queue: Sendable {
        let waiting = Locked<(tasks: [Task], isStopped: Bool)>(([], false))
        let arrivals = DispatchSemaphore(value: 0)

        func work() {
            while true {
                arrivals.wait()
                let task = waiting.withLock { $0.isStopped || $0.tasks.isEmpty ? nil : $0.tasks.removeFirst() }
                guard let task else { return }
                task.run()
            }
        }
    }

    private let queue = Queue()
    private let threads = ThreadGroup()
    private var threadCount = 0
    private var submitted: [Task] = []

    /// The number of tasks that were submitted and not collected.
    var count: Int { submitted.count }

    /// Starts threads, or fewer if the system refuses more.
    init(threads maxThreads: Int) {
        let queue = queue
        while threadCount < maxThreads, threads.start({ queue.work() }) { threadCount += 1 }
    }

    deinit {
        queue.waiting.withLock { $0 = ([], true) }
        for _ in 0..<threadCount { queue.arrivals.signal() }
        threads.wait()
    }

    /// Submits a task.
    func submit(_ work: @escaping () throws -> Value) {
        let task = Task(work)
        submitted.append(task)
        guard threadCount > 0 else { return }
        queue.waiting.withLock { $0.tasks.append(task) }
        queue.arrivals.signal()
    }

    /// Waits for the task that was submitted first, and returns its result; nil if there is none.
    /// Throws the task's error.
    func next() throws -> Value? {
        guard !submitted.isEmpty else { return nil }
        let task = submitted.removeFirst()
        if threadCount == 0 { task.run() }
        task.done.wait()
        return try task.result?.get()
    }
}
