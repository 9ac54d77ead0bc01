import Foundation
import TestSupport
import Testing

private let sourceTree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

/// What the README says to type.
@Suite struct ReadmeTests {
    private let text: String

    init() throws { text = String(decoding: try bytes(of: sourceTree + "/README.md"), as: UTF8.self) }

    /// The example of CI, up to the clips themselves, which `scripts/test-roots` renders.
    @Test func theExampleOfCIIsAPreset() throws {
        let workspace = try Workspace()
        let example = try #require(text.firstMatch(of: /```yaml\n# (\S+)\n([^`]+)```/))
        let name = String(example.1)
        try makeFile(String(example.2), at: workspace.directory.file(name))
        #expect(text.contains("\n    loadervid presets validate \(name) "))
        #expect(text.contains("\n    loadervid batch \(name) -o clips --dry-run "))
        let valid = try workspace.run(["presets", "validate", name])
        #expect(valid.code == 0, "\(valid.errorText)")
        let planned = try workspace.run(["batch", name, "-o", "clips", "--dry-run"])
        #expect(planned.code == 0, "\(planned.errorText)")
        // Every file that a comment names is made, and no folder in a folder of its name.
        let promised = example.2.matches(of: /clips\/[\w\/-]+\.\w+/).map { String($0.output) }
        #expect(promised.count >= 3)
        for file in promised { #expect(planned.text.contains(" \(file.dropFirst("clips/".count)) "), "\(file)") }
        #expect(!planned.text.contains(" clips/"))
    }

    @Test func itCountsTheLoaders() throws {
        let workspace = try Workspace()
        let list = try workspace.run(["list", "--json"])
        let loaders = try #require(try JSONSerialization.jsonObject(with: Data(list.text.utf8)) as? [[String: Any]])
        let numbers = ["seven", "eight", "nine", "ten", "eleven", "twelve"]
        let number = try #require(loaders.count >= 7 ? numbers.dropFirst(loaders.count - 7).first : nil)
        #expect(text.contains("turns \(number) loading animations"))
    }

    @Test func aTransparentClipIsMadeAsTyped() throws {
        let workspace = try Workspace()
        let line = try #require(text.firstMatch(of: /\n    loadervid (encode .*) -o (\S+) +# transparent\n/))
        let words = line.1.replacing("'", with: "").split(separator: " ").map(String.init)
        let outcome = try workspace.run(words + ["--scale", "1", "--duration", "0.2", "-o", String(line.2)])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        // The corner of the first picture, as libvpx decodes it: nothing is there.
        let first = try run(
            "ffmpeg",
            ["-v", "error", "-c:v", "libvpx-vp9", "-i", workspace.directory.file(String(line.2)), "-frames:v", "1"]
                + ["-pix_fmt", "rgba", "-f", "rawvideo", "-"]
        ).output
        let alphas = stride(from: 3, to: first.count, by: 4).map { first[first.startIndex + $0] }
        #expect(alphas.first == 0 && alphas.contains { $0 > 150 })
    }
}
