import Foundation
import TestSupport
import Testing

/// An output that is a directory. Only some commands can write to standard output instead.
@Suite struct DirectoryOutputTests {
    private func refusal(_ line: String) throws -> String {
        let workspace = try CommandFixture()
        for name in ["A", "B", "A.png", "A.html"] {
            try FileManager.default.createDirectory(
                atPath: workspace.directory.file(name), withIntermediateDirectories: true)
            try makeFile("text", at: workspace.directory.file("\(name)/x"))
        }
        try workspace.preset("clips: [{loader: qq, name: q, size: 32x16, fps: 10, speed: ultrafast}]\n")
        let outcome = try workspace.run(line.split(separator: " ").map(String.init))
        let output = try #require(line.split(separator: " ").last)
        expectRefusal(outcome, 73, ["\(output) is a directory; name a file"])
        return outcome.errorText
    }

    @Test(arguments: [
        "diff A B --junit A", "diff A B --report A", "verify A/x --junit A",
        "batch p.yaml --junit A", "batch p.yaml --json-report A", "batch p.yaml --check --junit A",
    ])
    func reportsAreFiles(line: String) throws {
        #expect(try refusal(line).hasSuffix("; name a file\n"))
    }

    @Test(
        .slow,
        arguments: [
            "still qq --at 0 -o A.png", "sheet qq -o A.png", "encode qq --format mp4 -o A", "page qq -o A.html",
            "tutorial new qq -o A",
        ])
    func otherOutputsMayBeStandardOutput(line: String) throws {
        #expect(try refusal(line).hasSuffix("; name a file, or -o - for standard output\n"))
    }
}
