import Render

/// The measurements of a clip.
struct BenchmarkReport: Sendable {
    /// The runs of one side.
    struct Side: Sendable {
        /// Wall time of each run in seconds.
        fileprivate(set) var seconds: [Double] = []
        /// CPU time of all threads in each run, in seconds.
        fileprivate(set) var cpuSeconds: [Double] = []
        /// The peak memory of all runs in bytes, without the frames; nil if it cannot be measured.
        fileprivate(set) var peak: Int?
        /// Bytes of the video stream, without a container.
        var packetBytes = 0
        /// PSNR of the decoded frames in dB, infinite if they are identical; nil if the decoder's
        /// pixel format differs.
        var psnr: Double?

        mutating func add(_ cost: RunCost) {
            seconds.append(cost.seconds)
            cpuSeconds.append(cost.cpuSeconds)
            peak = cost.peak.map { max($0, peak ?? 0) }
        }
    }

    /// The clip.
    let plan: RenderPlan
    /// The number of threads of the encoder alone; 0 if it chose them itself.
    let threads: Int
    /// The encoder alone.
    var bare = Side()
    /// Rendering, from scenes to the muxed file.
    var rendered = Side()
    /// Size of the file in bytes.
    private(set) var byteCount = 0
    /// The number of workers, each of which renders one segment at a time.
    private(set) var workers = 0
    /// The peak memory of an encoder with one thread for a segment, in bytes; nil if it cannot be
    /// measured.
    var encoderMemory: Int?
    /// CPU time in seconds for drawing a frame without encoding, in each run.
    var drawing: [Double] = []
    /// CPU time in seconds that threads spent in each stage, in the order of `RenderProfile.Stage`,
    /// for all runs.
    private var stages = [Double](repeating: 0, count: RenderProfile.Stage.allCases.count)

    init(plan: RenderPlan, threads: Int) {
        self.plan = plan
        self.threads = threads
    }

    mutating func add(_ profile: RenderProfile, byteCount: Int, workers: Int) {
        for stage in RenderProfile.Stage.allCases { stages[stage.rawValue] += profile[stage] }
        self.byteCount = byteCount
        self.workers = workers
    }

    // MARK: Derived figures

    /// The wall time of rendering relative to the encoder alone, over all pairs of runs.
    var ratio: Spread { Spread(zip(rendered.seconds, bare.seconds).map { $0 / $1 }) }

    /// The bytes of the video stream relative to the encoder alone. Excludes the container, whose
    /// size is the same for both.
    var bytesRatio: Double { Double(rendered.packetBytes) / Double(bare.packetBytes) }

    /// The peak memory relative to one encoder per worker; nil if it cannot be measured.
    var memoryRatio: Double? {
        guard let peak = rendered.peak, let encoderMemory, encoderMemory > 0 else { return nil }
        return Double(peak) / Double(workers * encoderMemory)
    }

    /// Returns the mean of the seconds that a run's threads spent in a stage.
    func seconds(of stage: RenderProfile.Stage) -> Double {
        stages[stage.rawValue] / Double(rendered.seconds.count)
    }

    /// The fraction of the CPU time that was spent outside encoders.
    var shareOutsideEncoder: Double {
        let inside: [RenderProfile.Stage] = [.encode, .wait]
        let outside = RenderProfile.Stage.allCases.filter { !inside.contains($0) }
        return outside.reduce(0) { $0 + stages[$1.rawValue] } / rendered.cpuSeconds.reduce(0, +)
    }
}

/// The minimum, median and maximum of values.
struct Spread: Sendable, Encodable {
    /// The minimum.
    let min: Double
    /// The median; for an even number of values, the mean of the middle two.
    let median: Double
    /// The maximum.
    let max: Double

    /// The spread of one or more values.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        precondition(count > 0, "a spread needs at least one value")
        min = sorted[0]
        max = sorted[count - 1]
        median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
