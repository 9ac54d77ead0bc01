import Core
import Dispatch

/// The time and memory of a run.
struct RunCost {
    /// Wall time in seconds.
    let seconds: Double
    /// CPU time of all threads in seconds.
    let cpuSeconds: Double
    /// Peak memory in bytes, relative to the start of the run; nil if it cannot be measured.
    let peak: Int?
}

/// A gauge of time and memory that starts at its creation.
struct RunGauge {
    private let memory = MemoryGauge()
    private let processor = Resources.cpuSeconds
    private let start = DispatchTime.now().uptimeNanoseconds

    /// The cost so far.
    var cost: RunCost {
        let now = DispatchTime.now().uptimeNanoseconds
        return RunCost(
            seconds: Double(now - start) / 1e9, cpuSeconds: Resources.cpuSeconds - processor,
            peak: memory.peak)
    }
}
