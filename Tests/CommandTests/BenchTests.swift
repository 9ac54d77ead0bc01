import Foundation
import TestSupport
import Testing

private struct Figures: Decodable {
    struct Spread: Decodable {
        var min: Double
        var median: Double
        var max: Double
    }
    struct Memory: Decodable {
        var a: Int?
        var b: Int?
        var encoder: Int?
        var workers: Int
        var ratio: Double?
    }
    var name: String
    var clip: String
    var codec: String
    var encoder: String
    var size: String
    var frames: Int
    var runs: Int
    var repetition: String
    var fpsA: Double
    var fpsB: Double
    var cpuA: Double
    var cpuB: Double
    var ratio: Spread
    var bytesA: Int
    var bytesB: Int
    var fileBytes: Int
    var bytesRatio: Double
    var psnrA: Double?
    var psnrB: Double?
    var memory: Memory
    var stages: [String: Double]
    var drawing: Double
    var outsideEncoder: Double
    var threadsA: Int
}

@Suite struct BenchTests {
    private static let tiny = ["bench", "--size", "64x48", "--duration", "0.5"]

    /// Runs the program with its own temporary directory, which must be empty afterwards.
    private func outcome(_ arguments: [String], code: Int32 = 0) throws -> Outcome {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(arguments, environment: ["TMPDIR": workspace.directory.path])
        #expect(outcome.code == code, "\(outcome.errorText)")
        #expect(try workspace.directory.names().isEmpty)
        return outcome
    }

    private func figures(_ arguments: [String]) throws -> Figures {
        let outcome = try outcome(arguments + ["--json"])
        #expect(outcome.errors.isEmpty, "\(outcome.errorText)")
        #expect(outcome.output.last == UInt8(ascii: "\n") && !outcome.output.dropLast().contains(UInt8(ascii: "\n")))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(Figures.self, from: Data(outcome.output))
    }

    @Test(.slow, arguments: [("h264", "libx264"), ("vp9", "libvpx-vp9")])
    func aClipIsMeasured(codec: String, encoder: String) throws {
        let figures = try figures(Self.tiny + ["--codec", codec, "--runs", "2", "--jobs", "2", "--gop", "0.1"])
        #expect(figures.clip == "qq-mail" && figures.size == "64x48")
        #expect(figures.codec == codec && figures.encoder == encoder)
        #expect(figures.frames == 30 && figures.runs == 2 && figures.repetition == "on")
        #expect(figures.fpsA > 0 && figures.fpsB > 0 && figures.cpuA > 0 && figures.cpuB > 0)
        let ratio = figures.ratio
        #expect(ratio.min > 0 && ratio.min <= ratio.median && ratio.median <= ratio.max)
        #expect(figures.bytesA > 0 && figures.bytesB > 0 && figures.fileBytes > figures.bytesB)
        #expect(figures.bytesRatio == Double(figures.bytesB) / Double(figures.bytesA))
        for psnr in [figures.psnrA, figures.psnrB] { #expect((25...70).contains(try #require(psnr))) }
        #expect(figures.memory.workers == 2)
        let stages = ["scene", "raster", "convert", "encode", "mux", "wait"]
        #expect(Set(figures.stages.keys) == Set(stages))
        #expect(stages.dropLast().allSatisfy { (figures.stages[$0] ?? 0) > 0 }, "\(figures.stages)")
        #expect(figures.drawing > 0 && figures.drawing < 0.1)
        #expect(figures.outsideEncoder > 0 && figures.outsideEncoder.isFinite)
    }

    /// With lossless settings, both sides give the original frames.
    @Test func losslessFramesAreIdentical() throws {
        let figures = try figures(Self.tiny + ["--quality", "0", "--speed", "ultrafast", "--quick", "--slowmo", "2"])
        #expect(figures.psnrA == .infinity && figures.psnrB == .infinity && figures.runs == 1)
    }

    @Test(
        .slow,
        arguments: [
            ["--static", "vfr", "--hold", "0.2", "--size", "64x48"],
            ["--cycles", "2", "--fps", "10", "--annotate", "all", "--size", "240x240"],
            ["--motion-blur", "0.5", "--side-by-side", "--clip", "iqiyi", "--size", "64x48"],
            ["--codec", "ffv1", "--pixel-format", "yuv420p10le", "--scale", "1"],
        ])
    func allOptionsOfEncodeCanBeMeasured(options: [String]) throws {
        let figures = try figures(["bench", "--quick"] + options)
        #expect(figures.frames > 0 && figures.ratio.min > 0 && figures.psnrB != nil)
        #expect(abs(try #require(figures.psnrA) - (figures.psnrB ?? 0)) < 3 || figures.psnrA == figures.psnrB)
    }

    @Test func textDescribesTheClip() throws {
        let text = try outcome(Self.tiny + ["--quick", "--repetition", "off"]).text
        for word in ["qq-mail: 30 frames, 64x48, libx264, repetition off, 1 run", "frames/s", "PSNR", "dB", "raster"] {
            #expect(text.contains(word), "\(text)")
        }
    }

    @Test(
        .slow,
        arguments: [
            (["--runs", "0"], 64, "1...1000"), (["--quick", "--runs", "3"], 64, "cannot be combined"),
            (["--suite", "--size", "64x48"], 64, "leave out --size"), (["--clip", "nothing"], 64, "nothing"),
            (["--size", "64x47"], 64, "64x48"), (["--codec", "mpeg9"], 69, "mpeg9"),
            (["--size", "8192x8192", "--duration", "100000", "--slowmo", "100"], 64, "memory"),
        ] as [([String], Int32, String)])
    func badOptionsAreRefused(options: [String], code: Int32, word: String) throws {
        expectRefusal(try outcome(["bench"] + options, code: code), code, [word])
    }

    @Test func aMissingTemporaryDirectoryIsReported() throws {
        let outcome = try CommandFixture().run(Self.tiny, environment: ["TMPDIR": "/nowhere/at/all"])
        expectRefusal(outcome, 73, ["/nowhere/at/all", "TMPDIR"])
    }

    @Test(.slow, arguments: some(of: [0.3, 4, 1.5], each: 2)) func signalsEndMeasuringSoon(seconds: Double) throws {
        let workspace = try CommandFixture()
        let process = try workspace.start(
            ["bench", "--runs", "1000", "--duration", "5", "--jobs", "2"],
            environment: ["TMPDIR": workspace.directory.path])
        usleep(UInt32(seconds * 1e6))
        try #require(process.isRunning)
        process.send(SIGINT)
        expectRefusal(try process.wait(timeout: 10), 130, ["interrupted"])
        #expect(try workspace.directory.names().isEmpty)
    }
}
