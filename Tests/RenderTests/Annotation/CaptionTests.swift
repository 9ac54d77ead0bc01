import Animations
import Core
import Testing

@testable import Render

@Suite struct CaptionTests {
    /// Names and signs over the canvas must not overlap at any instant.
    @Test(arguments: AnnotationCase.usual, Language.allCases) func namesDoNotOverlap(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: [.vectors, .labels], language: language)
        for index in 0..<240 {
            let moment = AnnotatedMoment(loader, at: loader.period * Rational(Int128(index), 240))
            let nodes = annotator.vectors(at: moment) + annotator.labels(at: moment)
            let boxes = try nodes.flatMap(\.texts).map { ($0.string, try measure.box(of: $0).expanded(by: -2)) }
            for (index, (string, box)) in boxes.enumerated() {
                for (other, otherBox) in boxes[..<index] {
                    #expect(box.intersection(otherBox) == nil, "'\(string)' overlaps '\(other)' at \(moment.time)")
                }
            }
        }
    }

    @Test(arguments: AnnotationCase.all, Language.allCases) func chartsAndSheetsDoNotTruncateText(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let scenes = [
            MotionChart(loader, language: language).scene(), Storyboard.sheet(of: loader, language: language),
            Storyboard.sheet(of: loader, columns: 1, perPhase: 1, language: language),
        ]
        for scene in scenes {
            let canvas = Rect(size: scene.size)
            for text in scene.texts {
                let size = try measure.size(of: text)
                let (width, height) = (text.frame.width + 0.01, text.frame.height)
                #expect(size.width <= width && size.height <= height, "'\(text.string)' of \(size) in \(text.frame)")
                #expect(try canvas.contains(measure.box(of: text), tolerance: 0.5), "'\(text.string)'")
            }
        }
    }

    @Test func sheetsShowEveryPhaseAtItsTimes() throws {
        let loader = try AnnotationCase(id: "preloader").loader()
        let texts = Storyboard.sheet(of: loader, columns: 3, perPhase: 2, language: .en).texts.map(\.string)
        #expect(texts.filter { $0.hasSuffix(" s") && $0.contains(".") && !$0.contains("period") }.count == 8)
        for expected in ["rest left", "eject right", "rest right", "eject left", "0.900 s", "1.368 s", "3.150 s"] {
            #expect(texts.contains(expected), "\(expected)")
        }
        var page = AnnotationPage()
        page.shape = .vertical
        let tall = Storyboard.sheet(of: loader, perPhase: 3, page: page)
        #expect(abs(tall.size.width / tall.size.height - 9.0 / 16) < 1e-9)
        let once = Storyboard.sheet(of: try AnnotationCase(id: "oneloading").loader())
        #expect(once.texts.filter { $0.string == "sweep" }.count == 8, "a single phase is shown eight times")
    }

    @Test(arguments: [
        ("a b c", 1000.0, "a b c"), ("aaaa bbbb cccc", 70, "aaaa bbbb\ncccc"), ("aaaa bbbb", 1, "aaaa\nbbbb"),
        ("加载动画", 30, "加载\n动画"), ("正在加载", 40, "正在\n加载"), ("", 10, ""), ("原点 (pt)", 46, "原点\n(pt)"),
        ("原点 (pt)", 90, "原点 (pt)"),
        ("下拉，松手（两次）", 1, "下拉，\n松手\n（两次）"),
    ]) func linesBreakOnlyBetweenWords(text: String, width: Double, expected: String) {
        #expect(TextExtent.wrapped(text, width: width, fontSize: 12) == expected)
    }

    /// At any line width, Latin words, numbers and units stay whole, even in text mixed with
    /// Chinese.
    @Test(arguments: AnnotationCase.usual, Language.allCases) func wordsStayWhole(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let curves = MotionCurves(loader)
        let texts =
            loader.phases.prefix(6).map { $0.title(in: language) }
            + curves.axes.map { curves.title(of: $0, in: language) }
            + [loader.title.text(in: language)]
        func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace || !$0.isASCII } }
        for text in texts {
            for width in stride(from: 1.0, through: 200, by: 7) {
                let wrapped = TextExtent.wrapped(text, width: width, fontSize: 12)
                #expect(words(wrapped) == words(text), "\(wrapped)")
                #expect(wrapped.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
            }
        }
        let chart = MotionChart(loader, language: language).scene().texts.map(\.string)
        #expect(chart.filter { $0.contains("pt") }.allSatisfy { $0.contains("(pt)") }, "\(chart)")
    }

    /// A trail must not connect the positions before and after a jump.
    @Test(arguments: [("iqiyi", "0.01"), ("douyin", "1.1")]) func trailsBreakAtJumps(
        id: String, time: String
    ) throws {
        let loader = try AnnotationCase(id: id).loader()
        let annotator = Annotator(loader: loader, kinds: [.trail])
        let moment = AnnotatedMoment(loader, at: try #require(Rational(text: time)))
        let jumps = moment.objects.indices.filter { !annotator.table.jumps(ofObject: $0).isEmpty }
        #expect(jumps.count == 3)
        let longest = annotator.trails(at: moment).compactMap(\.bounds).map { max($0.width, $0.height) }.max() ?? 0
        #expect(longest > 1 && longest < 40)
        let gap = annotator.layout.place(Point(60, 25.02))
        let over = annotator.trails(at: moment).compactMap(\.bounds).filter { $0.x < gap.x && $0.maxX > gap.x + 4 }
        #expect(id != "iqiyi" || over.allSatisfy { abs($0.center.y - gap.y) > 20 })
    }

    @Test func numbersHaveNoExponents() {
        #expect(NumberText.decimal(0.1 + 0.2, places: 3) == "0.3" && NumberText.decimal(-0.0004, places: 3) == "0")
        #expect(NumberText.decimal(120, places: 2) == "120" && NumberText.decimal(1e-7, places: 3) == "0")
        #expect(NumberText.fixed(1.0295, places: 3) == "1.030" && NumberText.fixed(-2, places: 1) == "-2.0")
        #expect(NumberText.signed(30, places: 1) == "+30" && NumberText.signed(-30, places: 1) == "−30")
        #expect(NumberText.signed(0, places: 1) == "0" && NumberText.signed(-1, places: 0, minus: "-") == "-1")
    }
}
