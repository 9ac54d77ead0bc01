import Pipeline

/// How far a batch is. Whoever shows it reads, from any thread.
public final class BatchProgress: Sendable {
    private struct State {
        var totalFrames = 0
        var clips = 0
        var clipsDone = 0
        var framesDone = 0
        var running: [Int: RenderProgress] = [:]
    }

    private let state = Locked(State())

    /// Nothing done yet.
    public init() {}

    /// Frames to draw in all, and frames drawn so far. A clip that ended counts in full, whatever became of it.
    public var frames: (done: Int, total: Int) {
        state.withLock { state in
            (state.running.values.reduce(state.framesDone) { $0 + $1.framesEncoded }, state.totalFrames)
        }
    }

    /// Clips to render, and clips that ended.
    public var clips: (done: Int, total: Int) { state.withLock { ($0.clipsDone, $0.clips) } }

    func begin(clips: Int, frames: Int) { state.withLock { ($0.clips, $0.totalFrames) = (clips, frames) } }

    func start(_ clip: Int, _ progress: RenderProgress) { state.withLock { $0.running[clip] = progress } }

    func end(_ clip: Int, frames: Int) {
        state.withLock { state in
            state.running[clip] = nil
            state.clipsDone += 1
            state.framesDone += frames
        }
    }
}
