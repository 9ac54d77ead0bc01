import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

/// The contrast of text, measured on drawn frames.
@Suite struct ContrastTests {
    /// The linear light of a channel's 256 values, as defined by WCAG.
    private static let linear = (0...255).map { byte -> Double in
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private func luminance(_ red: Int, _ green: Int, _ blue: Int) -> Double {
        0.2126 * Self.linear[red] + 0.7152 * Self.linear[green] + 0.0722 * Self.linear[blue]
    }

    private func contrast(_ color: Color, _ pixel: PixelGrid.Pixel) -> Double {
        func byte(_ value: Double) -> Int { Int((value * 255).rounded()) }
        let a = luminance(byte(color.red), byte(color.green), byte(color.blue)) + 0.05
        let b = luminance(pixel.red, pixel.green, pixel.blue) + 0.05
        return max(a, b) / min(a, b)
    }

    private func withoutTexts(_ nodes: [Node]) -> [Node] {
        nodes.compactMap { node in
            switch node {
            case .text: return nil
            case .group(var group):
                group.nodes = withoutTexts(group.nodes)
                return .group(group)
            case .shape, .image: return node
            }
        }
    }

    /// At least 98 percent of the pixels behind a text must have the contrast of 4.5 that WCAG
    /// requires.
    @Test(arguments: AnnotationCase.usual, [nil, "#808080", "#ffe9b0", "#101018"])
    func everyTextIsReadable(subject: AnnotationCase, background: String?) throws {
        try expectReadable(subject, AnnotationKind.all, background)
        try expectReadable(subject, [.grid], background)
    }

    private func expectReadable(_ subject: AnnotationCase, _ kinds: Set<AnnotationKind>, _ background: String?) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(
            loader: loader, kinds: kinds, background: background.flatMap { Color(css: $0) })
        for part in [Rational(1, 9), Rational(1, 2), Rational(7, 8)] {
            let scene = annotator.scene(at: loader.period * part)
            let bare = Scene(size: scene.size, background: scene.background, nodes: withoutTexts(scene.nodes))
            let grid = try PixelGrid(of: bare, width: Int(scene.size.width), height: Int(scene.size.height))
            for text in scene.texts {
                let box = try measure.box(of: text).expanded(by: -1)
                var (total, poor) = (0, 0)
                for y in max(0, Int(box.y))..<min(grid.height, Int(box.maxY)) {
                    for x in max(0, Int(box.x))..<min(grid.width, Int(box.maxX)) {
                        total += 1
                        poor += contrast(text.color, grid[x, y]) < 4.5 ? 1 : 0
                    }
                }
                #expect(total > 0 && poor * 50 <= total, "'\(text.string)': \(poor) of \(total) pixels")
            }
        }
    }

    /// Without bands, the canvas's background fills the frame, including the letterbox of a tall
    /// frame.
    @Test(arguments: AnnotationCase.usual, [nil, "#123456"]) func framesWithoutBandsHaveOneBackground(
        subject: AnnotationCase, background: String?
    ) throws {
        let loader = try subject.loader()
        let color = background.flatMap { Color(css: $0) }
        let annotator = Annotator(
            loader: loader, kinds: [.labels, .vectors, .trail, .ghosts], background: color)
        let scene = annotator.scene(at: loader.period / 3)
        #expect(scene.background == color ?? loader.background)
        let grid = try PixelGrid(of: scene, width: 640, height: 1000)
        let corner = grid[0, 0]
        let edges = (0..<640).flatMap { x in (0..<80).flatMap { [grid[x, $0], grid[x, 999 - $0]] } }
        #expect(edges.allSatisfy { $0 == corner })
        #expect(grid[4, 500] == corner && grid[635, 490] == corner)
    }

    /// The playhead and the bar of elapsed time must not touch the names of phases.
    @Test(arguments: AnnotationCase.usual, Language.allCases) func thePlayheadDoesNotTouchNames(
        subject: AnnotationCase, language: Language
    ) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: [.timeline], language: language)
        let frame = try #require(annotator.layout.timeline)
        for part in 0..<80 {
            let time = loader.period * Rational(Int128(part), 80)
            let nodes = annotator.timeline(in: frame, at: AnnotatedMoment(loader, at: time))
            let accents = nodes.compactMap { node -> Rect? in
                guard case .shape(let shape) = node else { return nil }
                let accent = Paint.color(annotator.theme.accent)
                let isAccent = shape.fill == accent || shape.stroke?.paint == accent
                return isAccent ? shape.path.bounds : nil
            }
            #expect(accents.count >= 3)
            for text in nodes.flatMap(\.texts) where text.fontSize == 12 {
                // Descenders may reach the line below.
                let box = try measure.box(of: text).expanded(by: -1)
                #expect(accents.allSatisfy { $0.intersection(box) == nil }, "'\(text.string)' at \(time) s")
            }
        }
    }
}
