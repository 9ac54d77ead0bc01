import Core

/// The CPU time that a run spends in each stage, summed over its threads. Thread-safe.
///
/// The time of workers, and of the threads that draw ahead for them, is in `scene`, `raster`,
/// `convert` or `encode`, and the rest of their wall time in `wait`. The muxing thread's time
/// counts only while it muxes. The time of an encoder's own threads does not count.
package final class RenderProfile: Sendable {
    /// A stage of rendering.
    package enum Stage: Int, CaseIterable, Sendable {
        /// Evaluating the loader.
        case scene
        /// Drawing.
        case raster
        /// Converting pixels to the encoder's format.
        case convert
        /// Opening encoders, encoding and closing them.
        case encode
        /// Writing the container, without the final flush to disk.
        case mux
        /// Idle: no room for results or frames, no work left, no free core, or the encoder's own
        /// threads at work.
        case wait
    }

    private let spent = Locked([Double](repeating: 0, count: Stage.allCases.count))

    /// A profile with all times 0.
    package init() {}

    /// The seconds spent in a stage so far. The waiting time is known only at the end.
    package subscript(stage: Stage) -> Double { spent.withLock { $0[stage.rawValue] } }

    /// Adds the times of a clock and resets the clock.
    func add(_ clock: inout StageClock) {
        spent.withLock { spent in for index in spent.indices { spent[index] += clock.spent[index] } }
        clock = StageClock()
    }

    /// Counts the rest of the threads' time as waiting. Call it after the last result.
    func end(threads: Int, after seconds: Double) {
        spent.withLock { spent in
            let busy = [Stage.scene, .raster, .convert, .encode].reduce(0) { $0 + spent[$1.rawValue] }
            spent[Stage.wait.rawValue] = max(0, Double(threads) * seconds - busy)
        }
    }
}

/// A stopwatch of the calling thread's CPU time. Each lap assigns the time since the previous one
/// to a stage. Between a restart and the laps after it, only one thread may use it.
///
/// Wall time would include that of other programs on a busy machine.
struct StageClock {
    fileprivate private(set) var spent = [Double](repeating: 0, count: RenderProfile.Stage.allCases.count)
    private var last = Resources.threadSeconds

    /// Discards the time since the last lap.
    mutating func restart() { last = Resources.threadSeconds }

    /// Assigns the time since the last lap to a stage.
    mutating func lap(_ stage: RenderProfile.Stage) {
        let now = Resources.threadSeconds
        spent[stage.rawValue] += now - last
        last = now
    }
}
