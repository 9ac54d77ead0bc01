import Foundation
import TestSupport
import Testing

@Suite struct PipeTests {
    /// Only `-o` takes a dash. Other options would create a file of this name.
    @Test(arguments: ["list --picture -", "batch p.yaml --json-report -", "batch p.yaml --junit -"])
    func onlyTheOutputCanBeADash(line: String) throws {
        let workspace = try CommandFixture()
        try workspace.preset("clips: [{loader: qq}]\n")
        let outcome = try workspace.run(line.split(separator: " ").map(String.init))
        expectRefusal(outcome, 64, ["-: this output cannot be standard output; name a file"])
        #expect(try !workspace.directory.names().contains("-"))
    }

    private static let clip = "qq --size 64x64 --duration 1.5 --gop 0.5"

    /// `-o -` writes the same clip to a pipe, which needs no seeking to be read.
    @Test(
        .slow,
        arguments: some(
            of: [
                ("", "h264"), ("--format mov", "h264"), ("--format mp4", "h264"), ("--format mkv", "h264"),
                ("--format webm", "vp9"), ("--codec vp9", "vp9"), ("--codec vp8", "vp8"),
                ("--format mkv --codec hevc", "hevc"),
            ], each: 2))
    func pipesCarryWholeClips(options: String, codec: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.shell(
            "\"$LOADERVID\" encode \(Self.clip) \(options) -o - 2>errors | tee copy"
                + " | ffmpeg -v error -i - -fps_mode passthrough -f framemd5 -")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("#") }.count == 90)
        // One line for the summary and one for the seam.
        #expect(try bytes(of: workspace.directory.file("errors")).split(separator: 10).count == 2)
        let probe = try Probe(workspace.directory.file("copy"))
        #expect(probe.stream.codecName == codec)
        #expect(probe.frames?.count == 90)
        let timeBase = try probe.timeBase.double
        for (index, frame) in (probe.frames ?? []).enumerated() {
            #expect(abs(Double(frame.pts) * timeBase - Double(index) / 60) <= 0.000_501)
        }
    }

    @Test(.slow, arguments: ["mp4", "webm", "mkv"])
    func aClosedPipeIsAnError(format: String) throws {
        let workspace = try CommandFixture()
        let pipe = try NamedPipe()
        close(pipe.reader)
        let process = try workspace.start(
            ["encode", "qq-mail", "--size", "64x32", "--format", format, "-o", "-"], output: .descriptor(pipe.writer))
        close(pipe.writer)
        expectRefusal(try process.wait(), 74, ["standard output", "Broken pipe", "write to a file"])
    }

    /// A reader that stops after the first lines is not an error, and the exit code is the
    /// command's own.
    @Test(
        .slow,
        arguments: [
            "list", "--help", "--version", "doctor", "phases qq", "presets schema", "presets show web",
            "tutorial new qq", "batch web --dry-run", "telemetry qq --fps 1000 --slowmo 1000 --csv",
        ]
            + some(
                of: [
                    "list --json", "encode --help", "phases qq --csv", "presets reference", "presets list",
                    "telemetry qq --fps 1000 --slowmo 1000 --json",
                ], each: 6))
    func textForAClosedReaderEndsSilently(command: String) throws {
        let outcome = try CommandFixture().shell(
            "{ \"$LOADERVID\" \(command); echo $? >code; } | head -1 >/dev/null; cat code")
        #expect(outcome.text == "0\n" && outcome.errors.isEmpty, "\(outcome.errorText)")
        let pipe = try NamedPipe()
        close(pipe.reader)
        let process = try CommandFixture().start(
            command.split(separator: " ").map(String.init), output: .descriptor(pipe.writer))
        close(pipe.writer)
        let closed = try process.wait()
        #expect(closed.code == 0 && closed.errors.isEmpty, "\(closed.errorText)")
    }

    /// If the reader closes the pipe during the clip, rendering stops.
    @Test(.slow) func aReaderThatClosesTheClipIsAnError() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.shell(
            """
            { "$LOADERVID" encode qq --scale 2 --duration 50000 --format mkv -o - --progress none; echo $? >code; } \
            | head -c 30000 >/dev/null
            """)
        #expect(outcome.errorLines.count == 1)
        #expect(try bytes(of: workspace.directory.file("code")) == Array("74\n".utf8))
    }

    @Test(
        .slow,
        arguments: [
            ["encode", "qq-mail", "--size", "64x32", "-o", "-"], ["list"], ["list", "--json"], ["--version"],
            ["--help"],
            ["still", "qq-mail", "--at", "0", "-o", "-"], ["page", "qq-mail", "-o", "-"],
        ])
    func aFullDeviceIsAnError(arguments: [String]) throws {
        let outcome = try CommandFixture().start(arguments, output: .path("/dev/full")).wait()
        expectRefusal(outcome, 74, ["No space left on device"])
    }

    /// If a verdict cannot be written, the exit code reports that failure and not the verdict.
    @Test(.slow) func verdictsOnAFullDeviceAreErrors() throws {
        let workspace = try CommandFixture()
        for name in ["a.mp4", "b.mp4"] {
            let clip = ["--scale", "2", "--fps", "30", "--speed", "ultrafast", "--progress", "none", "-o", name]
            #expect(try workspace.run(["encode", "qq-mail"] + clip).code == 0)
        }
        for command in [["verify", "a.mp4"], ["diff", "a.mp4", "b.mp4"], ["compare", "a.mp4", "--as", "qq-mail"]] {
            let outcome = try workspace.start(command, output: .path("/dev/full")).wait()
            expectRefusal(outcome, 74, ["No space left on device"])
        }
    }

    @Test(arguments: [
        ["encode", "qq-mail", "--size", "64x32"], ["still", "qq-mail", "--at", "0"],
        ["sheet", "qq-mail", "--scale", "1"], ["page", "qq-mail"],
    ])
    func terminalsAreRefused(command: [String]) throws {
        let terminal = try Terminal()
        let outcome = try CommandFixture().start(command + ["-o", "-"], output: .path(terminal.path)).wait()
        expectRefusal(outcome, 64, ["terminal", "-o"])
        #expect(terminal.read().isEmpty)
    }

    @Test func stillsCanGoToPipes() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["still", "jelly", "--at", "1.5", "--scale", "1", "-o", "-"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.starts(with: [0x89] + Array("PNG".utf8)))
        #expect(try workspace.directory.names().isEmpty)
    }
}

/// Both ends of a pipe. It is a named pipe opened with `O_CLOEXEC`, so that no program started by
/// another test inherits it.
struct NamedPipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        writer = open(path, O_WRONLY | O_CLOEXEC)
        try #require(reader >= 0 && writer >= 0)
    }

    /// Writes until the pipe is full.
    func fill() {
        let flags = fcntl(writer, F_GETFL)
        _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
        let bytes = [UInt8](repeating: 10, count: 4096)
        while write(writer, bytes, bytes.count) > 0 {}
        _ = fcntl(writer, F_SETFL, flags)
    }
}

/// A pseudo terminal.
final class Terminal {
    private let controller: Int32
    let path: String

    init() throws {
        #if os(Linux)
            // The equivalent of posix_openpt, unlockpt and ptsname, which Swift does not import on
            // Linux: the ioctls are TIOCSPTLCK and TIOCGPTN.
            controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
            var lock: Int32 = 0
            var number: UInt32 = 0
            guard controller >= 0, ioctl(controller, 0x4004_5431, &lock) == 0,
                ioctl(controller, 0x8004_5430, &number) == 0
            else { throw SubprocessError(description: "no pseudo terminal: \(String(cString: strerror(errno)))") }
            path = "/dev/pts/\(number)"
        #else
            controller = posix_openpt(O_RDWR | O_NOCTTY)
            guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller)
            else {
                throw SubprocessError(description: "no pseudo terminal: \(String(cString: strerror(errno)))")
            }
            path = String(cString: name)
            _ = fcntl(controller, F_SETFL, O_NONBLOCK)
        #endif
    }

    deinit { close(controller) }

    /// Returns everything written to the terminal so far.
    func read() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = Foundation.read(controller, &buffer, buffer.count), count > 0 {
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
