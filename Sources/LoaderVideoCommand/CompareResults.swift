import ArgumentParser
import Core
import Inspect
import Render

/// The verdicts on recordings, as text, JSON and JUnit.
struct CompareResults {
    /// True if no line is printed per recording.
    let isSilent: Bool
    private var verdicts: [(verdict: Verdict, code: Int32, error: LoadervidError?, seconds: Double)] = []

    init(isSilent: Bool) { self.isSilent = isSilent }

    /// The exit code of a recording with differences.
    private static let differs: Int32 = 1

    /// Adds a verdict that took some seconds.
    mutating func add(_ verdict: Verdict, seconds: Double) {
        let code: Int32 =
            switch verdict.outcome {
            case .matches: EXIT_SUCCESS
            case .differs: Self.differs
            case .cannotJudge: EX_DATAERR
            }
        verdicts.append((verdict, code, nil, seconds))
        if let reason = verdict.reason {
            printError("\(Program.name): \(verdict.file) cannot be judged: \(reason)")
        } else if !isSilent {
            printLines(Self.lines(verdict))
        }
    }

    mutating func add(_ file: String, _ loader: String, _ error: LoadervidError, seconds: Double) {
        let verdict = Verdict(file: file, loader: loader, reason: error.description)
        verdicts.append((verdict, Failure.code(of: error.kind), error, seconds))
        printError("\(Program.name): \(error.description)")
    }

    /// Throws the highest exit code unless all recordings match: a missing file outranks one that
    /// cannot be judged, which outranks one that differs.
    func finish() throws {
        let worst = verdicts.map(\.code).max() ?? EXIT_SUCCESS
        guard worst == EXIT_SUCCESS else { throw ExitCode(worst) }
    }

    // MARK: Text

    private static func lines(_ verdict: Verdict) -> [String] {
        let word = verdict.outcome == .matches ? "matches" : "differs from"
        var lines = ["\(verdict.file.visible): \(word) \(verdict.loader.visible)"]
        if let fit = verdict.fit {
            lines.append(
                "  \(decimal(fit.scale, 3)) px/pt at (\(decimal(fit.origin.x, 1)), \(decimal(fit.origin.y, 1))) px, "
                    + "speed \(decimal(fit.speed, 4)), starts at \(decimal(fit.start, 3)) s of the loader")
        }
        for deviation in verdict.deviations {
            lines.append("  \(deviation.isAlternative ? "or" : "-") \(deviation.text.visible)")
        }
        return lines + verdict.notes.map { "  note: \($0.text.visible)" }
    }

    private static func decimal(_ value: Double, _ places: Int) -> String { NumberText.decimal(value, places: places) }

    // MARK: Reports

    private struct Report: Encodable {
        var schema = 1
        var isRight: Bool
        var recordings: [RecordingReport]
    }

    private struct RecordingReport: Encodable {
        var file: String
        var loader: String
        var outcome: Verdict.Outcome
        var exitCode: Int
        var reason: String?
        var fit: FitReport?
        var findings: [FindingReport]
        var notes: [FindingReport]
    }

    private struct FitReport: Encodable {
        var scale: Double
        var x: Double
        var y: Double
        var speed: Double
        var expectedSpeed: Double
        var start: Double
        var background: String
    }

    private struct FindingReport: Encodable {
        var kind: Deviation.Kind
        var object: String?
        var phase: String?
        var time: [Double]?
        var size: Double?
        var unit: String?
        var expected: String?
        var actual: String?
        var text: String
        var weight: Double
        var isAlternative: Bool

        init(_ deviation: Deviation) {
            kind = deviation.kind
            object = deviation.object
            phase = deviation.phase
            time = deviation.time.map { [$0.lowerBound, $0.upperBound] }
            size = deviation.size
            unit = deviation.unit
            expected = deviation.expected
            actual = deviation.actual
            text = deviation.text
            weight = deviation.weight
            isAlternative = deviation.isAlternative
        }
    }

    /// The verdicts as JSON.
    var json: String {
        get throws {
            let recordings = verdicts.map { entry in
                let verdict = entry.verdict
                return RecordingReport(
                    file: verdict.file, loader: verdict.loader, outcome: verdict.outcome, exitCode: Int(entry.code),
                    reason: verdict.reason, fit: verdict.fit.map(Self.report),
                    findings: verdict.deviations.map(FindingReport.init), notes: verdict.notes.map(FindingReport.init))
            }
            let isRight = verdicts.allSatisfy { $0.code == EXIT_SUCCESS }
            return try AnalysisText.json(Report(isRight: isRight, recordings: recordings))
        }
    }

    private static func report(_ fit: RecordingFit) -> FitReport {
        FitReport(
            scale: fit.scale, x: fit.origin.x, y: fit.origin.y, speed: fit.speed, expectedSpeed: fit.expectedSpeed,
            start: fit.start, background: fit.background.hexString)
    }

    /// The verdicts as JUnit XML, one test case per recording.
    var junit: String {
        let cases = verdicts.map { verdict, code, error, seconds in
            let lines = verdict.deviations.map(\.text)
            let text = (lines + verdict.notes.map { "note: \($0.text)" }).joined(separator: "\n")
            if code == EXIT_SUCCESS { return JUnitReport.Case(verdict.file, seconds: seconds, .passed(text)) }
            let kind = error?.kind.rawValue ?? verdict.deviations.first?.kind.rawValue ?? verdict.outcome.rawValue
            let message = verdict.reason ?? lines.first ?? ""
            return JUnitReport.Case(
                verdict.file, seconds: seconds,
                .failed(kind: kind, message: message, text: text.isEmpty ? message : text))
        }
        return JUnitReport(name: Program.name, [.init("compare", cases)]).text
    }
}
