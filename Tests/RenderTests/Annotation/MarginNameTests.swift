import Animations
import Core
import TestSupport
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

    @Test(.slow, arguments: some(of: canvases, and: [1, 3, 8, 14, 24], each: 4))
    func namesNeitherHideTheArtNorOverlap(_ canvas: Size, _ count: Int) {
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

    /// Copies of a layer differ by the number at the end of their names.
    @Test(arguments: [
        ("Square_Fragment_12", "12"), ("Rectangle (13)", "(13)"), ("Pre-comp Layer Group 2 (2)", "2 (2)"),
        ("a name without any number", ""),
    ])
    func shortNamesKeepTheirNumber(name: String, number: String) {
        for width in [50.0, 70, 90] {
            let short = ShortName.fitting(name, width: width, fontSize: 12)
            #expect(short.hasSuffix("…" + number) && name.hasPrefix(short.prefix { $0 != "…" }), "\(short)")
            #expect(TextExtent.width(short, fontSize: 12) <= width, "\(short)")
        }
        #expect(ShortName.fitting(name, width: 400, fontSize: 12) == name)
    }

    /// Names that would be cut to the same text keep the part in which they differ.
    @Test(arguments: [
        ["Body_002_square_fill", "Body_002_round_fill", "Tail_002_fill"],
        ["Shape Layer 4 Outlines", "Shape Layer 12 Outlines", "Shape Layer 120 Outlines"],
        ["left_arm_upper_outline_stroke", "left_arm_upper_outline_fill", "left_arm_upper_outline"],
        ["某个很长的图层名称甲轮廓", "某个很长的图层名称乙轮廓"],
        ["layer one outline of the body alpha", "layer one outline of the body beta", "layer only of the body"],
        ["aaaaaaaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaa…"],
    ])
    func shortNamesDiffer(names: [String]) {
        for width in [50.0, 60, 80, 104] {
            let short = ShortName.fitting(names, width: width, fontSize: 12)
            #expect(Set(short).count == names.count, "\(short)")
            for name in short { #expect(TextExtent.width(name, fontSize: 12) <= width, "\(name)") }
        }
        #expect(ShortName.fitting(names, width: 400, fontSize: 12) == names)
        let equal = ShortName.fitting(
            ["one long name of a layer", "one long name of a layer"], width: 60, fontSize: 12)
        #expect(equal[0] == equal[1] && equal[0].hasPrefix("one"))
    }

    /// Names in the table differ, and end before the positions.
    @Test(arguments: canvases) func namesInTheTableKeepClearOfPositions(_ canvas: Size) throws {
        let loader = Dots(canvas: canvas, count: 8)
        let annotator = Annotator(loader: loader, kinds: [.phases])
        let table = try #require(annotator.layout.table)
        let texts = annotator.scene(at: 0).texts.filter { table.contains($0.frame) }
        let names = texts.filter { $0.frame.x == table.x + annotator.columns.name }
        #expect(Set(names.map(\.string)).count == 8)
        let start = table.x + annotator.columns.fromTo
        let measure = TextMeasure()
        for name in names { #expect(try measure.box(of: name).maxX <= start - 2, "\(name.string)") }
        for range in texts where range.frame.x == start {
            #expect(try measure.box(of: range).maxX <= table.maxX, "\(range.string)")
        }
    }

    /// A dot that moves a little, or only fades, in the corner of a large canvas.
    private struct Speck: Loader {
        var distance: Double
        var opacity = 1.0
        var canvas: Size { Size(900, 600) }
        var period: Rational { 1 }

        private func center(_ time: Rational) -> Point { Point(800, 40 + distance * time.double) }

        func nodes(at time: Rational) -> [Node] {
            [.group(Group(opacity: 1 - time.double / 2, nodes: [Draw.dot(center(time), radius: 20, fill: .black)]))]
        }

        func objects(at time: Rational) -> [MovingObject] {
            var dot = MovingObject("dot", .black, at: center(time), radius: 20, labelSide: .margin)
            dot.pose = MovingObject.Pose(scale: Point(1, 1), rotation: 0, opacity: opacity)
            return [dot]
        }
    }

    /// An arrow without a visible object would point from nowhere.
    @Test func invisibleObjectsHaveNoArrow() {
        func notes(_ opacity: Double) -> [Rect] {
            Annotator(loader: Speck(distance: 120, opacity: opacity), kinds: [.vectors])
                .notes(at: Rational(1, 2), points: nil, hasLines: true)
        }
        #expect(!notes(1).isEmpty && notes(0).isEmpty)
    }

    /// Little art on a large canvas fills at least a third of the shorter side, except with a grid.
    @Test(arguments: [nil, FrameShape.wide, .square, .vertical]) func smallArtGetsACloserView(_ shape: FrameShape?) {
        var page = AnnotationPage()
        page.shape = shape
        let loader = Speck(distance: 120)
        func share(_ kinds: Set<AnnotationKind>) -> Double {
            let annotator = Annotator(loader: loader, kinds: kinds, page: page)
            let (low, high) = (annotator.place(Point(780, 20)), annotator.place(Point(820, 180)))
            let art = Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
            #expect(annotator.panelFrame.contains(art))
            return art.height / min(annotator.panelFrame.width, annotator.panelFrame.height)
        }
        #expect(share(AnnotationKind.all) > 1.0 / 3)
        #expect(share([.labels]) > 1.0 / 3)
        if shape == nil { #expect(share([.grid, .labels]) < 1.0 / 3) }
    }

    /// An axis along which nothing moves visibly has no plot.
    @Test func nothingAtRestIsPlotted() {
        for (distance, titles) in [(0.0, []), (0.5, []), (120, ["y (pt)"])] as [(Double, [String])] {
            let annotator = Annotator(loader: Speck(distance: distance), kinds: [.phases])
            let shown = annotator.scene(at: 0).texts.map(\.string).filter { $0.hasSuffix(" (pt)") && $0.count == 6 }
            #expect(shown == titles, "\(distance)")
        }
    }
}
