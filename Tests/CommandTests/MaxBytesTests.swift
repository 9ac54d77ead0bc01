import Core
import Foundation
import TestSupport
import Testing

/// File size limits with `--max-bytes`.
@Suite struct MaxBytesTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    /// The last event of `--progress json`.
    private struct Done: Decodable {
        var event: String
        var bytes: Int?
        var frames: Int?
        var concessions: [String: String]?
        var trial: Int?
    }

    private func encode(_ arguments: [String], to name: String) throws -> Done {
        let outcome = try workspace.run(["encode"] + arguments + ["--progress", "json", "--force", "-o", name])
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
        return try JSONDecoder().decode(Done.self, from: Data(#require(outcome.errorLines.last).utf8))
    }

    /// For any limit, the file fits, has all its frames, and is identical to a file encoded with
    /// the reported settings as options.
    @Test(
        .slow,
        arguments: [
            ("clip.mp4", "24", ["--speed", "veryfast"], [97, 85, 70, 55]),
            ("clip.webm", "24", ["--speed", "8"], [97, 85, 70, 55]),
            ("clip.apng", "50", ["--speed", "1"], [97, 48, 36, 25]),
        ])
    func reportedSettingsReproduceTheFile(
        name: String, rate: String, options: [String], percents: [Int]
    ) throws {
        func clip(_ given: [String: String]) -> [String] {
            let quality = given["quality"].map { ["--quality", $0] } ?? []
            let looks = ["--size", given["size"] ?? "160x80", "--fps", given["fps"] ?? rate]
            return ["qq-mail"] + looks + quality + options
        }
        let path = workspace.directory.file(name)
        let whole = try #require(encode(clip([:]), to: name).bytes)
        let original = try bytes(of: path)
        #expect(try encode(clip([:]) + ["--max-bytes", "\(whole)"], to: name).concessions == [:])
        #expect(try bytes(of: path) == original)
        var seen: Set<[String: String]> = []
        for percent in percents {
            let limit = whole * percent / 100
            let done = try encode(clip([:]) + ["--max-bytes", "\(limit)"], to: name)
            let given = try #require(done.concessions)
            #expect(!given.isEmpty && done.bytes ?? .max <= limit, "\(percent)%: \(given)")
            let made = try bytes(of: path)
            #expect(made.count == done.bytes)
            let again = "again-\(name)"
            _ = try encode(clip(given), to: again)
            #expect(try bytes(of: workspace.directory.file(again)) == made, "\(given)")
            let frames = try #require(Probe(path).stream.nbReadFrames.flatMap(Int.init))
            #expect(done.frames == frames)
            let seconds = try Double(#require(FrameRate(text: given["fps"] ?? rate)).framesPerSecond.double)
            #expect(abs(Double(frames) / seconds - 1.44) <= 0.51 / seconds, "\(frames) frames at \(seconds)")
            seen.insert(given)
        }
        // Lower limits need other settings; the frame rate is reduced in animated images only.
        #expect(seen.count >= 3)
        #expect(seen.contains { $0["fps"] != nil } == name.hasSuffix("apng"))
    }

    /// A clip fills most of the limit after few renderings, and the file does not depend on the
    /// number of cores.
    @Test(
        .slow,
        arguments: some(
            of: [92, 71, 52],
            and: [
                "mp4 jelly --scale 0.5 --speed veryfast", "gif qq-mail --annotate all --scale 0.5",
                "gif jelly --scale 1", "apng jelly --scale 0.5 --speed 1", "webp qq-mail --scale 1 --fps 30",
            ], each: 4))
    func mostOfTheLimitIsUsed(percent: Int, options: String) throws {
        let words = options.split(separator: " ").map(String.init)
        let clip = Array(words.dropFirst())
        let name = "clip.\(words[0])"
        let whole = try #require(encode(clip, to: name).bytes)
        let limit = whole * percent / 100
        var files: [[UInt8]] = []
        for jobs in ["1", "3"] {
            let done = try encode(clip + ["--max-bytes", "\(limit)", "--jobs", jobs], to: name)
            let share = Double(done.bytes ?? 0) / Double(limit)
            #expect(share <= 1, "\(percent)%: \(share), \(done.concessions ?? [:])")
            if share < 0.9 { try expectLargerStepIsTooLarge(clip, done, name: name, limit: limit) }
            #expect((2...6).contains(done.trial ?? 0), "\(percent)%: \(done)")
            files.append(try bytes(of: workspace.directory.file(name)))
        }
        #expect(files[0] == files[1], "\(percent)%")
    }

    /// Expects that a file with the next larger step does not fit. Sides shrink by fortieths, rates
    /// by at least a tenth.
    private func expectLargerStepIsTooLarge(_ clip: [String], _ done: Done, name: String, limit: Int) throws {
        let given = try #require(done.concessions)
        var larger: [[String]] = []
        if let size = given["size"] {
            let sides = size.split(separator: "x").compactMap { Int($0) }
            try #require(sides.count == 2)
            // Some of the sizes between this one and the next step are not steps.
            let next = sides.map { $0 + max(2, ($0 / 12 + 1) / 2 * 2) }
            larger.append(["--size", "\(next[0])x\(next[1])"] + (given["fps"].map { ["--fps", $0] } ?? []))
        } else if let rate = given["fps"].flatMap({ FrameRate(text: $0) }) {
            let next = rate.framesPerSecond.double * 1.25
            larger.append(["--fps", "\(Int(next.rounded()))"])
        }
        for options in larger {
            let kept = clip.enumerated().filter { index, word in
                !["--scale", "--size", "--fps"].contains(word)
                    && !(index > 0 && ["--scale", "--size", "--fps"].contains(clip[index - 1]))
            }.map(\.element)
            let quality = given["quality"].map { ["--quality", $0] } ?? []
            let bytes = try #require(encode(kept + options + quality, to: "larger-\(name)").bytes)
            #expect(bytes > limit, "\(options) fits as well: \(bytes) of \(limit), \(given)")
        }
    }

    /// One output gets the same step beside a sibling as alone.
    @Test func siblingsDoNotChangeTheStep() throws {
        func preset(_ outputs: String) throws {
            try workspace.preset(
                """
                clips:
                  - loader: qq-mail
                    size: 160x80
                    fps: 24
                    duration: 12
                    speed: veryfast
                    outputs: [\(outputs)]
                """)
        }
        for limit in some(of: [20_000, 30_000, 45_000], each: 3) {
            let limited = "{format: mp4, max-bytes: \(limit) B}"
            var files: [[UInt8]] = []
            for (name, outputs) in [("alone", limited), ("both", limited + ", mkv")] {
                try preset(outputs)
                try workspace.batch("p.yaml", "-o", name)
                files.append(try #require(workspace.files(in: name)["p/qq-mail.mp4"]))
                try FileManager.default.removeItem(atPath: workspace.directory.file(name))
            }
            #expect(files[0] == files[1] && files[0].count <= limit, "\(limit)")
        }
    }

    /// Quality is reduced before size.
    @Test func qualityGoesFirst() throws {
        let clip = ["qq-mail", "--size", "160x80", "--fps", "24", "--speed", "veryfast"]
        let sizes = try ["18", "22", "26"].map { try encode(clip + ["--quality", $0], to: "q.mp4").bytes ?? 0 }
        #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
        for limit in [sizes[0] - 1, sizes[1], sizes[2]] {
            let done = try encode(clip + ["--max-bytes", "\(limit)"], to: "clip.mp4")
            #expect(done.concessions?.keys.sorted() == ["quality"], "\(limit): \(done)")
        }
    }

    /// Progress reports the trial and its settings, and includes the colour count of a GIF.
    @Test(.slow) func progressReportsTrials() throws {
        struct Event: Decodable {
            var event: String
            var share: Double?
            var frame: Int
            var frames: Int
            var counted: Int?
            var secondsLeft: Double?
            var trial: Int?
            var maxTrials: Int?
            var trying: [String: String]?
        }
        func clip(slowmo: Int) -> [String] {
            let frames = ["--annotate", "all", "--scale", "1", "--cycles", "3", "--slowmo", "\(slowmo)"]
            return ["encode", "qq-mail"] + frames + ["--jobs", "1", "--max-bytes", "\(200 * slowmo)kB", "-o", "a.gif"]
        }
        let outcome = try workspace.run(clip(slowmo: 3) + ["--progress", "json"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let events = try outcome.errorLines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
        let progress = events.filter { $0.event == "progress" }
        try #require(progress.count >= 2, "the clip was finished before any progress: \(outcome.errorText)")
        #expect(progress.allSatisfy { $0.maxTrials == 6 && (1...6).contains($0.trial ?? 0) && $0.trying != nil })
        #expect(progress.allSatisfy { ($0.trying?.isEmpty ?? false) == ($0.trial == 1) })
        // While colours are counted, nothing is known about the time of encoding.
        #expect(progress.allSatisfy { $0.frame > 0 || $0.secondsLeft == nil && $0.share ?? 0 <= 0.1 }, "\(progress)")
        // Progress is above zero before the first frame is encoded, once colours have been counted.
        #expect(progress.allSatisfy { $0.frame > 0 || $0.counted == 0 || $0.share ?? 0 > 0 }, "\(progress)")
        let plain = try workspace.run(clip(slowmo: 3) + ["--progress", "plain", "--force"])
        let pattern = /a\.gif: trial \d of at most 6: [^:]+, \d+%, .*frames.*/
        let lines = plain.errorLines.filter { $0.contains("%") }
        #expect(!lines.isEmpty && lines.allSatisfy { $0.wholeMatch(of: pattern) != nil }, "\(lines)")
    }

    @Test func theSummaryListsTheSettings() throws {
        let clip = [
            "encode", "qq-mail", "--size", "160x80", "--fps", "24", "--speed", "veryfast", "--max-bytes", "6kB",
        ]
        let outcome = try workspace.run(clip + ["-o", "clip.mp4", "--progress", "none"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(
            outcome.text.firstMatch(of: /; for at most 6000 bytes: quality [0-9.]+ instead of 18.* \([2-6] trials\)/)
                != nil
        )
        #expect(try bytes(of: workspace.directory.file("clip.mp4")).count <= 6000)
        #expect(try workspace.directory.names() == ["clip.mp4"])
    }

    @Test func impossibleLimitsAreRejected() throws {
        try makeFile("before", at: workspace.directory.file("clip.mp4"))
        let clip = ["encode", "qq-mail", "--scale", "1", "--progress", "none", "--force"]
        let outcome = try workspace.run(clip + ["--max-bytes", "300", "-o", "clip.mp4"])
        expectRefusal(
            outcome, 64,
            ["max-bytes: 300 bytes are below the smallest possible file of ", "(quality 38, ", "; set --max-bytes to "])
        #expect(try workspace.directory.names() == ["clip.mp4"])
        #expect(try bytes(of: workspace.directory.file("clip.mp4")) == Array("before".utf8))
        expectRefusal(try workspace.run(clip + ["--max-bytes", "1MB", "-o", "-"]), 64, ["max-bytes", "file"])
        for text in ["0", "2 apples", "-5", "1e6", "2000000 GB"] {
            expectRefusal(try workspace.run(clip + ["--max-bytes", text, "-o", "clip.mp4"]), 64, ["500 kB"])
        }
    }

    /// In a batch, a limit does not change the clip's other outputs, and the changed settings are
    /// recorded for later runs.
    @Test(.slow) func batchesRecordChangedSettings() throws {
        func preset(_ limit: String) throws {
            try workspace.preset(
                """
                clips:
                  - loader: qq-mail
                    size: 160x80
                    fps: 24
                    speed: veryfast
                    outputs: [{format: mp4\(limit)}, mkv]
                """)
        }
        try preset("")
        try workspace.batch("p.yaml", "-o", "plain")
        let plain = try workspace.files(in: "plain")
        let whole = try #require(plain["p/qq-mail.mp4"]).count
        try preset(", max-bytes: \(whole * 7 / 10) B")
        #expect(try workspace.batch("p.yaml").results["p/qq-mail.mp4"] == "made: new")
        let made = try workspace.files(in: "out")
        #expect(made["p/qq-mail.mkv"] == plain["p/qq-mail.mkv"])
        #expect(try #require(made["p/qq-mail.mp4"]).count <= whole * 7 / 10)
        struct Report: Decodable {
            struct Output: Decodable {
                var output: String
                var concessions: [String: String]?
            }
            var outputs: [Output]
        }
        func concessions() throws -> [String: [String: String]] {
            let report = try JSONDecoder().decode(
                Report.self, from: Data(bytes(of: workspace.directory.file("report.json"))))
            return Dictionary(
                uniqueKeysWithValues: report.outputs.compactMap { output in
                    output.concessions.map { (output.output, $0) }
                })
        }
        let first = try concessions()
        #expect(first.keys.sorted() == ["p/qq-mail.mp4"] && first["p/qq-mail.mp4"]?["quality"] != nil)
        #expect(try Set(workspace.batch("p.yaml").results.values) == ["up-to-date"])
        #expect(try concessions() == first)
        let table = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(table.text.contains("up to date; for max-bytes: quality "))
        let checked = try workspace.run(["batch", "p.yaml", "--check", "--progress", "none"])
        #expect(checked.code == 0, "\(checked.errorText)")
        #expect(checked.text.contains("for max-bytes: quality "), "\(checked.text)")
        try preset(", max-bytes: 300")
        let failed = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(
            failed.code == 64
                && failed.errorText.contains("max-bytes: 300 bytes are below the smallest possible file of "),
            "\(failed.errorText)")
        #expect(try workspace.files(in: "out") == made)
    }
}
