import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

/// Layouts with a fixed aspect ratio.
@Suite struct ShapeTests {
    static let shapes: [FrameShape] = [
        .wide, .square, .vertical, .pixels(width: 640, height: 480), .pixels(width: 1080, height: 1350),
    ]

    /// A text on a frame with the bounds of its glyphs, without the line's leading.
    private struct PlacedText {
        let text: Text
        let bounds: Rect

        init(_ text: Text, _ measure: TextMeasure) throws {
            self.text = text
            let box = try measure.box(of: text)
            let air = max(0, (box.height - 1.1 * text.fontSize) / 2)
            bounds = Rect(x: box.x, y: box.y + air, width: box.width, height: box.height - 2 * air)
        }
    }

    private func problems(of scene: Scene, _ measure: TextMeasure) throws -> [String] {
        let safe = AnnotationLayout.safeFrame(of: scene.size)
        let texts = try scene.texts.map { try PlacedText($0, measure) }
        var problems: [String] = []
        for (index, placed) in texts.enumerated() {
            let text = placed.text
            let size = try measure.size(of: text)
            if size.width > text.frame.width + 0.01 || size.height > text.frame.height + 0.01 {
                problems.append("'\(text.string)' is cut off")
            }
            if text.fontSize < min(scene.size.width, scene.size.height) / 40 {
                problems.append("'\(text.string)' is small")
            }
            if !safe.expanded(by: 1).contains(placed.bounds) {
                problems.append("'\(text.string)' at \(placed.bounds) is in the margin")
            }
            for other in texts[..<index] where placed.bounds.expanded(by: -0.5).intersection(other.bounds) != nil {
                problems.append("'\(text.string)' overlaps '\(other.text.string)'")
            }
        }
        return problems
    }

    /// Long names are shortened in the table of a narrow frame, which keeps its shape.
    @Test(arguments: [FrameShape.vertical, .square]) func longNamesFitInNarrowFrames(shape: FrameShape) throws {
        var page = AnnotationPage()
        page.shape = shape
        page.shorterSide = try #require(AnnotationLayout.shorterSides.last)
        let annotator = Annotator(loader: Named(), kinds: AnnotationKind.all, page: page)
        #expect(annotator.hasFixedAspect)
        let texts = annotator.scene(at: 0).texts.map(\.string)
        #expect(texts.contains { $0.hasPrefix("A name that") && $0.hasSuffix("…") }, "\(texts)")
    }

    private struct Named: Loader {
        var canvas: Size { Size(200, 100) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] { [Draw.dot(objects(at: time)[0].position, radius: 9, fill: .black)] }

        func objects(at time: Rational) -> [MovingObject] {
            let name = "A name that is much too long for the table of the phases in a narrow frame"
            return [MovingObject(name, .black, at: Point(20 + 160 * time.double, 20 + 60 * time.double), radius: 9)]
        }
    }

    private func instants(of loader: any Loader) -> [Rational] {
        AnnotationCase.instants(of: loader) + (0..<40).map { loader.period * Rational(Int128($0), 40) }
    }

    @Test(.slow, arguments: some(of: AnnotationCase.all, and: shapes, each: 4))
    func everyTextIsReadable(subject: AnnotationCase, shape: FrameShape) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let sets: [Set<AnnotationKind>] = [
            AnnotationKind.all, [.phases, .clock], [.labels, .vectors, .trail, .ghosts], [.timeline, .labels],
        ]
        for language in Language.allCases {
            for kinds in sets {
                var page = AnnotationPage()
                (page.shape, page.speed) = (shape, "1/16×")
                let annotator = Annotator(loader: loader, kinds: kinds, language: language, page: page)
                #expect(annotator.hasFixedAspect, "\(kinds) has no room in \(shape)")
                let found = try instants(of: loader).flatMap { time in
                    try problems(of: annotator.scene(at: time), measure).map { "\(time): \($0)" }
                }
                #expect(found.isEmpty, "\(language) \(kinds.count) in \(shape): \(found.prefix(4)) of \(found.count)")
            }
        }
    }

    /// In every shape, blocks do not overlap, and the panel takes at least 12 percent of the frame.
    @Test(arguments: some(of: AnnotationCase.usual, and: shapes, each: 3))
    func blocksDoNotOverlap(subject: AnnotationCase, shape: FrameShape) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        page.shape = shape
        for kinds in [AnnotationKind.all, [.phases], [.labels], [.clock, .timeline], [.grid]] {
            let layout = Annotator(loader: loader, kinds: kinds, page: page).layout
            let frame = Rect(size: layout.size)
            let (width, height) = shape.pixels
            #expect(abs(layout.size.width * Double(height) - layout.size.height * Double(width)) < 1e-6)
            #expect(min(layout.size.width, layout.size.height) == 480)
            let boxes =
                [layout.panel, layout.header, layout.table, layout.displacements, layout.timeline].compactMap(\.self)
                + layout.plots
            for (index, box) in boxes.enumerated() {
                #expect(AnnotationLayout.safeFrame(of: layout.size).expanded(by: 0.01).contains(box), "\(box)")
                for other in boxes[..<index] {
                    #expect(box.expanded(by: -0.01).intersection(other) == nil, "\(box) and \(other)")
                }
            }
            for part in 0..<60 {
                let time = loader.period * Rational(Int128(part), 60)
                let drawn = Node.bounds(of: loader.nodes(at: time)).flatMap {
                    $0.intersection(Rect(size: loader.canvas))
                }
                guard let drawn else { continue }
                let (a, b) = (layout.place(Point(drawn.x, drawn.y)), layout.place(Point(drawn.maxX, drawn.maxY)))
                let placed = Rect(x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y)
                #expect(layout.panel.expanded(by: 0.01).contains(placed), "the panel shows everything that is drawn")
            }
            #expect(frame.contains(layout.panel))
            #expect(layout.panel.width * layout.panel.height >= 0.12 * frame.width * frame.height, "\(layout.panel)")
        }
    }

    /// Names must not cover objects. The jelly is an exception: its points lie on its edge.
    @Test(.slow, arguments: some(of: AnnotationCase.usual.filter { $0.id != "jelly" }, and: shapes, each: 4))
    func namesDoNotCoverObjects(subject: AnnotationCase, shape: FrameShape) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        for language in Language.allCases {
            for kinds in [AnnotationKind.all, [.labels]] {
                var page = AnnotationPage()
                page.shape = shape
                let annotator = Annotator(loader: loader, kinds: kinds, language: language, page: page)
                var found: [String] = []
                for time in instants(of: loader) {
                    let moment = AnnotatedMoment(loader, at: time.modulo(loader.period))
                    let discs = moment.objects.filter { $0.radius > 0 }.map {
                        (annotator.place($0.discCenter), $0.radius * annotator.scale)
                    }
                    for text in annotator.labels(at: moment).flatMap(\.texts) {
                        let bounds = try PlacedText(text, measure).bounds
                        for (center, radius) in discs
                        where bounds.nearest(to: center).distance(to: center) < radius - 1 {
                            found.append("\(time): '\(text.string)' covers an object")
                        }
                    }
                }
                #expect(found.isEmpty, "\(language) \(kinds.count) in \(shape): \(found.prefix(4)) of \(found.count)")
            }
        }
    }

    /// The panel at normal speed is beside or above the slow one, whichever makes both larger, and
    /// both show their speed.
    @Test(arguments: AnnotationCase.usual, [FrameShape.wide, .square, .vertical])
    func twoSpeedsShareAFrame(subject: AnnotationCase, shape: FrameShape) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        (page.shape, page.speed, page.isCompared) = (shape, "1/6×", true)
        for kinds in [[.phases, .clock, .trail], [.labels, .clock, .timeline]] as [Set<AnnotationKind>] {
            let annotator = Annotator(loader: loader, kinds: kinds, page: page)
            guard annotator.hasFixedAspect else { continue }
            let referencePanel = try #require(annotator.layout.referencePanel)
            #expect(referencePanel.intersection(annotator.panelFrame) == nil)
            #expect(abs(referencePanel.width - annotator.panelFrame.width) < 1e-9)
            let scene = annotator.scene(at: loader.period / 7, normal: loader.period / 3)
            #expect(scene.texts.filter { ["1×", "1/6×"].contains($0.string) }.count == 2)
            let found = try problems(of: scene, TextMeasure())
            #expect(found.isEmpty, "\(found)")
        }
        let isUpright = shape == .vertical
        let layout = Annotator(loader: loader, kinds: [.clock], page: page).layout
        let referencePanel = try #require(layout.referencePanel)
        if isUpright, loader.canvas.width >= loader.canvas.height {
            #expect(referencePanel.maxY < layout.panel.y, "one above the other")
        }
    }

    /// If a shape is too elongated or too small for the annotations, the layout ignores it.
    @Test func extremeShapesAreIgnored() throws {
        let loader = try AnnotationCase(id: "qq").loader()
        for (width, height) in [(2600, 1000), (100, 1000), (16, 8192)] {
            var page = AnnotationPage()
            page.shape = .pixels(width: width, height: height)
            let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
            #expect(!annotator.hasFixedAspect && annotator.size.height == 480)
            #expect(annotator.scene(at: 1) == Annotator(loader: loader, kinds: AnnotationKind.all).scene(at: 1))
        }
    }

    /// Text in bands must have enough contrast on light and dark themes.
    @Test(arguments: AnnotationCase.usual, ThemeTone.allCases)
    func themesAreReadable(subject: AnnotationCase, tone: ThemeTone) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        (page.shape, page.theme) = (.wide, tone)
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
        let scene = annotator.scene(at: loader.period / 3)
        #expect(scene.background.isBright == (tone == .light))
        for text in scene.texts where annotator.panelFrame.intersection(text.frame) == nil {
            let grounds = [annotator.surround.surface, annotator.surround.backdrop, annotator.surround.band]
            let least = grounds.map { text.color.contrast(to: $0) }.max() ?? 0
            #expect(least >= 4.5, "'\(text.string)'")
        }
        #expect(annotator.bandColors.allSatisfy { $0.contrast(to: annotator.surround.backdrop) >= 3 })
    }
}
