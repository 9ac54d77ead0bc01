import CSystem

/// The resident set size of this process in bytes.
package enum ResidentMemory {
    /// Resets the kernel's peak value. Returns true on success; only Linux supports it.
    package static func resetPeak() -> Bool {
        #if os(Linux)
            let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return write(descriptor, "5", 1) == 1
        #else
            return false
        #endif
    }

    /// The current size; nil if it is unknown.
    package static var now: Int? { status("VmRSS") }

    /// The peak size since the last reset; nil if it is unknown.
    package static var peak: Int? { status("VmHWM") }

    private static func status(_ name: String) -> Int? {
        #if os(Linux)
            for line in kernelFileText("/proc/self/status").split(separator: "\n") {
                let words = line.split { $0.isWhitespace }
                if words.first == "\(name):", words.count > 1 { return Int(words[1]).map { $0 * 1024 } }
            }
        #endif
        return nil
    }
}
