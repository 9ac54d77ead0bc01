import Core
import Dispatch

/// A queue of frames from a thread that draws ahead to the thread that uses them.
package final class FrameQueue<Frame>: Sendable {
    /// The number of frames that may still be drawn ahead.
    private let room = DispatchSemaphore(value: 0)
    private let drawn = DispatchSemaphore(value: 0)
    private let state = Locked((results: [Result<Frame, any Error>](), isStopped: false))

    /// Creates a queue with room for `count` frames.
    package init(_ count: Int) { for _ in 0..<count { room.signal() } }

    /// Draws frames in order while there is room, until one fails or the queue is stopped.
    package func fill(_ frames: Range<Int>, _ draw: (Int) throws -> Frame) {
        for frame in frames {
            guard takeRoom() else { break }
            let result = Result { try draw(frame) }
            state.withLock { $0.results.append(result) }
            drawn.signal()
            if case .failure = result { break }
        }
    }

    /// Waits for room. Returns false if the drawing should stop.
    private func takeRoom() -> Bool {
        guard !state.withLock({ $0.isStopped }) else { return false }
        room.wait()
        return !state.withLock { $0.isStopped }
    }

    /// Waits for the next frame. Throws the error that stopped the drawing.
    package func next() throws -> Frame {
        drawn.wait()
        return try state.withLock { $0.results.removeFirst() }.get()
    }

    /// Makes room for another frame.
    package func addRoom() { room.signal() }

    /// Stops the drawing after the current frame.
    package func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
