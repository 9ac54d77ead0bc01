import Foundation

/// What is written when this process is ended by a mistake, so that whoever reads the log knows what it was at.
enum CrashNote {
    private static let room = 200
    // Read by a signal's handler, which may take no lock and no memory.
    nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    nonisolated(unsafe) private static var count = 0

    /// Sets what is written. Not for use from two threads at once.
    static func set(_ words: String) {
        count = 0
        let bytes = Array(words.utf8.prefix(room - 1)) + [10]
        for (index, byte) in bytes.enumerated() { text[index] = byte }
        count = bytes.count
    }

    /// Writes the note before a trap, a bad access or an abort ends the process, and when `seconds` have passed without another
    /// call.
    static func watch(for seconds: UInt32) {
        for number in [SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] {
            signal(number) { number in
                _ = write(2, CrashNote.text, CrashNote.count)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        alarm(seconds)
    }

    /// Leaves signals to what they do by themselves.
    static func end() {
        alarm(0)
        for number in [SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] { signal(number, SIG_DFL) }
        count = 0
    }
}
