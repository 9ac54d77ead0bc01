import Platform
import Pipeline

/// A lock on a file, which ends with its last reference, or with the process however that ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// What to do if another process has the lock.
    struct Patience {
        /// Whether to wait for it, or to give up at once.
        let waits: Bool
        /// Is told what is waited for, once.
        let onWait: (String) -> Void
        /// Ends the waiting.
        let cancellation: CancellationToken
    }

    /// Takes the lock of a file, which is created if need be. Throws `RenderError` if another process has it and that is
    /// not waited for.
    init(_ path: String, shared: Bool, _ patience: Patience) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw RenderError(errno: errno, "lock \(path)") }
        var isWaiting = false
        while flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            do {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw RenderError(errno: errno, "lock \(path)") }
                guard patience.waits else {
                    throw RenderError(
                        .cannotCreate,
                        "another batch works here (it holds \(path)): wait for its end, or name another -o")
                }
                if !isWaiting { patience.onWait("another batch works here (it holds \(path)): waiting for its end") }
                isWaiting = true
                try patience.cancellation.check()
            } catch {
                close(descriptor)
                throw error
            }
            // Not in the kernel, which would not hear of the cancellation.
            usleep(50_000)
        }
    }

    deinit { close(descriptor) }
}
