import Foundation
import TestSupport
import Testing

/// Resource limits below the needs of encoders are reported in one line, and never hang the
/// program.
@Suite(.serialized) struct LimitTests {
    /// Runs the program under limits that a shell sets. `asNobody` drops root, for which there is
    /// no limit of processes.
    private func run(
        _ command: String, in workspace: CommandFixture, limits: String = ":", prefix: String = "",
        asNobody: Bool = false
    ) throws -> Outcome {
        try start(command, in: workspace, limits: limits, prefix: prefix, asNobody: asNobody).wait(timeout: 50)
    }

    private func start(
        _ command: String, in workspace: CommandFixture, limits: String = ":", prefix: String = "",
        asNobody: Bool = false, errors: Subprocess.Target = .captured
    ) throws -> Subprocess {
        var prefix = prefix
        if asNobody, getuid() == 0 {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: workspace.directory.path)
            // The shell makes the copy: a file written by this process may still be open in a child
            // of another test, and cannot be executed then.
            let asOtherUser = "setpriv --reuid=65534 --regid=65534 --clear-groups"
            prefix = "cp \"$LOADERVID\" program; LOADERVID=./program; exec \(asOtherUser) \(prefix)"
        }
        // `exec` replaces the shell, so that signals reach the program.
        let exec = prefix.contains("exec ") ? "" : "exec"
        return try Subprocess(
            "sh", ["-c", "\(limits); \(exec) \(prefix) \"$LOADERVID\" \(command)"], directory: workspace.directory,
            environment: ["LOADERVID": Program.path, "HOME": workspace.directory.path], errors: errors)
    }

    private func expectNoFilesLeft(
        _ workspace: CommandFixture, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let names = try workspace.directory.names()
        #expect(!names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".mp4") }, sourceLocation: sourceLocation)
    }

    /// A decoder without memory reports damage. `verify` must not repeat that for an intact file.
    @Test func decodersWithoutMemoryDoNotFindDamage() throws {
        let workspace = try CommandFixture()
        let source = "-f lavfi -i testsrc2=s=4096x4096:r=5:d=0.6"
        let made = try workspace.shell("ffmpeg -v error \(source) -c:v libx264 -preset ultrafast -crf 40 a.mp4")
        try #require(made.code == 0, "\(made.errorText)")
        for kilobytes in some(of: [260_000, 300_000, 340_000, 400_000], each: 2) {
            let outcome = try run("verify a.mp4", in: workspace, limits: "ulimit -v \(kilobytes)")
            let text = outcome.text + outcome.errorText
            #expect(!text.contains("truncated") && !text.contains("damaged"), "\(kilobytes) kB: \(text)")
            if outcome.code > 1 { #expect(text.contains("memory"), "\(kilobytes) kB: \(text)") }
        }
    }

    /// If no additional thread can be started, one thread does all the work.
    @Test func clipsAreRenderedWithoutExtraThreads() throws {
        let workspace = try CommandFixture()
        let command = "encode qq --size 64x64 --duration 2 --gop 0.5 --repetition off --force --jobs 3 -o"
        #expect(try run("\(command) usual.mkv", in: workspace).code == 0)
        let outcome = try run("\(command) alone.mkv", in: workspace, prefix: "prlimit --nproc=1", asNobody: true)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let (usual, alone) = (workspace.directory.file("usual.mkv"), workspace.directory.file("alone.mkv"))
        #expect(try bytes(of: usual) == bytes(of: alone))
    }

    @Test(arguments: [("hevc", 1), ("av1", 1), ("av1", 20), ("h264", 1)])
    func encodersWithoutThreadsFail(codec: String, count: Int) throws {
        let workspace = try CommandFixture()
        let outcome = try run(
            "encode qq --size 64x64 --duration 0.2 --progress none --codec \(codec) -o a.mp4", in: workspace,
            prefix: "prlimit --nproc=\(count)", asNobody: true)
        expectRefusal(outcome, 70, ["threads", "ulimit -u"])
        try expectNoFilesLeft(workspace)
    }

    /// One clip that cannot be rendered does not stop the others.
    @Test func onlyOutputsWithoutThreadsFail() throws {
        let workspace = try CommandFixture()
        let preset = """
            defaults: {loader: qq, size: 64x64, duration: 0.2, gop: 0.1, repetition: off}
            clips: [{name: a}, {name: b, codec: hevc}, {name: c, fps: 30}]
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

    @Test func doctorReportsEncodersWithoutThreads() throws {
        let outcome = try run("doctor", in: CommandFixture(), prefix: "prlimit --nproc=5", asNobody: true)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.text.contains("libx265     opens"), "\(outcome.text)")
        #expect(outcome.text.contains("libsvtav1 needs more threads"), "\(outcome.text)")
    }

    /// A system limit is not reported as an error in the image.
    @Test(.slow) func imagesAreNotBlamedForSystemLimits() throws {
        let workspace = try CommandFixture()
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

    /// A signal while the program prints its last error to a blocked pipe must not keep it from
    /// ending.
    @Test(.slow) func signalsDuringExitDoNotBlockIt() throws {
        let workspace = try CommandFixture()
        /// The exit code and the run time in seconds, with a signal after `seconds`, if given.
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
            return (try process.wait(timeout: 5).code, Date().timeIntervalSince(start))
        }
        let usual = try (0..<3).map { _ in try end() }
        #expect(usual.allSatisfy { $0.code == 70 })
        let seconds = usual.map(\.seconds).min() ?? 0
        for early in some(of: Array(stride(from: 0.095, to: 0, by: -0.01)), each: 2) {
            let code = try end(signalAfter: seconds - early).code
            // On a busy machine, the signal may reach the shell before the program starts.
            #expect([70, 130, 128 + SIGTERM].contains(code))
        }
    }

    /// With any memory limit, the program succeeds or reports the limit in one line.
    /// `scripts/test-limits` tries more limits.
    @Test(
        .slow,
        arguments: [
            ("encode qq-mail --annotate all --duration 0.1 --scale 0.5 -o a.mp4", 360_000),
            ("encode qq-mail --annotate all --duration 0.1 --scale 0.5 -o a.mp4", 600_000),
            ("encode qq --size 640x640 --duration 0.1 --codec av1 -o a.mp4", 600_000),
            ("encode qq --size 4096x4096 --duration 2 --codec hevc -o a.mp4", 2_000_000),
            ("sheet qq --scale 1 -o a.png", 340_000), ("analyze clip.mkv", 340_000),
        ])
    func lackOfMemoryIsReportedInOneLine(command: String, kilobytes: Int) throws {
        let workspace = try CommandFixture()
        try workspace.encode("qq-mail", "--size", "64x32", "--duration", "0.2", to: "clip.mkv")
        let outcome = try run(command, in: workspace, limits: "ulimit -v \(kilobytes)")
        // The dynamic linker may fail before the program starts.
        guard outcome.code != 127, outcome.code != 0 else { return }
        // The clip is too short for an analysis to find much.
        guard outcome.code != 65 || !command.hasPrefix("analyze") else { return }
        expectRefusal(outcome, 70, ["memory", "ulimit -v"])
        #expect(!outcome.errorText.contains("crashed"), "\(outcome.errorText)")
        try expectNoFilesLeft(workspace)
    }

    /// Libraries that abort when memory runs out, such as Pango and Swift's runtime, add nothing to
    /// the program's one line.
    @Test(.slow, arguments: ["list", "still qq --at 0 --force -o a.png", "sheet qq --scale 1 --force -o a.png"])
    func librariesPrintNothingWithoutMemory(command: String) throws {
        let workspace = try CommandFixture()
        for kilobytes in some(of: Array(stride(from: 240_000, through: 330_000, by: 3000)), each: 3) {
            let outcome = try run(command, in: workspace, limits: "ulimit -v \(kilobytes)")
            guard outcome.code != 127, outcome.code != 0 else { continue }
            #expect([69, 70, 74].contains(outcome.code), "\(kilobytes): \(outcome.code)")
            #expect(outcome.errorLines.count == 1, "\(kilobytes): \(outcome.errorText)")
        }
    }

    @Test func theOpenFileLimitIsCheckedFirst() throws {
        let workspace = try CommandFixture()
        let encode = "encode qq --size 64x64 --duration 0.2 --progress none -o a.mp4"
        expectRefusal(try run(encode, in: workspace, limits: "ulimit -n 4"), 74, ["ulimit -n"])
        try expectNoFilesLeft(workspace)
        try workspace.encode("qq-mail", "--scale", "1", "--duration", "0.5", to: "clip.mkv")
        let analysis = try run("analyze clip.mkv", in: workspace, limits: "ulimit -n 3")
        #expect(analysis.code == 127 || analysis.code == 74, "\(analysis.code) \(analysis.errorText)")
    }

    /// A crash in a library is reported in one line, and leaves no temporary files.
    @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP])
    func crashesPrintOneLineAndLeaveNoFiles(signal: Int32) throws {
        let workspace = try CommandFixture()
        let endless = [
            "encode", "qq", "--duration", "9000", "--repetition", "off", "--progress", "none", "-o", "a.mp4",
        ]
        for isLeftAlone in [false, true] {
            let process = try workspace.start(
                endless, environment: isLeftAlone ? ["SWIFT_BACKTRACE": "enable=no"] : [:])
            let deadline = Date().addingTimeInterval(10)
            while try workspace.directory.names().isEmpty, Date() < deadline { usleep(5000) }
            process.send(signal)
            let outcome = try process.wait(timeout: 20)
            if isLeftAlone {
                #expect(outcome.code == 128 + signal)
            } else {
                expectRefusal(outcome, 70, ["crashed (signal \(signal))", "SWIFT_BACKTRACE"])
                #expect(!outcome.errorText.contains("memory"))
                #expect(try workspace.directory.names().isEmpty)
            }
        }
    }
}
