import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

@Suite struct AnnotatorTests {
    @Test(arguments: AnnotationCase.all, Language.allCases) func everyTextFitsItsFrame(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, language: language)
        let canvas = Rect(size: annotator.size)
        for time in AnnotationCase.instants(of: loader) {
            for text in annotator.scene(at: time).texts {
                let size = try measure.size(of: text)
                #expect(
                    size.width <= text.frame.width + 0.01 && size.height <= text.frame.height,
                    "'\(text.string)' of \(size) in \(text.frame)")
                #expect(try canvas.contains(measure.box(of: text), tolerance: 0.5), "'\(text.string)' at \(text.frame)")
            }
        }
    }

    @Test(arguments: AnnotationCase.all, Language.allCases) func textsInBandsDoNotOverlap(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: [.phases, .timeline, .clock], language: language)
        for time in AnnotationCase.instants(of: loader) {
            let boxes = try annotator.scene(at: time).texts.map { ($0.string, try measure.box(of: $0)) }
            for (index, (string, box)) in boxes.enumerated() {
                #expect(annotator.panelFrame.intersection(box) == nil, "'\(string)' is over the canvas")
                for (other, otherBox) in boxes[..<index] {
                    // Lines may share their leading, but glyphs must not overlap.
                    let overlap = box.expanded(by: -1.5).intersection(otherBox.expanded(by: -1.5))
                    #expect(overlap == nil, "'\(string)' overlaps '\(other)'")
                }
            }
        }
    }

    @Test(arguments: AnnotationCase.all) func isAPureAndPeriodicFunction(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let times = AnnotationCase.instants(of: loader)
        let scenes = times.map { annotator.scene(at: $0) }
        #expect(annotator.scene(at: Rational.zero - loader.period) == scenes[0])
        let again = Annotator(loader: loader, kinds: AnnotationKind.all)
        for (time, scene) in zip(times, scenes).reversed() {
            #expect(again.scene(at: time) == scene)
            #expect(annotator.scene(at: time + loader.period * 3) == scene)
            #expect(scene.size == annotator.size)
        }
    }

    @Test(arguments: AnnotationCase.usual) func bandsDoNotOverlapTheCanvas(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        for bits in 0..<8 {
            let bands = [AnnotationKind.phases, .timeline, .clock].enumerated().filter { bits >> $0.offset & 1 == 1 }
            let kinds = Set(bands.map(\.element)).union([.vectors])
            let annotator = Annotator(loader: loader, kinds: kinds)
            let layout = annotator.layout
            #expect(annotator.size.height == 480 && annotator.size.width <= 960)
            #expect(annotator.size.width.truncatingRemainder(dividingBy: 4) == 0)
            for time in AnnotationCase.instants(of: loader) {
                let nodes = [Node.group(Group(transform: annotator.canvasTransform, nodes: loader.nodes(at: time)))]
                let drawn = try #require(Node.bounds(of: nodes)?.intersection(layout.canvas))
                #expect(layout.panel.contains(drawn), "the panel shows everything that is drawn")
            }
            let boxes =
                [layout.header, layout.table, layout.displacements, layout.timeline].compactMap(\.self) + layout.plots
            for (index, box) in ([layout.panel] + boxes).enumerated() {
                #expect(Rect(size: annotator.size).contains(box))
                for other in boxes.dropFirst(index) {
                    let overlap = box.expanded(by: -0.01).intersection(other.expanded(by: -0.01))
                    #expect(overlap == nil, "\(kinds)")
                }
            }
            let ratio = layout.canvas.width / layout.canvas.height
            #expect(abs(ratio - loader.canvas.width / loader.canvas.height) < 1e-9)
            #expect(layout.canvas.height > 240 && layout.panel.height >= 150, "too small")
        }
    }

    @Test func smallCanvasesAreEnlarged() throws {
        let annotator = Annotator(loader: try AnnotationCase(id: "qq-mail").loader(), kinds: AnnotationKind.all)
        #expect(annotator.layout.scale > 3.5)
        #expect(annotator.size == Size(640, 480))
    }

    @Test func kindsAreParsedFromText() {
        #expect(AnnotationKind.set(from: "all") == .success(AnnotationKind.all))
        #expect(AnnotationKind.set(from: "all,grid") == .success(AnnotationKind.all.union([.grid])))
        #expect(!AnnotationKind.all.contains(.grid))
        #expect(AnnotationKind.set(from: "clock,phases,clock") == .success([.clock, .phases]))
        #expect(AnnotationKind.set(from: "clock,phase") == .failure(.init(name: "phase")))
        #expect(AnnotationKind.set(from: "") == .failure(.init(name: "")))
        #expect(AnnotationKind.set(from: "clock,") == .failure(.init(name: "")))
    }

    @Test func kindsDetermineTheTexts() throws {
        let loader = try AnnotationCase(id: "qq-mail").loader()
        func texts(_ kinds: Set<AnnotationKind>, _ language: Language = .en) -> [String] {
            Annotator(loader: loader, kinds: kinds, language: language).scene(at: Rational(18, 25)).texts
                .map(\.string)
        }
        let phases = texts([.phases])
        for expected in ["Phase 4", "yellow moves out right, green left", "red", "4", "0", "0 → +30", "0 → −30"] {
            #expect(phases.contains(expected), "\(expected)")
        }
        #expect(texts([.clock]) == ["0.720 s"])
        #expect(texts([.vectors]).sorted() == ["+1", "0", "−1"])
        #expect(texts([.labels]) == ["red", "yellow", "green"])
        #expect(texts([.labels], .zh) == ["红球", "黄球", "绿球"])
        #expect(
            texts([.timeline]) == ["1.44 s", "0", "0.24", "0.48", "0.72", "0.96", "1.2", "1", "2", "3", "4", "5", "6"])
        #expect(texts([.ghosts, .trail]).isEmpty)
        #expect(texts([.phases, .clock], .zh).contains("阶段 4"))
    }

    @Test(arguments: [
        ("qq-pull", ["topCenter", "rightPathC", "bottomCenter", "leftPathC"]),
        ("qq", ["topCenter", "rightPathC", "bottomCenter", "leftPathC", "red", "yellow", "green"]),
        ("jelly", ["l3", "l2", "l1", "r1", "r2", "r3", "c"]), ("oneloading", ["O", "D"]),
        ("douyin", ["begin", "control", "end", "note 1", "note 2", "note 3"]), ("iqiyi", ["tail", "head", "tip"]),
        ("preloader", ["left", "right", "spot 1", "spot 2", "spot 3"]),
    ])
    func everyNameAppearsOnce(id: String, names: [String]) throws {
        let loader = try AnnotationCase(id: id).loader()
        let annotator = Annotator(loader: loader, kinds: [.labels])
        for time in AnnotationCase.instants(of: loader) {
            #expect(annotator.scene(at: time).texts.map(\.string).sorted() == names.sorted())
        }
    }
}

@Suite struct GlossaryTests {
    private func isChinese(_ text: String) -> Bool { text.unicodeScalars.contains { $0.value > 0x4E00 } }

    @Test(arguments: AnnotationCase.all) func everyNameHasAChineseTranslation(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        for phase in loader.phases {
            #expect(isChinese(phase.name.text(in: .zh)), "\(phase.name)")
            #expect(phase.name.text(in: .en) == phase.name.english)
        }
        #expect(Set(loader.phases.map { $0.name.text(in: .zh) }).count == Set(loader.phases.map(\.name)).count)
        let constructed = Set(loader.landmarks(at: .zero).map(\.name))
        for object in loader.objects(at: .zero) where !constructed.contains(object.name) {
            #expect(isChinese(object.title.text(in: .zh)), "\(object.name)")
        }
        #expect(isChinese(loader.title.text(in: .zh)))
    }
}
