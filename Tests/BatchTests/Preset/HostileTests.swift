import Batch
import Core
import Explain
import Foundation
import Render
import TestSupport
import Testing

@Suite struct HostileTests {
    private static let fuzzCount = ProcessInfo.processInfo.environment["LOADERVID_FUZZ"].flatMap { Int($0) }

    @Test(.slow) func mutatedPresetsAreReadOrRefused() throws {
        _ = try Trial(seed: 4).run(count: 200)
    }

    /// The same with many more presets, for scripts/fuzz-presets.
    @Test(.enabled(if: fuzzCount != nil)) func fuzz() throws {
        let seed = ProcessInfo.processInfo.environment["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1
        let figures = try Trial(seed: seed, isAlone: true).run(count: Self.fuzzCount ?? 0)
        print("fuzz: \(figures)")
    }
}

/// The results of reading many mutated presets.
private struct Figures: CustomStringConvertible {
    var accepted = 0
    var refused = 0
    var outputs = 0
    var problems = 0
    var slowest = 0.0
    var memory = 0

    var description: String {
        "\(accepted + refused) files, \(accepted) accepted with \(outputs) outputs, \(refused) refused with \(problems) "
            + "problems, slowest \(Int(slowest * 1000)) ms, most memory \(memory) MB"
    }
}

/// A run that reads mutated presets and checks the results.
private struct Trial {
    let seed: Int
    let directory: TemporaryDirectory
    let limits: PresetLimits
    /// True if no other test runs in the process, so that the process's memory can be checked.
    private let isAlone: Bool
    /// The maximum time for a preset. Generous for a busy machine: the bugs in question take
    /// minutes or never end.
    private static let maxSeconds = 20.0
    private static let maxMegabytes = 1500

    init(seed: Int, isAlone: Bool = false) throws {
        self.seed = seed
        self.isAlone = isAlone
        directory = try TemporaryDirectory()
        var limits = PresetLimits()
        limits.outputs = 60
        self.limits = limits
    }

    func run(count: Int) throws -> Figures {
        let seeds = try DocumentFile.all(in: shippedFolder).map { try bytes(of: $0) }
        try #require(seeds.count >= 5)
        try makeFile("defaults: {fps: 30}\n", at: directory.file("base.yaml"))
        let own = [
            "extends: base.yaml\nclips:\n  - loader: [qq, qq-mail]\n    set: {offset: 20, radius: 5}\n",
            "extends: p.yaml\ndefaults:\n  name: '{loader}/{fps}'\nclips:\n  - loader: jelly\n    matrix:\n"
                + "      fps: [24, 30]\n      size: [64x64]\n    outputs: [mp4, {file: 'x/{loader}{fps}.webm'}]\n",
            "clips:\n  - {loader: douyin, set: {cover: base.yaml}, phase: 1, ramp: 3, gop: 0.5, cycles: 3}\n",
        ]
        var mutator = Mutator(seeds: seeds + own.map { Array($0.utf8) }, seed: seed)
        var figures = Figures()
        for number in 0..<count {
            let preset = mutator.next()
            let start = ContinuousClock.now
            try check(preset, number, &figures)
            let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
            figures.slowest = max(figures.slowest, seconds)
            guard seconds < Self.maxSeconds else { return fail("took \(seconds) s", number, preset, figures) }
            figures.memory = Self.megabytes
            guard !isAlone || figures.memory < Self.maxMegabytes else {
                return fail("took \(figures.memory) MB", number, preset, figures)
            }
        }
        return figures
    }

    private func check(_ preset: [UInt8], _ number: Int, _ figures: inout Figures) throws {
        let path = directory.file("p.yaml")
        try Data(preset).write(to: URL(fileURLWithPath: path))
        do {
            let clips = try PresetReader(limits: limits).read([path])
            figures.accepted += 1
            let outputs = clips.flatMap(\.outputs)
            figures.outputs += outputs.count
            for problem in Self.violations(clips, limits) { _ = fail(problem, number, preset, figures) }
        } catch {
            figures.refused += 1
            figures.problems += error.problems.count
            let isPlaced = error.problems.contains { "\($0)".contains(/^.+:[1-9][0-9]*:[1-9][0-9]*: ./) }
            let isLine = error.problems.allSatisfy {
                !"\($0)".unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            }
            let isKnown = [.badData, .missingInput].contains(error.kind)
            if !isPlaced || !isLine || !isKnown { _ = fail("bad refusal \(error)", number, preset, figures) }
        }
    }

    /// The violations of limits and path rules by an accepted preset; empty for none.
    private static func violations(_ clips: [PresetClip], _ limits: PresetLimits) -> [String] {
        let outputs = clips.flatMap(\.outputs)
        var violations: [String] = []
        for output in outputs {
            let parts = output.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            if parts.contains(where: { $0.isEmpty || $0.first == UInt8(ascii: ".") || $0.contains(0) }) {
                violations.append("path \(output.path)")
            }
            if output.plan.frameCount > limits.frames { violations.append("frames of \(output.path)") }
        }
        if outputs.count > limits.outputs { violations.append("\(outputs.count) outputs") }
        if Set(outputs.map(\.path)).count < outputs.count { violations.append("one path twice") }
        let pixels = clips.map { $0.outputs[0].plan }.reduce(0) {
            $0 + $1.framesToEncode * $1.width * $1.height
        }
        if pixels > limits.gigapixels * 1_000_000_000 { violations.append("\(pixels) pixels") }
        return violations
    }

    private func fail(_ what: String, _ number: Int, _ preset: [UInt8], _ figures: Figures) -> Figures {
        Issue.record("file \(number) of seed \(seed) \(what):\n\(String(decoding: preset.prefix(4000), as: UTF8.self))")
        return figures
    }

    /// The peak of the process's resident memory in megabytes.
    private static var megabytes: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Int(usage.ru_maxrss) / 1024
    }
}
