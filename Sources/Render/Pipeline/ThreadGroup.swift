import Core

/// A group of POSIX threads. Unlike a dispatch queue, it reports if the system refuses a thread.
package final class ThreadGroup: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let threads = Locked<[pthread_t]>([])

    /// A group without threads.
    package init() {}

    deinit { for thread in threads.withLock({ $0 }) { pthread_detach(thread) } }

    /// Starts a thread. Returns false if the system refuses it.
    package func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // The messages of the thread have the wording of its caller's front end.
        let prefix = OptionName.prefix
        let isInDocument = OptionName.isInDocument
        let words = Hint.words
        let argument = Unmanaged.passRetained(
            Body {
                OptionName.$prefix.withValue(prefix) {
                    OptionName.$isInDocument.withValue(isInDocument) { Hint.$words.withValue(words, operation: body) }
                }
            })
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

    /// Waits until all threads have ended.
    package func wait() {
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { pthread_join(thread, nil) }
    }
}
