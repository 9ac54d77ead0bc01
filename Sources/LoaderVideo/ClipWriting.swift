import Core
import Media

/// The progress of writing a clip.
public struct ClipProgress: Sendable, Hashable {
    /// The number of frames drawn and encoded so far in the current rendering.
    public let encodedFrames: Int
    /// The total number of frames to draw and encode. Repeated frames of the clip do not count.
    public let frameCount: Int
    /// Progress of the current rendering, 0...1. In a GIF, counting colours is part of it. A clip
    /// with a file size limit is rendered several times; each rendering starts at 0.
    public let fraction: Double
    /// The number and settings of the current rendering; nil without a file size limit.
    public let trial: RenderProgress.Trial?
}

/// An operation that writes a clip into a file.
public final class ClipWriting: Sendable {
    /// The progress: a report about every 50 milliseconds if it changed, and a last one at the end,
    /// even if it did not. Finishes when `run()` ends.
    public let progress: AsyncStream<ClipProgress>
    private let reports: AsyncStream<ClipProgress>.Continuation
    private let plan: RenderPlan
    private let path: String
    private let overwrites: Bool
    private let sidecars: [Sidecar]
    private let filesInUse: FilesInUse
    private let pipeline: RenderPipeline
    private let hasRun = Locked(false)

    init(
        _ plan: RenderPlan, to path: String, overwrites: Bool, sidecars: [Sidecar], jobs: Int,
        filesInUse: FilesInUse
    ) {
        self.plan = plan
        self.path = path
        self.overwrites = overwrites
        self.sidecars = sidecars
        self.filesInUse = filesInUse
        pipeline = RenderPipeline([plan], jobs: jobs, memory: Resources.memory / 2)
        // Only the latest report is kept, so that memory does not grow if nothing reads the stream.
        (progress, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Writes the clip. Must be called only once. Returns when the file is complete.
    ///
    /// Throws `LoadervidError`, or `CancellationError` if the task is cancelled, after all partial
    /// files are removed. Cancellation takes effect within a frame or two.
    public func run() async throws -> RenderReport {
        precondition(
            !hasRun.withLock { hasRun in
                defer { hasRun = true }
                return hasRun
            }, "run() must be called only once")
        defer { reports.finish() }
        return try await withTaskCancellationHandler {
            let watching = Task { await watch() }
            let result = await renderOnThread()
            watching.cancel()
            // The final report must be the last one.
            await watching.value
            reportProgress()
            do { return try result.get() } catch let error as LoadervidError where error.kind == .interrupted {
                throw CancellationError()
            }
        } onCancel: {
            pipeline.cancellation.cancel()
        }
    }

    /// Renders on a separate thread: rendering blocks, and the threads of Swift's cooperative pool
    /// must not. Unlike a dispatch queue, a thread reports when the system refuses it.
    private func renderOnThread() async -> Result<RenderReport, any Error> {
        await withCheckedContinuation { continuation in
            let isStarted = ThreadGroup().start { [self] in
                continuation.resume(returning: Result { try render() })
            }
            guard !isStarted else { return }
            let reason =
                "rendering needs one more thread than the limits allow; raise the limit on processes (ulimit -u)"
            continuation.resume(returning: .failure(LoadervidError(.internal, reason)))
        }
    }

    private func render() throws -> RenderReport {
        try pipeline.cancellation.check()
        let file = try FilesInUse.$current.withValue(filesInUse) {
            try OutputFile(path: path, overwrites: overwrites)
        }
        try plan.add(sidecars, to: file)
        return try pipeline.run(to: .file(file))
    }

    private func watch() async {
        var latest = ClipProgress(RenderProgress(), plan)
        while !Task.isCancelled {
            let now = ClipProgress(pipeline.progress, plan)
            if now != latest {
                latest = now
                reports.yield(now)
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func reportProgress() { reports.yield(ClipProgress(pipeline.progress, plan)) }
}

extension ClipProgress {
    /// The progress of a clip. Before rendering begins, the frame count comes from the plan.
    fileprivate init(_ progress: RenderProgress, _ plan: RenderPlan) {
        let now = progress.snapshot
        encodedFrames = now.framesEncoded
        frameCount = now.frames > 0 ? now.frames : plan.framesToEncode
        fraction = now.share
        trial = now.trial
    }
}
