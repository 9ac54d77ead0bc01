import CTermination
import Core
import Render

/// The environment that the program runs in: memory, standard streams, arguments and variables.
enum Machine {
    /// Throws `LoadervidError` if there is too little memory even to report another error. Does not
    /// check for threads.
    static func checkHeadroom() throws { try Headroom.check(memory: 48 << 20, for: Program.name) }

    /// True if standard output was open when the program started. Written once, before anything
    /// else runs.
    nonisolated(unsafe) private(set) static var hasStandardOutput = true

    /// Opens /dev/null for each closed descriptor among 0, 1 and 2. Otherwise a file opened later
    /// would get such a number, and messages for the user would be written into it. Call this
    /// before anything else.
    static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            if descriptor == STDOUT_FILENO { hasStandardOutput = false }
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Standard output for a video, image or page. Throws `LoadervidError` if it is closed or a
    /// terminal.
    static func standardOutput(cancellation: CancellationToken = CancellationToken()) throws -> StandardOutput {
        guard hasStandardOutput else {
            throw LoadervidError(
                .cannotCreate, "standard output is closed; redirect it to a file or a pipe, or name a file with -o")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw LoadervidError(
                .usage, "standard output is a terminal; redirect it to a file or a pipe, or name a file with -o")
        }
        return StandardOutput(cancellation: cancellation)
    }

    static var standardErrorIsTerminal: Bool { isatty(lv_error_descriptor()) == 1 }

    /// Throws `LoadervidError` if an argument is not UTF-8. Swift would repair it, and the repaired
    /// path could name a different file.
    static func checkArguments() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { return }
            _ = try text(argument, "argument \(index)")
        }
    }

    /// Returns the path in an environment variable; nil if the variable is unset or empty. Throws
    /// `LoadervidError` if it is not UTF-8.
    static func path(from variable: String) throws -> String? {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        return try text(value, variable)
    }

    private static func text(_ bytes: UnsafePointer<CChar>, _ source: String) throws -> String {
        guard let text = String(validatingCString: bytes) else {
            throw LoadervidError(
                .usage,
                "\(source) is not UTF-8: \(quoted(String(cString: bytes))), with invalid bytes replaced; rename the file or "
                    + "directory, or use a link to it")
        }
        return text
    }

    /// Creates a private temporary directory, which is removed with the last reference to it.
    /// Throws `LoadervidError` if that fails.
    static func makeTemporaryDirectory() throws -> TemporaryPath {
        let parent = try path(from: "TMPDIR") ?? "/tmp"
        var path = Array("\(parent)/loadervid-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw LoadervidError(
                .cannotCreate,
                "cannot create a directory in \(parent): \(String(cString: strerror(errno))); set TMPDIR to a writable "
                    + "directory")
        }
        return TemporaryPath(String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Returns true if two paths name the same file, existing or not. Links in the last component
    /// are not followed.
    static func isSameFile(_ path: String, as other: String) -> Bool { resolvedParent(path) == resolvedParent(other) }

    /// Returns true if a path, existing or not, is below a directory.
    static func isInside(_ path: String, directory: String) -> Bool {
        resolvedParent(path).starts(with: resolvedParent(directory) + [UInt8(ascii: "/")])
    }

    /// Returns a path with its parent directory resolved.
    private static func resolvedParent(_ path: String) -> [UInt8] {
        let (directory, name) = FileSystem.split(path)
        return FileSystem.resolved(directory) + Array("/\(name)".utf8)
    }

    /// The width of the terminal at standard output in columns; nil if it is not a terminal.
    static var outputColumns: Int? { terminalColumns(STDOUT_FILENO) }

    /// The width of the terminal at standard error in columns; 80 if it is not a terminal.
    static var terminalWidth: Int { terminalColumns(lv_error_descriptor()) ?? 80 }
}
