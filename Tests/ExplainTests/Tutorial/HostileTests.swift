import Animations
import Foundation
import Render
import TestSupport
import Testing

@testable import Explain

/// Untrusted scripts: each is laid out or rejected with locations, in bounded time and memory.
@Suite struct HostileTests {
    private static let fuzzCount = ProcessInfo.processInfo.environment["LOADERVID_FUZZ"].flatMap { Int($0) }

    @Test func mutatedScriptsAreLaidOutOrRefused() throws { try run(count: 60, seed: 7) }

    /// A longer run for `scripts/fuzz-tutorials`.
    @Test(.enabled(if: fuzzCount != nil)) func fuzz() throws {
        let seed = ProcessInfo.processInfo.environment["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1
        try run(count: Self.fuzzCount ?? 0, seed: seed)
    }

    private func run(count: Int, seed: Int) throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("code"), withIntermediateDirectories: true)
        var seeds: [[UInt8]] = []
        for script in allScripts {
            if let folder = script.folder {
                seeds.append(Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + script.name))))
            } else {
                seeds.append(Array(script.text.utf8))
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: shippedTutorials + "/code")) ?? [] {
            try FileManager.default.copyItem(
                atPath: shippedTutorials + "/code/" + name, toPath: directory.file("code/" + name))
        }
        var mutator = Mutator(seeds: seeds, seed: seed)
        var accepted = 0
        var refused = 0
        var slowest = 0.0
        for number in 0..<count {
            let bytes = mutator.next()
            try Data(bytes).write(to: URL(fileURLWithPath: directory.file("s.yaml")))
            let start = ContinuousClock.now
            var problem: String?
            do {
                let script = try TutorialScript(file: directory.file("s.yaml"))
                // A script never reads a file outside its directory.
                let inside = URL(fileURLWithPath: directory.path).resolvingSymlinksInPath().path + "/"
                let outside = script.sources.keys.filter {
                    !URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardized.path.hasPrefix(inside)
                }
                if !outside.isEmpty { problem = "read \(outside)" }
                let look = Look.all[number % Look.all.count]
                var request = RenderRequest(loader: script.loader, container: .mp4)
                request.loader.language = look.language
                request.loader.shape = look.shape
                _ = try RenderPlan(script, request)
                accepted += 1
            } catch let error as DocumentError {
                refused += 1
                let isPlaced = error.problems.contains { "\($0)".contains(/^.+:[1-9][0-9]*:[1-9][0-9]*: ./) }
                let isLine = error.problems.allSatisfy {
                    !"\($0)".unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
                }
                if !isPlaced || !isLine { problem = "bad refusal \(error)" }
            } catch { problem = "other error \(error)" }
            let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
            slowest = max(slowest, seconds)
            if seconds > 20 { problem = "took \(seconds) s" }
            if let problem {
                Issue.record(
                    "file \(number) of seed \(seed) \(problem):\n\(String(decoding: bytes.prefix(4000), as: UTF8.self))"
                )
            }
        }
        #expect(accepted > 0 && refused > 0)
        print("fuzz: \(count) scripts, \(accepted) laid out, \(refused) refused, slowest \(Int(slowest * 1000)) ms")
    }
}
