import Core
import Inspect
import Render

/// A kind of report that CI systems write again in every run.
///
/// An existing file is replaced only if it begins like a report of the same kind: any other file
/// belongs to the user.
enum ReportKind {
    /// A JUnit XML report.
    case junit
    /// A JSON report with the result of each output of a batch.
    case json
    /// An HTML page of the differences between clips.
    case page
    /// An HTML page of the differences of recordings from a loader.
    case comparison

    private var name: String {
        switch self {
        case .junit: "JUnit report of \(Program.name)"
        case .json: "JSON report of \(Program.name)"
        case .page, .comparison: "HTML report of \(Program.name)"
        }
    }

    /// Begins a report. Throws `LoadervidError` if it cannot be created or a different file exists.
    ///
    /// - Parameters:
    ///   - force: true to replace any existing file.
    ///   - remedy: the advice for a different file; nil suggests the option that overwrites it.
    func file(_ path: String, force: Bool, isDurable: Bool = true, remedy: String? = nil) throws -> OutputFile {
        let earlier = EarlierOutput(what: name, remedy: remedy, recognizes: begins)
        return try OutputFile(path: path, replacing: force ? .anything : .earlier(earlier), isDurable: isDurable)
    }

    /// Returns true if a file with these first bytes is a report of this kind.
    private func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .junit: bytes.starts(with: JUnitReport.beginning(name: Program.name).utf8)
        case .page: bytes.starts(with: DifferencePage.beginning.utf8)
        case .comparison: bytes.starts(with: ComparisonPage.beginning.utf8)
        case .json: beginsAsJSON(bytes)
        }
    }

    /// Returns true if the first keys of a JSON report match; its keys are sorted.
    private func beginsAsJSON(_ bytes: [UInt8]) -> Bool {
        let text = bytes.filter { $0 > UInt8(ascii: " ") }[...]
        let first = Array(#"{"exitCode":"#.utf8)
        let second = Array(#","missingShards":["#.utf8)
        return text.starts(with: first)
            && text.dropFirst(first.count).drop(while: \.isASCIIDigit).starts(with: second)
    }
}
