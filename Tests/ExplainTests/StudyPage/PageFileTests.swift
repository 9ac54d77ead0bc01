import Foundation
import TestSupport
import Testing

/// The files that `page` writes.
@Suite struct PageFileTests {
    private static let loaders = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]

    @Test(.slow, arguments: some(of: loaders, each: 3))
    func pagesAreSmallReproducibleAndSelfContained(loader: String) throws {
        let maker = try PageMaker()
        let page = try maker.page(loader)
        #expect(page.utf8.count <= 3_000_000)
        for word in ["http:", "https:", "src=", "url(", "@import", "import(", "fetch(", "XMLHttp"] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src &#39;none&#39;"))
        // An inline icon, since a browser requests one from the server otherwise.
        let links = page.matches(of: /href="([^"]*)"/).map { $0.1 }
        #expect(links == ["data:,"])
        // No placeholder of the template remains.
        #expect(page.firstMatch(of: /@(language|title|generator|style|data|script)@/) == nil)
        #expect(try maker.page(loader) == page)
        #expect(try maker.directory.names() == ["page.html"])
        let piped = try maker.run("page", loader, "--progress", "none", "-o", "-")
        #expect(piped.code == 0 && piped.text == page && piped.errors.isEmpty)
    }

    @Test(arguments: some(of: loaders, each: 3)) func numbersEqualTelemetry(loader: String) throws {
        let maker = try PageMaker()
        let contents = try PageContents(maker.page(loader))
        let columns = try contents.columns().objects
        let csv = try maker.run("telemetry", loader, "--fps", "240", "--timing", "exact", "--csv").text
        let rows = csv.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        let names = try #require(rows.first)
        let columnIndex = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var compared = 0
        var worst = [0.0, 0, 0]
        for row in rows.dropFirst() {
            func number(_ name: String) throws -> Double { try #require(columnIndex[name].flatMap { Double(row[$0]) }) }
            let step = Int(try number("frame"))
            let object = try #require(contents.objects.firstIndex { $0.name == row[columnIndex["object"] ?? 0] })
            let frame = step * contents.step
            guard frame < contents.frames else { continue }
            let expected = try [number("x"), number("y"), hypot(number("vx"), number("vy"))]
            for (column, value) in expected.enumerated() {
                worst[column] = max(worst[column], abs(columns[object][column][frame] - value))
            }
            compared += 1
        }
        #expect(worst[0] < 1e-5 && worst[1] < 1e-5 && worst[2] < 2e-4, "\(worst)")
        #expect(compared >= Int(contents.period * 240) * contents.objects.count - contents.objects.count)
    }

    /// The frames cover the period without gaps, and phases and captions begin at their frames.
    @Test(arguments: some(of: loaders, each: 3)) func framesCoverThePeriod(loader: String) throws {
        let contents = try PageContents(PageMaker().page(loader))
        #expect(contents.rate == 960 && contents.step == 4)
        #expect(Double(contents.frames) >= contents.period * 960 && Double(contents.frames - 1) < contents.period * 960)
        let shown = stride(from: 0, to: contents.runs.count, by: 2).reduce(0) { $0 + contents.runs[$1 + 1] }
        #expect(shown == contents.frames)
        for (phase, caption) in zip(contents.phases, contents.captions) {
            let start = try #require(Double(phase.start))
            #expect(Double(phase.first) >= start * 960 - 1e-9 && Double(phase.first - 1) < start * 960)
            #expect(caption.first == phase.first)
        }
        #expect(contents.captions.count == contents.phases.count)
        #expect(contents.captions.first?.text.first == "Phase 1: \(contents.phases[0].name[0])")
    }

    @Test func longPeriodsHaveALowerFrameRate() throws {
        let contents = try PageContents(PageMaker().page("iqiyi", "--set", "duration=15"))
        #expect(contents.rate == 240 && contents.step == 1 && contents.frames == 7200)
    }

    @Test func pagesHaveTheRequestedLanguages() throws {
        let maker = try PageMaker()
        let both = try PageContents(maker.page("qq-mail"))
        #expect(both.languages == ["en", "zh-Hans"] && both.title == ["QQ Mail's three balls", "QQ 邮箱三个小球"])
        #expect(both.objects.first?.title == ["red", "红球"])
        let text = try maker.page("qq-mail", "--lang", "zh")
        #expect(text.contains("<html lang=\"zh-Hans\">") && text.contains("<title>QQ 邮箱三个小球</title>"))
        let chinese = try PageContents(text)
        #expect(chinese.languages == ["zh-Hans"] && chinese.phases.first?.name == ["红球、绿球在中间相遇"])
        #expect(try PageContents(maker.page("qq-mail", "--lang", "en")).title == ["QQ Mail's three balls"])
    }

    /// Pages list settings without directories, which may contain a user's name.
    @Test func settingsOmitDirectories() throws {
        let maker = try PageMaker()
        #expect(try maker.run("still", "jelly", "--at", "0", "--size", "64x56", "-o", "secret.png").code == 0)
        try FileManager.default.createDirectory(atPath: maker.directory.file("home"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: maker.directory.file("secret.png"), toPath: maker.directory.file("home/secret.png"))
        let page = try maker.page("douyin", "--set", "cover=home/secret.png", "--set", "noteColor=#f00")
        let contents = try PageContents(page)
        #expect(contents.settings == ["cover=secret.png", "noteColor=#f00"] && !page.contains("home/"))
        #expect(contents.images.count == 1)
        let png = try #require(contents.images.first.flatMap { Data(base64Encoded: $0) })
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try PageContents(maker.page("qq-mail", "--motion", "ticks")).settings == ["motion=ticks"])
    }

    @Test(arguments: [
        ("page nope -o a.html", 64, ["there is no loader 'nope'"]),
        ("page qqmail -o a.html", 64, ["did you mean 'qq-mail'"]),
        ("page qq-mail -o a.txt", 64, ["a.txt", ".html"]), ("page qq-mail -o none/a.html", 73, ["none", "create it"]),
        ("page qq-mail --set radius=99 -o a.html", 64, ["radius", "0.5...30"]),
        ("page qq-mail --lang fr -o a.html", 64, ["fr", "en", "zh", "both"]),
        ("page qq-mail --background none -o a.html", 64, ["background"]),
        ("page qq-mail --scale 2 -o a.html", 64, ["--scale"]), ("page qq-mail", 64, ["--output"]),
        ("page jelly --motion ticks -o a.html", 64, ["timer steps"]),
        ("page qq-mail -o OLD.html", 73, ["OLD.html already exists"]),
        ("page douyin --set cover=none.png -o a.html", 66, ["none.png"]),
        ("page douyin --set turn=59.9 -o a.html", 64, ["period: ", "maximum of 600 s"]),
    ])
    func badInputIsAOneLineError(line: String, code: Int32, words: [String]) throws {
        let maker = try PageMaker()
        try makeFile("old", at: maker.directory.file("OLD.html"))
        let outcome = try maker.run(line.split(separator: " ").map(String.init))
        #expect(outcome.code == code && outcome.errorLines.count == 1 && outcome.output.isEmpty, "\(outcome.errorText)")
        #expect(outcome.errorText.hasPrefix("loadervid: "))
        for word in words { #expect(outcome.errorText.contains(word), "\(outcome.errorText)") }
        #expect(try maker.directory.names() == ["OLD.html"])
        #expect(try bytes(of: maker.directory.file("OLD.html")) == Array("old".utf8))
    }
}
