import Foundation
import TestSupport
import Testing

/// Sequences of a batch that is killed and run again.
@Suite struct BatchSequenceResumeTests {
    private let workspace: CommandFixture
    /// Two sequences whose directories have the same name.
    private static let names = ["a/f", "b/f"]
    private static let preset = """
        defaults: {size: 320x240, fps: 30, duration: 4}
        clips:
          - {loader: jelly, outputs: [{file: a/f/%04d.png}]}
          - {loader: preloader, outputs: [{file: b/f/%04d.png}]}

        """

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(Self.preset)
    }

    private func path(_ name: String) -> String { workspace.directory.file(name) }

    /// The inode numbers of the frames in a directory, by their names.
    private func inodes(in directory: String) -> [String: UInt64] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(directory))) ?? []
        var inodes: [String: UInt64] = [:]
        for name in names where !name.hasPrefix(".") {
            var status = stat()
            // A frame may get its name between the two calls.
            if stat(path("\(directory)/\(name)"), &status) == 0 { inodes[name] = UInt64(status.st_ino) }
        }
        return inodes
    }

    /// The frames in each temporary directory.
    private func unfinished() -> [[String: UInt64]] {
        let state = "out/.loadervid/tmp"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(state))) ?? []
        return names.filter { $0.hasPrefix(".f.") }.map { inodes(in: "\(state)/\($0)") }
    }

    /// Kills a batch when both sequences have frames. Returns their inode numbers.
    private func killedFrames() throws -> [[String: UInt64]] {
        let process = try workspace.start(["batch", "p.yaml", "--jobs", "2", "--progress", "none"])
        let deadline = Date().addingTimeInterval(60)
        while unfinished().filter({ $0.count >= 12 }).count < 2 {
            try #require(process.isRunning && Date() < deadline, "it made no frames of both")
            usleep(2000)
        }
        process.send(SIGKILL)
        #expect(try process.wait().code != 0)
        return unfinished()
    }

    /// The outputs of a clip are made one by one if one of them cannot be made, and the first
    /// attempt's claims on names have ended by then.
    @Test func aRefusedOutputLeavesItsSiblings() throws {
        let workspace = try CommandFixture()
        try workspace.preset(
            "clips: [{loader: qq-mail, size: 128x96, fps: 10, annotate: [phases], outputs: [mp4, svg, png-sequence]}]\n"
        )
        let report = try workspace.batch("p.yaml", expecting: 65)
        #expect(
            report.outputs.map { "\($0.output) \($0.state)" } == [
                "p/qq-mail.mp4 made", "p/qq-mail.svg failed", "p/qq-mail/%04d.png made",
            ])
        let names = try workspace.files(in: "out").keys
        #expect(names.count { $0.hasSuffix(".png") } == 14 && names.contains("p/qq-mail.mp4"), "\(names)")
    }

    /// The next batch keeps the frames of both sequences, has the files of an uninterrupted one,
    /// and leaves nothing else.
    @Test(.slow) func killedBatchesContinue() throws {
        #expect(try workspace.run(["batch", "p.yaml", "-o", "whole", "--progress", "none"]).code == 0)
        let kept = try killedFrames()
        let outcome = try workspace.run(["batch", "p.yaml", "--jobs", "1", "--progress", "none"])
        #expect(outcome.code == 0)
        for frames in kept {
            #expect(outcome.errorText.contains("kept \(frames.count) frames of a killed batch"), "\(outcome.errorText)")
        }
        let now = Self.names.map { inodes(in: "out/\($0)") }
        for frames in kept {
            #expect(now.contains { now in frames.allSatisfy { now[$0.key] == $0.value } })
        }
        for name in Self.names {
            #expect(try workspace.files(in: "out/\(name)") == workspace.files(in: "whole/\(name)"))
        }
        let state = try FileManager.default.contentsOfDirectory(atPath: path("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
    }

    /// Frames of another recipe are drawn again, and those of an output that is no longer planned
    /// are removed.
    @Test func otherRecipesStartOver() throws {
        _ = try killedFrames()
        let changed = Self.preset.replacingOccurrences(of: "fps: 30", with: "fps: 25")
            .replacingOccurrences(of: "b/f/%04d.png", with: "b/g/%04d.png")
        try workspace.preset(changed)
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"])
        #expect(outcome.code == 0 && !outcome.errorText.contains("killed batch"), "\(outcome.errorText)")
        #expect(inodes(in: "out/a/f").count == 100 && inodes(in: "out/b/g").count == 100)
        let state = try FileManager.default.contentsOfDirectory(atPath: path("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
    }
}
