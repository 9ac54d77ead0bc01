import Core
import Media
import Render

/// A measurement of a clip: rendered to a file, and encoded from frames in memory by one encoder.
struct Benchmark {
    /// The resources and number of runs of a measurement.
    struct Conditions {
        /// The number of measured runs of each side, at least 1. Follows one unmeasured run of
        /// each.
        var runs: Int
        /// The maximum number of the pipeline's workers.
        var jobs: Int
        /// The number of the machine's cores.
        var cores: Int
        /// The machine's memory in bytes, half of which frames may occupy.
        var memory: Int
        /// An existing directory for temporary files.
        var directory: String

        /// Creates the conditions.
        init(runs: Int, jobs: Int, cores: Int, memory: Int, directory: String) {
            self.runs = runs
            self.jobs = jobs
            self.cores = cores
            self.memory = memory
            self.directory = directory
        }
    }

    private let request: RenderRequest
    private let plan: RenderPlan
    private let conditions: Conditions
    private let cancellation: CancellationToken
    private let frames: BenchmarkFrames

    /// Checks a request and draws its frames. Throws `LoadervidError` if the request is invalid or
    /// the frames do not fit into memory.
    init(_ request: RenderRequest, _ conditions: Conditions, cancellation: CancellationToken) throws {
        self.request = request
        self.conditions = conditions
        self.cancellation = cancellation
        plan = try RenderPlan(request)
        do {
            frames = try BenchmarkFrames(plan, budget: conditions.memory / 2, cancellation: cancellation)
        } catch { throw LoadervidError(error) }
    }

    /// Runs the measurement. Throws `LoadervidError` if a run fails. Removes its files in any case.
    func measure() throws -> BenchmarkReport {
        do {
            let (threads, trial) = try bestThreads()
            let psnr = try EncodedQuality.psnr(of: trial, against: frames, cancellation)
            let (_, rendered) = try render {
                try EncodedQuality.psnr(ofFile: $0, of: plan, against: frames, cancellation)
            }
            var report = BenchmarkReport(plan: plan, threads: threads)
            report.bare.packetBytes = trial.byteCount
            report.bare.psnr = psnr
            report.rendered.packetBytes = rendered.packetBytes
            report.rendered.psnr = rendered.psnr
            report.encoderMemory = try encoderMemory()
            let drawing = try DrawingGauge(plan, cancellation: cancellation)
            for run in 0..<conditions.runs {
                try measure(run, threads: threads, into: &report)
                report.drawing.append(try drawing.secondsPerFrame())
            }
            return report
        } catch { throw LoadervidError(error) }
    }

    /// Measures each side once. The sides take turns at going first.
    private func measure(_ run: Int, threads: Int, into report: inout BenchmarkReport) throws {
        func bare() throws {
            let made = try BareEncoder(plan, threads: threads)
                .encode(frames, frameCount: frames.frameCount, cancellation)
            report.bare.add(made.cost)
        }
        func rendered() throws {
            let (made, _) = try render { _ in }
            report.rendered.add(made.cost)
            report.add(made.profile, byteCount: made.byteCount, workers: made.workers)
        }
        if run.isMultiple(of: 2) {
            try bare()
            try rendered()
        } else {
            try rendered()
            try bare()
        }
    }

    /// Returns the faster run of the encoder with its own choice of threads (0) and with one thread
    /// per core.
    private func bestThreads() throws -> (threads: Int, run: BareEncoder.Run) {
        func run(_ threads: Int) throws -> (threads: Int, run: BareEncoder.Run) {
            let encoder = BareEncoder(plan, threads: threads)
            return (threads, try encoder.encode(frames, frameCount: frames.frameCount, cancellation))
        }
        let own = try run(0)
        let perCore = try run(conditions.cores)
        return own.run.cost.seconds <= perCore.run.cost.seconds ? own : perCore
    }

    /// Returns the peak memory of an encoder with one thread for the longest segment, in bytes; nil
    /// if it cannot be measured.
    private func encoderMemory() throws -> Int? {
        let frameCount = plan.segments.map(\.frameCount).max() ?? frames.frameCount
        return try BareEncoder(plan, threads: 1).encode(frames, frameCount: frameCount, cancellation).cost.peak
    }

    /// The cost and result of a rendered clip.
    private struct Rendering {
        let cost: RunCost
        let byteCount: Int
        let workers: Int
        let profile: RenderProfile
    }

    /// Renders the clip as `encode` does, from the request to the committed file. Removes the file
    /// after calling `inspect` with its path.
    private func render<Finding>(
        inspect: (String) throws -> Finding
    ) throws -> (Rendering, Finding) {
        let path = "\(conditions.directory)/clip.\(request.container)"
        let gauge = RunGauge()
        let pipeline = RenderPipeline(
            [try RenderPlan(request)], jobs: conditions.jobs, memory: conditions.memory / 2, cancellation: cancellation)
        let report = try pipeline.run(to: .file(OutputFile(path: path, overwrites: false)))
        let cost = gauge.cost
        let made = TemporaryPath(path)
        let rendering = Rendering(
            cost: cost, byteCount: report.byteCount, workers: pipeline.workers,
            profile: pipeline.profile)
        return (rendering, try inspect(made.path))
    }
}
