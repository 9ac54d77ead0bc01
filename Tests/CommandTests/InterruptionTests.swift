import Foundation
import TestSupport
import Testing

@Suite struct InterruptionTests {
    private static let endless = [
        "encode", "qq", "--scale", "2", "--duration", "100000", "--repetition", "off", "--progress", "none", "--jobs",
        "2",
    ]

    /// Waits for the temporary, after which the work has begun.
    private func waitForWork(_ process: Subprocess, in workspace: Workspace) throws {
        let deadline = Date().addingTimeInterval(10)
        while try !workspace.directory.names().contains(where: { $0.hasSuffix(".part") }) {
            try #require(process.isRunning && Date() < deadline, "it did not begin")
            usleep(5000)
        }
        usleep(200_000)
    }

    @Test(arguments: [SIGINT, SIGTERM], [false, true])
    func signalsEndTheWorkSoon(signal: Int32, isThere: Bool) throws {
        let workspace = try Workspace()
        if isThere { try makeFile("old", at: workspace.directory.file("clip.mp4")) }
        let process = try workspace.start(Self.endless + ["-o", "clip.mp4", "--force"])
        try waitForWork(process, in: workspace)
        let start = Date()
        process.send(signal)
        let outcome = try process.wait(atMost: 10)
        #expect(Date().timeIntervalSince(start) < 2)
        expectRefusal(outcome, 130, ["interrupted"])
        #expect(try workspace.directory.names() == (isThere ? ["clip.mp4"] : []))
        if isThere { #expect(try bytes(of: workspace.directory.file("clip.mp4")) == Array("old".utf8)) }
    }

    @Test func aSecondSignalLeavesNothingEither() throws {
        let workspace = try Workspace()
        let process = try workspace.start(Self.endless + ["-o", "clip.mkv"])
        try waitForWork(process, in: workspace)
        process.send(SIGTERM)
        process.send(SIGINT)
        process.send(SIGTERM)
        #expect(try process.wait(atMost: 10).code == 130)
        #expect(try workspace.directory.names().isEmpty)
    }

    /// Somebody who does not read must not keep it from ending.
    @Test func signalsReachAWriterThatWaits() throws {
        let workspace = try Workspace()
        let pipe = try NamedPipe()
        defer { for end in [pipe.reader, pipe.writer] { close(end) } }
        let process = try workspace.start(
            Self.endless + ["--format", "mkv", "-o", "-"], output: .descriptor(pipe.writer))
        usleep(1_000_000)
        #expect(process.isRunning)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(atMost: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < 2)
    }
}
