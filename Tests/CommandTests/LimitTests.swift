import Foundation
import TestSupport
import Testing

/// Where the system gives less than encoders want, the program says so in a line, and never waits for what will not come.
@Suite(.serialized) struct LimitTests {
    /// Runs the program under limits that a shell sets; `asNobody` since root may have as many processes as it likes.
    private func run(
        _ command: String, in workspace: Workspace, limits: String = ":", prefix: String = "", asNobody: Bool = false
    ) throws -> Outcome {
        try start(command, in: workspace, limits: limits, prefix: prefix, asNobody: asNobody).wait(atMost: 50)
    }

    private func start(
        _ command: String, in workspace: Workspace, limits: String = ":", prefix: String = "", asNobody: Bool = false,
        errors: Subprocess.Target = .captured
    ) throws -> Subprocess {
        var prefix = prefix
        if asNobody, getuid() == 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: workspace.directory.path)
            // Copied by the shell: a file that this process wrote could still be open in a child of another test, and then
            // nobody may run it.
            let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
            prefix = "cp \"$LOADERVID\" program; LOADERVID=./program; exec \(nobody) \(prefix)"
        }
        // The last command is the shell itself, so that signals reach the program.
        let become = prefix.contains("exec ") ? "" : "exec"
        return try Subprocess(
            "sh", ["-c", "\(limits); \(become) \(prefix) \"$LOADERVID\" \(command)"], directory: workspace.directory,
            environment: ["LOADERVID": Program.path, "HOME": workspace.directory.path], errors: errors)
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

    /// A clip that cannot be made is no reason to make no other.
    @Test func batchesSayItOfTheirOutputs() throws {
        let workspace = try Workspace()
        let preset = """
            defaults: {loader: qq, size: 64x64, duration: 0.2, gop: 0.1, repetition: off}
            clips: [{name: a}, {name: b, codec: hevc}, {name: c}]
            """
        try makeFile(preset, at: workspace.directory.file("three.yaml"))
        let outcome = try run(
            "batch three.yaml --progress none --junit junit.xml", in: workspace, prefix: "prlimit --nproc=1",
            asNobody: true)
        #expect(outcome.code == 70, "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains("b.mp4: libx265 needs more threads"))
        #expect(try workspace.shell("cd out && echo *").text == "a.mp4 c.mp4\n")
        let report = try String(decoding: bytes(of: workspace.directory.file("junit.xml")), as: UTF8.self)
        #expect(report.contains(#"tests="3" failures="1""#) && report.contains("libx265 needs more threads"))
    }

    @Test func doctorsSayWhichEncodersGetNoThreads() throws {
        let outcome = try run("doctor", in: Workspace(), prefix: "prlimit --nproc=5", asNobody: true)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.text.contains("libx265     opens"), "\(outcome.text)")
        #expect(outcome.text.contains("libsvtav1 needs more threads"), "\(outcome.text)")
    }

    /// What the system refuses is not the picture's fault.
    @Test func coversAreNotBlamedForLimits() throws {
        let workspace = try Workspace()
        try TestSupport.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=red:size=6000x6000:rate=1", "-frames:v", "1", "p.png"],
            directory: workspace.directory)
        try makeFile(
            "clips: [{name: a, loader: douyin, size: 64x64, set: {cover: p.png}}]\n",
            at: workspace.directory.file("cover.yaml"))
        let still = try run("still douyin --at 0 --set cover=p.png -o a.png", in: workspace, limits: "ulimit -v 290000")
        expectRefusal(still, 70, ["p.png", "memory", "ulimit -v"])
        let batch = try run("batch cover.yaml", in: workspace, limits: "ulimit -v 290000")
        #expect(batch.code == 70 && batch.errorText.contains("ulimit -v"), "\(batch.errorText)")
        let files = try run("still douyin --at 0 --set cover=p.png -o a.png", in: workspace, limits: "ulimit -n 3")
        guard files.code != 127 else { return }
        expectRefusal(files, 74, ["ulimit -n"])
    }

    /// While the program says why it ends, and nobody reads that, a signal must not keep it.
    @Test func signalsDuringTheEndDoNotHoldIt() throws {
        let workspace = try Workspace()
        /// Seconds until the end, with a signal after some.
        func end(signalAfter seconds: Double? = nil) throws -> (code: Int32, seconds: Double) {
            let pipe = try NamedPipe()
            defer { for end in [pipe.reader, pipe.writer] { close(end) } }
            pipe.fill()
            let process = try start(
                "sheet qq --scale 1 -o a.png", in: workspace, prefix: "prlimit --nproc=1", asNobody: true,
                errors: .descriptor(pipe.writer))
            let start = Date()
            if let seconds {
                usleep(UInt32(max(0, seconds) * 1_000_000))
                process.send(SIGTERM)
            }
            return (try process.wait(atMost: 5).code, Date().timeIntervalSince(start))
        }
        let usual = try (0..<3).map { _ in try end() }
        #expect(usual.allSatisfy { $0.code == 70 })
        let seconds = usual.map(\.seconds).min() ?? 0
        for early in stride(from: 0.095, to: 0, by: -0.01) {
            let code = try end(signalAfter: seconds - early).code
            // Where the machine is busy, the signal may come to the shell before the program runs.
            #expect([70, 130, 128 + SIGTERM].contains(code))
        }
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
        guard outcome.code != 65 || !command.hasPrefix("analyze") else { return }
        expectRefusal(outcome, 70, ["memory", "ulimit -v"])
        #expect(!outcome.errorText.contains("broke down"), "\(outcome.errorText)")
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
                expectRefusal(outcome, 70, ["broke down (signal \(signal))", "SWIFT_BACKTRACE"])
                #expect(!outcome.errorText.contains("memory"))
                #expect(try workspace.directory.names().isEmpty)
            }
        }
    }
}
