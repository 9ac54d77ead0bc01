import Platform

/// Measures the most memory that something takes, beyond what the process had when the gauge was made.
struct MemoryGauge {
    private let before: Int?

    /// Begins to measure.
    init() {
        // What malloc still holds of earlier runs would be used again and not be seen.
        Malloc.givesBack()
        before = ResidentMemory.forgetsPeak() ? ResidentMemory.now : nil
    }

    /// Bytes taken at the peak so far; nil where the kernel does not allow to measure it.
    var peak: Int? {
        guard let before, let peak = ResidentMemory.peak else { return nil }
        return max(0, peak - before)
    }
}
