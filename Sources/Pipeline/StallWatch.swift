import Glibc

/// Notices that work which should keep processors busy does not: an encoder that was refused memory may wait for itself.
struct StallWatch {
    /// How long, in seconds, nothing may happen. A clip's largest pictures keep processors busy all the time.
    private static let patience = 30
    /// Processor time in a second, in seconds, that is more than waiting takes.
    private static let idle = 0.02

    private var seconds = 0
    private var spent = StallWatch.processorSeconds

    /// To be called once a second while nothing comes. Throws `RenderError` if nothing has happened for long.
    mutating func check() throws {
        let now = StallWatch.processorSeconds
        // Whoever is stopped, or waits for a machine that is busy, does not count seconds either.
        seconds = now - spent < StallWatch.idle ? seconds + 1 : 0
        spent = now
        guard seconds < StallWatch.patience else {
            throw RenderError(
                .internal,
                "the encoder has stood still for \(seconds) s, as if refused memory or threads: raise their limits "
                    + "(ulimit -v, ulimit -u), or choose another codec")
        }
    }

    /// Processor time of all threads so far, in seconds.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
