import Dispatch
import GIF
import Media

/// What was made.
public struct RenderReport: Sendable {
    /// Frames in the clip.
    public let frameCount: Int
    /// Frames that were drawn and encoded; the others were played again.
    public let encodedFrames: Int
    /// Size of the output.
    public internal(set) var byteCount: Int
    /// Wall time in seconds.
    public internal(set) var seconds: Double
    /// What was given up for a limit of bytes; nil if the clip has none.
    public internal(set) var fit: SizeFit?
}

/// Where a clip goes.
public enum RenderTarget {
    /// A file that appears whole or not at all.
    case file(OutputFile)
    /// Standard output, as it comes.
    case standardOutput(StandardOutput)
}

/// Carries out plans: workers draw and encode segments side by side, and one thread muxes them in order.
public struct RenderPipeline: Sendable {
    private let plans: [RenderPlan]
    private let cores: CoreBudget?
    /// How many segments it works on at once.
    public let workers: Int
    /// Whether pictures are drawn ahead: where there are at least twice as many cores as workers.
    private let drawsAhead: Bool
    private let jobs: Int
    private let memory: Int
    /// How far it is.
    public let progress: RenderProgress
    /// Where the time goes.
    public let profile = RenderProfile()
    /// Stops it soon when asked.
    public let cancellation: CancellationToken

    /// A pipeline that draws pictures once and encodes them by each of several plans.
    ///
    /// - Parameters:
    ///   - plans: at least one; they must show the same pictures, and differ in codec, pixel format and container only.
    ///   - jobs: the cores to use, and so the most workers; fewer where encoders have two threads each because their pictures
    ///     are large, and where more would need more than `memory` bytes.
    ///   - memory: how many bytes the workers and their encoders may take, by estimate.
    ///   - cores: what pipelines that run at the same time share; nil if there is only this one.
    ///   - cancellation: stops it soon when asked.
    public init(
        _ plans: [RenderPlan], jobs: Int, memory: Int, cores: CoreBudget? = nil,
        cancellation: CancellationToken = CancellationToken()
    ) {
        self.init(plans, jobs, memory, cores, cancellation, RenderProgress())
    }

    private init(
        _ plans: [RenderPlan], _ jobs: Int, _ memory: Int, _ cores: CoreBudget?, _ cancellation: CancellationToken,
        _ progress: RenderProgress
    ) {
        precondition(plans.allSatisfy { $0.showsPictures(of: plans[0]) }, "plans of different pictures")
        (self.plans, self.cores, self.cancellation) = (plans, cores, cancellation)
        (self.jobs, self.memory, self.progress) = (jobs, memory, progress)
        let memoryPerWorker = plans.reduce(0) { $0 + $1.bytesPerWorker }
        let workers =
            plans.map { $0.workers(jobs: jobs, memory: memory / memoryPerWorker * $0.bytesPerWorker) }.min() ?? 1
        self.workers = workers
        drawsAhead = cores == nil && jobs >= 2 * workers
    }

    /// Renders the clip. Throws `RenderError` with the first cause, and leaves nothing behind.
    public func run(to target: RenderTarget) throws -> RenderReport { try run(to: [target])[0] }

    /// Renders the clip into a target for each plan. Throws `RenderError` with the first cause; a file that was not
    /// committed by then leaves nothing behind.
    ///
    /// Clips with a limit of bytes that are too large are rendered again when the others have their names: each alone, with
    /// as few concessions as fit.
    public func run(to targets: [RenderTarget]) throws -> [RenderReport] {
        let start = DispatchTime.now().uptimeNanoseconds
        try zip(plans, targets).forEach(RenderPipeline.checkLimit)
        do {
            let assemblies = try render(to: targets, since: start)
            var reports = assemblies.map { report(of: $0.byteCount, since: start) }
            let isTooLarge = zip(plans, reports).map { plan, report in
                plan.mostBytes.map { report.byteCount > $0 } ?? false
            }
            let order = plans.indices.filter { !isTooLarge[$0] } + plans.indices.filter { isTooLarge[$0] }
            for index in order {
                if let limit = plans[index].mostBytes, case .file(let file) = targets[index] {
                    reports[index].fit = SizeFit(limit: limit, concession: Concession(), trials: 1)
                    if isTooLarge[index] { reports[index] = try fitted(reports[index], plans[index], limit, file) }
                    file.fit = reports[index].fit
                }
                reports[index].byteCount = try assemblies[index].commit(cancellation)
                reports[index].seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            }
            return reports
        } catch { throw RenderError(error) }
    }

    private static func checkLimit(_ plan: RenderPlan, _ target: RenderTarget) throws {
        guard plan.mostBytes != nil, case .standardOutput = target else { return }
        throw RenderError(
            .usage, "max-bytes takes a file: what is too large on standard output cannot be taken back",
            about: .options("max-bytes"))
    }

    /// Renders a clip that is too large until it fits.
    private func fitted(
        _ first: RenderReport, _ plan: RenderPlan, _ limit: Int, _ file: OutputFile
    ) throws -> RenderReport {
        let limited = LimitedRender(plan: plan, limit: limit, file: file) { plan, trial in
            progress.restart()
            let start = DispatchTime.now().uptimeNanoseconds
            let pipeline = RenderPipeline([plan], jobs, memory, cores, cancellation, progress)
            let assembly = try pipeline.render(to: [.file(trial)], since: start)[0]
            return pipeline.report(of: assembly.byteCount, since: start)
        }
        return try limited.run(after: first)
    }

    /// Renders the clip into a target for each plan, whole but without names.
    private func render(to targets: [RenderTarget], since start: UInt64) throws -> [ClipAssembly] {
        let assemblies = try zip(plans, targets).map { try ClipAssembly($0, to: $1) }
        try RenderPlan.checkHeadroom(for: plans, workers: workers, drawsAhead: drawsAhead)
        let plans = try withPalettes()
        // Those that are cut otherwise are drawn again. Progress is that of the first.
        var rest = Array(plans.indices)
        while let first = rest.first {
            let group = rest.filter { plans[$0].isCut(like: plans[first]) }
            try encode(
                group.map { plans[$0] }, into: group.map { assemblies[$0] },
                counting: first == 0 ? progress : RenderProgress())
            rest.removeAll(where: group.contains)
        }
        var clock = StageClock()
        for assembly in assemblies { try assembly.finishContainer() }
        clock.lap(.mux)
        profile.add(&clock)
        profile.end(
            threads: drawsAhead ? 2 * workers : workers, after: DispatchTime.now().uptimeNanoseconds - start)
        return assemblies
    }

    /// Encodes plans that are cut alike, each into its own assembly.
    private func encode(
        _ plans: [RenderPlan], into assemblies: [ClipAssembly], counting progress: RenderProgress
    ) throws {
        let order = plans[0].order
        let crew = SegmentCrew<[EncodedSegment]>(
            order, workers: workers, cores: cores, coresPerWorker: coresPerWorker, cancellation
        ) { [drawsAhead, profile] isAlone in
            let encoder = try SegmentEncoder(plans, drawsAhead: drawsAhead && !isAlone)
            return { try encoder.encode($0, progress: progress, profile: profile, checkpoint: $1) }
        }
        defer { crew.end() }
        var clock = StageClock()
        for position in 0..<order.count {
            try cancellation.check()
            let played = order.played(at: position)
            let made = try played.isReplay ? nil : crew.collect()
            clock.restart()
            for (index, assembly) in assemblies.enumerated() { try assembly.append(made?[index], as: played) }
            clock.lap(.mux)
        }
        profile.add(&clock)
    }

    private func report(of byteCount: Int, since start: UInt64) -> RenderReport {
        RenderReport(
            frameCount: plans[0].frameCount, encodedFrames: plans[0].framesToEncode, byteCount: byteCount,
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }

    private var coresPerWorker: Int { plans.map(\.coresPerWorker).max() ?? 1 }

    /// The plans, those with palettes after the clip's colours were counted: all is drawn once for that, and nothing kept.
    private func withPalettes() throws -> [RenderPlan] {
        try plans.map { plan in
            guard plan.encoder.traits.countsColors else { return plan }
            let crew = SegmentCrew<ColorCensus>(
                plan.order, workers: workers, cores: cores, coresPerWorker: coresPerWorker, cancellation
            ) { [profile] _ in
                let counter = try SegmentColors(plan)
                return { try counter.count($0, profile: profile, checkpoint: $1) }
            }
            defer { crew.end() }
            var census = ColorCensus()
            for _ in 0..<plan.order.workCount { census.add(try crew.collect()) }
            return plan.with(try Palette.small(census))
        }
    }
}
