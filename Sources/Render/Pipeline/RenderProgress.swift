import Core
import Dispatch
import Synchronization

/// The progress of a clip. Thread-safe: workers update it, and any thread may read it.
public final class RenderProgress: Sendable {
    /// One rendering of a clip with a file size limit.
    public struct Trial: Sendable, Hashable {
        /// Its number, counted from 1.
        public let number: Int
        /// The maximum number of renderings.
        public let maxCount: Int
        /// The settings of this rendering.
        public let step: QualityStep
    }

    /// The progress at one moment.
    package struct Snapshot: Sendable {
        /// Frames drawn and encoded so far.
        package fileprivate(set) var framesEncoded = 0
        /// Frames whose colours have been counted so far. GIF needs that before encoding.
        package fileprivate(set) var framesCounted = 0
        /// The number of frames to draw and encode; 0 before the work begins.
        package fileprivate(set) var frames = 0
        /// The number of frames whose colours must be counted first; 0 for formats without
        /// palettes.
        package fileprivate(set) var framesToCount = 0
        /// The current rendering; nil for a clip without a file size limit.
        package fileprivate(set) var trial: Trial?
        /// The start of the current rendering in nanoseconds of system uptime; nil for the first
        /// one.
        package fileprivate(set) var trialStart: UInt64?
        /// The start of encoding in nanoseconds of system uptime; nil while colours are counted and
        /// for formats without palettes.
        package fileprivate(set) var encodingStart: UInt64?

        /// True while colours are counted.
        package var isCounting: Bool { framesCounted < framesToCount }

        /// The share of the work that counting colours is. Counting only draws a frame; encoding
        /// also chooses its palette and compresses it, which takes about ten times as long.
        private static let countingShare = 0.1

        /// Progress of the rendering, 0...1.
        package var share: Double {
            let encoded = min(1, Double(framesEncoded) / Double(max(1, frames)))
            guard framesToCount > 0 else { return encoded }
            let counted = min(1, Double(framesCounted) / Double(framesToCount))
            return counted * Self.countingShare + encoded * (1 - Self.countingShare)
        }
    }

    private let encoded = Atomic<Int>(0)
    private let counted = Atomic<Int>(0)
    // The counts of frames stay 0 in this snapshot: the atomics above hold them.
    private let work = Locked(Snapshot())

    /// Nothing done yet.
    package init() {}

    /// The progress now. All its values belong to the same rendering.
    package var snapshot: Snapshot {
        work.withLock { work in
            var snapshot = work
            snapshot.framesEncoded = encoded.load(ordering: .relaxed)
            snapshot.framesCounted = counted.load(ordering: .relaxed)
            return snapshot
        }
    }

    /// Frames drawn and encoded so far.
    package var framesEncoded: Int { snapshot.framesEncoded }

    /// The number of frames to draw and encode; 0 before the work begins.
    package var frames: Int { snapshot.frames }

    /// Progress of the rendering, 0...1.
    package var share: Double { snapshot.share }

    /// Starts a rendering with the given amount of work.
    func begin(frames: Int, framesToCount: Int) {
        work.withLock { work in
            resetCounts()
            work.frames = frames
            work.framesToCount = framesToCount
            work.encodingStart = nil
        }
    }

    /// Starts a trial of a clip with a file size limit.
    func begin(_ trial: Trial) {
        work.withLock { work in
            resetCounts()
            work.frames = 0
            work.framesToCount = 0
            work.encodingStart = nil
            work.trial = trial
            if trial.number > 1 { work.trialStart = DispatchTime.now().uptimeNanoseconds }
        }
    }

    /// Starts encoding after colours have been counted.
    func beginEncoding() {
        work.withLock { $0.encodingStart = DispatchTime.now().uptimeNanoseconds }
    }

    /// Sets the counts to zero. The caller holds the lock of `work`.
    private func resetCounts() {
        encoded.store(0, ordering: .relaxed)
        counted.store(0, ordering: .relaxed)
    }

    func countFrame() { encoded.add(1, ordering: .relaxed) }

    func countColors() { counted.add(1, ordering: .relaxed) }
}
