import CTermination
import Core
import Render

/// The results that a command prints.
enum ConsoleOutput {
    private static let hasLostText = Locked(false)

    /// True if a result was printed although standard output was closed.
    static var isLost: Bool { hasLostText.withLock { $0 } }

    /// Prints a text to standard output.
    static func write(_ text: String, terminator: String = "\n") {
        if !Machine.hasStandardOutput { hasLostText.withLock { $0 = true } }
        print(text, terminator: terminator)
    }
}

/// The maximum length of a word in a message, in Unicode scalars. Paths are seldom longer;
/// untrusted text may be.
private let maxWordLength = 400

/// Returns a line for a terminal or a log, with untrusted text made visible.
private func logged(_ line: String) -> String {
    ActionsLog.isActive ? WorkflowCommand.disarmed(line.visible) : line.visible
}

/// Writes a line to standard error.
///
/// - Parameter waits: true to wait for a blocked reader; false may drop the line.
func printError(_ line: String, waits: Bool = true) {
    writeRaw(logged(line.abbreviatingWords(to: maxWordLength)) + "\n", to: STDERR_FILENO, waits: waits)
}

/// Writes a line about a finished file to standard output. Ignores write errors, since the file is
/// complete.
func printResult(_ line: String) { printResults([line]) }

/// Writes lines to standard output, each of which may quote untrusted text. Ignores write errors.
func printResults(_ lines: [String]) { writeRaw(lines.map { logged($0) + "\n" }.joined(), to: STDOUT_FILENO) }

/// Prints lines at once, each of which may quote untrusted text. The program checks for write
/// errors when it ends.
func printLines(_ lines: [String]) {
    ConsoleOutput.write(lines.map(logged).joined(separator: "\n"))
    _ = lv_flush_output()
}

/// Prints a text of several lines, which may quote untrusted text. The program checks for write
/// errors when it ends.
func printText(_ text: String, terminator: String = "\n") {
    // By scalars: a `Character` such as CR LF, or a joiner after it, would hide an end of line.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    ConsoleOutput.write(lines.map { logged(String($0)) }.joined(separator: "\n"), terminator: terminator)
}

/// Prints a JSON document, whose texts may be untrusted. A backslash would make it invalid, so
/// JSON escapes keep GitHub's runner from interpreting a text.
func printJSON(_ text: String, terminator: String = "\n") {
    ConsoleOutput.write(loggedJSON(text), terminator: terminator)
}

/// Prints a YAML document that has untrusted text only in double quotes, with JSON's escapes.
func printYAML(_ text: String) { printJSON(text, terminator: "") }

/// Prints CSV, whose cells are unchanged except for hidden characters.
func printCSV(_ text: String, terminator: String = "\n") {
    ConsoleOutput.write(text.visibleLines, terminator: terminator)
}

/// Returns a JSON document for a terminal or a log.
func loggedJSON(_ text: String) -> String {
    ActionsLog.isActive ? WorkflowCommand.disarmedJSON(text.visibleLines) : text.visibleLines
}

/// One lock per descriptor: writes to a descriptor are serialised, and a blocked one does not delay
/// the others.
private let descriptorLocks = [Locked(()), Locked(()), Locked(())]

/// Writes unmodified text to standard output or standard error. Waits for a reader that does not
/// read, but gives up soon after an interruption.
///
/// - Parameter waits: true to wait for a blocked reader; false drops text that does not fit into
///   the pipe.
func writeRaw(_ text: String, to descriptor: Int32, waits: Bool = true) {
    descriptorLocks[Int(descriptor)].withLock { _ in
        let descriptor = descriptor == STDERR_FILENO ? lv_error_descriptor() : descriptor
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while rest.count > 0, hasRoom(descriptor, waits: waits || rest.count < bytes.count) {
                // A pipe that is ready for writing takes PIPE_BUF bytes at once, without blocking.
                let count = write(descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
                if count < 0, errno != EAGAIN, errno != EINTR { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
        }
    }
}

/// Returns true if a descriptor is ready for writing. With `waits`, polls until it is, but only
/// three more times (0.3 s) after an interruption.
private func hasRoom(_ descriptor: Int32, waits: Bool) -> Bool {
    var pollsLeft = 3
    while pollsLeft > 0 {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&state, 1, waits ? 100 : 0)
        // After an error of poll, the write reports the error.
        if ready > 0 || ready < 0 && errno != EINTR { return true }
        guard waits else { return false }
        if Interruption.isRequested { pollsLeft -= 1 }
    }
    return false
}
