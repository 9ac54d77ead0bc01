import Platform
import Dispatch
import Media
import Pipeline
import Presets

/// Carries out a batch's plan: makes what is missing or out of date, with all cores busy.
///
/// As many clips as there are cores are at work side by side, and each may use all cores; a budget that they share keeps
/// the number of busy threads at the number of cores. So small clips run beside each other, the last ones use
/// everything, and no core waits while there is a segment left.
public final class BatchRun: Sendable {
    /// What a batch may use, and how it meets what it finds.
    public struct Options: Sendable {
        /// How many cores are kept busy, at least one.
        public var cores: Int
        /// About how much memory encoders may take, in bytes.
        public var memory: Int
        /// Whether everything is made again, over whatever is there.
        public var force = false
        /// Whether the first failure ends the batch.
        public var failFast = false
        /// Looks at a new file, complete but without its name, and throws if it is not right: then it does not get it.
        public var check: (@Sendable (PresetOutput, _ path: String) throws -> Void)?

        /// Makes what is not up to date and keeps going.
        public init(cores: Int, memory: Int) { (self.cores, self.memory) = (cores, memory) }
    }

    /// Outputs of one clip that are to be made.
    private struct Work: Sendable {
        typealias Item = (output: BatchPlan.Output, reason: String, replaces: Bool)

        let index: Int
        let clip: BatchPlan.Clip
        let items: [Item]

        /// Frames are drawn once, and encoded for each output.
        var amount: BatchProgress.Amount {
            BatchProgress.Amount(
                frames: items[0].output.wish.plan.framesToEncode, cost: items.reduce(0) { $0 + $1.output.wish.cost })
        }
    }

    private let progress: BatchProgress
    private let plan: BatchPlan
    private let tree: OutputTree
    private let state: BatchState
    private let options: Options
    private let cancellation: CancellationToken
    private let observer: @Sendable (BatchEvent) -> Void
    private let cores: CoreBudget
    private let memory: CoreBudget
    private let results = Locked<[String: OutputResult]>([:])
    private let hasGivenUp = Locked(false)

    /// A batch in a directory that `state` has taken.
    ///
    /// - Parameters:
    ///   - progress: is told how far it is.
    ///   - observer: is told what happens, from any thread.
    public init(
        _ plan: BatchPlan, in tree: OutputTree, state: BatchState, options: Options, cancellation: CancellationToken,
        progress: BatchProgress = BatchProgress(), observer: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) {
        (self.plan, self.tree, self.state, self.options) = (plan, tree, state, options)
        (self.cancellation, self.progress, self.observer) = (cancellation, progress, observer)
        (cores, memory) = (CoreBudget(options.cores), CoreBudget(options.memory))
    }

    /// Makes everything. Throws `RenderError` only if nothing can be begun; failures of outputs are in the report.
    public func run() throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let states = OutputState.all(of: plan, in: tree, known: state.known, options)
        try state.begin(manifest(states))
        // The batch's own manifest knows all that they knew, and the plan is another now.
        if plan.shard == nil { state.removeShardManifests() }
        let work = plan.clips.enumerated().compactMap { self.work($0, $1, states) }
        progress.begin(work.map(\.amount))
        let (outputs, stale) = (states.count, work.reduce(0) { $0 + $1.items.count })
        observer(.began(outputs: outputs, stale: stale, frames: progress.frames.total))
        settle(states)
        distribute(work, threads: options.cores) { self.render($0) }
        let isInterrupted = cancellation.isCancelled && !hasGivenUp.withLock { $0 }
        return BatchReport(
            outputs: results.withLock { $0.values.sorted { $0.path < $1.path } }, orphans: orphans(),
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isInterrupted: isInterrupted)
    }

    // MARK: What there is

    private func manifest(_ states: [String: OutputState]) -> Manifest {
        let isWhole = plan.shard == nil
        let own = state.known.manifests[Manifest.fileName(of: plan.shard)]?.outputs ?? [:]
        var records = own
        // What is not planned any more, or not yet made anew, stays known.
        for path in isWhole ? state.known.paths : Set(states.keys) where records[path] == nil {
            records[path] = state.known.records(of: path).first
        }
        for case (let path, .upToDate(let record)) in states { records[path] = record }
        return Manifest(shard: plan.shard, toolchain: plan.toolchain, plan: plan.planned, outputs: records)
    }

    private func orphans() -> [String] {
        guard plan.shard == nil else { return [] }
        return state.known.paths.subtracting(plan.planned.keys).filter { FileSystem.exists(tree.file($0)) }.sorted()
    }

    private func work(_ index: Int, _ clip: BatchPlan.Clip, _ states: [String: OutputState]) -> Work? {
        let items = clip.outputs.compactMap { output -> Work.Item? in
            guard case .stale(let reason, let replaces)? = states[output.wish.path] else { return nil }
            return (output, reason, replaces)
        }
        return items.isEmpty ? nil : Work(index: index, clip: clip, items: items)
    }

    /// Reports outputs that need no rendering.
    private func settle(_ states: [String: OutputState]) {
        for clip in plan.clips {
            for output in clip.outputs {
                switch states[output.wish.path] {
                case .upToDate(let record)?: finish(output, clip, .upToDate, record: record)
                case .refused(let error)?: finish(output, clip, .failed, error: error)
                case .stale?, nil: continue
                }
            }
        }
    }

    // MARK: Rendering

    private func render(_ work: Work) {
        defer { progress.end(work.index, work.amount) }
        // Files are opened only once there is memory, so that a clip that waits leaves no trace.
        let demand = BatchRun.memory(for: work.items.map(\.output.wish.plan), cores: options.cores)
        memory.take(demand)
        defer { memory.giveBack(demand) }
        guard !cancellation.isCancelled else {
            for item in work.items { finish(item.output, work.clip, .notRun, reason: item.reason) }
            return
        }
        observer(.started(work.items.map { ($0.output.wish.path, $0.reason) }))
        render(work.items, of: work)
    }

    /// Draws a clip once for some of its outputs.
    private func render(_ items: [Work.Item], of work: Work) {
        var ready: [(item: Work.Item, file: OutputFile, previous: OutputRecord?)] = []
        for item in items {
            do {
                let previous = state.record(of: item.output.wish.path)
                ready.append((item, try file(for: item), previous))
            } catch { fail(item, work.clip, error, seconds: 0) }
        }
        guard !ready.isEmpty else { return }
        let pipeline = RenderPipeline(
            ready.map(\.item.output.wish.plan), jobs: options.cores, memory: options.memory, cores: cores,
            cancellation: cancellation)
        progress.start(work.index, work.amount, pipeline.progress)
        let start = DispatchTime.now().uptimeNanoseconds
        var failure: RenderError?
        do { _ = try pipeline.run(to: ready.map { .file($0.file) }) } catch { failure = RenderError(error) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        var rest: [Work.Item] = []
        for (item, file, previous) in ready {
            let path = item.output.wish.path
            guard !file.isCommitted, let failure else {
                let record = state.record(of: path)
                finish(item.output, work.clip, .made, reason: item.reason, record: record, seconds: seconds)
                continue
            }
            // The record was written before the file could get its name, and is not true of what is there.
            if state.record(of: path) != previous { try? state.note(previous, for: path) }
            if ready.count > 1, failure.isOfOneOutput {
                rest.append(item)
            } else {
                fail(item, work.clip, failure, seconds: seconds)
            }
        }
        // Which of several outputs is to blame only shows when each is made alone.
        for item in rest { render([item], of: work) }
    }

    private func file(for item: Work.Item) throws -> OutputFile {
        let output = item.output
        try tree.prepare(output.wish.path, creates: true)
        let file = try OutputFile(
            path: tree.file(output.wish.path), overwrites: item.replaces,
            temporaryDirectory: state.temporaryDirectory
        ) { [state, check = options.check] file in
            let concessions = file.fit?.concession.texts ?? [:]
            try check?(output.wish.making(concessions), file.temporaryPath)
            let (bytes, hash) = try SHA256.file(file.temporaryPath)
            try state.note(
                OutputRecord(
                    fingerprint: output.fingerprint, bytes: bytes, sha256: hash, recipe: output.recipe,
                    concessions: concessions.isEmpty ? nil : concessions),
                for: output.wish.path)
        }
        try output.wish.plan.add(output.wish.companions, to: file)
        return file
    }

    /// A clip's encoders at their most, in bytes.
    private static func memory(for plans: [RenderPlan], cores: Int) -> Int {
        let workers = plans.map { $0.workers(jobs: cores, memory: .max) }.min() ?? 1
        return workers * plans.reduce(0) { $0 + $1.bytesPerWorker }
    }

    // MARK: Results

    private func fail(_ item: Work.Item, _ clip: BatchPlan.Clip, _ error: any Error, seconds: Double) {
        let error = RenderError(error)
        let isStopped = error.kind == .interrupted
        finish(
            item.output, clip, isStopped ? .notRun : .failed, reason: item.reason, error: isStopped ? nil : error,
            seconds: seconds)
    }

    private func finish(
        _ output: BatchPlan.Output, _ clip: BatchPlan.Clip, _ end: OutputResult.State, reason: String = "",
        error: RenderError? = nil, record: OutputRecord? = nil, seconds: Double = 0
    ) {
        let result = OutputResult(
            output, preset: clip.preset, end, reason: reason, error: error, record: record, seconds: seconds)
        results.withLock { $0[result.path] = result }
        observer(.finished(result))
        guard error != nil, options.failFast else { return }
        // The user's own wish to stop comes first.
        hasGivenUp.withLock { hasGivenUp in
            if !cancellation.isCancelled { hasGivenUp = true }
            cancellation.cancel()
        }
    }
}

extension RenderError {
    /// Whether making the outputs of a clip one by one may help some of them.
    fileprivate var isOfOneOutput: Bool { [.usage, .unavailable, .internal, .cannotCreate].contains(kind) }
}

/// Calls `body` with each element in their order, on up to `threads` threads, and waits until all are done.
func distribute<Element: Sendable>(
    _ elements: [Element], threads: Int, _ body: @escaping @Sendable (Element) -> Void
) {
    let rest = Locked(elements[...])
    let group = ThreadGroup()
    let work: @Sendable () -> Void = { while let next = rest.withLock({ $0.popFirst() }) { body(next) } }
    // Where there may be no more threads, there may be this one only.
    let started = (0..<min(threads, elements.count)).prefix { _ in group.start(work) }.count
    if started == 0 { work() }
    group.wait()
}
