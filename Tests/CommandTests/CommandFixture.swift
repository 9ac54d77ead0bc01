import Foundation
import TestSupport
import Testing

/// The program under test.
enum Program {
    static let path = builtProgram
}

/// A temporary directory in which the program runs.
struct CommandFixture {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Starts the program in the directory.
    func start(
        _ arguments: [String], environment: [String: String] = [:], output: Subprocess.Target = .captured,
        errors: Subprocess.Target = .captured
    ) throws -> Subprocess {
        try Subprocess(
            Program.path, arguments, directory: directory, environment: environment, output: output, errors: errors
        )
    }

    /// Runs the program in the directory, and waits until it ends.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try start(arguments, environment: environment).wait()
    }

    /// Encodes a clip, which must succeed. Returns its path.
    @discardableResult
    func encode(_ arguments: String..., to name: String) throws -> String {
        let outcome = try run(["encode"] + arguments + ["--progress", "none", "-o", name])
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
        #expect(outcome.errorLines.allSatisfy { $0.contains(": note: ") }, "\(outcome.errorText)")
        return directory.file(name)
    }

    /// Runs a shell script, in which `$LOADERVID` is the program.
    func shell(_ script: String) throws -> Outcome {
        try Subprocess("sh", ["-c", script], directory: directory, environment: ["LOADERVID": Program.path]).wait()
    }
}

/// Expects a failure with an exit code, one line with the given words on standard error, and no
/// output.
func expectRefusal(
    _ outcome: Outcome, _ code: Int32, _ words: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.code == code, "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(outcome.errorText.hasPrefix("loadervid: "), "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    for word in words {
        #expect(outcome.errorText.contains(word), "\(outcome.errorText)", sourceLocation: sourceLocation)
    }
}

/// The frames of a clip, decoded by the ffmpeg command with the file's own colour tags.
func decodedFrames(of path: String, format: String = "rgb24", input: [String] = []) throws -> [[UInt8]] {
    let probe = try Probe(path, frames: false)
    let arguments = ["-v", "error"] + input + ["-i", path, "-fps_mode", "passthrough", "-pix_fmt", format]
    let flags = ["-sws_flags", "accurate_rnd+full_chroma_int", "-f", "rawvideo", "-"]
    let bytes = try TestSupport.run("ffmpeg", arguments + flags).output
    let size = probe.stream.width * probe.stream.height * (format == "rgba" ? 4 : 3)
    try #require(bytes.count % size == 0)
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
}
