import Foundation
import Motion
import TestSupport
import Testing

/// Files that may have no more than so many bytes.
@Suite struct MaxBytesTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// What `--progress json` says last.
    private struct Done: Decodable {
        var event: String
        var bytes: Int?
        var concessions: [String: String]?
    }

    private func encode(_ arguments: [String], to name: String) throws -> Done {
        let outcome = try workspace.run(["encode"] + arguments + ["--progress", "json", "--force", "-o", name])
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
        return try JSONDecoder().decode(Done.self, from: Data(#require(outcome.errorLines.last).utf8))
    }

    /// Whatever the limit: the file fits, holds all frames, and is the one that its concessions make as options, to the byte.
    @Test(arguments: [
        ("clip.mp4", "24", ["--speed", "veryfast"], [97, 85, 70, 55]),
        ("clip.webm", "24", ["--speed", "8"], [97, 85, 70, 55]),
        ("clip.apng", "50", ["--speed", "1"], [97, 48, 36, 25]),
    ])
    func whatIsGivenUpIsSaidAndMakesTheFile(
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
            let seconds = try Double(#require(FrameRate(text: given["fps"] ?? rate)).framesPerSecond.double)
            #expect(abs(Double(frames) / seconds - 1.44) < 0.03, "\(frames) frames at \(seconds)")
            seen.insert(given)
        }
        // Less room takes more; frames are taken from animated pictures only.
        #expect(seen.count >= 3)
        #expect(seen.contains { $0["fps"] != nil } == name.hasSuffix("apng"))
    }

    /// Quality goes before size, and no more than needed: half a step less is too large.
    @Test func noMoreIsGivenUpThanNeeded() throws {
        let clip = ["qq-mail", "--size", "160x80", "--fps", "24", "--speed", "veryfast"]
        let sizes = try ["18", "22", "26"].map { try encode(clip + ["--quality", $0], to: "q.mp4").bytes ?? 0 }
        #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
        for (limit, quality) in [(sizes[0] - 1, "22"), (sizes[1], "22"), (sizes[1] - 1, "26"), (sizes[2], "26")] {
            let done = try encode(clip + ["--max-bytes", "\(limit)"], to: "clip.mp4")
            #expect(done.concessions == ["quality": quality], "\(limit)")
        }
    }

    @Test func theSummarySaysIt() throws {
        let clip = [
            "encode", "qq-mail", "--size", "160x80", "--fps", "24", "--speed", "veryfast", "--max-bytes", "6kB",
        ]
        let outcome = try workspace.run(clip + ["-o", "clip.mp4", "--progress", "none"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(
            outcome.text.firstMatch(of: /; for at most 6000 bytes: quality \d+ instead of 18.* \([2-6] trials\)/) != nil
        )
        #expect(try bytes(of: workspace.directory.file("clip.mp4")).count <= 6000)
        #expect(try workspace.directory.names() == ["clip.mp4"])
    }

    @Test func whatCannotFitIsRefusedAndNothingIsLeft() throws {
        try makeFile("before", at: workspace.directory.file("clip.mp4"))
        let clip = ["encode", "qq-mail", "--scale", "1", "--progress", "none", "--force"]
        let outcome = try workspace.run(clip + ["--max-bytes", "300", "-o", "clip.mp4"])
        expectRefusal(outcome, 64, ["max-bytes 300", "quality 38 instead of 18", "size "])
        #expect(try workspace.directory.names() == ["clip.mp4"])
        #expect(try bytes(of: workspace.directory.file("clip.mp4")) == Array("before".utf8))
        expectRefusal(try workspace.run(clip + ["--max-bytes", "1MB", "-o", "-"]), 64, ["max-bytes", "file"])
        for text in ["0", "2 apples", "-5", "1e6", "2000000 GB"] {
            expectRefusal(try workspace.run(clip + ["--max-bytes", text, "-o", "clip.mp4"]), 64, ["500 kB"])
        }
    }

    /// In a batch the other files of the clip are as they are without, and what was given up is known from run to run.
    @Test func batchesKnowWhatWasGivenUp() throws {
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
        #expect(try workspace.batch("p.yaml").fates["p/qq-mail.mp4"] == "made: new")
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
        #expect(try Set(workspace.batch("p.yaml").fates.values) == ["up-to-date"])
        #expect(try concessions() == first)
        let table = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(table.text.contains("up to date; for max-bytes: quality "))
        let checked = try workspace.run(["batch", "p.yaml", "--check", "--progress", "none"])
        #expect(checked.code == 0, "\(checked.errorText)")
        #expect(checked.text.contains("for max-bytes: quality "), "\(checked.text)")
        try preset(", max-bytes: 300")
        let failed = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(failed.code == 64 && failed.errorText.contains("more than max-bytes 300"), "\(failed.errorText)")
        #expect(try workspace.files(in: "out") == made)
    }
}
