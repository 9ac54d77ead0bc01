import CSystem

/// The memory of this process that is really there, in bytes.
package enum ResidentMemory {
    /// Lets the kernel begin anew with the peak. Returns whether it did; elsewhere than on Linux it never does.
    package static func forgetsPeak() -> Bool {
        #if os(Linux)
            let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return write(descriptor, "5", 1) == 1
        #else
            return false
        #endif
    }

    /// What is there now; nil if that is not known.
    package static var now: Int? { status("VmRSS") }

    /// The most that was there since the peak was forgotten; nil if that is not known.
    package static var peak: Int? { status("VmHWM") }

    private static func status(_ name: String) -> Int? {
        #if os(Linux)
            for line in systemText("/proc/self/status").split(separator: "\n") {
                let words = line.split { $0.isWhitespace }
                if words.first == "\(name):", words.count > 1 { return Int(words[1]).map { $0 * 1024 } }
            }
        #endif
        return nil
    }
}
