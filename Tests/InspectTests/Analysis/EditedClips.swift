import Core
import Foundation
import TestSupport
import Testing

extension BallClip {
    /// Returns a small clip with random edits: pauses, repeated blocks and gaps.
    ///
    /// Most clips have the article's table and colours, so that `compare` can match them.
    static func edited(seed: Int) -> BallClip {
        var random = SeededGenerator(seed: seed)
        var clip = BallClip(name: "edited clip \(seed)", size: Size(160, 60), radius: 8, offset: 30)
        clip.phase = random.double(0.12...0.6)
        clip.fps = ["10", "15", "24", "25", "30"][random.int(0...4)]
        clip.phases = random.double(1.5...14)
        clip.begin = random.double(0...2)
        clip.isUneven = random.int(0...3) == 0
        clip.options = ["crf": ["18", "28", "35"][random.int(0...2)], "preset": "veryfast"]
        if random.int(0...2) == 0 {
            clip.table = [[1, -1, 0, 0], [1, 0, -1, -1, 0, 1], [1, -1], [1, 1, 0, -1, -1, 0]][random.int(0...3)]
            let count = random.int(1...3)
            clip.starts = (0..<count).map { _ in random.int(0...clip.table.count - 1) }
            clip.colors = Array(clip.colors.prefix(count))
        }
        var order = Array(0..<max(3, clip.frameCount))
        for _ in 0..<random.int(1...5) { edit(&order, &random) }
        clip.order = Array(order.prefix(240))
        return clip
    }

    private static func edit(_ order: inout [Int], _ random: inout SeededGenerator) {
        let ends = [random.int(0...order.count), random.int(0...order.count)].sorted()
        let block = Array(order[ends[0]..<ends[1]])
        switch random.int(0...3) {
        case 0:
            let index = random.int(0...order.count - 1)
            order.insert(contentsOf: repeatElement(order[index], count: random.int(1...40)), at: index)
        case 1: for _ in 0..<random.int(1...4) { order.insert(contentsOf: block, at: ends[1]) }
        case 2 where order.count - block.count >= 3: order.removeSubrange(ends[0]..<ends[1])
        default: if block.count >= 3 { order = block }
        }
        order = Array(order.prefix(400))
    }

    /// Returns a file with some bytes changed, or without its end.
    static func mutated(_ bytes: [UInt8], seed: Int) -> [UInt8] {
        var random = SeededGenerator(seed: ~seed)
        var bytes = bytes
        if random.int(0...9) == 0 { return Array(bytes.prefix(random.int(1...bytes.count))) }
        for _ in 0..<random.int(1...4) { bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255)) }
        return bytes
    }
}

/// Thousands of edited and damaged clips, for scripts/fuzz-analysis.
@Suite struct AnalysisFuzzTests {
    private static let count = ProcessInfo.processInfo.environment["LOADERVID_FUZZ"].flatMap { Int($0) }

    /// The outcomes of the files by kind of edit.
    private struct Outcomes {
        var codes: [String: [Int32: Int]] = [:]
        var failures: [String] = []

        mutating func add(_ kind: String, _ name: String, _ code: Int32, isProper: Bool) {
            codes[kind, default: [:]][code, default: 0] += 1
            if !isProper { failures.append("\(kind) \(name): exit code \(code)") }
        }

        mutating func add(_ other: Outcomes) {
            for (kind, counts) in other.codes { codes[kind, default: [:]].merge(counts, uniquingKeysWith: +) }
            failures += other.failures
        }
    }

    @Test(.enabled(if: count != nil)) func everyClipIsAnalysedOrRejected() async throws {
        let variables = ProcessInfo.processInfo.environment
        let first = variables["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1
        let seeds = first..<first + (Self.count ?? 0)
        let program = builtProgram
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var outcomes = Outcomes()
        try await withThrowingTaskGroup(of: Outcomes.self) { group in
            for core in 0..<cores {
                group.addTask {
                    var own = Outcomes()
                    for seed in seeds where seed % cores == core { own.add(try trial(seed, program)) }
                    return own
                }
            }
            for try await own in group { outcomes.add(own) }
        }
        for (kind, counts) in outcomes.codes.sorted(by: { $0.key < $1.key }) {
            let codes = counts.sorted { $0.key < $1.key }.map { "\($0.value) ended with \($0.key)" }
            print("fuzz: \(kind): \(codes.joined(separator: ", "))")
        }
        for failure in outcomes.failures { print("fuzz: failed: \(failure)") }
        #expect(outcomes.failures.isEmpty)
    }

    private func trial(_ seed: Int, _ program: String) throws -> Outcomes {
        let scratch = try TemporaryDirectory()
        let clip = scratch.file("clip.mkv")
        let broken = scratch.file("broken.mkv")
        try BallClip.edited(seed: seed).write(to: clip)
        let file = try Data(contentsOf: URL(fileURLWithPath: clip))
        try Data(BallClip.mutated(Array(file), seed: seed)).write(to: URL(fileURLWithPath: broken))
        var outcomes = Outcomes()
        for (kind, arguments) in [
            ("analyze, edited", ["analyze", clip, "--json"]), ("analyze, damaged", ["analyze", broken, "--json"]),
            ("compare, edited", ["compare", clip, "--as", "qq-mail", "--json"]),
        ] where kind != "compare, edited" || seed % 4 == 0 {
            // A command that takes more than a minute hangs. Then timeout ends with 124.
            let result = try Subprocess("timeout", ["60", program] + arguments).wait(timeout: 90)
            let lines = result.errorLines.count
            // A recording that differs from the loader has a report, too.
            let hasReport = result.code == 0 || result.code == 1 && arguments[0] == "compare"
            let isProper = hasReport ? isSound(result.text) : result.code == 65 && lines == 1
            outcomes.add(kind, "\(seed)", result.code, isProper: isProper)
        }
        return outcomes
    }

    /// True if a report is valid JSON with positive lengths.
    private func isSound(_ text: String) -> Bool {
        let object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        guard let object else { return false }
        return ["phase", "period", "offset", "scale", "speed"].allSatisfy { key in
            (object[key] as? Double).map { $0.isFinite && $0 > 0 } ?? true
        }
    }
}
