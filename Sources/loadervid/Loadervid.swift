import ArgumentParser
import Glibc
import Media
import Pipeline

/// The program.
@main
struct Loadervid: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "loadervid",
            abstract: "Turns loading animations into video, exactly and reproducibly.",
            discussion: """
                EXAMPLES
                  loadervid encode qq --slowmo 4 -o qq.mp4
                  loadervid still qq-mail --at phase:2+1/2 -o balls.png
                  loadervid list

                EXIT CODES
                  0 done, 64 wrong usage, 65 bad input data, 66 input missing, 69 codec or format not available,
                  70 internal, 73 output cannot be created, 74 input/output error, 130 interrupted
                """,
            version: "loadervid \(version)\nFFmpeg \(FFmpegVersions.ffmpeg)",
            subcommands: [
                EncodeCommand.self, StillCommand.self, ListCommand.self, AnalyzeCommand.self, CompareCommand.self,
                DoctorCommand.self,
            ])
    }

    /// The version of this program.
    static let version = "0.1.0"

    static func main() {
        // A closed pipe and a file size limit come back as errors of the write that met them.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        FFmpegLog.silence()
        // SVT-AV1 writes to standard error by itself unless told so in its environment.
        setenv("SVT_LOG", "0", 0)
        do {
            var command = try parseAsRoot()
            try command.run()
            guard fflush(nil) == 0 else {
                throw RenderError(.inputOutput, "write to standard output: \(String(cString: strerror(errno)))")
            }
        } catch { Failure.exit(error) }
    }
}

/// Errors as a user meets them: one line on standard error, and an exit code.
enum Failure {
    /// Ends the program with what an error asks for; help and version are no failures.
    static func exit(_ error: any Error) -> Never {
        switch error {
        case let error as RenderError: exit(error.description, code: code(of: error.kind))
        case let code as ExitCode: Glibc.exit(code.rawValue)
        default:
            let code = Loadervid.exitCode(for: error)
            if code == .success { Loadervid.exit(withError: error) }
            let lines = Loadervid.message(for: error).split(separator: "\n").map { $0.drop { $0 == " " } }
            // The help that helps is the command's.
            let commands = Loadervid.configuration.subcommands.map { $0._commandName }
            let command = CommandLine.arguments.dropFirst().first.flatMap { commands.contains($0) ? " \($0)" : nil }
            exit(lines.joined(separator: " ") + " (see loadervid\(command ?? "") --help)", code: code.rawValue)
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        // What the user typed is quoted in messages; it shall not break the line or move the cursor.
        let line = message.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : String($0) }.joined()
        printError("loadervid: \(line)")
        Glibc.exit(code)
    }

    static func code(of kind: RenderError.Kind) -> Int32 {
        switch kind {
        case .usage: EX_USAGE
        case .badData: EX_DATAERR
        case .missingInput: EX_NOINPUT
        case .unavailable: EX_UNAVAILABLE
        case .internal: EX_SOFTWARE
        case .cannotCreate: EX_CANTCREAT
        case .inputOutput: EX_IOERR
        case .interrupted: 130
        }
    }
}

/// Writes a line to standard error.
func printError(_ line: String) { writeError(line + "\n") }

/// Writes to standard error as it is, in one piece.
func writeError(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
