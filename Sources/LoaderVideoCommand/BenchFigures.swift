import Benchmark
import PlatformFoundation
import Pipeline

/// What a clip of the suite shall reach.
struct BenchTarget: Encodable {
    /// The most times the encoder's wall time.
    var ratio: Double
    /// The most times the size of its packets.
    var bytesRatio: Double
    /// The most times the memory of as many encoders as workers.
    var memoryRatio: Double?
    /// The most that pictures may be worse, in dB.
    var psnrLoss = 0.15
    /// The most of the work that may be done outside the encoder.
    var outsideEncoder = 0.08

    /// Which of its items a clip misses, by their names in JSON. What could not be measured is not missed.
    func missed(by report: BenchmarkReport) -> [String] {
        let (a, b) = (report.bare.psnr, report.rendered.psnr)
        let memory = (report.memoryRatio, memoryRatio)
        let items = [
            ("ratio", report.ratio.median > ratio),
            ("bytes_ratio", report.bytesRatio > bytesRatio),
            ("memory_ratio", memory.0.flatMap { ratio in memory.1.map { ratio > $0 } } ?? false),
            ("psnr_loss", a.flatMap { a in b.map { $0 < a - psnrLoss } } ?? false),
            ("outside_encoder", report.shareOutsideEncoder > outsideEncoder),
        ]
        return items.filter(\.1).map(\.0)
    }
}

/// The figures of a clip as they are printed: a is the encoder alone, b is from the scenes to the file.
struct BenchFigures: Encodable {
    struct Memory: Encodable {
        var a: Int?
        var b: Int?
        /// One encoder with one thread on one segment.
        var encoder: Int?
        var workers: Int
        var ratio: Double?
    }

    let name: String
    let clip: String
    let codec: String
    let size: String
    let frames: Int
    let runs: Int
    let repetition: String
    let fpsA: Double
    let fpsB: Double
    let ratio: Spread
    /// Seconds of processor time.
    let cpuA: Double
    let cpuB: Double
    let bytesA: Int
    let bytesB: Int
    let bytesRatio: Double
    let fileBytes: Int
    let psnrA: Double?
    let psnrB: Double?
    let memory: Memory
    /// Seconds of a run that its threads spent with each stage.
    let stages: [String: Double]
    /// Seconds of a picture that nothing but drawing is done for.
    let drawing: Double
    let outsideEncoder: Double
    let threadsA: Int
    let target: BenchTarget?
    /// Which of the target's items were missed.
    let missed: [String]

    init(_ report: BenchmarkReport, name: String, clip: String, usesRepetition: Bool, target: BenchTarget?) {
        let (a, b, plan) = (report.bare, report.rendered, report.plan)
        (self.name, self.clip, codec) = (name, clip, plan.encoder.encoder)
        (size, frames) = ("\(plan.encoder.width)x\(plan.encoder.height)", plan.frameCount)
        (runs, repetition) = (a.seconds.count, usesRepetition ? "on" : "off")
        fpsA = Double(frames) / Spread(a.seconds).median
        fpsB = Double(frames) / Spread(b.seconds).median
        (cpuA, cpuB) = (Spread(a.processorSeconds).median, Spread(b.processorSeconds).median)
        (ratio, bytesRatio) = (report.ratio, report.bytesRatio)
        (bytesA, bytesB, fileBytes) = (a.packetBytes, b.packetBytes, report.byteCount)
        (psnrA, psnrB) = (a.psnr, b.psnr)
        memory = Memory(
            a: a.peak, b: b.peak, encoder: report.encoderMemory, workers: report.workers, ratio: report.memoryRatio)
        stages = Dictionary(
            uniqueKeysWithValues: RenderProfile.Stage.allCases.map { ("\($0)", report.seconds(of: $0)) })
        drawing = Spread(report.drawing).median
        (outsideEncoder, threadsA, self.target) = (report.shareOutsideEncoder, report.threads, target)
        missed = target?.missed(by: report) ?? []
    }

    /// All figures as an object on one line; what could not be measured is left out, and an infinite PSNR is "inf".
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
