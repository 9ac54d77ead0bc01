import Foundation

/// The result of a program.
package struct Outcome: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended the program.
    package let code: Int32
    /// The standard output; empty if it was not captured.
    package let output: [UInt8]
    /// The standard error; empty if it was not captured.
    package let errors: [UInt8]
    /// The CPU time of all threads in seconds.
    package let cpuSeconds: Double

    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// The lines of standard output.
    package var lines: [String] { Outcome.lines(of: text) }
    /// The lines of standard error.
    package var errorLines: [String] { Outcome.lines(of: errorText) }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// The error of a program that could not be run, or failed.
package struct SubprocessError: Error, CustomStringConvertible {
    /// The message.
    package let description: String

    /// An error with a message.
    package init(description: String) { self.description = description }
}

/// A running program. Its output goes to files, so that it never blocks on a full pipe.
package final class Subprocess {
    /// The destination of an output.
    package enum Target {
        /// The `Outcome`.
        case captured
        /// The path of a file or device.
        case path(String)
        /// An open file descriptor.
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
    /// The working directory, which must not be deleted before the program ends.
    private let directory: TemporaryDirectory?
    private var isDone = false

    /// Starts a program, which is searched in PATH unless its name contains a slash.
    package init(
        _ program: String, _ arguments: [String], directory: TemporaryDirectory? = nil,
        environment: [String: String] = [:],
        output: Target = .captured, errors: Target = .captured
    ) throws {
        name = program
        self.directory = directory
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
        // In GitHub workflows the program prints annotations, which only a few tests expect.
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GITHUB_") }
        let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var started: pid_t = 0
        // A shell changes the directory and then replaces itself by the program.
        let prefix = directory.map { ["sh", "-c", #"cd -- "$0" && exec "$@""#, $0.path] } ?? []
        let command = prefix + [program] + arguments
        let status = Subprocess.withCStrings(command) { arguments in
            Subprocess.withCStrings(variables) { posix_spawnp(&started, command[0], &actions, nil, arguments, $0) }
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

    /// True if the program has not ended.
    package var isRunning: Bool {
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

    /// The captured standard error so far.
    package var errorsSoFar: [UInt8] { (try? bytes(of: scratch.file("errors"))) ?? [] }

    /// The CPU time used so far in seconds; 0 once the program has ended.
    package var cpuSecondsSoFar: Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Sends a signal to the program.
    package func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits until the program ends. Throws a `SubprocessError` if that takes longer than
    /// `seconds`.
    package func wait(timeout seconds: Double = 60) throws -> Outcome {
        let deadline = Date().addingTimeInterval(seconds)
        var status: Int32 = 0
        var usage = rusage()
        while case let ended = wait4(pid, &status, WNOHANG, &usage), ended != pid {
            guard ended == 0, Date() < deadline else {
                throw SubprocessError(description: "\(name) did not end within \(seconds) s")
            }
            usleep(2000)
        }
        isDone = true
        let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        let signal = status & 0x7F
        return Outcome(
            code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: (try? bytes(of: scratch.file("output"))) ?? [],
            errors: (try? bytes(of: scratch.file("errors"))) ?? [], cpuSeconds: times[0] + times[1])
    }
}

/// Runs a system program such as ffprobe. Throws a `SubprocessError` if it is missing or its exit
/// code is not 0.
@discardableResult
package func run(_ program: String, _ arguments: [String], directory: TemporaryDirectory? = nil) throws -> Outcome {
    let outcome = try Subprocess(program, arguments, directory: directory).wait()
    guard outcome.code == 0 else {
        throw SubprocessError(description: "\(program) ended with \(outcome.code): \(outcome.errorText)")
    }
    return outcome
}
