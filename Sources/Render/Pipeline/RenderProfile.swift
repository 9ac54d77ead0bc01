import Core
import Dispatch

/// The time that a run spends in each stage, summed over its threads. Thread-safe.
///
/// The whole time of workers, and of the threads that draw ahead for them, is in `scene`, `raster`,
/// `convert`, `encode` or `wait`. The muxing thread's time counts only while it muxes. The time of
/// an encoder's own threads does not count.
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
        /// Idle: no room for results or frames, no work left, or no free core.
        case wait
    }

    private let spent = Locked([UInt64](repeating: 0, count: Stage.allCases.count))

    /// A profile with all times 0.
    package init() {}

    /// The seconds spent in a stage so far. The waiting time is known only at the end.
    package subscript(stage: Stage) -> Double { Double(spent.withLock { $0[stage.rawValue] }) / 1e9 }

    /// Adds the times of a clock and resets the clock.
    func add(_ clock: inout StageClock) {
        spent.withLock { spent in for index in spent.indices { spent[index] += clock.spent[index] } }
        clock = StageClock()
    }

    /// Counts the rest of the threads' time as waiting. Call it after the last result.
    func end(threads: Int, after nanoseconds: UInt64) {
        spent.withLock { spent in
            let busy = [.scene, .raster, .convert, .encode].reduce(UInt64(0)) { (sum, stage: Stage) in
                sum + spent[stage.rawValue]
            }
            let available = UInt64(threads) * nanoseconds
            spent[Stage.wait.rawValue] = available - min(available, busy)
        }
    }
}

/// A thread's stopwatch. Each lap assigns the time since the previous one to a stage, and takes
/// about 40 ns.
struct StageClock {
    fileprivate private(set) var spent = [UInt64](repeating: 0, count: RenderProfile.Stage.allCases.count)
    private var last = DispatchTime.now().uptimeNanoseconds

    /// Discards the time since the last lap.
    mutating func restart() { last = DispatchTime.now().uptimeNanoseconds }

    /// Assigns the time since the last lap to a stage.
    mutating func lap(_ stage: RenderProfile.Stage) {
        let now = DispatchTime.now().uptimeNanoseconds
        spent[stage.rawValue] += now - last
        last = now
    }
}
