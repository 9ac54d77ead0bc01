import Animations
import Core
import Testing

@testable import Render

/// Names in columns beside the drawing.
@Suite struct MarginNameTests {
    /// Small dots side by side in the middle of a canvas.
    private struct Dots: Loader {
        let canvas: Size
        let count: Int
        let period = Rational(1)

        private func center(_ index: Int, _ time: Rational) -> Point {
            Point(canvas.width * (Double(index) + 1) / Double(count + 1), canvas.height * (0.3 + 0.4 * time.double))
        }

        func nodes(at time: Rational) -> [Node] {
            (0..<count).map { Draw.dot(center($0, time), radius: 3, fill: .black) }
        }

        func objects(at time: Rational) -> [MovingObject] {
            (0..<count).map {
                MovingObject(
                    "a rather long name \($0)", .black, at: center($0, time), radius: 3, depth: $0, labelSide: .margin)
            }
        }
    }

    private static let canvases = [Size(100, 100), Size(300, 100), Size(100, 300)]

    @Test(arguments: canvases, [1, 3, 8, 14, 24]) func namesNeitherHideTheArtNorOverlap(_ canvas: Size, _ count: Int) {
        for shape in [nil, FrameShape.wide, .square, .vertical] {
            var page = AnnotationPage()
            page.shape = shape
            let loader = Dots(canvas: canvas, count: count)
            let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
            #expect(annotator.scale > 0)
            let survey = LoaderSurvey(loader)
            let corner = annotator.place(Point(survey.used.x, survey.used.y))
            let end = annotator.place(Point(survey.used.maxX, survey.used.maxY))
            let art = Rect(x: corner.x, y: corner.y, width: end.x - corner.x, height: end.y - corner.y)
            let boxes = annotator.marginNames.sorted { $0.key < $1.key }.map(\.value)
            #expect(boxes.count == count)
            for (index, box) in boxes.enumerated() {
                #expect(annotator.panelFrame.contains(box), "\(shape?.text ?? "free"): \(box)")
                let covered = box.intersection(art).map { $0.width * $0.height } ?? 0
                #expect(covered <= 0.02 * art.width * art.height, "\(shape?.text ?? "free"): \(box) on \(art)")
                // More names than are shown by default may not fit below each other.
                guard count <= 8 else { continue }
                #expect(!boxes[..<index].contains { ($0.intersection(box)?.height ?? 0) > 0.5 })
            }
        }
    }

    @Test func aTableOfManyObjectsSaysHowManyAreLeftOut() {
        let annotator = Annotator(loader: Dots(canvas: Size(300, 100), count: 24), kinds: [.phases])
        let texts = annotator.scene(at: 0).nodes.compactMap { node in
            if case .text(let text) = node { text.string } else { nil }
        }
        #expect(texts.contains("and 16 more objects"))
    }

    /// A static picture around moving dots, of which a close-up shows the middle.
    private struct Framed: Loader {
        var canvas: Size { Size(300, 200) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] {
            [
                .shape(Shape(.rectangle(Rect(x: 0, y: 80, width: 300, height: 50)), fill: .black)),
                Draw.dot(Point(150, 100 + 10 * time.double), radius: 4, fill: .white),
            ]
        }

        func objects(at time: Rational) -> [MovingObject] {
            [MovingObject("dot", .white, at: Point(150, 100 + 10 * time.double), radius: 4, labelSide: .margin)]
        }
    }

    /// In a close-up, a name moves up or down rather than hide the drawing beside the motion.
    @Test func namesSpareTheArtInCloseUps() throws {
        let survey = LoaderSurvey(Framed())
        let annotator = Annotator(
            survey, kinds: [.labels], language: .en, background: nil, panel: Rect(x: 0, y: 0, width: 400, height: 300),
            shown: Rect(x: 120, y: 60, width: 60, height: 90))
        let box = try #require(annotator.marginNames[0])
        let top = annotator.place(Point(0, 80)).y
        let bottom = annotator.place(Point(0, 130)).y
        #expect(annotator.panelFrame.contains(box))
        #expect(box.maxY <= top + 1 || box.y >= bottom - 1, "\(box) on \(top)...\(bottom)")
    }
}
