import Core
import Media

/// Standard output as a byte sink. It cannot seek, and a closed pipe is an ordinary error.
package final class StandardOutput: ByteSink {
    private let cancellation: CancellationToken
    private var written = 0

    package let isSeekable = false

    /// A sink whose waiting writes end when `cancellation` is requested.
    package init(cancellation: CancellationToken = CancellationToken()) { self.cancellation = cancellation }

    /// The number of bytes written so far.
    package var byteCount: Int { written }

    /// Writes bytes, and waits for the reader unless the work is cancelled.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while rest.count > 0 {
            try cancellation.check()
            var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&state, 1, 100) > 0 else { continue }
            // A ready pipe has room for this much, so a write never blocks past a cancellation.
            let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
            let count = Core.write(STDOUT_FILENO, chunk.baseAddress, chunk.count)
            guard count >= 0 else {
                if errno == EAGAIN || errno == EINTR { continue }
                guard errno == EPIPE else { throw LoadervidError(errno: errno, .write, "to standard output") }
                throw LoadervidError(
                    .inputOutput,
                    "cannot write to standard output: Broken pipe, because its reader ended early; read that program's "
                        + "messages, or write to a file")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            written += count
        }
    }

    /// Always throws, because a pipe cannot seek.
    package func seek(to offset: Int64) throws { throw LoadervidError(.internal, "standard output cannot seek") }

    /// Always nil, because the bytes written to a pipe cannot be read back.
    package func reader() -> InputFile? { nil }
}
