import Dispatch
import Glibc

/// What a run took.
struct RunCost {
    /// Wall time in seconds.
    let seconds: Double
    /// Processor time of all threads in seconds.
    let processorSeconds: Double
    /// The most memory, in bytes beyond what the process had before; nil if that cannot be measured.
    let peak: Int?
}

/// Measures what is done from its making on.
struct RunGauge {
    private let memory = MemoryGauge()
    private let processor = RunGauge.processorSeconds
    private let start = DispatchTime.now().uptimeNanoseconds

    /// What was taken so far.
    var cost: RunCost {
        let now = DispatchTime.now().uptimeNanoseconds
        return RunCost(
            seconds: Double(now - start) / 1e9, processorSeconds: RunGauge.processorSeconds - processor,
            peak: memory.peak)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
