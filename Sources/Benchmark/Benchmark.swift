import Platform
import Media
import Pipeline

/// Measures a clip side by side: rendered to a file, and by an encoder alone that is given the pictures.
public struct Benchmark {
    /// What the measuring may use.
    public struct Conditions {
        /// How often both are measured, after one run of each that is not counted; at least once.
        public var runs: Int
        /// The most workers of the pipeline.
        public var jobs: Int
        /// The machine's cores.
        public var cores: Int
        /// The machine's memory in bytes, half of which pictures may take.
        public var memory: Int
        /// An existing directory for the files.
        public var directory: String

        /// Conditions of all kinds.
        public init(runs: Int, jobs: Int, cores: Int, memory: Int, directory: String) {
            (self.runs, self.jobs, self.cores, self.memory) = (runs, jobs, cores, memory)
            self.directory = directory
        }
    }

    private let request: RenderRequest
    private let plan: RenderPlan
    private let conditions: Conditions
    private let cancellation: CancellationToken
    private let pictures: ClipPictures

    /// Checks a request and draws its pictures. Throws `RenderError` with the first thing that is wrong, or if the pictures
    /// do not fit into memory.
    public init(_ request: RenderRequest, _ conditions: Conditions, cancellation: CancellationToken) throws {
        (self.request, self.conditions, self.cancellation) = (request, conditions, cancellation)
        plan = try RenderPlan(request)
        do {
            pictures = try ClipPictures(plan, budget: conditions.memory / 2, cancellation: cancellation)
        } catch { throw RenderError(error) }
    }

    /// Measures. Throws `RenderError` with the first cause; files it made are gone in any case.
    public func measure() throws -> BenchmarkReport {
        do {
            let (threads, trial) = try bestThreads()
            let psnr = try PictureComparison.psnr(of: trial, against: pictures, cancellation)
            let (_, rendered) = try render {
                try PictureComparison.psnr(ofFile: $0, of: plan, against: pictures, cancellation)
            }
            var report = BenchmarkReport(plan: plan, threads: threads)
            (report.bare.packetBytes, report.bare.psnr) = (trial.byteCount, psnr)
            (report.rendered.packetBytes, report.rendered.psnr) = (rendered.packetBytes, rendered.psnr)
            report.encoderMemory = try encoderMemory()
            let drawing = try DrawingGauge(plan, cancellation: cancellation)
            for run in 0..<conditions.runs {
                try measure(run, threads: threads, into: &report)
                report.drawing.append(try drawing.secondsAPicture())
            }
            return report
        } catch { throw RenderError(error) }
    }

    /// Runs both once, in turns the one or the other first.
    private func measure(_ run: Int, threads: Int, into report: inout BenchmarkReport) throws {
        func bare() throws {
            let made = try BareEncoder(plan, threads: threads)
                .encode(pictures, frameCount: pictures.frameCount, cancellation)
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

    /// Whether the encoder is faster if it chooses its threads (0) or with one for each core, and that run.
    private func bestThreads() throws -> (threads: Int, run: BareEncoder.Run) {
        func run(_ threads: Int) throws -> (threads: Int, run: BareEncoder.Run) {
            let encoder = BareEncoder(plan, threads: threads)
            return (threads, try encoder.encode(pictures, frameCount: pictures.frameCount, cancellation))
        }
        let (own, cores) = (try run(0), try run(conditions.cores))
        return own.run.cost.seconds <= cores.run.cost.seconds ? own : cores
    }

    /// The most memory that an encoder with one thread takes for the longest segment, in bytes.
    private func encoderMemory() throws -> Int? {
        let frameCount = plan.segments.map(\.frameCount).max() ?? pictures.frameCount
        return try BareEncoder(plan, threads: 1).encode(pictures, frameCount: frameCount, cancellation).cost.peak
    }

    /// What rendering took.
    private struct Rendering {
        let cost: RunCost
        let byteCount: Int
        let workers: Int
        let profile: RenderProfile
    }

    /// Renders the clip as `encode` does, from the request to the file under its name; `inspect` may look at it, then it
    /// is removed.
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
