import Foundation
import TestSupport
import Testing

@Suite struct InterruptionTests {
    private static let endless = [
        "encode", "qq", "--scale", "2", "--duration", "3000", "--repetition", "off", "--progress", "none", "--jobs",
        "2",
    ]

    /// The maximum time to end in seconds: three, doubled for a machine that is busy with other
    /// tests. An encoder alone would take a minute.
    private static let maxSeconds = 6.0

    /// Waits for the temporary file, which shows that the work has begun.
    private func waitForWork(_ process: Subprocess, in workspace: CommandFixture) throws {
        let deadline = Date().addingTimeInterval(10)
        while try !workspace.directory.names().contains(where: { $0.hasSuffix(".part") }) {
            try #require(process.isRunning && Date() < deadline, "it did not begin")
            usleep(5000)
        }
        usleep(200_000)
    }

    @Test(arguments: some(of: [SIGINT, SIGTERM], and: [false, true], each: 3))
    func signalsEndTheWorkSoon(signal: Int32, fileExists: Bool) throws {
        let workspace = try CommandFixture()
        if fileExists { try makeFile("old", at: workspace.directory.file("clip.mp4")) }
        let process = try workspace.start(Self.endless + ["-o", "clip.mp4", "--force"])
        try waitForWork(process, in: workspace)
        let start = Date()
        process.send(signal)
        let outcome = try process.wait(timeout: 10)
        #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
        expectRefusal(outcome, 130, ["interrupted"])
        #expect(try workspace.directory.names() == (fileExists ? ["clip.mp4"] : []))
        if fileExists { #expect(try bytes(of: workspace.directory.file("clip.mp4")) == Array("old".utf8)) }
    }

    /// Temporary files are removed through the open directory, even if its path now leads
    /// elsewhere.
    @Test func signalsLeaveNothingInADirectoryThatMoved() throws {
        let workspace = try CommandFixture()
        let manager = FileManager.default
        let directory = workspace.directory
        try manager.createDirectory(atPath: directory.file("out"), withIntermediateDirectories: true)
        let process = try workspace.start(Self.endless + ["-o", "out/clip.mp4"])
        let deadline = Date().addingTimeInterval(10)
        while try manager.contentsOfDirectory(atPath: directory.file("out")).isEmpty {
            try #require(process.isRunning && Date() < deadline, "it did not begin")
            usleep(5000)
        }
        try manager.moveItem(atPath: directory.file("out"), toPath: directory.file("moved"))
        process.send(SIGTERM)
        #expect(try process.wait(timeout: 10).code == 130)
        #expect(try manager.contentsOfDirectory(atPath: directory.file("moved")).isEmpty)
    }

    @Test func aSecondSignalLeavesNoFiles() throws {
        let workspace = try CommandFixture()
        let process = try workspace.start(Self.endless + ["-o", "clip.mkv"])
        try waitForWork(process, in: workspace)
        process.send(SIGTERM)
        process.send(SIGINT)
        process.send(SIGTERM)
        #expect(try process.wait(timeout: 10).code == 130)
        #expect(try workspace.directory.names().isEmpty)
    }

    /// A reader that does not read must not keep the program from ending.
    @Test(.slow) func signalsEndABlockedWriter() throws {
        let workspace = try CommandFixture()
        let pipe = try NamedPipe()
        defer { for end in [pipe.reader, pipe.writer] { close(end) } }
        let process = try workspace.start(
            Self.endless + ["--format", "mkv", "-o", "-"], output: .descriptor(pipe.writer))
        usleep(1_000_000)
        #expect(process.isRunning)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(timeout: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
    }

    /// Programs started in the background or with `nohup` have some signals ignored.
    @Test(.slow) func ignoredSignalsStayIgnored() throws {
        let workspace = try CommandFixture()
        let words = (Self.endless + ["-o", "clip.mp4", "--jobs", "1"]).joined(separator: " ")
        let process = try Subprocess(
            "sh", ["-c", "trap '' HUP INT; exec \"$LOADERVID\" \(words)"], directory: workspace.directory,
            environment: ["LOADERVID": Program.path])
        try waitForWork(process, in: workspace)
        for signal in [SIGHUP, SIGINT] {
            process.send(signal)
            usleep(400_000)
            #expect(process.isRunning)
        }
        process.send(SIGTERM)
        expectRefusal(try process.wait(timeout: 10), 130, ["interrupted"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// An encoder that is busy with one frame does not check for cancellation.
    @Test(.slow) func busyEncodersDoNotDelayTheEnd() throws {
        let workspace = try CommandFixture()
        let options = [
            "--size", "1920x1080", "--codec", "av1", "--speed", "0", "--duration", "2", "--progress", "none",
        ]
        let process = try workspace.start(["encode", "qq", "-o", "clip.mp4"] + options)
        try waitForWork(process, in: workspace)
        usleep(600_000)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(timeout: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
        #expect(try workspace.directory.names().isEmpty)
    }

    /// The next run of an interrupted batch continues from its records.
    @Test(.slow) func interruptedBatchesKeepTheirRecords() throws {
        let workspace = try CommandFixture()
        let quick = "clips:\n  - {name: quick, loader: qq, size: 64x64, duration: 0.2}\n"
        let slow = "  - {name: slow, loader: qq, size: 1920x1080, duration: 2, codec: av1, speed: 0}\n"
        let file = workspace.directory.file("clips.yaml")
        let options = ["clips.yaml", "--progress", "none"]
        try makeFile(quick, at: file)
        #expect(try workspace.run(["batch"] + options).code == 0)
        try makeFile(quick + slow, at: file)
        let process = try workspace.start(["batch"] + options)
        let deadline = Date().addingTimeInterval(30)
        while try !workspace.shell("ls -AR out").text.contains(".part") {
            try #require(process.isRunning && Date() < deadline)
            usleep(5000)
        }
        usleep(800_000)
        let start = Date()
        process.send(SIGTERM)
        let outcome = try process.wait(timeout: 10)
        #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
        #expect(outcome.code == 130)
        let listing = try workspace.shell("ls -A out out/.loadervid").text
        #expect(!listing.contains(".part") && !listing.contains("tmp") && !listing.contains("slow"), "\(listing)")
        let dryRun = try workspace.run(["batch"] + options + ["--dry-run"])
        #expect(dryRun.code == 0 && dryRun.text.contains("1 to make"), "\(dryRun.text)\(dryRun.errorText)")
    }

    /// Commands that do not check for cancellation end at once, and leave no temporary files.
    @Test func analysesEndAtOnce() throws {
        let workspace = try CommandFixture()
        try workspace.encode("qq", "--size", "320x320", "--duration", "16", to: "long.mkv")
        let process = try workspace.start(["analyze", "long.mkv", "--plot", "p.svg", "--annotate-to", "a.mp4"])
        try waitForWork(process, in: workspace)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(timeout: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
        // The plot may be finished already.
        #expect(try workspace.directory.names().filter { $0 != "p.svg" } == ["long.mkv"])
    }

    /// A blocked standard error must not keep the program from ending.
    @Test(.slow, arguments: some(of: ["json", "plain", "bar"], each: 2))
    func signalsEndAProgramWithBlockedErrors(progress: String) throws {
        let workspace = try CommandFixture()
        try makeFile(
            "clips: [{loader: qq, scale: 2, duration: 1500, repetition: off}]\n",
            at: workspace.directory.file("long.yaml"))
        // The last of repeated options counts. One worker is enough.
        let encode = Self.endless + ["-o", "clip.mp4", "--jobs", "1"]
        let batch = ["batch", "long.yaml", "--jobs", "1"]
        for command in progress == "json" ? [encode, batch] : [progress == "bar" ? encode : batch] {
            let pipe = try NamedPipe()
            defer { for end in [pipe.reader, pipe.writer] { close(end) } }
            pipe.fill()
            let process = try workspace.start(command + ["--progress", progress], errors: .descriptor(pipe.writer))
            usleep(2_500_000)
            #expect(process.isRunning)
            let start = Date()
            process.send(SIGTERM)
            #expect(try process.wait(timeout: 10).code == 130)
            #expect(Date().timeIntervalSince(start) < Self.maxSeconds)
            let listing = try workspace.shell("find . -name '*.part'").text
            #expect(listing.isEmpty, "\(listing)")
        }
    }

    /// An alarm survives `exec`, which makes it a simple time limit for a program.
    @Test(.slow) func inheritedAlarmsEndTheProgram() throws {
        let workspace = try CommandFixture()
        let words = (Self.endless + ["-o", "clip.mp4", "--jobs", "1"]).joined(separator: " ")
        let process = try Subprocess(
            "perl", ["-e", "alarm 2; exec qw(\(Program.path) \(words))"], directory: workspace.directory)
        expectRefusal(try process.wait(timeout: 20), 130, ["interrupted"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// If alarms were ignored at the start, an inherited alarm does not end the program. The
    /// program's own alarm after a signal still works.
    @Test(.slow) func ignoredAlarmsStayIgnored() throws {
        let workspace = try CommandFixture()
        let words = (Self.endless + ["-o", "clip.mp4", "--jobs", "1"]).joined(separator: " ")
        let process = try Subprocess(
            "perl", ["-e", "$SIG{ALRM} = 'IGNORE'; alarm 1; exec qw(\(Program.path) \(words))"],
            directory: workspace.directory)
        usleep(1_500_000)
        #expect(process.isRunning)
        process.send(SIGTERM)
        expectRefusal(try process.wait(timeout: 20), 130, ["interrupted"])
    }
}
