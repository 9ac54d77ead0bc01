import Foundation
import TestSupport
import Testing

/// Where the system gives less than encoders want, the program says so in a line, and never waits for what will not come.
@Suite(.serialized) struct LimitTests {
    /// Runs the program under limits that a shell sets; `asNobody` since root may have as many processes as it likes.
    private func run(
        _ command: String, in workspace: Workspace, limits: String = ":", prefix: String = "", asNobody: Bool = false
    ) throws -> Outcome {
        var prefix = prefix
        if asNobody, getuid() == 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: workspace.directory.path)
            let copy = workspace.directory.file("program")
            if !FileManager.default.fileExists(atPath: copy) {
                try FileManager.default.copyItem(atPath: Program.path, toPath: copy)
            }
            prefix = "LOADERVID=./program; exec setpriv --reuid=65534 --regid=65534 --clear-groups \(prefix)"
        }
        let process = try Subprocess(
            "sh", ["-c", "\(limits); \(prefix) \"$LOADERVID\" \(command)"], directory: workspace.directory,
            environment: ["LOADERVID": Program.path, "HOME": workspace.directory.path])
        return try process.wait(atMost: 50)
    }

    private func expectNothingLeft(_ workspace: Workspace, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try workspace.directory.names()
        #expect(!names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".mp4") }, sourceLocation: sourceLocation)
    }

    /// One process may be there already, and no thread comes to it: one thread then does everything.
    @Test func clipsAreMadeWithoutOtherThreads() throws {
        let workspace = try Workspace()
        let command = "encode qq --size 64x64 --duration 2 --gop 0.5 --repetition off --force --jobs 3 -o"
        #expect(try run("\(command) usual.mkv", in: workspace).code == 0)
        let outcome = try run("\(command) alone.mkv", in: workspace, prefix: "prlimit --nproc=1", asNobody: true)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let (usual, alone) = (workspace.directory.file("usual.mkv"), workspace.directory.file("alone.mkv"))
        #expect(try bytes(of: usual) == bytes(of: alone))
    }

    @Test(arguments: [("hevc", 1), ("av1", 1), ("av1", 20), ("h264", 1)])
    func encodersThatGetNoThreadsAreNotWaitedFor(codec: String, count: Int) throws {
        let workspace = try Workspace()
        let outcome = try run(
            "encode qq --size 64x64 --duration 0.2 --progress none --codec \(codec) -o a.mp4", in: workspace,
            prefix: "prlimit --nproc=\(count)", asNobody: true)
        expectRefusal(outcome, 70, ["threads", "ulimit -u"])
        try expectNothingLeft(workspace)
    }

    @Test func batchesSayItOfTheirOutputs() throws {
        let workspace = try Workspace()
        let preset = "clips: [{name: a, loader: qq, size: 64x64, duration: 1, gop: 0.5, repetition: off}]\n"
        try makeFile(preset, at: workspace.directory.file("one.yaml"))
        let outcome = try run(
            "batch one.yaml --progress none", in: workspace, prefix: "prlimit --nproc=1", asNobody: true)
        #expect(outcome.code == 0, "\(outcome.errorText)")
    }

    /// However much memory there may be, it is enough or a line says that it is not. `scripts/test-limits` tries more.
    @Test(arguments: [
        ("encode qq-mail --annotate all --duration 0.1 --scale 0.5 -o a.mp4", 360_000),
        ("encode qq-mail --annotate all --duration 0.1 --scale 0.5 -o a.mp4", 600_000),
        ("encode qq --size 640x640 --duration 0.1 --codec av1 -o a.mp4", 600_000),
        ("encode qq --size 4096x4096 --duration 2 --codec hevc -o a.mp4", 2_000_000),
        ("sheet qq --scale 1 -o a.png", 340_000), ("analyze clip.mkv", 340_000),
    ])
    func memoryIsEnoughOrALineSaysSo(command: String, kilobytes: Int) throws {
        let workspace = try Workspace()
        try workspace.encode("qq-mail", "--size", "64x32", "--duration", "0.2", to: "clip.mkv")
        let outcome = try run(command, in: workspace, limits: "ulimit -v \(kilobytes)")
        // The system's loader may not even get as far as the program.
        guard outcome.code != 127, outcome.code != 0 else { return }
        // The clip is too short for an analysis to find much.
        guard outcome.code != 65 else { return }
        expectRefusal(outcome, 70, ["memory", "ulimit -v"])
        try expectNothingLeft(workspace)
    }

    @Test func descriptorsAreCountedBeforeTheWork() throws {
        let workspace = try Workspace()
        let encode = "encode qq --size 64x64 --duration 0.2 --progress none -o a.mp4"
        expectRefusal(try run(encode, in: workspace, limits: "ulimit -n 4"), 74, ["ulimit -n"])
        try expectNothingLeft(workspace)
        try workspace.encode("qq-mail", "--scale", "1", "--duration", "0.5", to: "clip.mkv")
        let analysis = try run("analyze clip.mkv", in: workspace, limits: "ulimit -n 3")
        #expect(analysis.code == 127 || analysis.code == 74, "\(analysis.code) \(analysis.errorText)")
    }

    /// A library's end is not silent, and leaves nothing.
    @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP])
    func crashesLeaveALineOnly(signal: Int32) throws {
        let workspace = try Workspace()
        let endless = [
            "encode", "qq", "--duration", "9000", "--repetition", "off", "--progress", "none", "-o", "a.mp4",
        ]
        for isLeftAlone in [false, true] {
            let process = try workspace.start(
                endless, environment: isLeftAlone ? ["SWIFT_BACKTRACE": "enable=no"] : [:])
            let deadline = Date().addingTimeInterval(10)
            while try workspace.directory.names().isEmpty, Date() < deadline { usleep(5000) }
            process.send(signal)
            let outcome = try process.wait(atMost: 20)
            if isLeftAlone {
                #expect(outcome.code == 128 + signal)
            } else {
                expectRefusal(outcome, 70, ["SWIFT_BACKTRACE"])
                #expect(try workspace.directory.names().isEmpty)
            }
        }
    }
}
