import Platform
import Dispatch

/// Where a run's time went, summed over its threads.
///
/// A worker's time, and that of the thread that draws ahead for it, is all of it in `scene`, `raster`, `convert`, `encode` or
/// `wait`; the muxing thread's time is counted while it muxes only, and that of an encoder's own threads not at all.
public final class RenderProfile: Sendable {
    /// What a thread does.
    public enum Stage: Int, CaseIterable, Sendable {
        /// Evaluating the loader.
        case scene
        /// Drawing.
        case raster
        /// From the surface's pixels to the codec's.
        case convert
        /// Opening encoders, encoding and closing them.
        case encode
        /// Writing the container; not waiting for the disk at its end.
        case mux
        /// A thread without work: no room for results or pictures, none left, or all cores taken by others.
        case wait
    }

    private let spent = Locked([UInt64](repeating: 0, count: Stage.allCases.count))

    /// Nothing done yet.
    public init() {}

    /// Seconds of one stage so far; waiting is known at the end only.
    public subscript(stage: Stage) -> Double { Double(spent.withLock { $0[stage.rawValue] }) / 1e9 }

    /// Adds what a clock has measured, which begins anew.
    func add(_ clock: inout StageClock) {
        spent.withLock { spent in for index in spent.indices { spent[index] += clock.spent[index] } }
        clock = StageClock()
    }

    /// Counts as waiting what is left of the threads' time. To be called when the last result is there.
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

/// One thread's stopwatch: the time since the last lap goes to the stage that the lap names. A lap takes some 40 ns.
struct StageClock {
    fileprivate private(set) var spent = [UInt64](repeating: 0, count: RenderProfile.Stage.allCases.count)
    private var last = DispatchTime.now().uptimeNanoseconds

    /// Forgets the time since the last lap.
    mutating func restart() { last = DispatchTime.now().uptimeNanoseconds }

    /// Gives the time since the last lap to a stage.
    mutating func lap(_ stage: RenderProfile.Stage) {
        let now = DispatchTime.now().uptimeNanoseconds
        spent[stage.rawValue] += now - last
        last = now
    }
}
