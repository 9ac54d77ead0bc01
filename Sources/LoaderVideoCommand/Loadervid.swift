import ArgumentParser
import Documents
import Platform
import Media
import Pipeline
import Presets

/// The command line.
struct Loadervid: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Program.name,
            abstract: "Turns loading animations into video, exactly and reproducibly.",
            discussion: """
                EXAMPLES
                  \(Program.name) encode qq --slowmo 4 -o qq.mp4
                  \(Program.name) still qq-mail --at phase:2+1/2 -o balls.png
                  \(Program.name) list

                EXIT CODES
                  0 done, 64 wrong usage, 65 bad input data, 66 input missing, 69 codec or format not available,
                  70 internal, 73 output cannot be created, 74 input/output error, 130 interrupted
                """,
            version: "\(versionLine)\nFFmpeg \(FFmpegVersions.ffmpeg)",
            subcommands: [
                EncodeCommand.self, BatchCommand.self, TutorialCommand.self, StillCommand.self, PageCommand.self,
                PhasesCommand.self, TelemetryCommand.self, SheetCommand.self, AnalyzeCommand.self, CompareCommand.self,
                VerifyCommand.self,
                DiffCommand.self,
                PresetsCommand.self, ListCommand.self,
                BenchCommand.self, DoctorCommand.self,
            ])
    }

    /// The version of this program.
    static let version = "0.7.0"

    /// The version with the program's own name, if that is another.
    static var versionLine: String {
        let name = Program.name
        return name == "loadervid" ? "loadervid \(version)" : "\(name) with loadervid \(version)"
    }

    static func main() {
        Machine.reserveStandardDescriptors()
        Interruption.listen()
        // A closed pipe and a file size limit come back as errors of the write that met them.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Encoders come and go with segments, and asking the kernel anew for their memory took a tenth of a clip's time: so
        // malloc keeps it, but for the largest pictures, by which its arenas would grow for a while.
        Malloc.keepsFreedMemory(isLimited: Resources.memoryLimit != nil)
        do {
            try Machine.checkArguments()
            try Machine.checkHeadroom()
            var command = try parseAsRoot()
            try command.run()
            try flushOutput()
        } catch { Failure.exit(error) }
    }

    /// What was printed reaches standard output, or it is an error.
    static func flushOutput() throws {
        guard fflush(nil) == 0 else {
            throw RenderError(.inputOutput, "write to standard output: \(String(cString: strerror(errno)))")
        }
    }
}

/// Errors as a user meets them: one line on standard error, and an exit code.
enum Failure {
    /// Ends the program with what an error asks for; help and version are no failures.
    static func exit(_ error: any Error) -> Never {
        switch error {
        case let error as RenderError:
            for line in [error.description] + error.others { printError("\(Program.name): \(line)") }
            end(code(of: error.kind))
        case let error as DocumentError:
            // Problems in files are said as compilers say them, so that editors can jump there.
            for problem in error.problems { printError("\(problem)") }
            end(code(of: error.kind))
        case let code as ExitCode: end(code.rawValue)
        default:
            let code = Loadervid.exitCode(for: error)
            if code == .success {
                print(Loadervid.fullMessage(for: error))
                do { try Loadervid.flushOutput() } catch { exit(error) }
                end(EXIT_SUCCESS)
            }
            if code == .failure {
                // None of the parser's: what libav's, Cairo's or the loaders' own errors mean, this knows.
                let error = RenderError(error)
                exit(error.description, code: Failure.code(of: error.kind))
            }
            let lines = Loadervid.message(for: error).split(separator: "\n").map { $0.drop { $0 == " " } }
            // The help that helps is the command's.
            let commands = Loadervid.configuration.subcommands.map { $0._commandName }
            let command = CommandLine.arguments.dropFirst().first.flatMap { commands.contains($0) ? " \($0)" : nil }
            exit(
                lines.joined(separator: " ") + " (see \(Program.name)\(command ?? "") --help)",
                code: code.rawValue)
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        printError("\(Program.name): \(message)")
        end(code)
    }

    /// Ends the program when everything has been said.
    private static func end(_ code: Int32) -> Never {
        Interruption.wasTold()
        Platform.exit(code)
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
