import TestSupport
import Testing

@Suite struct TitleTests {
    private func title(_ options: String..., in container: String) throws -> String? {
        let workspace = try CommandFixture()
        let name = "clip.\(container)"
        let common = ["encode", "qq-mail", "--size", "64x32", "--fps", "10", "--progress", "none", "-o", name]
        let outcome = try workspace.run(common + options)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let entry = ["-v", "error", "-show_entries", "format_tags=title", "-of", "default=nw=1:nk=1"]
        let lines = try run("ffprobe", entry + [workspace.directory.file(name)]).text.split(separator: "\n")
        return lines.first.map(String.init)
    }

    /// Every container keeps the title unchanged, and a file has none by default.
    @Test(.slow, arguments: ["mp4", "mov", "m4v", "mkv", "webm"])
    func titlesAreInTheMetadata(container: String) throws {
        let words = "Three balls: \"slow\" & 4x – 三个球"
        #expect(try title("--title", words, in: container) == words)
        #expect(try title("--title", words, "--chapters", in: container) == words)
        #expect(try title(in: container) == nil)
        #expect(try title("--chapters", in: container) == nil)
    }

    @Test(arguments: ["", "two\nlines", "\u{1B}[31mred", String(repeating: "x", count: 201)])
    func invalidTitlesAreRejected(words: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["encode", "qq-mail", "--title", words, "-o", "a.mp4"])
        expectRefusal(outcome, 64, ["--title", "1...200 characters on one line"])
        #expect(try workspace.directory.names().isEmpty)
    }
}
