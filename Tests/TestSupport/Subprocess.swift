import Foundation

/// What a program left when it ended.
public struct Outcome: Sendable {
    /// Its exit code, or 128 and the signal that ended it.
    public let code: Int32
    /// What it wrote to standard output, if that was captured.
    public let output: [UInt8]
    /// What it wrote to standard error, if that was captured.
    public let errors: [UInt8]
    /// Processor time it took, in all its threads, in seconds.
    public let processorSeconds: Double

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// Standard output in lines.
    public var lines: [String] { Outcome.lines(of: text) }
    /// Standard error in lines.
    public var errorLines: [String] { Outcome.lines(of: errorText) }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// Why a program could not be run to its end.
public struct SubprocessError: Error, CustomStringConvertible {
    /// What happened.
    public let description: String

    /// A failure in words.
    public init(description: String) { self.description = description }
}

/// A running program. Its output goes to files, so that it never waits for a reader.
public final class Subprocess {
    /// Where an output goes.
    public enum Target {
        /// Into the outcome.
        case captured
        /// To a file or device by its path.
        case path(String)
        /// To an open descriptor.
        case descriptor(Int32)
    }

    #if canImport(Darwin)
        private typealias FileActions = posix_spawn_file_actions_t?
    #else
        private typealias FileActions = posix_spawn_file_actions_t
    #endif

    private let pid: pid_t
    private let name: String
    private let scratch: TemporaryDirectory
    /// Where it runs, which must not go away before it ends.
    private let directory: TemporaryDirectory?
    private var isDone = false

    /// Starts a program; the name is looked up in PATH unless it has a slash.
    public init(
        _ program: String, _ arguments: [String], directory: TemporaryDirectory? = nil,
        environment: [String: String] = [:],
        output: Target = .captured, errors: Target = .captured
    ) throws {
        (name, self.directory) = (program, directory)
        scratch = try TemporaryDirectory()
        #if canImport(Darwin)
            var actions: FileActions = nil
        #else
            var actions = FileActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        Subprocess.direct(output, to: 1, captured: scratch.file("output"), &actions)
        Subprocess.direct(errors, to: 2, captured: scratch.file("errors"), &actions)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var started: pid_t = 0
        // The shell changes the directory and then becomes the program.
        let mover = directory.map { ["sh", "-c", #"cd -- "$0" && exec "$@""#, $0.path] } ?? []
        let words = mover + [program] + arguments
        let status = Subprocess.withCStrings(words) { arguments in
            Subprocess.withCStrings(variables) { posix_spawnp(&started, words[0], &actions, nil, arguments, $0) }
        }
        guard status == 0 else {
            throw SubprocessError(description: "\(program): \(String(cString: strerror(status)))")
        }
        pid = started
    }

    deinit {
        guard !isDone else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    private static func direct(
        _ target: Target, to descriptor: Int32, captured: String, _ actions: UnsafeMutablePointer<FileActions>
    ) {
        switch target {
        case .captured:
            posix_spawn_file_actions_addopen(actions, descriptor, captured, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        case .path(let path): posix_spawn_file_actions_addopen(actions, descriptor, path, O_WRONLY, 0)
        case .descriptor(let open): posix_spawn_file_actions_adddup2(actions, open, descriptor)
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && Subprocess.pid(in: information) == 0
    }

    private static func pid(in information: siginfo_t) -> pid_t {
        #if canImport(Darwin)
            return information.si_pid
        #else
            return information._sifields._sigchld.si_pid
        #endif
    }

    /// What it has written to standard error by now, if that is captured.
    public var errorsSoFar: [UInt8] { (try? bytes(of: scratch.file("errors"))) ?? [] }

    /// Sends a signal.
    public func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits for its end. Throws, and kills it, if that takes longer than `seconds`.
    public func wait(atMost seconds: Double = 60) throws -> Outcome {
        let deadline = Date().addingTimeInterval(seconds)
        var (status, usage): (Int32, rusage) = (0, rusage())
        while case let ended = wait4(pid, &status, WNOHANG, &usage), ended != pid {
            guard ended == 0, Date() < deadline else {
                throw SubprocessError(description: "\(name) did not end within \(seconds) s")
            }
            usleep(2000)
        }
        isDone = true
        let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        return Outcome(
            code: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F),
            output: (try? bytes(of: scratch.file("output"))) ?? [],
            errors: (try? bytes(of: scratch.file("errors"))) ?? [], processorSeconds: times[0] + times[1])
    }
}

/// Runs a program of the system, such as ffprobe, and throws unless it ends well. A missing one throws, too.
@discardableResult
public func run(_ program: String, _ arguments: [String], directory: TemporaryDirectory? = nil) throws -> Outcome {
    let outcome = try Subprocess(program, arguments, directory: directory).wait()
    guard outcome.code == 0 else {
        throw SubprocessError(description: "\(program) ended with \(outcome.code): \(outcome.errorText)")
    }
    return outcome
}
