import Media
import Platform

/// How far a clip is.
public struct ClipProgress: Sendable, Hashable {
    /// Frames that were drawn and encoded so far.
    public let encodedFrames: Int
    /// Frames that are drawn and encoded in all; the others are played again.
    public let frameCount: Int
    /// How much is done, 0...1.
    public var fraction: Double { frameCount > 0 ? Double(encodedFrames) / Double(frameCount) : 1 }
}

/// A clip on its way into a file.
public final class ClipWriting: Sendable {
    /// How far it is, whenever that changes and a twentieth of a second has passed; ends when the clip does.
    public let progress: AsyncStream<ClipProgress>
    private let reports: AsyncStream<ClipProgress>.Continuation
    private let plan: RenderPlan
    private let path: String
    private let overwrites: Bool
    private let companions: [ClipCompanion]
    private let pipeline: RenderPipeline
    private let hasRun = Locked(false)

    init(_ plan: RenderPlan, to path: String, overwrites: Bool, companions: [ClipCompanion], jobs: Int) {
        (self.plan, self.path, self.overwrites, self.companions) = (plan, path, overwrites, companions)
        pipeline = RenderPipeline([plan], jobs: jobs, memory: Resources.memory / 2)
        // Who does not look must not make memory grow.
        (progress, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Writes the clip; once only. It ends with the file in its place, or with nothing left behind: a cancelled task is
    /// waited for, which takes a picture or two.
    public func run() async throws -> RenderReport {
        precondition(
            !hasRun.withLock { hasRun in
                defer { hasRun = true }
                return hasRun
            }, "a clip's writing runs once")
        defer { reports.finish() }
        return try await withTaskCancellationHandler {
            let watching = Task { await watch() }
            let result = await rendered()
            watching.cancel()
            // What it tells last must not come after the end.
            await watching.value
            tell()
            return try result.get()
        } onCancel: {
            pipeline.cancellation.cancel()
        }
    }

    /// Renders on a thread of its own: that waits for its workers, which Swift's few threads must not. Unlike a dispatch
    /// queue it can be refused, and then that is known.
    private func rendered() async -> Result<RenderReport, any Error> {
        await withCheckedContinuation { continuation in
            let isStarted = ThreadGroup().start { [self] in
                continuation.resume(returning: Result { try render() })
            }
            guard !isStarted else { return }
            let reason = "there may be no more threads: raise the limit of processes (ulimit -u)"
            continuation.resume(returning: .failure(RenderError(.internal, reason)))
        }
    }

    private func render() throws -> RenderReport {
        try pipeline.cancellation.check()
        let file = try OutputFile(path: path, overwrites: overwrites)
        try plan.add(companions, to: file)
        return try pipeline.run(to: .file(file))
    }

    private func watch() async {
        var told = 0
        while !Task.isCancelled {
            if pipeline.progress.framesEncoded != told {
                told = pipeline.progress.framesEncoded
                tell()
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func tell() {
        reports.yield(ClipProgress(encodedFrames: pipeline.progress.framesEncoded, frameCount: plan.framesToEncode))
    }
}
