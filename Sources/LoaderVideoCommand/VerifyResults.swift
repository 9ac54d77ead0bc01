import ArgumentParser
import Core
import Inspect
import Render

/// The results of checked files, as text, JSON and JUnit.
struct VerifyResults {
    /// True if warnings are failures.
    let isStrict: Bool
    /// True if no line is printed per file.
    let isSilent: Bool
    private var certificates: [Certificate] = []
    private var worst = EXIT_SUCCESS

    init(isStrict: Bool, isSilent: Bool) {
        self.isStrict = isStrict
        self.isSilent = isSilent
    }

    /// The exit code of a failed check.
    private static let failed: Int32 = 1

    mutating func add(_ certificate: Certificate) {
        certificates.append(certificate)
        let code = certificate.isDamaged ? EX_DATAERR : isRight(certificate) ? EXIT_SUCCESS : Self.failed
        note(code)
        if !isSilent { printLines(Self.lines(certificate, isRight: isRight(certificate))) }
    }

    mutating func add(_ file: String, _ error: LoadervidError) {
        certificates.append(Certificate(file: file, unreadable: error))
        note(Failure.code(of: error.kind))
        printError("\(Program.name): \(error.description)")
    }

    /// Keeps the highest exit code: a missing file outranks a damaged one, which outranks a failed
    /// check.
    private mutating func note(_ code: Int32) { worst = max(worst, code) }

    private func isRight(_ certificate: Certificate) -> Bool {
        certificate.isRight && !(isStrict && certificate.count(.warning) > 0)
    }

    /// Throws the exit code if a file failed.
    func finish() throws {
        guard worst == EXIT_SUCCESS else { throw ExitCode(worst) }
    }

    // MARK: Text

    private static func lines(_ certificate: Certificate, isRight: Bool) -> [String] {
        let counts = [(Finding.Severity.error, "error"), (.warning, "warning"), (.note, "note")].compactMap {
            severity, word in
            let count = certificate.count(severity)
            return count == 0 ? nil : Summary.count(count, word)
        }
        let verdict = isRight ? "right" : "wrong"
        let head = "\(certificate.file): \(verdict)" + (counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))")
        return [head, "  " + facts(certificate)] + certificate.findings.map { "  " + line($0) }
    }

    private static func facts(_ certificate: Certificate) -> String {
        // Vector graphics have neither a codec nor a pixel format.
        let coding = [certificate.codec, certificate.pixelFormat].filter { !$0.isEmpty }.joined(separator: " ")
        var words = [certificate.container, coding, "\(certificate.width)x\(certificate.height)"].filter { !$0.isEmpty }
        // Sequences have no times.
        let hasTimes = certificate.duration > 0
        if hasTimes, certificate.frames > 1 || certificate.rate != nil {
            words.append(certificate.rate.map { "\(NumberText.decimal($0, places: 3)) fps" } ?? "variable frame rate")
        }
        words.append(Summary.count(certificate.frames, "frame"))
        if hasTimes { words.append(Summary.length(certificate.duration)) }
        words.append(Summary.bytes(certificate.bytes))
        if let colors = certificate.colors {
            let tags = [colors.matrix, colors.primaries, colors.transfer, colors.range].map { $0 ?? "unknown" }
            words.append(
                "colours " + (Set(tags.prefix(3)).count == 1 ? [tags[0], tags[3]] : tags).joined(separator: " "))
        }
        if certificate.alpha.isPresent { words.append("alpha " + (certificate.alpha.kind ?? "not used")) }
        if let plays = certificate.plays {
            words.append(plays == 0 ? "plays forever" : plays == 1 ? "plays once" : "plays \(plays) times")
        }
        if certificate.keyFramesSought > 0 {
            words.append("\(certificate.keyFramesSought) of \(certificate.keyFrames) keyframes verified by seeking")
        }
        if certificate.isCompared {
            let worst = certificate.worstPSNR.map { "worst frame \(NumberText.decimal($0, places: 1)) dB" }
            words.append(worst ?? (certificate.codec.isEmpty ? "bytes compared" : "frames compared"))
        }
        return words.joined(separator: ", ")
    }

    static func line(_ finding: Finding) -> String {
        let time = finding.time.map(Summary.length)
        let positions = [time, finding.frame.map { "frame \($0)" }].compactMap { $0 }
        let position = positions.isEmpty ? "" : " at \(positions.joined(separator: ", "))"
        return "\(finding.severity.rawValue) \(finding.id.rawValue)\(position): \(finding.message)"
    }

    // MARK: Reports

    private struct Report: Encodable {
        var schema = 1
        var isRight: Bool
        var files: [Certificate]
    }

    var json: String { get throws { try jsonText(Report(isRight: worst == EXIT_SUCCESS, files: certificates)) } }

    var junit: String {
        let cases = certificates.map { certificate in
            let lines = certificate.findings.map(Self.line)
            let isDamaged = certificate.isDamaged
            return JUnitReport.Case(
                certificate.file,
                isRight(certificate)
                    ? .passed(
                        ([certificate.codec.isEmpty ? "" : Self.facts(certificate)] + lines).joined(separator: "\n"))
                    : .failed(
                        kind: certificate.errorKind?.rawValue ?? certificate.findings.first?.id.rawValue ?? "",
                        message: lines.first ?? "",
                        text: ((isDamaged ? [] : [Self.facts(certificate)]) + lines).joined(separator: "\n")))
        }
        return JUnitReport(name: Program.name, [.init("verify", cases)]).text
    }
}
