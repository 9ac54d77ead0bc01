import Core
import Media
import Render

/// The targets of a clip of the suite. Each limit is an upper bound.
struct BenchTarget: Encodable {
    /// Wall time as a multiple of the encoder's.
    var ratio: Double
    /// Bytes of the packets as a multiple of the encoder's.
    var bytesRatio: Double
    /// Memory as a multiple of that of one encoder per worker; nil for no limit.
    var memoryRatio: Double?
    /// Loss of PSNR against the encoder alone, in dB.
    var psnrLoss = 0.15
    /// Fraction of the work that is done outside the encoder.
    var outsideEncoder = 0.08

    /// Returns the missed limits, by their names in JSON. A value that could not be measured misses
    /// none.
    func missed(by report: BenchmarkReport) -> [String] {
        let a = report.bare.psnr
        let b = report.rendered.psnr
        let measuredMemory = report.memoryRatio
        let items = [
            ("ratio", report.ratio.median > ratio),
            ("bytes_ratio", report.bytesRatio > bytesRatio),
            ("memory_ratio", measuredMemory.flatMap { measured in memoryRatio.map { measured > $0 } } ?? false),
            ("psnr_loss", a.flatMap { a in b.map { $0 < a - psnrLoss } } ?? false),
            ("outside_encoder", report.shareOutsideEncoder > outsideEncoder),
        ]
        return items.filter(\.1).map(\.0)
    }
}

/// The printed figures of a clip: a is the encoder alone, b is rendering from scenes to file.
struct BenchFigures: Encodable {
    struct Memory: Encodable {
        var a: Int?
        var b: Int?
        /// Bytes of one encoder with one thread for one segment.
        var encoder: Int?
        var workers: Int
        var ratio: Double?
    }

    let name: String
    let clip: String
    /// FFmpeg's name of the codec, such as `h264`.
    let codec: String
    /// FFmpeg's name of the encoder, such as `libx264`.
    let encoder: String
    let size: String
    let frames: Int
    let runs: Int
    let repetition: String
    let fpsA: Double
    let fpsB: Double
    let ratio: Spread
    /// CPU time in seconds.
    let cpuA: Double
    let cpuB: Double
    let bytesA: Int
    let bytesB: Int
    let bytesRatio: Double
    let fileBytes: Int
    let psnrA: Double?
    let psnrB: Double?
    let memory: Memory
    /// Seconds that a run's threads spent in each stage.
    let stages: [String: Double]
    /// Seconds for drawing a frame, measured without encoding.
    let drawing: Double
    let outsideEncoder: Double
    let threadsA: Int
    let target: BenchTarget?
    /// The missed limits of the target.
    let missed: [String]

    init(_ report: BenchmarkReport, name: String, clip: String, usesRepetition: Bool, target: BenchTarget?) {
        let a = report.bare
        let b = report.rendered
        let plan = report.plan
        self.name = name
        self.clip = clip
        encoder = plan.encoder.encoder
        codec = CodecProfile.find(encoder)?.codecName ?? encoder
        size = "\(plan.encoder.width)x\(plan.encoder.height)"
        frames = plan.frameCount
        runs = a.seconds.count
        repetition = usesRepetition ? "on" : "off"
        fpsA = Double(frames) / Spread(a.seconds).median
        fpsB = Double(frames) / Spread(b.seconds).median
        cpuA = Spread(a.cpuSeconds).median
        cpuB = Spread(b.cpuSeconds).median
        ratio = report.ratio
        bytesRatio = report.bytesRatio
        bytesA = a.packetBytes
        bytesB = b.packetBytes
        fileBytes = report.byteCount
        psnrA = a.psnr
        psnrB = b.psnr
        memory = Memory(
            a: a.peak, b: b.peak, encoder: report.encoderMemory, workers: report.workers, ratio: report.memoryRatio)
        stages = Dictionary(
            uniqueKeysWithValues: RenderProfile.Stage.allCases.map { ("\($0)", report.seconds(of: $0)) })
        drawing = Spread(report.drawing).median
        outsideEncoder = report.shareOutsideEncoder
        threadsA = report.threads
        self.target = target
        missed = target?.missed(by: report) ?? []
    }

    /// The figures as a JSON object on one line. Omits values that could not be measured; an
    /// infinite PSNR is "inf".
    var json: String {
        get throws {
            try JSONCoding.text(self, style: .snakeCase)
        }
    }
}
