import Core
import Render

/// Runs a function for all indices below `count` on several threads, in contiguous ranges.
///
/// The results are in order, so they do not depend on the number of threads. Throws the first
/// error.
func inParallel<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Range<Int>) throws -> [Result]
) throws -> [Result] {
    let workers = max(1, min(Resources.processors, count))
    let bounds = (0...workers).map { $0 * count / workers }
    let results = Locked<[Int: Swift.Result<[Result], any Error>]>([:])
    let threads = ThreadGroup()
    for worker in 0..<workers {
        let range = bounds[worker]..<bounds[worker + 1]
        let run: @Sendable () -> Void = {
            let result = Swift.Result { try body(range) }
            results.withLock { $0[worker] = result }
        }
        if !threads.start(run) { run() }
    }
    threads.wait()
    let all = results.withLock { $0 }
    return try (0..<workers).flatMap { try all[$0]?.get() ?? [] }
}
