import Dispatch
import Media

/// The result of rendering a clip.
public struct RenderReport: Sendable {
    /// The number of frames in the clip.
    public let frameCount: Int
    /// The number of frames that were drawn and encoded. The other frames replay packets.
    public let encodedFrames: Int
    /// The number of frames of a sequence that were kept from a killed run.
    public internal(set) var keptFrames: Int
    /// The size of the output in bytes.
    public internal(set) var byteCount: Int
    /// Wall time in seconds.
    public internal(set) var seconds: Double
    /// The result of fitting the clip into its file size limit; nil without a limit.
    public internal(set) var fit: FitResult?
}

/// The destination of a clip.
package enum RenderTarget {
    /// A file that appears complete or not at all.
    case file(OutputFile)
    /// Standard output, written during rendering.
    case standardOutput(StandardOutput)
    /// A directory of frames that appears complete or not at all.
    case sequence(OutputSequence)

    /// True if the output has its final name.
    package var isCommitted: Bool {
        switch self {
        case .file(let file): file.isCommitted
        case .sequence(let sequence): sequence.isCommitted
        case .standardOutput: false
        }
    }
}

/// A pipeline that renders plans: workers draw and encode segments in parallel, and one thread
/// muxes them in order.
package struct RenderPipeline: Sendable {
    private let plans: [RenderPlan]
    private let cores: ResourceSemaphore?
    /// The number of segments to encode in parallel.
    package let workers: Int
    /// True to draw frames ahead on another thread, which needs at least twice as many cores as
    /// workers.
    private let drawsAhead: Bool
    private let jobs: Int
    private let memory: Int
    /// The progress of the rendering.
    package let progress: RenderProgress
    /// The time spent in each stage.
    package let profile = RenderProfile()
    /// The token that stops the rendering.
    package let cancellation: CancellationToken

    /// A pipeline that draws the frames once and encodes them for each of several plans.
    ///
    /// - Parameters:
    ///   - plans: at least one plan. All must show the same frames and may differ only in codec,
    ///     pixel format and container.
    ///   - jobs: the number of cores to use, which is the maximum number of workers. There are
    ///     fewer workers for large frames, whose encoders have two threads each, and if the workers
    ///     would need more than `memory` bytes.
    ///   - memory: the maximum memory of the workers and their encoders in bytes, by estimate.
    ///   - cores: the cores shared with other pipelines; nil if this is the only one.
    ///   - cancellation: the token that stops the rendering.
    package init(
        _ plans: [RenderPlan], jobs: Int, memory: Int, cores: ResourceSemaphore? = nil,
        cancellation: CancellationToken = CancellationToken()
    ) {
        self.init(plans, jobs, memory, cores, cancellation, RenderProgress())
    }

    private init(
        _ plans: [RenderPlan], _ jobs: Int, _ memory: Int, _ cores: ResourceSemaphore?,
        _ cancellation: CancellationToken,
        _ progress: RenderProgress
    ) {
        precondition(plans.allSatisfy { $0.hasSameFrames(as: plans[0]) }, "plans of different frames")
        self.plans = plans
        self.jobs = jobs
        self.memory = memory
        self.cores = cores
        self.cancellation = cancellation
        self.progress = progress
        let memoryPerWorker = plans.reduce(0) { $0 + $1.bytesPerWorker }
        let workers =
            plans.map { $0.workers(jobs: jobs, memory: memory / memoryPerWorker * $0.bytesPerWorker) }.min() ?? 1
        self.workers = workers
        drawsAhead = cores == nil && jobs >= 2 * workers
    }

    /// Renders the clip. Throws the first `LoadervidError`, and then leaves no file behind.
    package func run(to target: RenderTarget) throws -> RenderReport { try run(to: [target])[0] }

    /// Renders the clip into a target for each plan. Throws the first `LoadervidError`. Files that
    /// are not committed by then leave nothing behind.
    ///
    /// Clips over their file size limit are rendered again after the others have their names: each
    /// alone, with the settings of the first quality step that fits.
    package func run(to targets: [RenderTarget]) throws -> [RenderReport] {
        let isVector = plans.map { $0.vector != nil }
        guard isVector.contains(true) else { return try renderFrames(to: targets) }
        do {
            let rest = plans.indices.filter { !isVector[$0] }
            // The progress is that of the frames, if there are any.
            let vectorProgress = rest.isEmpty ? progress : RenderProgress()
            // Vector graphics may be refused, so they come before the long work.
            let documents = try plans.map { plan in
                try plan.vector.map { try VectorFile(plan, $0, vectorProgress, cancellation) }
            }
            let frames =
                rest.isEmpty ? nil : RenderPipeline(rest.map { plans[$0] }, jobs, memory, cores, cancellation, progress)
            var reports = try frames?.renderFrames(to: rest.map { targets[$0] }) ?? []
            for (index, document) in documents.enumerated() {
                if let document { reports.insert(try document.commit(to: targets[index]), at: index) }
            }
            return reports
        } catch { throw LoadervidError(error) }
    }

    private func renderFrames(to targets: [RenderTarget]) throws -> [RenderReport] {
        let start = DispatchTime.now().uptimeNanoseconds
        try zip(plans, targets).forEach(RenderPipeline.checkLimit)
        do {
            if plans.contains(where: { $0.maxBytes != nil }) { beginTrial(1, QualityStep()) }
            let assemblies = try render(to: targets, limits: plans.map(\.maxBytes), endsEarly: mayEndEarly)
            var reports = zip(plans, assemblies).map { plan, assembly in
                // Without a smaller step, the refusal states the exact size.
                let predicted = assembly.overrun.flatMap { QualityLadder(plan).steps.count > 1 ? $0 : nil }
                return report(of: assembly, byteCount: predicted ?? assembly.byteCount, since: start)
            }
            let isTooLarge = zip(plans, reports).map { plan, report in
                plan.maxBytes.map { report.byteCount > $0 } ?? false
            }
            let order = plans.indices.filter { !isTooLarge[$0] } + plans.indices.filter { isTooLarge[$0] }
            for index in order {
                if let limit = plans[index].maxBytes, case .file(let file) = targets[index] {
                    reports[index].fit = FitResult(limit: limit, step: QualityStep(), trials: 1)
                    if isTooLarge[index] { reports[index] = try fitted(reports[index], plans[index], limit, file) }
                    file.fit = reports[index].fit
                }
                reports[index].byteCount = try assemblies[index].commit(cancellation)
                reports[index].seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            }
            return reports
        } catch { throw LoadervidError(error) }
    }

    private static func checkLimit(_ plan: RenderPlan, _ target: RenderTarget) throws {
        guard plan.maxBytes != nil, case .standardOutput = target else { return }
        throw LoadervidError(
            .usage,
            "\(option: "max-bytes"): standard output cannot be rendered again if it is too large; write to a file",
            subjects: .options("max-bytes"))
    }

    /// Renders a clip that is too large until it fits.
    private func fitted(
        _ first: RenderReport, _ plan: RenderPlan, _ limit: Int, _ file: OutputFile
    ) throws -> RenderReport {
        let fitter = FileSizeFitter(plan: plan, limit: limit, file: file) { step, trial, number, isWhole in
            let start = DispatchTime.now().uptimeNanoseconds
            let pipeline = RenderPipeline([try plan.making(step)], jobs, memory, cores, cancellation, progress)
            beginTrial(number, step)
            let assembly = try pipeline.render(
                to: [.file(trial)], limits: [isWhole ? nil : limit], endsEarly: !isWhole)[0]
            return pipeline.report(of: assembly, byteCount: assembly.overrun ?? assembly.byteCount, since: start)
        }
        return try fitter.run(after: first)
    }

    private func beginTrial(_ number: Int, _ step: QualityStep) {
        progress.begin(RenderProgress.Trial(number: number, maxCount: FileSizeFitter.maxTrials, step: step))
    }

    /// True if rendering may stop when the file is too large: no other file shares the frames, and
    /// a smaller step exists, so its exact size is not needed.
    private var mayEndEarly: Bool {
        plans.count == 1 && plans[0].maxBytes != nil && QualityLadder(plans[0]).steps.count > 1
    }

    /// Renders the complete clip into a target for each plan, without giving the files their names.
    ///
    /// - Parameters:
    ///   - limits: the maximum file sizes in bytes; nil for none.
    ///   - endsEarly: true to leave a single file incomplete as soon as it is too large.
    private func render(
        to targets: [RenderTarget], limits: [Int?], endsEarly: Bool
    ) throws -> [ClipAssembly] {
        let start = DispatchTime.now().uptimeNanoseconds
        let assemblies = try self.plans.indices.map { index in
            try ClipAssembly(self.plans[index], to: targets[index], limit: limits[index])
        }
        try RenderPlan.checkHeadroom(for: self.plans, workers: workers, drawsAhead: drawsAhead)
        progress.begin(
            frames: self.plans[0].framesToEncode,
            framesToCount: plans.filter(\.encoder.traits.needsColorHistogram).reduce(0) { $0 + $1.framesToEncode })
        let plans = try withPalettes()
        if plans.contains(where: \.encoder.traits.needsColorHistogram) { progress.beginEncoding() }
        // Plans with different segments are drawn again. The progress is that of the first group.
        var rest = Array(plans.indices)
        while let first = rest.first {
            let group = rest.filter { plans[$0].hasSameSegments(as: plans[first]) }
            try encode(
                group.map { plans[$0] }, into: group.map { assemblies[$0] },
                counting: first == 0 ? progress : RenderProgress(), endsEarly: endsEarly)
            rest.removeAll(where: group.contains)
        }
        if endsEarly, assemblies.contains(where: { $0.overrun != nil }) { return assemblies }
        var clock = StageClock()
        for assembly in assemblies { try assembly.finishContainer() }
        clock.lap(.mux)
        profile.add(&clock)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        profile.end(threads: drawsAhead ? 2 * workers : workers, after: seconds)
        return assemblies
    }

    /// Encodes plans with the same segments, each into its own assembly.
    private func encode(
        _ plans: [RenderPlan], into assemblies: [ClipAssembly], counting progress: RenderProgress, endsEarly: Bool
    ) throws {
        let schedule = plans[0].schedule
        let kept: Set<Int> =
            assemblies.allSatisfy { $0.keptFrames > 0 }
            ? schedule.segments { frames in assemblies.allSatisfy { $0.keeps(frames) } } : []
        // The result is nil for a segment whose frames are kept.
        let pool = WorkerPool<[EncodedSegment]?>(
            schedule, workers: workers, cores: cores, coresPerWorker: coresPerWorker, cancellation
        ) { [drawsAhead, profile] isAlone in
            let encoder = try SegmentEncoder(plans, drawsAhead: drawsAhead && !isAlone)
            return { segment, checkpoint in
                guard !kept.contains(segment.index) else {
                    for _ in 0..<segment.frameCount { progress.countFrame() }
                    return nil
                }
                return try encoder.encode(segment, progress: progress, profile: profile, checkpoint: checkpoint)
            }
        }
        defer { pool.end() }
        var clock = StageClock()
        for position in 0..<schedule.count {
            try cancellation.check()
            let scheduled = schedule.segment(at: position)
            let encoded = try scheduled.isReplay ? nil : pool.collect()
            guard !kept.contains(scheduled.segment.index) else {
                if !scheduled.isReplay { assemblies.forEach { $0.skippedFrames += scheduled.segment.frameCount } }
                continue
            }
            clock.restart()
            for (index, assembly) in assemblies.enumerated() { try assembly.append(encoded?[index], as: scheduled) }
            clock.lap(.mux)
            if endsEarly, assemblies.contains(where: { $0.overrun != nil }) { break }
        }
        profile.add(&clock)
    }

    private func report(of assembly: ClipAssembly, byteCount: Int, since start: UInt64) -> RenderReport {
        RenderReport(
            frameCount: plans[0].frameCount, encodedFrames: plans[0].framesToEncode - assembly.skippedFrames,
            keptFrames: assembly.keptFrames, byteCount: byteCount,
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }

    private var coresPerWorker: Int { plans.map(\.coresPerWorker).max() ?? 1 }

    /// Returns the plans, with the palettes of those that need one. Draws all frames to count their
    /// colours, and keeps none of them.
    private func withPalettes() throws -> [RenderPlan] {
        try plans.map { plan in
            guard plan.encoder.traits.needsColorHistogram else { return plan }
            let pool = WorkerPool<ColorHistogram>(
                plan.schedule, workers: workers, cores: cores, coresPerWorker: coresPerWorker, cancellation
            ) { [profile, progress] _ in
                let counter = try SegmentColors(plan)
                return { try counter.count($0, progress: progress, profile: profile, checkpoint: $1) }
            }
            defer { pool.end() }
            var histogram = ColorHistogram()
            for _ in 0..<plan.schedule.workCount { histogram.add(try pool.collect()) }
            return plan.with(try Palette.smallest(for: histogram))
        }
    }
}
