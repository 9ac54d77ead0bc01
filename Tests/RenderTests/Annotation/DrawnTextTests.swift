import Animations
import Core
import Testing

@testable import Render

/// Characters that no installed font has.
@Suite struct DrawnTextTests {
    /// No font has the last code of Unicode.
    private static let missing = "\u{10FFFD}"

    @Test(arguments: [
        ("ball \(missing)", "ball"), ("\(missing) two \(missing) words", "two words"),
        ("球\(missing)落下", "球落下"),
        ("Größe → 2", "Größe → 2"), ("  two  spaces ", "  two  spaces "), (missing, ""),
    ])
    func otherCharactersStay(text: String, drawn: String) {
        #expect(DrawnText.text(text) == drawn)
    }

    /// The columns of code stay.
    @Test func codeHasSquares() {
        #expect(DrawnText.code("  a = '\(Self.missing)'  // ü") == "  a = '\u{25A1}'  // ü")
        #expect(DrawnText.code("\ta  b") == "\ta  b")
    }

    @Test func drawnTextsHaveNoMissingCharacters() {
        guard
            case .text(let text) = Draw.text(
                "a \(Self.missing) b", at: .zero, width: 100, size: 12, color: .black)
        else {
            Issue.record("the name is not drawn")
            return
        }
        #expect(text.string == "a b")
        #expect(TextExtent.width("a\(Self.missing)", fontSize: 12) == TextExtent.width("a", fontSize: 12))
    }

    @Test func namesOfObjectsDiffer() {
        let titles = ["ball \(Self.missing)", "ball", Self.missing, "ball\(Self.missing)", "cube", "cube"]
        let texts = ObjectTitles.texts(of: titles.map { LocalizedText($0) }, in: .en)
        // The loader's own names stay as they are, even if they are equal.
        #expect(texts == ["ball (2)", "ball", "object 3", "ball (3)", "cube", "cube"])
        #expect(ObjectTitles.texts(of: [LocalizedText(Self.missing)], in: .zh) == ["对象 1"])
    }

    /// A moving dot whose name and phase have a missing character.
    private struct Dot: Loader {
        var canvas: Size { Size(100, 100) }
        var period: Rational { 1 }
        var phaseDurations: [(name: LocalizedText, duration: Rational)] {
            [(LocalizedText("\(DrawnTextTests.missing) go"), 1)]
        }

        func nodes(at time: Rational) -> [Node] {
            [Draw.dot(Point(50, 20 + 60 * time.double), radius: 8, fill: .black)]
        }

        func objects(at time: Rational) -> [MovingObject] {
            [
                MovingObject(
                    "dot", title: LocalizedText(DrawnTextTests.missing), .black,
                    at: Point(50, 20 + 60 * time.double), radius: 8,
                    labelSide: .margin)
            ]
        }
    }

    @Test func notesAndChartsHaveNoBoxes() {
        var page = AnnotationPage()
        page.shape = .square
        let scenes = [
            Annotator(loader: Dot(), kinds: AnnotationKind.all).scene(at: 0),
            Annotator(loader: Dot(), kinds: AnnotationKind.all, page: page).scene(at: 0), MotionChart(Dot()).scene(),
        ]
        for scene in scenes {
            let texts = scene.texts.map(\.string)
            #expect(texts.contains("object 1") && texts.contains { $0.hasSuffix("go") })
            #expect(!texts.contains { $0.contains(Self.missing) }, "\(texts)")
        }
    }
}
