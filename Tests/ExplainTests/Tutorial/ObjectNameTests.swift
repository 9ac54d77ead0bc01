import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// Names of objects that a script gives, and distances between objects.
@Suite struct ObjectNameTests {
    private func texts(_ script: String, _ language: Language) throws -> [String] {
        let lesson = try lesson(script, Look(language: language, shape: .wide).request())
        return lesson.shots.indices.flatMap { index in
            let shot = lesson.shots[index]
            return lesson.scenes(ofFrame: shot.start + shot.count - 1)[0].nodes.flatMap(\.texts).map(\.string)
        }
    }

    private static let script = """
        tutorial: qq-mail
        names:
          red: {en: first, zh: 左边的球}
          green: {zh: 右边的球}
        steps:
          - chart: all
        """

    @Test func legendsHaveTheNamesOfTheScript() throws {
        let english = try texts(Self.script, .en)
        #expect(english.contains("first") && english.contains("green") && !english.contains("red"))
        let chinese = try texts(Self.script, .zh)
        #expect(chinese.contains("左边的球") && chinese.contains("右边的球") && !chinese.contains("first"))
    }

    /// Boards reserve room for names in the lesson's language.
    @Test func namesHaveRoomInTheirLanguage() throws {
        try LoaderCatalog.$current.withValue(.builtIn.adding([LoaderDefinition(Named())])) {
            let widths = try Language.allCases.map { language in
                let look = Look(language: language, shape: .wide)
                let lesson = try lesson("tutorial: named\nsteps:\n  - {slow: 2, show: [labels]}\n", look.request())
                return lesson.shots[0].views[0].view.reserve.width
            }
            #expect(widths[0] > 0 && widths[1] > widths[0] + 50, "\(widths)")
        }
    }

    /// A loader with a short English and a long Chinese name beside the drawing.
    private struct Named: Loader {
        var id: String { "named" }
        var canvas: Size { Size(100, 100) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] {
            [.shape(Shape(.circle(center: objects(at: time)[0].position, radius: 9), fill: .black))]
        }

        func objects(at time: Rational) -> [MovingObject] {
            [
                MovingObject(
                    "a", title: LocalizedText("a", zh: "一个很长的名字"), .black, at: Point(20 + 60 * time.double, 50),
                    radius: 9, labelSide: .margin)
            ]
        }
    }

    @Test func unknownNamesAreReported() throws {
        let script = "tutorial: qq-mail\nnames: {rde: x}\nsteps:\n  - play: 1\n"
        let problems = try ScriptDirectory(["s.yaml": script]).problems()
        #expect(
            problems.count == 1 && problems[0].hasPrefix("s.yaml:2:9: unknown key 'rde' in 'names'; "), "\(problems)")
    }

    /// Two objects with one name cannot be told apart.
    @Test(arguments: [
        (
            "{red: ball, green: ball}",
            "s.yaml:2:27: 'names' gives 'green' the name of 'red': 'ball'; use different names"
        ),
        ("{red: green}", "s.yaml:2:14: 'names' gives 'red' the name of 'green': 'green'; use different names"),
    ])
    func equalNamesAreReported(names: String, problem: String) throws {
        let script = "tutorial: qq-mail\nnames: \(names)\nsteps:\n  - play: 1\n"
        #expect(try ScriptDirectory(["s.yaml": script]).problems() == [problem])
        let exchanged = "tutorial: qq-mail\nnames: {red: green, green: red}\nsteps:\n  - play: 1\n"
        #expect(try ScriptDirectory(["s.yaml": exchanged]).problems().isEmpty)
    }

    /// A freeze shows the distance of two targets, clear of its texts, in all shapes.
    @Test(arguments: Look.all) func distancesAreMeasured(look: Look) throws {
        let script = """
            tutorial: iqiyi
            steps:
              - freeze: phase:1
                frame: head
                measure: [head, tail]
                point: {head: one end, tail: the other end}
            """
        let lesson = try lesson(script, look.request())
        let shot = lesson.shots[0]
        let nodes = lesson.scenes(ofFrame: shot.start + shot.count - 1)[0].nodes
        let texts = nodes.flatMap(\.texts)
        let distance = try #require(texts.first { $0.string == "8.8 pt" })
        #expect(shot.views[0].annotator.panelFrame.contains(distance.frame))
        for other in texts where other.string != distance.string {
            #expect(other.frame.intersection(distance.frame) == nil, "\(other.string)")
        }
    }

    /// A close-up of one of two targets shows the other one too.
    @Test(arguments: Look.all) func closeUpsShowDistances(look: Look) throws {
        let script = "tutorial: iqiyi\nsteps:\n  - {freeze: 0.3, frame: head, measure: [head, tail]}\n"
        let lesson = try lesson(script, look.request())
        let texts = lesson.scenes(ofFrame: lesson.frameCount - 1)[0].nodes.flatMap(\.strings)
        #expect(texts.contains("69.9 pt"), "\(texts)")
    }

    @Test func distancesOfZeroAreErrors() throws {
        let script = "tutorial: preloader\nsteps:\n  - {freeze: 0, measure: [left, spot 1]}\n"
        #expect(
            try ScriptDirectory(["s.yaml": script]).problems() == [
                "s.yaml:3:27: 'left' and 'spot 1' are at the same position; freeze a time when they are apart"
            ])
    }

    @Test(arguments: [
        ("[head]", "'measure' is malformed"), ("[head, head]", "'measure' names 'head' twice"),
        ("head", "'measure' is malformed"), ("[head, nose]", "there is no object or point 'nose'"),
    ])
    func wrongTargetsAreReported(_ targets: String, words: String) throws {
        let script = "tutorial: iqiyi\nsteps:\n  - {freeze: 0.1, measure: \(targets)}\n"
        let problems = try ScriptDirectory(["s.yaml": script]).problems()
        #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
    }
}
