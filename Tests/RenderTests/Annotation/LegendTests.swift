import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

/// The list of objects, the plots and the canvas must agree.
@Suite struct LegendTests {
    private func distance(_ pixel: PixelGrid.Pixel, _ color: Color) -> Int {
        func byte(_ value: Double) -> Int { Int((value * 255).rounded()) }
        return pixel.distance(to: PixelGrid.Pixel(byte(color.red), byte(color.green), byte(color.blue)))
    }

    /// Returns true if a colour occurs within `radius` points of a point.
    private func has(_ grid: PixelGrid, _ color: Color, near center: Point, within radius: Double, scale: Double)
        -> Bool
    {
        let (x, y, reach) = (Int(center.x * scale), Int(center.y * scale), Int((radius * scale).rounded(.up)))
        return (max(0, y - reach)..<min(grid.height, y + reach)).contains { row in
            (max(0, x - reach)..<min(grid.width, x + reach)).contains { distance(grid[$0, row], color) <= 6 }
        }
    }

    /// An object has the same colour on the canvas, in the list and in the plots, unless another
    /// one covers it.
    @Test(arguments: AnnotationCase.usual) func objectsHaveTheSameColourEverywhere(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let objects = loader.objects(at: .zero)
        var seen = Set<Int>()
        for phase in loader.phases.prefix(6) {
            for part in [Rational(4, 5)] {
                let moment = AnnotatedMoment(loader, at: phase.start + phase.duration * part)
                let scene = annotator.scene(at: moment.time)
                let grid = try PixelGrid(
                    of: scene, width: 2 * Int(scene.size.width), height: 2 * Int(scene.size.height))
                let table = try #require(annotator.layout.table)
                for index in objects.indices {
                    let row = table.y + AnnotationLayout.rowHeight * Double(index + 1) + 9.5
                    let swatch = has(grid, annotator.colors[index], near: Point(table.x + 7, row), within: 7, scale: 2)
                    #expect(swatch, "\(objects[index].name) in the list")
                    let radius = moment.objects[index].radius * annotator.layout.scale + 5
                    let center = annotator.layout.place(moment.objects[index].position)
                    if annotator.marks[index] == .none {
                        seen.insert(index)
                    } else if has(grid, annotator.colors[index], near: center, within: radius, scale: 2) {
                        seen.insert(index)
                    }
                }
            }
        }
        #expect(seen == Set(objects.indices), "\(seen.map { objects[$0].name })")
        #expect(Set(annotator.colors).count == objects.count)
        for index in objects.indices where annotator.marks[index] == .none {
            #expect(annotator.colors[index] == annotator.theme.visible(objects[index].color))
        }
    }

    @Test(arguments: AnnotationCase.all) func everyAxisOfMotionHasAPlot(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        for kinds in [AnnotationKind.all, [.phases]] {
            let annotator = Annotator(loader: loader, kinds: kinds)
            let (axes, layout) = (annotator.curves.axes, annotator.layout)
            #expect(layout.plots.count == axes.count, "\(layout.plots)")
            #expect(layout.plots.allSatisfy { $0.height >= 95 && $0.width >= 250 })
            let shown = Set(axes.flatMap { annotator.curves.objects(on: $0) })
            for index in annotator.colors.indices {
                let moves = axes.contains { annotator.curves.moves(index, along: $0) }
                #expect(!moves || shown.contains(index))
            }
            let moment = AnnotatedMoment(loader, at: loader.period / 3)
            let lines = annotator.plots(at: moment).compactMap(\.shape).compactMap(\.stroke?.paint)
            #expect(shown.allSatisfy { lines.contains(.color(annotator.colors[$0])) }, "every curve is drawn")
        }
    }

    /// The numbers of a scale must not overlap the title or each other, nor extend beyond the
    /// frame.
    @Test(arguments: AnnotationCase.all, Language.allCases) func textsOfPlotsDoNotOverlap(
        subject: AnnotationCase, language: Language
    )
        throws
    {
        let loader = try subject.loader()
        let measure = TextMeasure()
        for kinds in [AnnotationKind.all, [.phases]] {
            let annotator = Annotator(loader: loader, kinds: kinds, language: language)
            let texts = annotator.plots(at: AnnotatedMoment(loader, at: .zero)).flatMap(\.texts)
            // The box of a line has room above and below the glyphs.
            let boxes = try texts.map { text in
                let box = try measure.box(of: text)
                let air = max(0, (box.height - 1.1 * text.fontSize) / 2)
                return Rect(x: box.x, y: box.y + air, width: box.width, height: box.height - 2 * air)
            }
            for (index, box) in boxes.enumerated() {
                let isInside = annotator.layout.plots.contains { $0.expanded(by: 1).contains(box, tolerance: 0.5) }
                #expect(isInside, "'\(texts[index].string)' at \(box) is beside \(annotator.layout.plots)")
                for other in 0..<index {
                    #expect(
                        box.intersection(boxes[other]) == nil, "'\(texts[index].string)' on '\(texts[other].string)'")
                }
            }
            let numbers = texts.count - annotator.layout.plots.count
            #expect(numbers >= 2 * annotator.layout.plots.count, "\(texts.map(\.string))")
        }
    }

    /// The playhead has a distinct colour, so that it does not look like an object in a plot.
    @Test(arguments: AnnotationCase.usual) func marksDifferFromThePlayhead(subject: AnnotationCase) throws {
        let annotator = Annotator(loader: try subject.loader(), kinds: AnnotationKind.all)
        let accent = annotator.theme.accent
        for (color, mark) in zip(annotator.colors, annotator.marks) where mark != .none {
            let parts = [color.red - accent.red, color.green - accent.green, color.blue - accent.blue]
            #expect(parts.map(abs).max() ?? 0 > 0.25, "\(color)")
        }
    }

    /// The scale of the balls' plot has the numbers of the phase table.
    @Test(arguments: ["qq", "qq-mail"], [[], ["offset=25"]]) func plotsAndTablesHaveTheSameNumbers(
        id: String, settings: [String]
    ) throws {
        let loader = try AnnotationCase(id: id, settings: settings).loader()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let ways = annotator.table.rows.flatMap { row in
            row.motions.indices.filter { row.motions[$0].step != nil }.map {
                annotator.table.displacement(ofObject: $0, inPhase: row.phase.index)
            }
        }
        let numbers = Set(ways.flatMap { $0.split(separator: " ").map(String.init) }.filter { $0 != "→" })
        let plot = annotator.plots(at: AnnotatedMoment(loader, at: .zero)).flatMap(\.texts).map(\.string)
        #expect(numbers.count == 3 && numbers.isSubset(of: plot), "\(plot)")
        let chart = MotionChart(loader).scene().texts.map(\.string)
        #expect(numbers.isSubset(of: chart) && !chart.contains("90"), "\(chart)")
    }

    /// The table of displacements has the indices of the steps and explains their relation to the
    /// phases.
    @Test(arguments: Language.allCases) func stepsAreNumberedAndExplained(language: Language) throws {
        let loader = try AnnotationCase(id: "qq-mail").loader()
        let annotator = Annotator(loader: loader, kinds: [.phases], language: language)
        let frame = try #require(annotator.layout.displacements)
        let texts = annotator.scene(at: .zero).texts.filter { frame.contains($0.frame, tolerance: 1) }
        let numbers = texts.filter { $0.fontSize == 10 }
        #expect(numbers.map(\.string) == ["0", "1", "2", "3", "4", "5"])
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0.frame.x < $1.frame.x && $0.frame.y == $1.frame.y })
        #expect(texts.contains { $0.string.contains(language == .zh ? "每过一个阶段" : "the next in each phase") })
        let (phase, step) = (Glossary.phrase("Phase", in: language), Glossary.phrase("step", in: language))
        #expect(!phase.contains(step) && texts[0].string.contains(step), "steps and phases have different words")
    }
}

extension Node {
    fileprivate var shape: Shape? { if case .shape(let shape) = self { shape } else { nil } }
}
