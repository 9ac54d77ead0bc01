import Core
import Render

/// The behaviour when another process holds a lock.
package struct WaitPolicy {
    /// True to wait for the lock; false to fail at once.
    let waits: Bool
    /// Ends the wait.
    let cancellation: CancellationToken
    /// Called once with a message when the wait begins.
    let onWait: (String) -> Void

    /// - Parameters:
    ///   - waits: true to wait for the other batch; false to fail at once.
    ///   - cancellation: ends the wait.
    ///   - onWait: called with a message when a wait begins.
    package init(waits: Bool, cancellation: CancellationToken, onWait: @escaping (String) -> Void) {
        self.waits = waits
        self.cancellation = cancellation
        self.onWait = onWait
    }
}

/// A lock on a file. Ends with its last reference, or with the process, even if that crashes.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Locks a file, and creates the file if needed. Throws `LoadervidError` if the file is a link,
    /// or if another process holds the lock and `policy` does not wait.
    init(_ file: DirectoryEntry, shared: Bool, _ policy: WaitPolicy) throws {
        let path = file.path
        descriptor = try file.openLock()
        var isWaiting = false
        while flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            do {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw LoadervidError(errno: errno, .lock, path) }
                guard policy.waits else {
                    throw LoadervidError(
                        .cannotCreate,
                        "another batch uses this directory (it holds \(path)); wait until it ends, or use another "
                            + "output directory"
                    )
                }
                if !isWaiting {
                    policy.onWait("waiting for another batch that uses this directory (it holds \(path))")
                }
                isWaiting = true
                try policy.cancellation.check()
            } catch {
                close(descriptor)
                throw error
            }
            // Polls, because a blocking `flock` would not notice the cancellation.
            usleep(50_000)
        }
    }

    deinit { close(descriptor) }
}
