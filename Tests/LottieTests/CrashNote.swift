import Foundation

/// A note that is written if the process crashes, to identify the test case in the log. Not
/// thread-safe.
enum CrashNote {
    /// The maximum length of the note in bytes, including the line feed.
    private static let capacity = 200
    // Read by a signal handler, which must neither lock nor allocate.
    nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var count = 0

    /// Sets the note.
    static func set(_ note: String) {
        // The handler writes nothing while the note is incomplete.
        count = 0
        let bytes = Array(note.utf8.prefix(capacity - 1)) + [10]
        for (index, byte) in bytes.enumerated() { text[index] = byte }
        count = bytes.count
    }

    /// Installs signal handlers that write the note before a trap, a memory error or an abort ends
    /// the process, and ends the process if there is no other call within `seconds`.
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

    /// Restores the default signal handlers.
    static func end() {
        alarm(0)
        for number in [SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] { signal(number, SIG_DFL) }
        count = 0
    }
}
