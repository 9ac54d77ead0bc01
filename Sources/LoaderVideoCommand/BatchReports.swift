import Motion
import ArgumentParser
import Batch
import Platform
import Pipeline

/// The options that say how a batch tells what it does.
struct ReportOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Wait while another batch works in the directory.")
    var wait = true

    @Option(help: "auto, bar, plain, json or none.")
    var progress: ProgressDisplay.Style = .auto

    @Option(help: ArgumentHelp("Write what became of each output as JSON.", valueName: "file"))
    var jsonReport: String?

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    /// Throws `RenderError` if a report could not be written, before there is anything to report, or if it would take the
    /// place of the other, of an output of the batch in a directory, or of what the batch keeps there for itself.
    func check(in directory: String, outputs: [String] = []) throws {
        let reports = [("--json-report", jsonReport), ("--junit", junit)].compactMap { name, path in
            path.map { (name, $0) }
        }
        for (name, path) in reports {
            _ = try OutputFile(path: path, overwrites: true)
            let taken =
                outputs.contains { Machine.isSamePlace(path, OutputTree.file($0, in: directory)) }
                ? "an output of the batch"
                : Machine.isSamePlace(path, OutputTree.file(OutputTree.stateName, in: directory), holds: true)
                    ? "the batch's own folder" : nil
            if let taken {
                throw RenderError(.usage, "\(name) \(path) is in the place of \(taken): give it another name")
            }
        }
        if reports.count == 2, Machine.isSamePlace(reports[0].1, reports[1].1) {
            throw RenderError(.usage, "--json-report and --junit are one file, \(reports[0].1): give them two names")
        }
    }

    /// How to meet another batch.
    func patience(_ cancellation: CancellationToken) -> BatchState.Patience {
        let isJSON = progress == .json
        return BatchState.Patience(waits: wait, cancellation: cancellation) { text in
            if isJSON { printEvent(["event": "waiting", "reason": text]) } else { printError(text) }
        }
    }

    /// Writes the reports and says how it went. Throws the exit code if anything failed.
    ///
    /// - Parameter failure: the exit code of failures; nil takes that of the worst.
    func finish(_ summary: BatchSummary, _ toolchain: Toolchain, shard: Shard?, failure: Int32? = nil) throws {
        let report = summary.report
        let code = report.worst.map { $0 == .interrupted ? 130 : failure ?? Failure.code(of: $0) } ?? EXIT_SUCCESS
        if progress == .json {
            printEvent(BatchSummary.Event(report, exitCode: code))
        } else {
            printResults(summary.lines)
            for line in summary.remarks { printError(line) }
        }
        if let jsonReport {
            try write(jsonText(ReportFile(report, toolchain, shard: shard, exitCode: code)), to: jsonReport)
        }
        if let junit { try write(report.junit(name: Program.name), to: junit) }
        guard code == EXIT_SUCCESS else { throw ExitCode(code) }
    }

    private func write(_ text: String, to path: String) throws {
        // After an interruption there is no time for a busy disk.
        let file = try OutputFile(path: path, overwrites: true, isDurable: false)
        try file.commit(Array((text + (text.hasSuffix("\n") ? "" : "\n")).utf8))
    }
}

/// `--json-report`'s file.
private struct ReportFile: Encodable {
    struct Output: Encodable {
        var output: String
        var preset: String
        var state: OutputResult.State
        var reason: String?
        var error: String?
        var exitCode: Int32?
        var frames: Int
        var duration: Double?
        var bytes: Int?
        var sha256: String?
        var concessions: [String: String]?
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
        (self.toolchain, self.shard, self.exitCode) = (toolchain, shard, exitCode)
        outputs = report.outputs.map { result in
            Output(
                output: result.path, preset: result.preset, state: result.state,
                reason: result.reason.isEmpty ? nil : result.reason, error: result.error?.description,
                exitCode: result.error.map { Failure.code(of: $0.kind) }, frames: result.frames,
                duration: result.duration?.thousandths, bytes: result.bytes, sha256: result.sha256,
                concessions: result.concessions.isEmpty ? nil : result.concessions,
                fingerprint: result.fingerprint, seconds: result.seconds.thousandths)
        }
        let states = OutputResult.State.allCases.map { ($0.rawValue, report.count($0)) }
        totals = Dictionary(uniqueKeysWithValues: states)
        missingShards = report.missingShards.map(\.index)
        orphans = report.orphans
        seconds = report.seconds.thousandths
    }
}

/// How a batch went, as text.
struct BatchSummary {
    let report: BatchReport
    /// What was done with outputs that were not up to date.
    let verb: String
    /// Whether failures have not been shown yet.
    var showsFailures = false

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
            (made, upToDate) = (report.count(.made), report.count(.upToDate))
            (failed, notRun) = (report.count(.failed), report.count(.notRun))
            (seconds, self.exitCode) = (report.seconds.thousandths, exitCode)
        }
    }

    /// A table of all outputs, and a line with the totals.
    var lines: [String] {
        let rows = report.outputs.map { result in
            [
                result.path, "\(result.frames)", result.duration.map(Summary.length) ?? "",
                result.bytes.map(Summary.bytes) ?? "",
                result.seconds > 0 ? "\(Summary.decimal(result.seconds, places: 2)) s" : "", state(of: result),
            ]
        }
        let lines = Table.lines([["output", "frames", "length", "size", "made in", "state"]] + rows)
        return lines + [totals]
    }

    private func state(of result: OutputResult) -> String {
        let concessions = Concession.words(result.concessions)
        let note = concessions.isEmpty ? "" : "; for max-bytes: \(concessions)"
        return switch result.state {
        case .made: (result.reason == verb ? verb : "\(verb) (\(result.reason))") + note
        case .upToDate: "up to date" + note
        case .failed: "failed"
        case .notRun: "not made"
        }
    }

    private var totals: String {
        let parts = [
            (report.count(.made), verb), (report.count(.upToDate), "up to date"), (report.count(.failed), "failed"),
            (report.count(.notRun), "not made"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let bytes = report.outputs.reduce(0) { $0 + ($1.bytes ?? 0) }
        return "\(report.outputs.count) outputs: \(parts.joined(separator: ", ")); \(Summary.bytes(bytes)) in "
            + "\(Summary.decimal(report.seconds, places: 2)) s"
    }

    /// What else there is to say, on standard error.
    var remarks: [String] {
        var lines = report.missingShards.map { "\(Program.name): shard \($0) is missing: it left no manifest" }
        if showsFailures {
            lines += report.outputs.compactMap { $0.error.map { "\(Program.name): \($0.description)" } }
        }
        if !report.orphans.isEmpty {
            lines.append(
                "\(report.orphans.count) outputs of earlier batches are in no preset any more, and stay: "
                    + report.orphans.joined(separator: ", "))
        }
        if report.isInterrupted {
            lines.append(
                "\(Program.name): interrupted: \(report.count(.notRun)) outputs are not made; the same command makes them"
            )
        }
        return lines
    }
}
