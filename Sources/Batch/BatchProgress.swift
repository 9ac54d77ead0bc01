import Platform
import Pipeline

/// How far a batch is. Whoever shows it reads, from any thread.
public final class BatchProgress: Sendable {
    /// A part of the work: frames, and what drawing and encoding them costs in pixels.
    struct Amount: Sendable {
        var frames = 0
        var cost = 0
    }

    private struct State {
        var total = Amount()
        var done = Amount()
        var clips = 0
        var clipsDone = 0
        var running: [Int: (amount: Amount, progress: RenderProgress)] = [:]
    }

    private let state = Locked(State())

    /// Nothing done yet.
    public init() {}

    /// Frames drawn so far, and frames to draw. A clip that ended counts in full, whatever became of it.
    public var frames: (done: Int, total: Int) {
        state.withLock { state in
            (state.running.values.reduce(state.done.frames) { $0 + $1.progress.framesEncoded }, state.total.frames)
        }
    }

    /// Clips that ended, and clips to render.
    public var clips: (done: Int, total: Int) { state.withLock { ($0.clipsDone, $0.clips) } }

    /// How much of the work is done, 0...1, large frames counting for more than small ones.
    public var share: Double {
        state.withLock { state in
            let done = state.running.values.reduce(Double(state.done.cost)) { done, clip in
                let share = Double(clip.progress.framesEncoded) / Double(max(1, clip.amount.frames))
                return done + min(1, share) * Double(clip.amount.cost)
            }
            return state.total.cost > 0 ? min(1, done / Double(state.total.cost)) : 1
        }
    }

    func begin(_ clips: [Amount]) {
        state.withLock { state in
            state.clips = clips.count
            state.total = Amount(
                frames: clips.reduce(0) { $0 + $1.frames }, cost: clips.reduce(0) { $0 + $1.cost })
        }
    }

    func start(_ clip: Int, _ amount: Amount, _ progress: RenderProgress) {
        state.withLock { $0.running[clip] = (amount, progress) }
    }

    func end(_ clip: Int, _ amount: Amount) {
        state.withLock { state in
            state.running[clip] = nil
            state.clipsDone += 1
            state.done.frames += amount.frames
            state.done.cost += amount.cost
        }
    }
}
