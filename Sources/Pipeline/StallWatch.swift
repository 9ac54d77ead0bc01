import Platform

/// Notices that work which should keep processors busy does not: an encoder that was refused memory may wait for itself.
struct StallWatch {
    /// Processor time in a second, in seconds, that is more than waiting takes.
    private static let idle = 0.02

    private let patience: Int
    private let clock: @Sendable () -> Double
    private var seconds = 0
    private var spent: Double

    /// - Parameters:
    ///   - patience: how many seconds nothing may happen. Even the largest pictures keep processors busy all the time.
    ///   - clock: the processor time that was spent so far, in seconds.
    init(patience: Int = 30, clock: @escaping @Sendable () -> Double = { Resources.processorSeconds }) {
        (self.patience, self.clock, spent) = (patience, clock, clock())
    }

    /// Begins to count anew.
    mutating func restart() { (seconds, spent) = (0, clock()) }

    /// To be called once a second while nothing comes. Throws `RenderError` if nothing has happened for long.
    mutating func check() throws {
        let now = clock()
        // Whoever is stopped, or waits for a machine that is busy, does not count seconds either.
        seconds = now - spent < StallWatch.idle ? seconds + 1 : 0
        spent = now
        guard seconds < patience else {
            throw RenderError(
                .internal,
                "the encoder has stood still for \(seconds) s, as if refused memory or threads: raise their limits "
                    + "(ulimit -v, ulimit -u), or choose another codec")
        }
    }
}
