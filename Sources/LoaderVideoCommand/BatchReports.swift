import Animations
import ArgumentParser
import Batch
import Core
import Render

/// The options for a batch's progress and reports.
struct ReportOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Wait for another batch that uses the directory, or fail at once.")
    var wait = true

    @Option(
        help: progressHelp, completion: .list(ProgressDisplay.Style.allCases.map(\.rawValue)),
        transform: parseProgress)
    var progress: ProgressDisplay.Style = .auto

    @Option(help: ArgumentHelp("Write a JSON report with the result of each output.", valueName: "file"))
    var jsonReport: String?

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    /// Throws `LoadervidError` if a report cannot be written, before there are results to report,
    /// or if it would replace the other report, an output of the batch in `directory`, or one of
    /// the batch's own files there.
    ///
    /// - Parameters:
    ///   - sources: directories of other batches that this one reads, whose own files are
    ///     protected, too.
    ///   - outputs: the paths of the outputs in `directory`.
    ///   - force: true to replace files that are not reports of the same kind.
    func check(in directory: String, sources: [String] = [], outputs: [String], force: Bool) throws {
        let reports = [("--json-report", jsonReport), ("--junit", junit)].compactMap { name, path in
            path.map { (name, $0) }
        }
        for (name, path) in reports {
            // A report whose path is a link replaces the link's target.
            let target = try FileSystem.linkTarget(path)
            let isInStateFolder = ([directory] + sources).contains {
                Machine.isInside(
                    target, directory: OutputDirectory.path(of: OutputDirectory.stateDirectoryName, in: $0))
            }
            let conflict =
                outputs.contains { Machine.isSameFile(target, as: OutputDirectory.path(of: $0, in: directory)) }
                ? "an output of the batch" : isInStateFolder ? "in the batch's own directory" : nil
            if let conflict {
                throw LoadervidError(.usage, "\(name) \(path) is \(conflict); name another file")
            }
        }
        // Opens both reports together, so that they cannot be the same file.
        try withExtendedLifetime(junit.map { try file($0, .junit, force) }) {
            _ = try jsonReport.map { try file($0, .json, force) }
        }
    }

    private func file(_ path: String, _ kind: ReportKind, _ force: Bool) throws -> OutputFile {
        // After an interruption there is no time to wait for a busy disk. With --force the batch
        // would render all outputs again.
        try kind.file(path, force: force, isDurable: false, remedy: "remove it, or name another file")
    }

    /// Returns the policy for waiting for another batch.
    func waitPolicy(_ cancellation: CancellationToken) -> WaitPolicy {
        let isJSON = progress == .json
        return WaitPolicy(waits: wait, cancellation: cancellation) { text in
            if isJSON { printEvent(["event": "waiting", "reason": text]) } else { printError(text) }
        }
    }

    /// Writes the reports and prints the result. Throws the exit code if anything failed.
    ///
    /// - Parameters:
    ///   - force: true to replace files that are not reports of the same kind.
    ///   - failure: the exit code of failures; nil uses that of the most severe one.
    func finish(
        _ summary: BatchSummary, _ toolchain: Toolchain, shard: Shard?, force: Bool, failure: Int32? = nil
    ) throws {
        let report = summary.report
        let code = report.worst.map { $0 == .interrupted ? 130 : failure ?? Failure.code(of: $0) } ?? EXIT_SUCCESS
        if progress == .json {
            if summary.showsResults { report.outputs.forEach { BatchDisplay.printEvents(of: .finished($0)) } }
            printEvent(BatchSummary.Event(report, exitCode: code))
        } else {
            printResults(summary.lines)
            for line in summary.remarks { printError(line) }
        }
        if ActionsLog.annotates { report.outputs.forEach(ActionsLog.annotate) }
        if progress.shown == .plain, ActionsLog.isActive { ActionsLog.summarize(summary) }
        if let jsonReport {
            let text = try jsonText(ReportFile(report, toolchain, shard: shard, exitCode: code)) + "\n"
            try file(jsonReport, .json, force).commit(Array(text.utf8))
        }
        if let junit {
            try file(junit, .junit, force).commit(Array(report.junit(name: Program.name).utf8))
        }
        guard code == EXIT_SUCCESS else { throw ExitCode(code) }
    }
}

/// The file of `--json-report`.
private struct ReportFile: Encodable {
    struct SidecarRecord: Encodable {
        var file: String
        var bytes: Int
        var sha256: String
    }

    struct Output: Encodable {
        var output: String
        var preset: String
        var state: OutputResult.State
        var reason: String?
        var error: String?
        var kind: LoadervidError.Kind?
        var exitCode: Int32?
        var frames: Int
        var duration: Double?
        var timing: TimeMap.Timing?
        var bytes: Int?
        var sha256: String?
        var concessions: [String: String]?
        var sidecars: [SidecarRecord]?
        var notes: [ClipNote]?
        var fingerprint: String
        var seconds: Double
    }

    var schema = 1
    var toolchain: Toolchain
    var shard: Shard?
    var outputs: [Output]
    var totals: [String: Int]
    var missingShards: [Int]
    var orphans: [String]
    var seconds: Double
    var exitCode: Int32

    init(_ report: BatchReport, _ toolchain: Toolchain, shard: Shard?, exitCode: Int32) {
        self.toolchain = toolchain
        self.shard = shard
        self.exitCode = exitCode
        outputs = report.outputs.map { result in
            Output(
                output: result.path, preset: result.preset, state: result.state,
                reason: result.reason.isEmpty ? nil : result.reason, error: result.error?.description,
                kind: result.error?.kind, exitCode: result.error.map { Failure.code(of: $0.kind) },
                frames: result.frames,
                duration: result.duration?.roundedToThousandths, timing: result.timing, bytes: result.bytes,
                sha256: result.sha256,
                concessions: result.reducedSettings.isEmpty ? nil : result.reducedSettings,
                sidecars: result.sidecars.isEmpty ? nil : Self.list(result.sidecars),
                notes: result.notes.isEmpty ? nil : result.notes,
                fingerprint: result.fingerprint, seconds: result.seconds.roundedToThousandths)
        }
        let states = OutputResult.State.allCases.map { ($0.rawValue, report.count($0)) }
        totals = Dictionary(uniqueKeysWithValues: states)
        missingShards = report.missingShards.map(\.index)
        orphans = report.orphans
        seconds = report.seconds.roundedToThousandths
    }

    private static func list(_ sidecars: [String: FileRecord]) -> [SidecarRecord] {
        sidecars.sorted { $0.key < $1.key }.map { path, record in
            SidecarRecord(file: path, bytes: record.bytes, sha256: record.sha256)
        }
    }
}

/// The result of a batch as text.
struct BatchSummary {
    let report: BatchReport
    /// The participle for outputs that were not up to date, such as "made" or "copied".
    let verb: String
    /// The words for outputs that were not reached.
    var notRun = "not made"
    /// True if no display has shown the results of outputs yet.
    var showsResults = false

    /// The last event of `--progress json`.
    struct Event: Encodable {
        var event = "summary"
        var made: Int
        var upToDate: Int
        var failed: Int
        var notRun: Int
        var seconds: Double
        var exitCode: Int32

        init(_ report: BatchReport, exitCode: Int32) {
            made = report.count(.made)
            upToDate = report.count(.upToDate)
            failed = report.count(.failed)
            notRun = report.count(.notRun)
            seconds = report.seconds.roundedToThousandths
            self.exitCode = exitCode
        }
    }

    /// The column titles.
    static let head = ["output", "frames", "length", "timing", "size", "made in", "state"]

    /// A table of all outputs, and a line with the totals.
    var lines: [String] {
        let rows = report.outputs.map(row)
        let table = Table.lines(ofFiles: [Self.head] + rows, columns: Machine.outputColumns, optional: 3)
        // A shard may have no outputs.
        return (rows.isEmpty ? [] : table) + [totals]
    }

    /// Returns the cells of an output's row.
    func row(_ result: OutputResult) -> [String] {
        [
            result.path, "\(result.frames)", result.duration.map(Summary.length) ?? "",
            result.timing?.rawValue ?? "", result.bytes.map(Summary.bytes) ?? "",
            result.seconds > 0 ? "\(NumberText.decimal(result.seconds, places: 2)) s" : "", state(of: result),
        ]
    }

    private func state(of result: OutputResult) -> String {
        let settings =
            result.reducedSettings.isEmpty
            ? "" : QualityStep(texts: result.reducedSettings)?.label ?? QualityStep.words(result.reducedSettings)
        let note = settings.isEmpty ? "" : "; for max-bytes: \(settings)"
        return switch result.state {
        case .made: (result.reason == verb ? verb : "\(verb) (\(result.reason))") + note
        case .upToDate: "up to date" + note
        case .failed: "failed"
        case .notRun: notRun
        }
    }

    /// The number of outputs by result.
    var totals: String {
        let parts = [
            (report.count(.made), verb), (report.count(.upToDate), "up to date"), (report.count(.failed), "failed"),
            (report.count(.notRun), notRun),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let bytes = report.outputs.reduce(0) { $0 + ($1.bytes ?? 0) }
        let results = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        return "\(Summary.count(report.outputs.count, "output"))\(results); "
            + "\(Summary.bytes(bytes)) in \(NumberText.decimal(report.seconds, places: 2)) s"
    }

    /// Additional lines for standard error: missing shards, notes, failures, orphans and
    /// interruption.
    var remarks: [String] {
        var lines = report.missingShards.map { "\(Program.name): shard \($0) is missing; it left no manifest" }
        lines += report.outputs.flatMap { output in output.notes.map { "\(output.path): \($0)" } }
        if showsResults {
            lines += report.outputs.compactMap { $0.error.map { "\(Program.name): \($0.description)" } }
        }
        if !report.orphans.isEmpty {
            let count = Summary.count(report.orphans.count, "file")
            let isOne = report.orphans.count == 1
            lines.append(
                "kept \(count) of earlier batches that \(isOne ? "is" : "are") no longer in any preset: "
                    + report.orphans.joined(separator: ", "))
        }
        if report.isInterrupted {
            let count = report.count(.notRun)
            let (verb, object) = count == 1 ? ("was", "it") : ("were", "them")
            lines.append(
                "\(Program.name): interrupted: \(Summary.count(count, "output")) \(verb) \(notRun); run the same command "
                    + "to make \(object)")
        }
        return lines
    }
}
