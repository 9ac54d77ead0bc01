import Foundation
import TestSupport
import Testing

/// The JSON report of `--json-report`.
struct BatchReportFile: Decodable {
    struct Output: Decodable {
        var output: String
        var state: String
        var reason: String?
        var error: String?
        var exitCode: Int32?
        var timing: String?
        var bytes: Int?
        var seconds: Double
    }
    var outputs: [Output]
    var orphans: [String]
    var exitCode: Int32

    /// The state and reason of each output, by path.
    var results: [String: String] {
        Dictionary(uniqueKeysWithValues: outputs.map { ($0.output, $0.state + ($0.reason.map { ": \($0)" } ?? "")) })
    }
}

extension CommandFixture {
    /// Runs a batch, and returns its JSON report.
    @discardableResult
    func batch(_ arguments: String..., expecting code: Int32 = 0) throws -> BatchReportFile {
        let outcome = try run(["batch"] + arguments + ["--progress", "none", "--json-report", "report.json"])
        #expect(outcome.code == code, "\(outcome.errorText)")
        let report = try report()
        #expect(report.exitCode == code)
        return report
    }

    /// The JSON report of the last batch.
    func report() throws -> BatchReportFile {
        try JSONDecoder().decode(BatchReportFile.self, from: Data(bytes(of: directory.file("report.json"))))
    }

    func preset(_ text: String, at name: String = "p.yaml") throws {
        try makeFile(text, at: directory.file(name))
    }

    /// All files below a directory with their contents, except the batch's own files.
    func files(in name: String) throws -> [String: [UInt8]] {
        let root = directory.file(name)
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        var files: [String: [UInt8]] = [:]
        for name in names where !name.hasPrefix(".loadervid") {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isDirectory),
                !isDirectory.boolValue
            else { continue }
            files[name] = try bytes(of: "\(root)/\(name)")
        }
        return files
    }
}

/// Six small outputs of four clips.
let smallPreset = """
    defaults: {size: 32x16, fps: 10, speed: ultrafast}
    clips:
      - loader: [qq-mail, qq, jelly]
      - loader: iqiyi
        outputs: [mp4, mkv, {format: webm, speed: 8}]

    """
/// The paths of the outputs of `smallPreset`.
let smallNames = ["iqiyi.mkv", "iqiyi.mp4", "iqiyi.webm", "jelly.mp4", "qq-mail.mp4", "qq.mp4"].map { "p/\($0)" }
