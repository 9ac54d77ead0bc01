import Foundation
import TestSupport
import Testing

@Suite struct BatchLockTests {
    @Test func unusableDirectoriesHaveARemedy() throws {
        let workspace = try CommandFixture()
        try workspace.preset("clips: [{loader: qq}]\n")
        try makeFile("", at: workspace.directory.file("file"))
        expectRefusal(
            try workspace.run(["batch", "p.yaml", "-o", "file/out"]), 73, ["Not a directory; use another directory"])
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("out/.loadervid/lock"), withIntermediateDirectories: true)
        expectRefusal(
            try workspace.run(["batch", "p.yaml", "-o", "out"]), 73, ["cannot lock ", "Is a directory; remove it"])
    }

    private let workspace: CommandFixture
    private static let long = """
        clips:
          - {loader: qq, size: 128x128, slowmo: 1000, duration: 1600}

        """

    init() throws {
        workspace = try CommandFixture()
        try workspace.preset(smallPreset)
        try workspace.preset(Self.long, at: "long.yaml")
    }

    /// Starts a batch that does not end, and waits until it renders.
    private func startLong() throws -> Subprocess {
        let process = try workspace.start(["batch", "long.yaml", "--progress", "none"])
        let deadline = Date().addingTimeInterval(20)
        func hasBegun() -> Bool {
            let folder = workspace.directory.file("out/.loadervid/tmp")
            return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.contains { $0.contains("qq") }
                == true
        }
        while !hasBegun() {
            try #require(process.isRunning && Date() < deadline, "it did not begin")
            usleep(5000)
        }
        return process
    }

    /// Starts another batch in the directory, and returns once it has reported that it is waiting.
    private func startSecond() throws -> Subprocess {
        let errors = workspace.directory.file("errors")
        try makeFile("", at: errors)
        let process = try workspace.start(["batch", "p.yaml", "--progress", "none"], errors: .path(errors))
        let deadline = Date().addingTimeInterval(20)
        while try bytes(of: errors).isEmpty {
            try #require(process.isRunning && Date() < deadline, "it does not wait")
            usleep(5000)
        }
        let message = String(decoding: try bytes(of: errors), as: UTF8.self)
        #expect(message.contains("another batch that uses this directory"), "\(message)")
        #expect(message.filter { $0 == "\n" }.count == 1, "\(message)")
        return process
    }

    @Test func theSecondBatchWaitsOrFails() throws {
        let first = try startLong()
        expectRefusal(try workspace.run(["batch", "p.yaml", "--no-wait"]), 73, ["another batch"])
        let second = try startSecond()
        #expect(try workspace.files(in: "out").isEmpty)
        first.send(SIGKILL)
        #expect(try second.wait().code == 0)
        #expect(try workspace.files(in: "out").keys.sorted() == smallNames)
        // The killed batch has left no files either.
        let state = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
    }

    @Test func aSignalEndsTheWait() throws {
        let first = try startLong()
        let second = try startSecond()
        second.send(SIGINT)
        #expect(try second.wait(timeout: 10).code == 130)
        #expect(first.isRunning)
    }

    /// Finished outputs are kept, and the next run continues.
    @Test(arguments: some(of: [SIGINT, SIGTERM], each: 2)) func signalsEndTheBatch(signal: Int32) throws {
        let quick = "  - {loader: [jelly, iqiyi], size: 32x16}\n"
        try workspace.preset(Self.long + quick, at: "long.yaml")
        let process = try workspace.start(
            ["batch", "long.yaml", "--progress", "none", "--jobs", "2", "--json-report", "report.json"])
        let deadline = Date().addingTimeInterval(60)
        while try workspace.files(in: "out").count < 2 {
            try #require(process.isRunning && Date() < deadline, "nothing was finished")
            usleep(5000)
        }
        process.send(signal)
        let outcome = try process.wait(timeout: 10)
        #expect(outcome.code == 130)
        let reason = "interrupted: 1 output was not made; run the same command to make it"
        #expect(outcome.errorText.contains(reason), "\(outcome.errorText)")
        let report = try workspace.report()
        #expect(
            report.results == [
                "long/qq.mp4": "not-run: new", "long/jelly.mp4": "made: new", "long/iqiyi.mp4": "made: new",
            ])
        #expect(try workspace.files(in: "out").keys.sorted() == ["long/iqiyi.mp4", "long/jelly.mp4"])
        let state = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
        try workspace.preset("clips:\n" + quick, at: "long.yaml")
        #expect(try Set(workspace.batch("long.yaml").results.values) == ["up-to-date"])
    }
}
