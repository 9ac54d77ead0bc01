import Core

/// A watchdog that uses the process's CPU time to detect work without progress. An encoder that was
/// refused memory may wait for itself forever.
struct StallWatch {
    /// The CPU time per second, in seconds, above which the process counts as busy. Waiting threads
    /// take less.
    private static let busyShare = 0.02

    private let timeout: Int
    private let clock: @Sendable () -> Double
    private var idleSeconds = 0
    private var lastTime: Double

    /// A watch that starts now.
    ///
    /// - Parameters:
    ///   - timeout: the number of idle seconds that count as a stall. Even the largest frames keep
    ///     the processors busy all the time.
    ///   - clock: returns the CPU time spent so far, in seconds.
    init(timeout: Int = 30, clock: @escaping @Sendable () -> Double = { Resources.cpuSeconds }) {
        self.timeout = timeout
        self.clock = clock
        lastTime = clock()
    }

    /// Resets the count of idle seconds.
    mutating func restart() {
        idleSeconds = 0
        lastTime = clock()
    }

    /// Counts another second without a result; call it once per second. Throws `LoadervidError`
    /// after `timeout` idle seconds.
    ///
    /// A process that was suspended calls this less often, so that time does not count.
    mutating func check() throws {
        let now = clock()
        idleSeconds = now - lastTime < StallWatch.busyShare ? idleSeconds + 1 : 0
        lastTime = now
        guard idleSeconds < timeout else {
            throw LoadervidError(
                .internal,
                "the encoder has made no progress for \(idleSeconds) s, probably for lack of memory or threads; raise "
                    + "their limits (ulimit -v, ulimit -u) or choose another codec")
        }
    }
}
