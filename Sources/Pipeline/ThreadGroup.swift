import Platform

/// Threads of our own. Unlike those behind dispatch queues they can be refused, and then it is known.
///
/// Sendable: what threads there are is behind a mutex.
package final class ThreadGroup: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let threads = Locked<[pthread_t]>([])

    /// No threads yet.
    package init() {}

    deinit { for thread in threads.withLock({ $0 }) { pthread_detach(thread) } }

    /// Starts a thread. Returns whether there may be one more.
    package func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let argument = Unmanaged.passRetained(Body(body))
        let thread = startThread(
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard let thread else {
            argument.release()
            return false
        }
        threads.withLock { $0.append(thread) }
        return true
    }

    /// Waits until all of them have ended.
    package func wait() {
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { pthread_join(thread, nil) }
    }
}
