import ArgumentParser
import Batch
import CTermination
import Core
import Explain
import LoaderVideo
import Media
import Render

/// The root command, `loadervid`.
struct Loadervid: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Program.name,
            abstract: "Render loading animations to video, exactly and reproducibly.",
            discussion: """
                EXAMPLES
                  \(Program.name) encode qq --slowmo 4 -o qq.mp4
                  \(Program.name) still qq-mail --at phase:2+1/2 -o balls.png
                  \(Program.name) list

                EXIT CODES
                  0 success, 1 differences or faults found, 64 usage error, 65 invalid
                  input data, 66 missing input, 69 codec or format not available,
                  70 internal error, 73 output cannot be created, 74 input/output
                  error, 130 interrupted
                """,
            version: "\(versionLine)\nFFmpeg \(FFmpegVersions.ffmpeg)",
            groupedSubcommands: [
                CommandGroup(
                    name: "Render",
                    subcommands: [
                        EncodeCommand.self, StillCommand.self, SheetCommand.self, TutorialCommand.self,
                        PageCommand.self, SnippetCommand.self,
                    ]),
                CommandGroup(name: "Batch", subcommands: [BatchCommand.self, PresetsCommand.self]),
                CommandGroup(
                    name: "Measure",
                    subcommands: [
                        PhasesCommand.self, TelemetryCommand.self, AnalyzeCommand.self, CompareCommand.self,
                    ]),
                CommandGroup(name: "Check", subcommands: [VerifyCommand.self, DiffCommand.self]),
                CommandGroup(name: "About", subcommands: [ListCommand.self, BenchCommand.self, DoctorCommand.self]),
            ])
    }

    /// The version of loadervid.
    static let version = "0.7.0"

    /// The version, preceded by the program's name if that is not loadervid.
    static var versionLine: String {
        let name = Program.name
        return name == "loadervid" ? "loadervid \(version)" : "\(name) with loadervid \(version)"
    }

    static func main(preparing prepare: () -> Void) {
        Machine.reserveStandardDescriptors()
        Interruption.listen()
        prepare()
        HostProcess.allowChanges()
        // With these signals ignored, a closed pipe or a file size limit makes the write fail with
        // an error.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do {
            try Machine.checkArguments()
            try Machine.checkHeadroom()
            try UnknownNames.checkCommand(Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot()
            try command.run()
            try flushOutput()
        } catch { Failure.exit(error) }
    }

    /// Flushes standard output, and throws if that fails. Returns false if the reader closed the
    /// pipe, as `head` does when it has enough lines.
    @discardableResult
    static func flushOutput() throws -> Bool {
        guard !ConsoleOutput.isLost else {
            throw LoadervidError(.cannotCreate, "standard output is closed; redirect it to a file or a pipe")
        }
        let code = lv_flush_output()
        guard code != 0 else { return true }
        guard code == EPIPE else {
            throw LoadervidError(errno: code, .write, "to standard output")
        }
        return false
    }
}

/// The report of an error to the user: one line on standard error and an exit code.
enum Failure {
    /// Prints an error and ends the program with its exit code. Requests for help and the version
    /// are printed to standard output and end the program successfully.
    static func exit(_ error: any Error) -> Never {
        switch error {
        case let error as LoadervidError:
            let description = MissingFile.suggestion(for: error).map { "\(error.reason); \($0)" } ?? error.description
            for line in [description] + error.related { printError("\(Program.name): \(line)") }
            end(code(of: error.kind))
        case let error as DocumentError:
            for problem in error.reported { printError(line(for: problem)) }
            if ActionsLog.annotates { error.problems.forEach(ActionsLog.annotate) }
            end(code(of: error.kind))
        case let code as ExitCode: end(code.rawValue)
        default:
            let code = Loadervid.exitCode(for: error)
            if code == .success {
                printText(Loadervid.fullMessage(for: error))
                do { try Loadervid.flushOutput() } catch { exit(error) }
                end(EXIT_SUCCESS)
            }
            if code == .failure {
                // The error is not the argument parser's, so it comes from libav, Cairo or a
                // loader.
                let error = LoadervidError(error)
                exit(error.description, code: Failure.code(of: error.kind))
            }
            let lines = Loadervid.message(for: error).split(separator: "\n").map { $0.drop { $0 == " " } }
            // Points to the help of the subcommand that was used.
            let path = UnknownNames.path(in: Array(CommandLine.arguments.dropFirst()))
            let message = lines.joined(separator: " ")
            let reworded = ParserMessage.reworded(message, Array(CommandLine.arguments.dropFirst()))
            exit(
                reworded + " (see \(([Program.name] + path).joined(separator: " ")) --help)", code: code.rawValue)
        }
    }

    /// Returns the line for a problem in a document. With a location it begins with
    /// file:line:column, as compilers print it, so that editors can jump there.
    private static func line(for problem: DocumentProblem) -> String {
        guard problem.location == nil else { return "\(problem)" }
        var problem = problem
        if problem.isAbsent, problem.remedy == nil {
            let isLoader = LoaderCatalog.current.ids.contains(problem.file)
            problem.remedy =
                (isLoader ? "for the loader of this name, run '\(Program.name) encode \(problem.file)'" : nil)
                ?? MissingFile.suggestion(for: problem.file)
                ?? remedy(forAbsent: problem.noun)
        }
        return "\(Program.name): \(problem)"
    }

    /// Returns the remedy for a document that does not exist.
    ///
    /// - Parameter noun: the noun for a document that was given by name; nil for a path.
    private static func remedy(forAbsent noun: String?) -> String {
        switch noun {
        case nil: "check the path"
        case "preset"?: "run '\(Program.name) presets list' to list the presets"
        default: "check the name"
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        printError("\(Program.name): \(message)")
        end(code)
    }

    /// Ends the program after its last message.
    private static func end(_ code: Int32) -> Never {
        Interruption.wasReported()
        Core.exit(code)
    }

    static func code(of kind: LoadervidError.Kind) -> Int32 {
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
