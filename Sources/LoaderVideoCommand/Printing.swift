import Platform
import Pipeline

/// Writes a line to standard error.
func printError(_ line: String) { writeRaw(line.visible + "\n", to: STDERR_FILENO) }

/// Writes the line that says what was made to standard output. The file is complete by then, so that a closed output is
/// no failure.
func printResult(_ line: String) { writeRaw(line.visible + "\n", to: STDOUT_FILENO) }

/// Writes lines to standard output in the same way, each of which may quote the user.
func printResults(_ lines: [String]) { writeRaw(lines.map { $0.visible + "\n" }.joined(), to: STDOUT_FILENO) }

/// What is written to each descriptor comes one after the other, and who waits for one does not hold up the other.
private let turns = [Locked(()), Locked(()), Locked(())]

/// Writes to standard output or standard error as it is. Where nobody reads it waits, but not past a wish to stop.
///
/// - Parameter waits: whether to wait at all; otherwise what finds no room is left out.
func writeRaw(_ text: String, to descriptor: Int32, waits: Bool = true) {
    turns[Int(descriptor)].withLock { _ in
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while rest.count > 0, hasRoom(descriptor, waits: waits || rest.count < bytes.count) {
                // What a pipe with room takes in one piece, without waiting.
                let count = write(descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
                if count < 0, errno != EAGAIN, errno != EINTR { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
        }
    }
}

/// Whether a descriptor takes a line now or soon: as long as nobody wants the program to end, soon may be any time.
private func hasRoom(_ descriptor: Int32, waits: Bool) -> Bool {
    var turnsLeft = 3
    while turnsLeft > 0 {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&state, 1, waits ? 100 : 0)
        // Errors are for the write to meet.
        if ready > 0 || ready < 0 && errno != EINTR { return true }
        guard waits else { return false }
        if Interruption.isWanted { turnsLeft -= 1 }
    }
    return false
}
