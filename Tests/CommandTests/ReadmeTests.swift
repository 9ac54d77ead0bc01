import Foundation
import TestSupport
import Testing

/// The examples of the README and of docs/ci.md.
@Suite struct ReadmeTests {
    private let text: String

    init() throws { text = try ReadmeTests.text(of: "README.md") }

    private static func text(of name: String) throws -> String {
        String(decoding: try bytes(of: "\(sourceTree)/\(name)"), as: UTF8.self)
    }

    /// The example of docs/ci.md can be planned; `scripts/test-roots` renders its clips.
    @Test func theCIExampleIsAValidPreset() throws {
        let workspace = try CommandFixture()
        let text = try ReadmeTests.text(of: "docs/ci.md")
        let example = try #require(text.firstMatch(of: /```yaml\n# (\S+)\n([^`]+)```/))
        let name = String(example.1)
        try makeFile(String(example.2), at: workspace.directory.file(name))
        #expect(text.contains("\n    loadervid presets validate \(name) "))
        #expect(text.contains("\n    loadervid batch \(name) -o clips --dry-run "))
        let valid = try workspace.run(["presets", "validate", name])
        #expect(valid.code == 0, "\(valid.errorText)")
        let planned = try workspace.run(["batch", name, "-o", "clips", "--dry-run"])
        #expect(planned.code == 0, "\(planned.errorText)")
        // Every file in a comment is made, and no directory is nested in one of the same name.
        let promised = example.2.matches(of: /clips\/[\w\/-]+\.\w+/).map { String($0.output) }
        #expect(promised.count >= 3)
        for file in promised { #expect(planned.text.contains(" \(file.dropFirst("clips/".count)) "), "\(file)") }
        #expect(!planned.text.contains(" clips/"))
    }

    @Test func itCountsTheLoaders() throws {
        let workspace = try CommandFixture()
        let list = try workspace.run(["list", "--json"])
        let loaders = try #require(try JSONSerialization.jsonObject(with: Data(list.text.utf8)) as? [[String: Any]])
        let numbers = ["seven", "eight", "nine", "ten", "eleven", "twelve"]
        let number = try #require(loaders.count >= 7 ? numbers.dropFirst(loaders.count - 7).first : nil)
        #expect(text.contains("\(number) loaders from well-known iOS articles"))
    }

    @Test func itIsShort() {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 121)
    }

    /// The Chinese README has the same commands, code and links.
    @Test func bothLanguagesHaveTheSameCommands() throws {
        let chinese = try ReadmeTests.text(of: "README.zh.md")
        func commands(_ text: String) -> [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { line in
                let command = String(line.firstRange(of: "  #").map { line[..<$0.lowerBound] } ?? line)
                return command.replacing(" --lang zh", with: "").replacing(/[ ]+$/, with: "")
            }.filter { $0.contains("loadervid") || $0.contains("scripts/") }
        }
        func links(_ text: String) -> Set<String> { Set(text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }) }
        #expect(commands(text).count >= 7)
        #expect(commands(text) == commands(chinese))
        let languages: Set = ["README.md", "README.zh.md"]
        #expect(links(text).subtracting(languages) == links(chinese).subtracting(languages))
    }

    @Test func theTransparentExampleWorks() throws {
        let workspace = try CommandFixture()
        let line = try #require(text.firstMatch(of: /\n    loadervid (encode .*transparent) -o (\S+)\n/))
        let words = line.1.replacing("'", with: "").split(separator: " ").map(String.init)
        let outcome = try workspace.run(words + ["--scale", "1", "--duration", "0.2", "-o", String(line.2)])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        // The corner of the first frame, decoded by libvpx, is transparent.
        let first = try run(
            "ffmpeg",
            ["-v", "error", "-c:v", "libvpx-vp9", "-i", workspace.directory.file(String(line.2)), "-frames:v", "1"]
                + ["-pix_fmt", "rgba", "-f", "rawvideo", "-"]
        ).output
        let alphas = stride(from: 3, to: first.count, by: 4).map { first[first.startIndex + $0] }
        #expect(alphas.first == 0 && alphas.contains { $0 > 150 })
    }
}
