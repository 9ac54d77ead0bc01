import Core
import Dispatch
import Media
import Render

/// Calls `body` with each element, in order, on up to `threads` threads. Returns when all calls
/// have returned.
func distribute<Element: Sendable>(
    _ elements: [Element], threads: Int, _ body: @escaping @Sendable (Element) -> Void
) {
    let rest = Locked(elements[...])
    let group = ThreadGroup()
    let work: @Sendable () -> Void = { while let next = rest.withLock({ $0.popFirst() }) { body(next) } }
    // Starts as many threads as the system permits.
    let started = (0..<min(threads, elements.count)).prefix { _ in group.start(work) }.count
    // If none started, the calling thread does the work. Like a worker thread, it must not record
    // files as the user's inputs.
    if started == 0 { FilesInUse.$current.withValue(nil) { work() } }
    group.wait()
}
