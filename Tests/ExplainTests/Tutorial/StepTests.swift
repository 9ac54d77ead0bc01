import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// The effects of steps and their options.
@Suite struct StepTests {
    private func facts(_ id: String) throws -> TemplateContext {
        TemplateContext(loader: try LoaderCatalog.builtIn.definition(id).make(), parameters: [:])
    }

    @Test(arguments: [
        ("qq-mail", "{{1/3 | 1}}", "0.3"), ("qq-mail", "{{period | 1}}", "1.4"), ("qq-mail", "{{2/3|0}}", "1"),
        ("qq-mail", "{{0 - 5/3 | 2}}", "−1.67"), ("qq-mail", "{{0.25 | 3}}", "0.25"),
        ("douyin", "{{note_1.x at 1.5 | 0}}", "70"), ("preloader", "{{spot_3.x at 0.9}}", "62.5"),
    ])
    func factsAreRoundedAndNamesMayHaveSpaces(id: String, text: String, written: String) throws {
        #expect(try TextTemplate(text).filled(with: facts(id), in: .en) == written)
    }

    @Test(arguments: ["{{period | 4}}", "{{period | x}}", "{{period |}}"]) func invalidDecimalsAreErrors(text: String)
        throws
    {
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(text)'}\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:20: invalid number of decimals: "))
        #expect(problems[0].hasSuffix("; use 0...3 after |"))
    }

    /// Chapters say how the speed differs from the normal one.
    @Test(arguments: [
        ("6", "6 times slower", "放慢 6 倍"), ("1", "At normal speed", "正常速度"), ("1/3", "3 times faster", "3 倍速"),
    ])
    func chaptersNameTheSpeed(slowmo: String, english: String, chinese: String) throws {
        for (language, title) in [(Language.en, english), (.zh, chinese)] {
            let look = Look(language: language, shape: .wide)
            let lesson = try lesson("tutorial: qq-mail\nsteps:\n  - slow: \(slowmo)\n", look.request())
            #expect(lesson.chapters.map(\.title) == [title])
        }
    }

    /// The poster and the sheet show the texts of a freeze, which appear one after another.
    @Test func postersOfFreezesHaveTheirTexts() throws {
        let lesson = try lesson("tutorial: iqiyi\nsteps:\n  - {freeze: 0.3, point: {head: front, tail: rear}}\n")
        for frame in [try #require(lesson.posterFrame)] + lesson.sheetFrames {
            let texts = lesson.scenes(ofFrame: frame)[0].nodes.flatMap { $0.opacities() }
            #expect(texts.filter { ["front", "rear"].contains($0.string) }.map(\.opacity) == [1, 1])
        }
    }

    /// A nested list adds its points together: one shot per group, and one with the lines.
    @Test func nestedListsGroupConstructionPoints() throws {
        let lesson = try lesson("tutorial: jelly\nsteps:\n  - build: [c, [l3, r3], [l1, l2, r1, r2]]\n")
        #expect(lesson.shots.map { $0.shot.views[0].points?.names.count } == [1, 3, 7, 7])
        #expect(lesson.shots.map { $0.shot.views[0].hasLines } == [false, false, false, true])
        let problems = try ScriptDirectory(["s.yaml": "tutorial: jelly\nsteps:\n  - build: [c, [l3, l4]]\n"]).problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:21: there is no point 'l4'; use one of "))
    }

    /// With `construction` alone, only the points of the construction have names.
    @Test func constructionsHideObjectNames() throws {
        func names(_ show: String) throws -> [String] {
            let lesson = try lesson("tutorial: douyin\nsteps:\n  - {freeze: 0.5, show: \(show)}\n")
            return lesson.scenes(ofFrame: 0)[0].nodes.flatMap(\.strings)
        }
        let points = try names("[construction]")
        #expect(points.contains("control") && !points.contains("note 1"))
        let both = try names("[construction, labels]")
        #expect(both.contains("control") && both.contains("note 1"))
    }

    /// Callouts are on the sides of their targets, so that their lines do not cross.
    @Test(arguments: Look.all) func calloutsStayOnTheirTargetsSide(look: Look) throws {
        let text = """
            tutorial: iqiyi
            steps:
              - freeze: phase:1
                point: {tail: at the right, head: at the left}
            """
        let lesson = try lesson(text, look.request())
        let nodes = lesson.scenes(ofFrame: lesson.frameCount - 1)[0].nodes
        let boxes = nodes.flatMap(\.texts)
        let left = try #require(boxes.first { $0.string == "at the left" })
        let right = try #require(boxes.first { $0.string == "at the right" })
        #expect(left.frame.center.x < right.frame.center.x)
    }

    /// A sentence that fits in a caption of its own is not split.
    @Test func sentencesThatFitACaptionAreNotSplit() throws {
        let first = "Short one."
        let second = "Then a sentence that fills two whole lines of a caption, nearly to the last letter."
        let lesson = try lesson("tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(first) \(second)'}\n")
        #expect(lesson.cues.map { $0.text.replacing("\n", with: " ") } == [first, second])
    }

    /// Loaders are scaled by what they draw, not by their canvas: most of PreLoader's is empty.
    @Test func loadersFillTheirAreas() throws {
        let wide = try lesson("tutorial: preloader\nsteps:\n  - play: 1\n")
        let scale = try #require(wide.shots.first?.views.first?.annotator.scale)
        #expect(scale > 1.5)
        for name in ["qq", "qq-mail", "douyin", "jelly"] {
            let lesson = try lesson("tutorial: \(name)\nsteps:\n  - play: 1\n")
            let annotator = try #require(lesson.shots.first?.views.first?.annotator)
            for index in 0..<60 {
                let loader = annotator.loader
                let drawn = Node.bounds(of: loader.nodes(at: loader.period * Rational(Int128(index), 60)))
                guard let drawn = drawn.flatMap({ $0.intersection(Rect(size: loader.canvas)) }) else { continue }
                let corners = [Point(drawn.x, drawn.y), Point(drawn.maxX, drawn.maxY)].map { annotator.place($0) }
                let placed = try #require(Rect(enclosing: corners))
                #expect(annotator.panelFrame.contains(placed, tolerance: 0.5), "\(name)")
            }
        }
    }

    /// Code without highlights that does not fit scrolls through all its lines during a cycle.
    @Test func codeWithoutHighlightsScrollsThroughAllLines() throws {
        let names = (10...21).map { "line\($0)" }
        let lines = names.map { "let \($0) = 1\n" }.joined()
        let directory = try ScriptDirectory([
            "s.yaml": "tutorial: jelly\nsteps:\n  - {code: {file: c.swift}, slow: 1}\n", "c.swift": lines,
        ])
        let lesson = try Lesson(directory.script(), Look(language: .en, shape: .square).request())
        let visible = stride(from: 0, to: lesson.frameCount, by: 5).flatMap { frame in
            lesson.scenes(ofFrame: frame)[0].nodes.flatMap(\.strings)
        }
        for name in names { #expect(visible.contains { $0.contains(name) }, "\(name)") }
    }
}

extension Node {
    /// The texts in the node, in its own coordinates.
    var texts: [Text] {
        switch self {
        case .group(let group): group.nodes.flatMap(\.texts)
        case .text(let text): [text]
        case .shape, .image: []
        }
    }

    /// The strings of the texts in the node.
    var strings: [String] { texts.map(\.string) }

    /// The shapes in the node, in its own coordinates.
    var shapes: [Shape] {
        switch self {
        case .group(let group): group.nodes.flatMap(\.shapes)
        case .shape(let shape): [shape]
        case .text, .image: []
        }
    }
}
