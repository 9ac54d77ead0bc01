import Platform
import Pipeline

/// What the program asks of the machine it runs on.
enum Machine {
    /// Throws if there is too little memory, threads aside, to say even what else is wrong.
    static func checkHeadroom() throws { try Headroom.check(memory: 48 << 20, for: Program.name) }

    /// Whether standard output was there when the program began. Written once, before anything else runs.
    nonisolated(unsafe) private static var hasStandardOutput = true

    /// Opens what is missing of descriptors 0, 1 and 2, so that no file of ours gets such a number and, with it, lines
    /// that are meant for the user. To be called first of all.
    static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            if descriptor == STDOUT_FILENO { hasStandardOutput = false }
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Standard output for a video or a picture. Throws if it is closed or a terminal.
    static func standardOutput(cancellation: CancellationToken = CancellationToken()) throws -> StandardOutput {
        guard hasStandardOutput else {
            throw RenderError(
                .cannotCreate, "standard output is closed: redirect it to a file or a pipe, or name a file with -o")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw RenderError(
                .usage, "standard output is a terminal: redirect it to a file or a pipe, or name a file with -o")
        }
        return StandardOutput(cancellation: cancellation)
    }

    static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether two paths lead to one file.
    static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Throws if an argument is not UTF-8: Swift would repair it, and the repaired name may be another file's.
    static func checkArguments() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { return }
            _ = try text(argument, "argument \(index)")
        }
    }

    /// What a variable of the environment says, if that is anything. Throws if it is not UTF-8.
    static func path(from variable: String) throws -> String? {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        return try text(value, variable)
    }

    private static func text(_ bytes: UnsafePointer<CChar>, _ what: String) throws -> String {
        guard let text = String(validatingCString: bytes) else {
            throw RenderError(
                .usage,
                "\(what) is not UTF-8, '\(String(cString: bytes))' with other bytes in some places: rename what it names, or "
                    + "reach it by a link")
        }
        return text
    }

    /// Makes a directory of this run's own where the system keeps temporary files. It goes with the last reference.
    static func makeTemporaryDirectory() throws -> TemporaryPath {
        let parent = try path(from: "TMPDIR") ?? "/tmp"
        var path = Array("\(parent)/loadervid-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw RenderError(
                .cannotCreate,
                "no directory can be made in \(parent) (\(String(cString: strerror(errno)))): let TMPDIR name one where files "
                    + "can be written")
        }
        return TemporaryPath(String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Whether a path names, or will name, the same file as another, or with `holds` one within it.
    static func isSamePlace(_ path: String, _ other: String, holds: Bool = false) -> Bool {
        func place(_ path: String) -> [UInt8] {
            let (directory, name) = FileSystem.split(path)
            return FileSystem.resolved(directory) + Array("/\(name)".utf8)
        }
        let (one, two) = (place(path), place(other))
        return holds ? one.starts(with: two + [UInt8(ascii: "/")]) : one == two
    }

    /// Columns of the terminal behind standard error.
    static var terminalWidth: Int { terminalColumns(STDERR_FILENO) ?? 80 }
}
