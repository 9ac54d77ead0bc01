import Dispatch
import Platform

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
    private let processor = Resources.processorSeconds
    private let start = DispatchTime.now().uptimeNanoseconds

    /// What was taken so far.
    var cost: RunCost {
        let now = DispatchTime.now().uptimeNanoseconds
        return RunCost(
            seconds: Double(now - start) / 1e9, processorSeconds: Resources.processorSeconds - processor,
            peak: memory.peak)
    }
}
