import Foundation
import TestSupport
import Testing

/// `--lang zh` translates all names.
@Suite struct LanguageTests {
    private static let loaders = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]

    private struct Listing: Decodable {
        struct Row: Decodable {
            var name: String
            var objects: [[String: JSONValue]]
        }
        var starts: [String: Int]?
        var phases: [Row]
    }

    /// A JSON value, of which only strings are kept.
    private enum JSONValue: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(String.self)).map { .text($0) } ?? .other
        }
    }

    private func isChinese(_ text: String) -> Bool { text.contains(/\p{Han}/) && !text.contains(/[A-Za-z]{3}/) }

    private func listing(_ loader: [String], _ language: String) throws -> Listing {
        let outcome = try CommandFixture().run(["phases"] + loader + ["--json", "--lang", language])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        return try JSONDecoder().decode(Listing.self, from: Data(outcome.output))
    }

    @Test(
        .slow,
        arguments: loaders.map { [$0] } + [
            ["iqiyi", "--set", "leadIn=0.5"], ["jelly", "--set", "outcome=cancel"], ["douyin", "--set", "turn=2"],
        ])
    func phasesAreTranslated(loader: [String]) throws {
        let (english, chinese) = (try listing(loader, "en"), try listing(loader, "zh"))
        #expect(english.phases.count == chinese.phases.count)
        #expect(chinese.phases.allSatisfy { isChinese($0.name) }, "\(chinese.phases.map(\.name))")
        #expect(english.phases.allSatisfy { !$0.name.contains(/\p{Han}/) })
        // Keys for programs are not translated.
        #expect(english.starts == chinese.starts)
        let text = try CommandFixture().run(["phases"] + loader + ["--lang", "zh"]).text
        #expect(!text.contains(/phase|stage|period|for\b/), "\(text)")
        for phase in chinese.phases { #expect(text.contains("：" + phase.name)) }
        let csv = try CommandFixture().run(["phases"] + loader + ["--lang", "zh", "--csv"]).text
        #expect(csv.hasPrefix("phase,name,start,"))
        for phase in chinese.phases { #expect(csv.contains(",\(phase.name),")) }
    }

    @Test func wideCharactersKeepColumnsAligned() throws {
        let text = try CommandFixture().run(["phases", "qq-mail", "--lang", "zh"]).text
        #expect(text.contains("各步位移：[-1, 1, 1, -1, 0, 0]\n起始步：红球 1、黄球 5、绿球 3"))
        let rows = try CommandFixture().run(["phases", "iqiyi", "--lang", "zh"]).text.split(separator: "\n")
            .filter { $0.hasPrefix("    ") }
        // A Chinese character is two columns wide.
        let columns = rows.map { row in
            row.prefix { $0 != "(" }.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) }
        }
        #expect(rows.count == 6 && columns == Array(repeating: 10, count: 6), "\(rows)")
    }

    @Test(arguments: ["mp4", "mkv", "webm"]) func chaptersAreTranslated(container: String) throws {
        struct Chapters: Decodable {
            struct Chapter: Decodable { var tags: [String: String] }
            var chapters: [Chapter]
        }
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq-mail", "--size", "64x32", "--fps", "25", "--chapters", "--lang", "zh", to: "clip.\(container)")
        let outcome = try run("ffprobe", ["-v", "error", "-of", "json", "-show_chapters", path])
        let titles = try JSONDecoder().decode(Chapters.self, from: Data(outcome.output)).chapters.map {
            $0.tags["title"]
        }
        #expect(titles.first == "阶段 1：红球、绿球在中间相遇")
        let names = try listing(["qq-mail"], "zh").phases.map(\.name)
        #expect(titles == names.enumerated().map { "阶段 \($0 + 1)：\($1)" })
    }
}
