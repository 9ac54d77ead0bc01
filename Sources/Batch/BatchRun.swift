import Core
import Dispatch
import Media
import Render

/// A run of a batch's plan, which renders outputs that are missing or out of date, on all cores.
///
/// As many clips as there are cores run concurrently, and each may use all cores. A shared
/// semaphore limits the number of busy threads to the number of cores. So small clips run side by
/// side, the last clips use all cores, and no core is idle while segments are left.
package final class BatchRun: Sendable {
    /// The outputs of one clip to render.
    private struct Work: Sendable {
        typealias Item = (output: BatchPlan.Output, reason: String, replaces: Bool)

        let index: Int
        let clip: BatchPlan.PlannedClip
        let items: [Item]

        /// The amount of work: frames are drawn once, and encoded for each output.
        var amount: BatchProgress.Amount {
            BatchProgress.Amount(
                frames: items[0].output.requested.plan.framesToEncode,
                cost: items.reduce(0) { $0 + $1.output.requested.cost })
        }
    }

    let plan: BatchPlan
    let directory: OutputDirectory
    let state: BatchState
    private let progress: BatchProgress
    private let options: Options
    private let cancellation: CancellationToken
    private let observer: @Sendable (BatchEvent) -> Void
    private let cores: ResourceSemaphore
    private let memory: ResourceSemaphore
    private let results = Locked<[String: OutputResult]>([:])
    private let hasFailedFast = Locked(false)
    /// Presets and the files they refer to, which no output may replace. Task-local values do not
    /// reach new threads, so the batch passes it on.
    private let filesInUse = FilesInUse.current

    /// A run in a directory that `state` has locked.
    ///
    /// - Parameters:
    ///   - progress: updated while the batch runs.
    ///   - observer: called with each event, from any thread.
    package init(
        _ plan: BatchPlan, in directory: OutputDirectory, state: BatchState, options: Options,
        cancellation: CancellationToken,
        progress: BatchProgress = BatchProgress(), observer: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) {
        self.plan = plan
        self.directory = directory
        self.state = state
        self.options = options
        self.cancellation = cancellation
        self.progress = progress
        self.observer = observer
        cores = ResourceSemaphore(options.cores)
        memory = ResourceSemaphore(options.memory)
    }

    /// Runs the batch. Failures of outputs are in the report. Throws `LoadervidError` if the
    /// manifest cannot be written.
    package func run() throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let states = OutputState.all(of: plan, in: directory, known: state.known, options)
        try state.begin(manifest(states))
        // The batch's own manifest now has all their records, and their plans are outdated.
        if plan.shard == nil { state.removeShardFiles() }
        let work = plan.clips.enumerated().compactMap { self.work($1, index: $0, states: states) }
        progress.begin(work.map(\.amount))
        let stale = work.reduce(0) { $0 + $1.items.count }
        observer(.began(outputs: states.count, stale: stale, frames: progress.frames.total))
        reportUnrendered(states)
        distribute(work, threads: options.cores) { self.render($0) }
        let isInterrupted = cancellation.isCancelled && !hasFailedFast.withLock { $0 }
        return BatchReport(
            outputs: results.withLock { $0.values.sorted { $0.path < $1.path } }, orphans: orphans(),
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isInterrupted: isInterrupted)
    }

    // MARK: Existing outputs

    private func work(_ clip: BatchPlan.PlannedClip, index: Int, states: [String: OutputState]) -> Work? {
        let items = clip.outputs.compactMap { output -> Work.Item? in
            guard case .stale(let reason, let replaces, _)? = states[output.requested.path] else { return nil }
            return (output, reason.description, replaces)
        }
        return items.isEmpty ? nil : Work(index: index, clip: clip, items: items)
    }

    /// Reports outputs that are not rendered, because they are up to date or must not be replaced.
    private func reportUnrendered(_ states: [String: OutputState]) {
        for clip in plan.clips {
            for output in clip.outputs {
                switch states[output.requested.path] {
                case .upToDate(let record)?: finish(output, of: clip, as: .upToDate, record: record)
                case .refused(let error)?: finish(output, of: clip, as: .failed, error: error)
                case .stale?, nil: continue
                }
            }
        }
    }

    // MARK: Rendering

    private func render(_ work: Work) {
        defer { progress.end(work.index, amount: work.amount) }
        // Waits for memory before opening files, so that a waiting clip leaves no temporary files.
        let demand = BatchRun.memory(for: work.items.map(\.output.requested.plan), cores: options.cores)
        memory.acquire(demand)
        defer { memory.release(demand) }
        guard !cancellation.isCancelled else {
            for item in work.items { finish(item.output, of: work.clip, as: .notRun, reason: item.reason) }
            return
        }
        observer(.started(work.items.map { ($0.output.requested.path, $0.reason) }))
        render(work.items, of: work)
    }

    /// Opens the targets of outputs, and returns them with the records of earlier files. Reports
    /// those that cannot be opened as failed.
    private func opened(
        _ items: [Work.Item], of work: Work
    ) -> [(item: Work.Item, target: RenderTarget, previous: OutputRecord?)] {
        items.compactMap { item in
            do {
                let previous = state.record(of: item.output.requested.path)
                return (item, try target(for: item), previous)
            } catch {
                fail(item, of: work.clip, error: error, seconds: 0)
                return nil
            }
        }
    }

    /// Draws a clip once, and encodes it for the given outputs.
    private func render(_ items: [Work.Item], of work: Work) {
        var ready = opened(items, of: work)
        guard !ready.isEmpty else { return }
        let pipeline = RenderPipeline(
            ready.map(\.item.output.requested.plan), jobs: options.cores, memory: options.memory, cores: cores,
            cancellation: cancellation)
        progress.start(work.index, amount: work.amount, progress: pipeline.progress)
        let start = DispatchTime.now().uptimeNanoseconds
        var reports: [RenderReport?] = ready.map { _ in nil }
        var failure: LoadervidError?
        do { reports = try pipeline.run(to: ready.map(\.target)) } catch { failure = LoadervidError(error) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        // A clip counts as made even if the visibility check fails.
        let warnings = failure == nil ? visibilityWarnings(of: ready[0].item.output) : []
        var rest: [Work.Item] = []
        for ((item, target, previous), report) in zip(ready, reports) {
            let path = item.output.requested.path
            guard !target.isCommitted, let failure else {
                finishMade(item, of: work.clip, report: report, seconds: seconds, warnings: warnings)
                continue
            }
            // The new record was written before the file got its name. The file has kept its old
            // contents, so the old record is restored.
            if state.record(of: path) != previous { try? state.note(previous, for: path) }
            if ready.count > 1, failure.mayConcernOneOutput {
                rest.append(item)
            } else {
                fail(item, of: work.clip, error: failure, seconds: seconds)
            }
        }
        // The claims and temporary files of this attempt end before the next one.
        ready.removeAll()
        // Renders the outputs one by one to find the one that fails.
        for item in rest { render([item], of: work) }
    }

    private func target(for item: Work.Item) throws -> RenderTarget {
        let requested = item.output.requested
        guard requested.plan.container.isFrameSequence else { return .file(try file(for: item)) }
        let sequence = try directory.newSequence(
            requested.path, OutputSequence.pattern(of: requested.path), replaces: item.replaces,
            recipe: options.force ? nil : item.output.fingerprint, state: state, filesInUse: filesInUse
        ) { [state, check = options.check, output = item.output] sequence in
            try check?(output.requested, sequence.temporaryPath)
            let (bytes, hash) = try sequence.contentHash()
            try state.note(
                OutputRecord(
                    fingerprint: output.fingerprint, bytes: bytes, sha256: hash, recipe: output.recipe,
                    reducedSettings: nil, sidecars: [:]),
                for: output.requested.path)
        }
        return .sequence(sequence)
    }

    private func file(for item: Work.Item) throws -> OutputFile {
        let output = item.output
        let contents = try output.requested.plan.contents(of: output.requested.sidecars)
        let sidecars = try Dictionary(
            uniqueKeysWithValues: contents.map { ($0.sidecar.rawValue, try FileRecord(of: $0.bytes)) })
        let file = try directory.newFile(
            output.requested.path, replaces: item.replaces, state: state, filesInUse: filesInUse
        ) { [state, check = options.check] file in
            let reducedSettings = file.fit?.step.texts ?? [:]
            try check?(output.requested.making(reducedSettings), file.temporaryPath)
            let (bytes, hash) = try file.contentHash()
            try state.note(
                OutputRecord(
                    fingerprint: output.fingerprint, bytes: bytes, sha256: hash, recipe: output.recipe,
                    reducedSettings: reducedSettings.isEmpty ? nil : reducedSettings, sidecars: sidecars),
                for: output.requested.path)
        }
        for (sidecar, bytes) in contents {
            let fileExtension = sidecar.rawValue
            let replaces =
                options.force || state.known.hasMade(fileExtension: fileExtension, beside: output.requested.path)
            try file.addSidecar(ending: fileExtension, bytes, overwrites: replaces)
        }
        return file
    }

    /// Returns the maximum memory of a clip's encoders in bytes.
    private static func memory(for plans: [RenderPlan], cores: Int) -> Int {
        let workers = plans.map { $0.workers(jobs: cores, memory: .max) }.min() ?? 1
        return workers * plans.reduce(0) { $0 + $1.bytesPerWorker }
    }

    // MARK: Results

    private func visibilityWarnings(of output: BatchPlan.Output) -> [ClipNote] {
        let found = try? output.requested.plan.source.invisibility(cancellation: cancellation)
        guard let invisibility = found else { return [] }
        return [
            ClipNote(
                .warning, invisibility.text(background: { "background: \($0)" }, time: { "from: \($0) without to" }))
        ]
    }

    private func finishMade(
        _ item: Work.Item, of clip: BatchPlan.PlannedClip, report: RenderReport?, seconds: Double,
        warnings: [ClipNote]
    ) {
        let record = state.record(of: item.output.requested.path)
        var notes = item.output.plan(of: record).notes
        if let kept = report?.keptFrames, kept > 0 {
            notes.append("kept \(kept == 1 ? "1 frame" : "\(kept) frames") of a killed batch")
        }
        finish(
            item.output, of: clip, as: .made, reason: item.reason, record: record, seconds: seconds,
            notes: notes.map { ClipNote(.note, $0) } + warnings)
    }

    private func fail(_ item: Work.Item, of clip: BatchPlan.PlannedClip, error: any Error, seconds: Double) {
        let error = LoadervidError(error)
        let isStopped = error.kind == .interrupted
        finish(
            item.output, of: clip, as: isStopped ? .notRun : .failed, reason: item.reason,
            error: isStopped ? nil : error, seconds: seconds)
    }

    private func finish(
        _ output: BatchPlan.Output, of clip: BatchPlan.PlannedClip, as end: OutputResult.State, reason: String = "",
        error: LoadervidError? = nil, record: OutputRecord? = nil, seconds: Double = 0, notes: [ClipNote] = []
    ) {
        var result = OutputResult(
            output, preset: clip.preset, end, reason: reason, error: error, record: record, seconds: seconds)
        result.notes = notes
        results.withLock { $0[result.path] = result }
        observer(.finished(result))
        guard error != nil, options.failFast else { return }
        // An earlier interruption by the user takes precedence.
        hasFailedFast.withLock { hasFailedFast in
            if !cancellation.isCancelled { hasFailedFast = true }
            cancellation.cancel()
        }
    }
}

extension LoadervidError {
    /// True if only one output of a clip may cause the error, so that rendering them one by one may
    /// save the others.
    fileprivate var mayConcernOneOutput: Bool { ![.interrupted, .inputOutput].contains(kind) }
}
