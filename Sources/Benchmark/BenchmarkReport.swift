import Pipeline

/// What was measured of a clip.
public struct BenchmarkReport: Sendable {
    /// The runs of one side.
    public struct Side: Sendable {
        /// Wall time of each run in seconds.
        public fileprivate(set) var seconds: [Double] = []
        /// Processor time of each run in seconds, of all threads.
        public fileprivate(set) var processorSeconds: [Double] = []
        /// The most memory that any run took, in bytes, beyond what pictures take; nil if that cannot be measured.
        public fileprivate(set) var peak: Int?
        /// Bytes of the video stream, without a container.
        public internal(set) var packetBytes = 0
        /// Decoded against the pictures, in dB, infinite if they are the same; nil if the decoder gives another format.
        public internal(set) var psnr: Double?

        mutating func add(_ cost: RunCost) {
            seconds.append(cost.seconds)
            processorSeconds.append(cost.processorSeconds)
            peak = cost.peak.map { max($0, peak ?? 0) }
        }
    }

    /// The clip.
    public let plan: RenderPlan
    /// Threads of the encoder alone; 0 means that it chose them itself.
    public let threads: Int
    /// The encoder alone.
    public internal(set) var bare = Side()
    /// Rendered, encoded and muxed to a file.
    public internal(set) var rendered = Side()
    /// Size of the file in bytes.
    public private(set) var byteCount = 0
    /// How many segments were worked on at once.
    public private(set) var workers = 0
    /// The most memory that an encoder with one thread takes for a segment, in bytes; nil if that cannot be measured.
    public internal(set) var encoderMemory: Int?
    /// Seconds that a picture took to be drawn by itself, in each run.
    public internal(set) var drawing: [Double] = []
    /// Seconds that threads spent with each stage, in the order of `RenderProfile.Stage`, all runs together.
    private var stages = [Double](repeating: 0, count: RenderProfile.Stage.allCases.count)

    init(plan: RenderPlan, threads: Int) { (self.plan, self.threads) = (plan, threads) }

    mutating func add(_ profile: RenderProfile, byteCount: Int, workers: Int) {
        for stage in RenderProfile.Stage.allCases { stages[stage.rawValue] += profile[stage] }
        (self.byteCount, self.workers) = (byteCount, workers)
    }

    // MARK: What follows

    /// How long rendering took, in times of the encoder alone, for each pair of runs.
    public var ratio: Spread { Spread(zip(rendered.seconds, bare.seconds).map { $0 / $1 }) }

    /// Bytes of the video stream in those of the encoder alone; containers, which cost both the same, are left out.
    public var bytesRatio: Double { Double(rendered.packetBytes) / Double(bare.packetBytes) }

    /// Peak memory in sizes of as many encoders as there are workers; nil if it cannot be measured.
    public var memoryRatio: Double? {
        guard let peak = rendered.peak, let encoderMemory, encoderMemory > 0 else { return nil }
        return Double(peak) / Double(workers * encoderMemory)
    }

    /// Seconds of a run that its threads spent with a stage, on average.
    public func seconds(of stage: RenderProfile.Stage) -> Double {
        stages[stage.rawValue] / Double(rendered.seconds.count)
    }

    /// The part of the processor time that was spent outside of encoders. Stages are timed by the clock, so that what other
    /// programs took meanwhile counts as well: on a busy machine it is too large, and may even exceed 1.
    public var shareOutsideEncoder: Double {
        let inside: [RenderProfile.Stage] = [.encode, .wait]
        let outside = RenderProfile.Stage.allCases.filter { !inside.contains($0) }
        return outside.reduce(0) { $0 + stages[$1.rawValue] } / rendered.processorSeconds.reduce(0, +)
    }
}

/// The least, the middle and the largest of some values.
public struct Spread: Sendable, Encodable {
    /// The least.
    public let min: Double
    /// The middle, or the mean of the two in the middle.
    public let median: Double
    /// The largest.
    public let max: Double

    /// The spread of at least one value.
    public init(_ values: [Double]) {
        let sorted = values.sorted()
        let count = sorted.count
        precondition(count > 0, "nothing has no middle")
        (min, max) = (sorted[0], sorted[count - 1])
        median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
