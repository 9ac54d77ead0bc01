import Core

/// A gauge of the peak of resident memory, relative to the memory when it was created.
struct MemoryGauge {
    private let before: Int?

    /// Starts measuring.
    init() {
        // Memory that malloc holds from earlier runs would be reused without being counted.
        Malloc.trim()
        before = ResidentMemory.resetPeak() ? ResidentMemory.now : nil
    }

    /// The peak so far in bytes; nil if the kernel does not allow measuring it.
    var peak: Int? {
        guard let before, let peak = ResidentMemory.peak else { return nil }
        return max(0, peak - before)
    }
}
