import CSystem
import Glibc

/// Measures the most memory that something takes, beyond what the process had when the gauge was made.
struct MemoryGauge {
    private let before: Int?

    /// Begins to measure.
    init() {
        // What malloc still holds of earlier runs would be used again and not be seen.
        malloc_trim(0)
        before = MemoryGauge.forgetPeak() ? MemoryGauge.status("VmRSS") : nil
    }

    /// Bytes taken at the peak so far; nil where the kernel does not allow to measure it.
    var peak: Int? {
        guard let before, let peak = MemoryGauge.status("VmHWM") else { return nil }
        return max(0, peak - before)
    }

    /// Lets the kernel begin anew with the process's peak. Returns whether it did.
    private static func forgetPeak() -> Bool {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, "5", 1) == 1
    }

    /// A figure of the process in bytes.
    private static func status(_ name: String) -> Int? {
        guard let file = fopen("/proc/self/status", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split { $0.isWhitespace }
            if words.first == "\(name):", words.count > 1 { return Int(words[1]).map { $0 * 1024 } }
        }
        return nil
    }
}
