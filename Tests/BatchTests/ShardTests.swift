import Batch
import Foundation
import Render
import TestSupport
import Testing

@Suite struct ShardTests {
    /// Every piece of work is assigned to exactly one shard, independently of the order, and loads
    /// differ by at most one piece.
    @Test(arguments: 0..<60) func assignmentsAreCompleteStableAndBalanced(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let count = random.int(1...9)
        let work = (0..<random.int(0...80)).map { ("clip-\($0)", random.int(1...1 << random.int(0...30))) }
        let shards = Shard.assignment(of: work, count: count)
        #expect(Set(shards.keys) == Set(work.map(\.0)))
        #expect(shards.values.allSatisfy { (0..<count).contains($0) })
        #expect(Shard.assignment(of: work.shuffled(using: &random), count: count) == shards)
        let loads = (0..<count).map { shard in work.reduce(0) { $0 + (shards[$1.0] == shard ? $1.1 : 0) } }
        let largest = work.map(\.1).max() ?? 0
        // Each piece was assigned to the shard with the smallest load at that point.
        #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= largest)
    }

    /// The target is a directory of the source, so each copy of an `a` replaces the source of a
    /// `q/a` that the merge has already hashed. Outputs are copied in any order; only some are
    /// replaced in time.
    @Test func filesThatChangeDuringAMergeAreNotCopied() throws {
        let directory = try TemporaryDirectory()
        let names = (0..<8).map { "a\($0)" }
        try run(names.flatMap { [try clip($0, [request()]), try clip("q/\($0)", [request("qq")])] }, in: directory)
        let originals = try names.map { try bytes(of: directory.file("q/\($0).mp4")) }
        let source = try OutputDirectory(directory.path, creates: false)
        let target = try OutputDirectory(directory.file("q"), creates: false)
        let token = CancellationToken()
        let state = try BatchState(
            target, shard: nil, WaitPolicy(waits: false, cancellation: token) { _ in })
        do {
            _ = try BatchMerge([source], into: target, state: state, force: true).run(token)
        } catch let error as LoadervidError {
            let isExpected = error.description.contains("changed while the shards were merged")
            #expect(error.kind == .inputOutput && isExpected, "\(error)")
        }
        for (name, original) in zip(names, originals) {
            let path = directory.file("q/q/\(name).mp4")
            guard FileManager.default.fileExists(atPath: path) else { continue }
            #expect(try bytes(of: path) == original, "\(name)")
        }
    }

    @Test func equalWorkIsDistributedInTurn() {
        let shards = Shard.assignment(of: ["d", "b", "a", "c"].map { ($0, 5) }, count: 3)
        #expect(shards == ["a": 0, "b": 1, "c": 2, "d": 0])
    }

    @Test(arguments: [
        ("0/3", [:], "0/3"), ("2/3", ["CI_NODE_INDEX": "1"], "2/3"),
        ("auto/4", ["JOB_COMPLETION_INDEX": "3"], "3/4"),
        ("auto", ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "2"], "0/2"),
        ("auto", ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "5"], "4/5"),
        ("auto", ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"], "3/4"),
        (
            "auto",
            [
                "SLURM_ARRAY_TASK_ID": "10", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "2",
                "SLURM_ARRAY_TASK_STEP": "4",
            ], "2/3"
        ),
        // A single task of an earlier array, run again.
        (
            "auto/8", ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_TASK_MIN": "5"], "5/8"
        ),
        ("auto", ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "4"], "1/4"),
        ("auto", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], "0/4"),
        ("auto/4", ["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"], "3/4"),
        ("auto/4", ["CI_NODE_INDEX": "4"], "3/4"), ("auto/4", ["CIRCLE_NODE_INDEX": "3"], "3/4"),
        (
            "auto",
            ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4", "CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "4"], "1/4"
        ),
        // GitLab sets the count without an index for jobs that are not parallel.
        ("auto/2", ["CI_NODE_TOTAL": "1", "JOB_COMPLETION_INDEX": "1"], "1/2"),
    ])
    func shardsAreReadFromTheEnvironment(text: String, environment: [String: String], expected: String) throws {
        #expect(try ShardChoice(text: text).shard(environment: environment).description == expected)
    }

    @Test(arguments: [
        ("3/3", [:], "shard 3/3"), ("-1/3", [:], "-1/3"), ("0/0", [:], "0/0"), ("1", [:], "'1'"), ("", [:], "''"),
        ("0/99999", [:], "10000"), ("auto/0", [:], "0/0"), ("auto/x", [:], "auto/x"), ("0/3/4", [:], "0/3/4"),
        ("auto", [:], "JOB_COMPLETION_INDEX"), ("auto/3", [:], "SLURM_ARRAY_TASK_ID"),
        ("auto", ["JOB_COMPLETION_INDEX": "0"], "auto/N"),
        ("auto", ["SLURM_ARRAY_TASK_ID": "0"], "SLURM_ARRAY_TASK_COUNT"),
        (
            "auto", ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1"],
            "not one of 3"
        ),
        (
            "auto",
            [
                "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "0",
                "SLURM_ARRAY_TASK_STEP": "2",
            ], "steps of 2"
        ),
        ("auto", ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "4"], "counts from 1"),
        ("auto", ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"], "not one of 4"),
        ("auto", ["CI_NODE_INDEX": "1"], "CI_NODE_TOTAL"), ("auto", ["CIRCLE_NODE_INDEX": "x"], "not a number"),
        ("auto/3", ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "4"], "CIRCLE_NODE_TOTAL is 4"),
        (
            "auto",
            ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4", "CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "4"],
            "CI_NODE_INDEX gives 0/4"
        ),
    ])
    func invalidShardsAreRejected(text: String, environment: [String: String], words: String) throws {
        let error = try #require(throws: LoadervidError.self) {
            try ShardChoice(text: text).shard(environment: environment)
        }
        #expect(error.kind == .usage)
        #expect(error.description.contains(words), "\(error.description)")
    }
}
