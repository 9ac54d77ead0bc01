import Core
import Raster
import TestSupport
import Testing

/// SVG output of dashes, fill rules, blend modes, masks and effects.
@Suite struct CompositingVectorTests {
    private let square = Node.shape(
        Shape(.rectangle(Rect(x: 10, y: 10, width: 40, height: 40)), fill: Color(255, 0, 0)))
    private let disc = Node.shape(Shape(.circle(center: Point(50, 50), radius: 20), fill: Color(0, 0, 255)))

    private func svg(_ nodes: Node...) throws -> String {
        let text = String(
            decoding: try SVGRenderer.svg(Scene(size: Size(100, 100), background: .white, nodes: nodes)),
            as: UTF8.self)
        #expect(text.hasPrefix("<?xml") && text.hasSuffix("</svg>\n"))
        return text
    }

    @Test func strokeStylesAreWritten() throws {
        let stroke = Stroke(.black, width: 3, miterLimit: 7, dash: Stroke.Dash([12, 5], phase: 3))
        let text = try svg(
            .shape(Shape(line(Point(10, 10), Point(90, 50), Point(10, 90)), stroke: stroke)),
            .shape(Shape(.circle(center: Point(50, 50), radius: 9), fill: .black, fillRule: .evenOdd)))
        #expect(text.matches(of: /stroke-dasharray[=:]"?\s*12[, ]5/).count == 1, "\(text)")
        #expect(text.matches(of: /stroke-dashoffset[=:]"?\s*3/).count == 1)
        #expect(text.matches(of: /stroke-miterlimit[=:]"?\s*7/).count == 1)
        #expect(text.contains("evenodd"))
        // A solid line after a dashed one has no dashes.
        let both = try svg(
            .shape(Shape(line(Point(10, 10), Point(90, 10)), stroke: stroke)),
            .shape(Shape(line(Point(10, 20), Point(90, 20)), stroke: Stroke(.black))))
        #expect(both.matches(of: /stroke-dasharray/).count == 1)
    }

    @Test(arguments: BlendMode.allCases) func blendModesAreWritten(mode: BlendMode) throws {
        let text = try svg(square, .group(Group(opacity: 0.5, nodes: [disc], blendMode: mode)))
        #expect(text.contains("rgb(100%") || text.contains("image"))
        #expect(text == (try svg(square, .group(Group(opacity: 0.5, nodes: [disc], blendMode: mode)))))
    }

    @Test func masksAreWritten() throws {
        for isInverted in [false, true] {
            let text = try svg(.group(Group(nodes: [square], mask: Mask([disc], isInverted: isInverted))))
            #expect(text.contains("mask") || text.contains("clip-path"), "\(text)")
        }
    }

    @Test(arguments: [
        Effect.blur(Size(3, 3)), .shadow(.black, offset: Point(5, 5), radius: 2, isShadowOnly: false),
        .fill(Color(0, 255, 0), amount: 1), .tint(black: .black, white: .white, amount: 1), .luminanceToAlpha,
    ])
    func effectsAreWrittenAsImages(effect: Effect) throws {
        let text = try svg(.group(Group(nodes: [square], effects: [effect])), disc)
        #expect(text.contains("data:image/png;base64,"), "\(effect)")
        // Nodes without effects remain paths.
        #expect(text.contains("rgb(0%, 0%, 100%)") || text.contains("rgb(0%,0%,100%)"))
    }
}
