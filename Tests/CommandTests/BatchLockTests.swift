import Foundation
import TestSupport
import Testing

@Suite struct BatchLockTests {
    private let workspace: Workspace
    private static let long = """
        clips:
          - {loader: qq, scale: 2, duration: 1000}

        """

    init() throws {
        workspace = try Workspace()
        try workspace.preset(smallPreset)
        try workspace.preset(Self.long, at: "long.yaml")
    }

    /// Starts a batch that does not end, and waits until it is at work.
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

    @Test func theSecondBatchWaitsOrIsRefused() throws {
        let first = try startLong()
        let refused = try workspace.run(["batch", "p.yaml", "--no-wait"])
        expectRefusal(refused, 73, ["another batch"])
        let second = try workspace.start(["batch", "p.yaml", "--progress", "none"])
        usleep(500_000)
        #expect(second.isRunning)
        #expect(try workspace.files(in: "out").isEmpty)
        first.send(SIGKILL)
        let outcome = try second.wait()
        #expect(outcome.code == 0)
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains("waiting"), "\(outcome.errorText)")
        #expect(try workspace.files(in: "out").keys.sorted() == smallNames)
        // What was killed has left nothing either.
        let state = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
    }

    @Test func waitingEndsWithASignal() throws {
        let first = try startLong()
        let second = try workspace.start(["batch", "p.yaml", "--progress", "none"])
        usleep(500_000)
        second.send(SIGINT)
        #expect(try second.wait(atMost: 5).code == 130)
        #expect(first.isRunning)
    }

    /// What is finished stays, and the next run goes on.
    @Test(arguments: [SIGINT, SIGTERM]) func signalsEndTheBatch(signal: Int32) throws {
        try workspace.preset(Self.long + smallPreset.replacing(/[^-]*clips:/, with: ""), at: "long.yaml")
        try workspace.batch("p.yaml")
        let process = try startLong()
        usleep(300_000)
        process.send(signal)
        let outcome = try process.wait(atMost: 10)
        #expect(outcome.code == 130)
        #expect(outcome.errorText.contains("interrupted"), "\(outcome.errorText)")
        #expect(try workspace.files(in: "out").keys.contains("long/qq.mp4") == false)
        let state = try FileManager.default.contentsOfDirectory(atPath: workspace.directory.file("out/.loadervid"))
        #expect(state.sorted() == ["lock", "manifest.json"])
        #expect(try Set(workspace.batch("p.yaml").fates.values) == ["up-to-date"])
    }
}
