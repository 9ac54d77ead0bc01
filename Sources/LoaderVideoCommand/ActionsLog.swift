import Batch
import Core
import Explain
import Render

/// GitHub Actions output of a workflow step: annotations in the log and the step summary.
enum ActionsLog {
    /// True if GitHub's runner reads the log.
    static let isActive = variable("GITHUB_ACTIONS") == "true"
    /// True if problems are annotated: the runner reads the log, and standard error has no JSON
    /// events, which annotations would break. Errors before a command runs follow the same rule, so
    /// the arguments decide.
    static let annotates = isActive && !writesEvents(CommandLine.arguments)

    private static func writesEvents(_ arguments: [String]) -> Bool {
        arguments.contains("--progress=json")
            || zip(arguments, arguments.dropFirst()).contains { $0 == "--progress" && $1 == "json" }
    }

    /// The maximum size of a step summary in bytes. The runner discards a larger summary.
    private static let maxSummarySize = 1 << 20

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: Annotations

    /// Prints an annotation for a problem of a preset or a lesson, at its location.
    static func annotate(_ problem: DocumentProblem) {
        annotate(
            problem.message, title: Program.name, file: problem.file, line: problem.location?.line,
            column: problem.location?.column)
    }

    /// Prints an annotation for a failed output, at its location in the preset.
    static func annotate(_ result: OutputResult) {
        guard let error = result.error else { return }
        annotate(
            error.description, title: result.path, file: result.location?.file, line: result.location?.line,
            column: result.location?.column)
    }

    private static func annotate(_ message: String, title: String, file: String?, line: Int?, column: Int?) {
        let values = [
            ("file", file.map(repositoryPath)), ("line", line.map(String.init)), ("col", column.map(String.init)),
            ("title", title),
        ]
        let properties = values.compactMap { name, value in value.map { (name: name, value: $0.visible) } }
        let command = WorkflowCommand(
            "error", properties, message: message.abbreviated(to: maxMessageLength).visible)
        writeRaw(command.line + "\n", to: STDERR_FILENO)
    }

    /// Returns a file's path relative to the repository root, where annotations look for it;
    /// unchanged if the file is outside.
    private static func repositoryPath(_ file: String) -> String {
        guard let root = variable("GITHUB_WORKSPACE"), !root.isEmpty else { return file }
        let path = FileSystem.resolved(file)
        let parent = FileSystem.resolved(root) + [UInt8(ascii: "/")]
        return path.starts(with: parent) ? String(decoding: path.dropFirst(parent.count), as: UTF8.self) : file
    }

    /// The maximum length of an annotation's message in Unicode scalars.
    private static let maxMessageLength = 2000

    // MARK: Summary

    /// Appends a table of a batch to the step summary. A failure prints a message and does not fail
    /// the batch.
    static func summarize(_ summary: BatchSummary) {
        guard let path = variable("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
        let problem = append(to: path) { room in markdown(summary, maxBytes: room) }
        guard let problem else { return }
        printError("\(Program.name): GITHUB_STEP_SUMMARY: \(quoted(path)) \(problem)")
    }

    /// Returns the table, with as many rows as fit into `maxBytes`.
    private static func markdown(_ summary: BatchSummary, maxBytes: Int) -> String {
        func line(_ cells: [String]) -> String { "| " + cells.map(\.markdownCell).joined(separator: " | ") + " |\n" }
        let rule = "|" + BatchSummary.head.map { _ in "---|" }.joined() + "\n"
        var text =
            "### \(Program.name.markdownCell)\n\n\(summary.totals.markdownCell)\n\n" + line(BatchSummary.head) + rule
        let results = summary.report.outputs
        // Room for the line that replaces the remaining rows.
        let reserve = 100
        for (index, result) in results.enumerated() {
            var cells = summary.row(result)
            if let error = result.error { cells[cells.count - 1] += ": " + error.description }
            let row = line(cells)
            guard text.utf8.count + row.utf8.count + reserve <= maxBytes else {
                return text + "\nand \(results.count - index) more\n\n"
            }
            text += row
        }
        return text + "\n"
    }

    /// Appends a text to a regular file. Returns the problem and its remedy if that fails. Refuses
    /// links, because a link could lead to a file that does not belong to the runner.
    private static func append(to path: String, _ text: (_ room: Int) -> String) -> String? {
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            return errno == ELOOP ? "is a symbolic link; name a regular file" : unwritable(errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return "is not a regular file; name a regular file"
        }
        let size = Int(status.st_size)
        var bytes = Array(text(maxSummarySize - size).utf8)[...]
        guard bytes.count <= maxSummarySize - size else {
            return "has \(size) bytes, and the maximum is \(maxSummarySize); write less into it in earlier steps"
        }
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return unwritable(errno) }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }

    private static func unwritable(_ code: Int32) -> String {
        "cannot be written: \(String(cString: strerror(code))); name a regular file that can be written"
    }
}
