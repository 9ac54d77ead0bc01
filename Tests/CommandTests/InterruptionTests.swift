import Foundation
import TestSupport
import Testing

@Suite struct InterruptionTests {
    private static let endless = [
        "encode", "qq", "--scale", "2", "--duration", "3000", "--repetition", "off", "--progress", "none", "--jobs",
        "2",
    ]

    /// Three seconds at most, and as many again where other tests keep all cores busy; encoders would take a minute.
    private static let longest = 6.0

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
        #expect(Date().timeIntervalSince(start) < Self.longest)
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
        #expect(Date().timeIntervalSince(start) < Self.longest)
    }

    /// Who starts a program in the background, or with nohup, wants some signals ignored.
    @Test func ignoredSignalsStayIgnored() throws {
        let workspace = try Workspace()
        let words = (Self.endless + ["-o", "clip.mp4"]).joined(separator: " ")
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
        expectRefusal(try process.wait(atMost: 10), 130, ["interrupted"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// An encoder that is busy with one picture does not ask whether anybody still wants it.
    @Test func busyEncodersAreNotWaitedFor() throws {
        let workspace = try Workspace()
        let options = [
            "--size", "1920x1080", "--codec", "av1", "--speed", "0", "--duration", "2", "--progress", "none",
        ]
        let process = try workspace.start(["encode", "qq", "-o", "clip.mp4"] + options)
        try waitForWork(process, in: workspace)
        usleep(600_000)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(atMost: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < Self.longest)
        #expect(try workspace.directory.names().isEmpty)
    }

    /// A batch that is cut off like that knows what it has, and goes on.
    @Test func busyBatchesLeaveTheirRecords() throws {
        let workspace = try Workspace()
        let quick = "clips:\n  - {name: quick, loader: qq, size: 64x64, duration: 0.2}\n"
        let slow = "  - {name: slow, loader: qq, size: 1920x1080, duration: 2, codec: av1, speed: 0}\n"
        let (file, options) = (workspace.directory.file("clips.yaml"), ["clips.yaml", "--progress", "none"])
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
        let outcome = try process.wait(atMost: 10)
        #expect(Date().timeIntervalSince(start) < Self.longest)
        #expect(outcome.code == 130)
        let listing = try workspace.shell("ls -A out out/.loadervid").text
        #expect(!listing.contains(".part") && !listing.contains("tmp") && !listing.contains("slow"), "\(listing)")
        let dryRun = try workspace.run(["batch"] + options + ["--dry-run"])
        #expect(dryRun.code == 0 && dryRun.text.contains("1 to make"), "\(dryRun.text)\(dryRun.errorText)")
    }

    /// Commands that look at no wish to stop end at once, and leave as little.
    @Test func analysesEndAtOnce() throws {
        let workspace = try Workspace()
        try workspace.encode("qq", "--size", "320x320", "--duration", "8", to: "long.mkv")
        let process = try workspace.start(["analyze", "long.mkv", "--plot", "p.svg", "--annotate-to", "a.mp4"])
        try waitForWork(process, in: workspace)
        let start = Date()
        process.send(SIGTERM)
        expectRefusal(try process.wait(atMost: 10), 130, ["interrupted"])
        #expect(Date().timeIntervalSince(start) < 1)
        // The plot may have been finished by then.
        #expect(try workspace.directory.names().filter { $0 != "p.svg" } == ["long.mkv"])
    }

    /// Somebody who does not read what is said must not keep it from ending either.
    @Test(arguments: ["plain", "json", "bar"])
    func signalsReachAProgramThatNobodyHears(progress: String) throws {
        let workspace = try Workspace()
        try makeFile(
            "clips: [{loader: qq, scale: 2, duration: 1500, repetition: off}]\n",
            at: workspace.directory.file("long.yaml"))
        // The last of some options counts. One worker says as much as two.
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
            #expect(try process.wait(atMost: 10).code == 130)
            #expect(Date().timeIntervalSince(start) < Self.longest)
            let listing = try workspace.shell("find . -name '*.part'").text
            #expect(listing.isEmpty, "\(listing)")
        }
    }

    /// An alarm survives when a program becomes another one: a simple way to limit its time.
    @Test func alarmsOfOthersEndItToo() throws {
        let workspace = try Workspace()
        let words = (Self.endless + ["-o", "clip.mp4"]).joined(separator: " ")
        let process = try Subprocess(
            "perl", ["-e", "alarm 2; exec qw(\(Program.path) \(words))"], directory: workspace.directory)
        expectRefusal(try process.wait(atMost: 20), 130, ["interrupted"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// Who had alarms ignored does not want to be ended by one; our own after a signal comes nevertheless.
    @Test func ignoredAlarmsOfOthersDoNotEndIt() throws {
        let workspace = try Workspace()
        let words = (Self.endless + ["-o", "clip.mp4"]).joined(separator: " ")
        let process = try Subprocess(
            "perl", ["-e", "$SIG{ALRM} = 'IGNORE'; alarm 1; exec qw(\(Program.path) \(words))"],
            directory: workspace.directory)
        usleep(1_500_000)
        #expect(process.isRunning)
        process.send(SIGTERM)
        expectRefusal(try process.wait(atMost: 20), 130, ["interrupted"])
    }
}
