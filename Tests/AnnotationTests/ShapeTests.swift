@testable import Annotations
import Loaders
import Motion
import Raster
import Scene
import TestSupport
import Testing

/// Pictures that are laid out for a shape.
@Suite struct ShapeTests {
    static let shapes: [PictureShape] = [
        .wide, .square, .vertical, .pixels(width: 640, height: 480), .pixels(width: 1080, height: 1350),
    ]

    /// A text as it is on the picture: its letters, without the room above and below them that fonts leave.
    private struct Placed {
        let text: Text
        let letters: Rect

        init(_ text: Text, _ measure: TextMeasure) throws {
            self.text = text
            let box = try measure.box(of: text)
            let air = max(0, (box.height - 1.1 * text.fontSize) / 2)
            letters = Rect(x: box.x, y: box.y + air, width: box.width, height: box.height - 2 * air)
        }
    }

    private func problems(of scene: Scene, _ measure: TextMeasure) throws -> [String] {
        let safe = AnnotationLayout.safeFrame(of: scene.size)
        let texts = try scene.texts.map { try Placed($0, measure) }
        var problems: [String] = []
        for (index, placed) in texts.enumerated() {
            let (text, size) = (placed.text, try measure.size(of: placed.text))
            if size.width > text.frame.width + 0.01 || size.height > text.frame.height + 0.01 {
                problems.append("'\(text.string)' is cut off")
            }
            if text.fontSize < min(scene.size.width, scene.size.height) / 40 {
                problems.append("'\(text.string)' is small")
            }
            if !safe.expanded(by: 1).contains(placed.letters) {
                problems.append("'\(text.string)' at \(placed.letters) is in the margin")
            }
            for other in texts[..<index] where placed.letters.expanded(by: -0.5).intersection(other.letters) != nil {
                problems.append("'\(text.string)' meets '\(other.text.string)'")
            }
        }
        return problems
    }

    private func instants(of loader: any Loader) -> [Rational] {
        Subject.instants(of: loader) + (0..<40).map { loader.period * Rational(Int128($0), 40) }
    }

    @Test(arguments: Subject.all, shapes)
    func everyTextIsReadable(subject: Subject, shape: PictureShape) throws {
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
                #expect(annotator.isShaped, "\(kinds) has no room in \(shape)")
                let found = try instants(of: loader).flatMap { time in
                    try problems(of: annotator.scene(at: time), measure).map { "\(time): \($0)" }
                }
                #expect(found.isEmpty, "\(language) \(kinds.count) in \(shape): \(found.prefix(4)) of \(found.count)")
            }
        }
    }

    /// Whatever the shape, everything has its place and the canvas is worth a look.
    @Test(arguments: Subject.usual, shapes)
    func everythingHasItsPlace(subject: Subject, shape: PictureShape) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        page.shape = shape
        for kinds in [AnnotationKind.all, [.phases], [.labels], [.clock, .timeline], [.grid]] {
            let layout = Annotator(loader: loader, kinds: kinds, page: page).layout
            let picture = Rect(size: layout.size)
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
                #expect(layout.panel.expanded(by: 0.01).contains(placed), "all that is ever drawn is shown")
            }
            #expect(picture.contains(layout.panel))
            #expect(
                layout.panel.width * layout.panel.height >= 0.12 * picture.width * picture.height, "\(layout.panel)")
        }
    }

    /// No name lies over an object. (The jelly's points are on its edge.)
    @Test(arguments: Subject.usual.filter { $0.id != "jelly" }, shapes)
    func namesLeaveObjectsAlone(subject: Subject, shape: PictureShape) throws {
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
                        let letters = try Placed(text, measure).letters
                        for (center, radius) in discs
                        where letters.nearest(to: center).distance(to: center) < radius - 1 {
                            found.append("\(time): '\(text.string)' lies over an object")
                        }
                    }
                }
                #expect(found.isEmpty, "\(language) \(kinds.count) in \(shape): \(found.prefix(4)) of \(found.count)")
            }
        }
    }

    /// Normal speed is beside, or above where that makes both larger, and each says how fast it is.
    @Test(arguments: Subject.usual, [PictureShape.wide, .square, .vertical])
    func twoSpeedsShareAPicture(subject: Subject, shape: PictureShape) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        (page.shape, page.speed, page.isCompared) = (shape, "1/6×", true)
        for kinds in [[.phases, .clock, .trail], [.labels, .clock, .timeline]] as [Set<AnnotationKind>] {
            let annotator = Annotator(loader: loader, kinds: kinds, page: page)
            guard annotator.isShaped else { continue }
            let companion = try #require(annotator.layout.companion)
            #expect(companion.intersection(annotator.panelFrame) == nil)
            #expect(abs(companion.width - annotator.panelFrame.width) < 1e-9)
            let scene = annotator.scene(at: loader.period / 7, normal: loader.period / 3)
            #expect(scene.texts.filter { ["1×", "1/6×"].contains($0.string) }.count == 2)
            let found = try problems(of: scene, TextMeasure())
            #expect(found.isEmpty, "\(found)")
        }
        let isUpright = shape == .vertical
        let layout = Annotator(loader: loader, kinds: [.clock], page: page).layout
        let companion = try #require(layout.companion)
        if isUpright, loader.canvas.width >= loader.canvas.height {
            #expect(companion.maxY < layout.panel.y, "one above the other")
        }
    }

    /// What no layout has room for, or is too elongated, is as it is without a shape.
    @Test func strangeShapesAreLetterboxed() throws {
        let loader = try Subject(id: "qq").loader()
        for (width, height) in [(2600, 1000), (100, 1000), (16, 8192)] {
            var page = AnnotationPage()
            page.shape = .pixels(width: width, height: height)
            let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
            #expect(!annotator.isShaped && annotator.size.height == 480)
            #expect(annotator.scene(at: 1) == Annotator(loader: loader, kinds: AnnotationKind.all).scene(at: 1))
        }
    }

    /// Notes on a dark surround are read on it, whatever the canvas.
    @Test(arguments: Subject.usual, ThemeTone.allCases)
    func themesAreReadable(subject: Subject, tone: ThemeTone) throws {
        let loader = try subject.loader()
        var page = AnnotationPage()
        (page.shape, page.theme) = (.wide, tone)
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
        let scene = annotator.scene(at: loader.period / 3)
        #expect(scene.background.isBright == (tone == .light))
        for text in scene.texts where annotator.panelFrame.intersection(text.frame) == nil {
            let grounds = [annotator.surround.canvas, annotator.surround.backdrop, annotator.surround.band]
            let least = grounds.map { text.color.contrast(to: $0) }.max() ?? 0
            #expect(least >= 4.5, "'\(text.string)'")
        }
        #expect(annotator.stripColors.allSatisfy { $0.contrast(to: annotator.surround.backdrop) >= 3 })
    }
}
