import Dispatch
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
        let plan = plans[0]
        let assemblies = try zip(plans, targets).map { try ClipAssembly($0, to: $1) }
        try RenderPlan.checkHeadroom(for: plans, workers: workers, drawsAhead: drawsAhead)
        let queue = SegmentQueue<[EncodedSegment]>(
            count: plan.order.workCount, capacity: 2 * workers, cancellation: cancellation)
        let crew = ThreadGroup()
        let shares = (0..<workers).map { _ in
            CoreShare(of: cores, count: plans.map(\.coresPerWorker).max() ?? 1)
        }
        let mate = startWorkers(on: queue, crew, shares)
        defer {
            queue.stop()
            // Who never comes back must not keep what others wait for.
            if queue.isStalled { shares.forEach { $0.giveBack() } } else { crew.wait() }
        }
        var clock = StageClock()
        for position in 0..<plan.playCount {
            try cancellation.check()
            let played = plan.order.played(at: position)
            if !played.isReplay { mate?.work(on: queue, once: true) }
            let made = try played.isReplay ? nil : queue.collect { shares.contains(where: \.isTaken) }
            clock.restart()
            for (index, assembly) in assemblies.enumerated() {
                try assembly.append(made?[index], as: played)
            }
            clock.lap(.mux)
        }
        for assembly in assemblies { try assembly.finishContainer() }
        clock.lap(.mux)
        profile.add(&clock)
        profile.end(
            threads: drawsAhead ? 2 * workers : workers, after: DispatchTime.now().uptimeNanoseconds - start)
        return assemblies
    }

    private func report(of byteCount: Int, since start: UInt64) -> RenderReport {
        RenderReport(
            frameCount: plans[0].frameCount, encodedFrames: plans[0].framesToEncode, byteCount: byteCount,
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }

    /// Starts as many workers as there may be threads. If there may be none at all, returns one that has to be told to work.
    private func startWorkers(
        on queue: SegmentQueue<[EncodedSegment]>, _ crew: ThreadGroup, _ shares: [CoreShare]
    ) -> SegmentWorker? {
        for (number, share) in shares.enumerated() {
            let isStarted = crew.start { [plans, drawsAhead, progress, profile] in
                SegmentWorker(plans, drawsAhead: drawsAhead, progress: progress, profile: profile, share: share)
                    .work(on: queue)
            }
            guard !isStarted else { continue }
            guard number == 0 else { break }
            return SegmentWorker(plans, drawsAhead: false, progress: progress, profile: profile, share: share)
        }
        return nil
    }
}

/// Takes segments until there are none: draws, converts and encodes them with tools of its own. For one thread.
private final class SegmentWorker {
    private let plans: [RenderPlan]
    private let drawsAhead: Bool
    private let progress: RenderProgress
    private let profile: RenderProfile
    private let share: CoreShare
    private var tools: SegmentEncoder?

    init(
        _ plans: [RenderPlan], drawsAhead: Bool, progress: RenderProgress, profile: RenderProfile, share: CoreShare
    ) {
        (self.plans, self.drawsAhead, self.share) = (plans, drawsAhead, share)
        (self.progress, self.profile) = (progress, profile)
    }

    /// Works until there is nothing left, or on one segment only.
    func work(on queue: SegmentQueue<[EncodedSegment]>, once: Bool = false) {
        while let number = queue.take() {
            queue.deliver(of: number) {
                share.take()
                defer { share.giveBack() }
                let encoder = try tools ?? SegmentEncoder(plans, drawsAhead: drawsAhead)
                tools = encoder
                let segment = plans[0].order.work(number)
                return try encoder.encode(segment, progress: progress, profile: profile, checkpoint: queue.check)
            }
            if once { return }
        }
    }
}
