import Core
import Render

/// The progress of a batch. Thread-safe.
package final class BatchProgress: Sendable {
    /// A part of the work: frames, and the pixels to draw and encode.
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

    /// The progress of a batch that has not started.
    package init() {}

    /// Frames drawn so far, and frames to draw. A finished clip counts in full, even if it failed.
    package var frames: (done: Int, total: Int) {
        state.withLock { state in
            let running = state.running.values.reduce(0) { $0 + $1.progress.framesDone(of: $1.amount.frames) }
            return (state.done.frames + running, state.total.frames)
        }
    }

    /// Finished clips, and clips to render.
    package var clips: (done: Int, total: Int) { state.withLock { ($0.clipsDone, $0.clips) } }

    /// The fraction of the work that is done, 0...1, weighted by pixels.
    package var share: Double {
        state.withLock { state in
            let done = state.running.values.reduce(Double(state.done.cost)) { done, clip in
                let share = clip.progress.isRepeated ? 1 : clip.progress.share
                return done + share * Double(clip.amount.cost)
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

    func start(_ clip: Int, amount: Amount, progress: RenderProgress) {
        state.withLock { $0.running[clip] = (amount, progress) }
    }

    func end(_ clip: Int, amount: Amount) {
        state.withLock { state in
            state.running[clip] = nil
            state.clipsDone += 1
            state.done.frames += amount.frames
            state.done.cost += amount.cost
        }
    }
}

extension RenderProgress {
    /// True if the clip is rendered again for its file size limit. It then counts in full, because
    /// the number of remaining trials is unknown.
    fileprivate var isRepeated: Bool { (snapshot.trial?.number ?? 1) > 1 }

    fileprivate func framesDone(of frames: Int) -> Int { isRepeated ? frames : min(frames, framesEncoded) }
}
