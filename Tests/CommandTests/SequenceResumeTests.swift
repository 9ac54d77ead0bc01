import Foundation
import TestSupport
import Testing

/// Sequences that are killed and made again.
@Suite struct SequenceResumeTests {
    /// A clip of several segments, which takes long enough to be killed.
    private static let clip = ["--size", "320x240", "--fps", "30", "--duration", "4", "--progress", "none"]
    private static let frameCount = 120

    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func encode(_ pattern: String, _ options: [String] = []) -> [String] {
        ["encode", "jelly"] + Self.clip + options + ["-o", pattern]
    }

    private func path(_ name: String) -> String { workspace.directory.file(name) }

    /// The inode numbers of the frames in a directory, by their names.
    private func inodes(in directory: String) throws -> [String: UInt64] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path(directory)).filter { !$0.hasPrefix(".") }
        var inodes: [String: UInt64] = [:]
        for name in names {
            var status = stat()
            // A frame may get its name between the two calls.
            if stat(path("\(directory)/\(name)"), &status) == 0 { inodes[name] = UInt64(status.st_ino) }
        }
        return inodes
    }

    /// The temporary directory of the sequence `f`; nil if there is none.
    private func hidden() throws -> String? { try workspace.directory.names().first { $0.hasPrefix(".f.") } }

    /// Kills an encoding when it has at least `count` frames. Returns its temporary directory.
    private func kill(_ words: [String], after count: Int) throws -> String {
        let process = try workspace.start(words)
        let start = Date()
        while try hidden().map({ try inodes(in: $0).count }) ?? 0 < count, Date().timeIntervalSince(start) < 60 {
            usleep(2000)
        }
        process.send(SIGKILL)
        #expect(try process.wait().code != 0)
        return try #require(try hidden())
    }

    /// The next run keeps the frames of a killed one as they are, draws only the others, and has
    /// the files of an uninterrupted run.
    @Test(.slow, arguments: ["%04d.png", "%d.tif", "%03d.webp", "%d.jpg"])
    func killedRunsAreContinued(pattern: String) throws {
        #expect(try workspace.run(encode("whole/\(pattern)")).code == 0)
        let whole = try workspace.files(in: "whole")
        #expect(whole.count == Self.frameCount)
        let left = try kill(encode("f/\(pattern)", ["--jobs", "2"]), after: 24)
        let kept = try inodes(in: left)
        #expect(kept.count >= 24 && kept.count < Self.frameCount)
        for name in kept.keys { #expect(try bytes(of: path("\(left)/\(name)")) == whole[name]) }
        // Another number of workers makes the same segments.
        let outcome = try workspace.run(encode("f/\(pattern)", ["--jobs", "1"]))
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("kept \(kept.count) frames of a killed run"))
        #expect(try workspace.directory.names() == ["f", "whole"])
        #expect(try workspace.files(in: "f") == whole)
        let now = try inodes(in: "f")
        #expect(kept.allSatisfy { now[$0.key] == $0.value })
    }

    /// Each of many kills leaves frames for the next one, also under `--force` over an earlier
    /// sequence, until the sequence is complete.
    @Test(.slow) func manyKillsMakeProgress() throws {
        #expect(try workspace.run(encode("whole/%d.png")).code == 0)
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        let old = try workspace.files(in: "f")
        var count = 0
        for number in 0..<6 {
            let left = try kill(encode("f/%d.png", ["--force"]), after: count + 1)
            let next = try inodes(in: left).count
            #expect(next > count, "kill \(number)")
            count = next
            #expect(try workspace.files(in: "f") == old)
            guard count < Self.frameCount - 30 else { break }
        }
        #expect(try workspace.run(encode("f/%d.png", ["--force"])).code == 0)
        #expect(try workspace.files(in: "f") == workspace.files(in: "whole"))
        #expect(try workspace.directory.names() == ["f", "whole"])
    }

    /// Frames of another recipe are not kept: other options, another first number, another program
    /// that wrote another mark, and no mark at all.
    @Test(.slow) func otherRecipesStartOver() throws {
        let words = encode("f/%d.png")
        for options in [["--background", "black"], ["--start-number", "3"], ["--set", "color=blue"]] {
            _ = try kill(words, after: 12)
            let outcome = try workspace.run(encode("f/%d.png", options))
            #expect(outcome.code == 0 && !outcome.text.contains("killed run"), "\(options)")
            #expect(try workspace.directory.names() == ["f"])
            try FileManager.default.removeItem(atPath: path("f"))
        }
        for mark in ["something else\n", nil] {
            let left = try kill(words, after: 12)
            try FileManager.default.removeItem(atPath: path("\(left)/.recipe"))
            if let mark { try makeFile(mark, at: path("\(left)/.recipe")) }
            let outcome = try workspace.run(words)
            #expect(outcome.code == 0 && !outcome.text.contains("killed run"))
            #expect(try workspace.directory.names() == ["f"])
            try FileManager.default.removeItem(atPath: path("f"))
        }
    }

    /// Files that are not complete frames of this user are drawn again: links, pipes, hard links,
    /// empty and cut files. Nothing outside is touched.
    @Test(.slow) func damagedAndHostileFramesAreDrawnAgain() throws {
        #expect(try workspace.run(encode("whole/%d.png")).code == 0)
        let whole = try workspace.files(in: "whole")
        let left = try kill(encode("f/%d.png"), after: 24)
        let names = try inodes(in: left).keys.sorted { (Int($0.dropLast(4)) ?? 0) < (Int($1.dropLast(4)) ?? 0) }
        let victims = names.prefix(7).map { path("\(left)/\($0)") }
        let precious = path("precious.png")
        try FileManager.default.copyItem(atPath: victims[0], toPath: precious)
        let before = try bytes(of: precious)
        let contents = try bytes(of: victims[3])
        for victim in victims { try FileManager.default.removeItem(atPath: victim) }
        #expect(symlink(precious, victims[0]) == 0)
        #expect(mkfifo(victims[1], 0o600) == 0)
        #expect(link(precious, victims[2]) == 0)
        try Data(contents.dropLast(5)).write(to: URL(fileURLWithPath: victims[3]))
        try Data().write(to: URL(fileURLWithPath: victims[4]))
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: victims[5]))
        // A frame that the clip does not have, and what was being written.
        try FileManager.default.copyItem(atPath: precious, toPath: path("\(left)/9999.png"))
        try Data(contents).write(to: URL(fileURLWithPath: path("\(left)/.77.part")))
        let outcome = try workspace.run(encode("f/%d.png"))
        #expect(outcome.code == 0)
        #expect(outcome.text.contains("kept \(names.count - 7) frames of a killed run"))
        #expect(try workspace.files(in: "f") == whole)
        #expect(try bytes(of: precious) == before)
        #expect(try workspace.directory.names() == ["f", "precious.png", "whole"])
    }

    /// A directory that another user could have prepared is removed with its frames.
    @Test(.enabled(if: geteuid() == 0)) func directoriesOfOtherUsersAreNotTrusted() throws {
        let left = try kill(encode("f/%d.png"), after: 12)
        #expect(chown(path(left), 12_345, 12_345) == 0)
        let outcome = try workspace.run(encode("f/%d.png"))
        #expect(outcome.code == 0 && !outcome.text.contains("killed run"))
        #expect(try workspace.directory.names() == ["f"])
    }

    /// Kills at instants throughout a run, each followed by a complete run: frames that had their
    /// names are the same files afterwards.
    @Test(.slow) func killsAtAnyInstantAreContinued() throws {
        // During half of the run of such a clip, the temporary directory has finished frames.
        let words = ["encode", "jelly", "--size", "96x84", "--fps", "24", "--duration", "8", "--progress", "none"]
        #expect(try workspace.run(words + ["-o", "whole/%d.png"]).code == 0)
        let whole = try workspace.files(in: "whole")
        var continued = 0
        var seconds = 0.0
        // More kills only if the machine was so busy that none fell within the writing.
        for number in some(of: Array(0..<96), each: 3) where number < 24 || continued == 0 {
            if number % 24 == 0 {
                let start = Date()
                #expect(try workspace.run(words + ["--force", "-o", "f/%d.png"]).code == 0)
                seconds = Date().timeIntervalSince(start)
            }
            let process = try workspace.start(words + ["--force", "-o", "f/%d.png"])
            usleep(UInt32(seconds * Double(number % 24 + 1) / 22 * 1e6))
            process.send(SIGKILL)
            _ = try process.wait()
            #expect(try workspace.files(in: "f") == whole)
            let left = try hidden()
            let hasMark = try left.map { try workspace.names(in: $0).contains(".recipe") } ?? false
            let kept = hasMark ? try inodes(in: left ?? "") : [:]
            let outcome = try workspace.run(words + ["--force", "-o", "f/%d.png"])
            #expect(outcome.code == 0)
            #expect(try workspace.files(in: "f") == whole, "kill \(number)")
            #expect(try workspace.directory.names() == ["f", "whole"])
            let now = try inodes(in: "f")
            #expect(kept.allSatisfy { now[$0.key] == $0.value }, "kill \(number)")
            if !kept.isEmpty {
                continued += 1
                #expect(outcome.text.contains("kept \(kept.count) frame"))
            }
        }
        #expect(continued > 0, "no kill left a frame")
    }
}
